#include "binary/lines/line_table.h"

#include "base/binary_search.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Forms of version 5 that names of files have, and others that stand beside them. */
enum {
  FORM_BLOCK = 0x09,
  FORM_DATA1 = 0x0b,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_DATA16 = 0x1e,
  FORM_STRING = 0x08,
  FORM_STRP = 0x0e,
  FORM_LINE_STRP = 0x1f,
  FORM_UDATA = 0x0f,
  CONTENT_PATH = 1,
  CONTENT_DIRECTORY = 2
};

/* Opcodes of line programs; those of standard ones from opcode_base on are special. */
enum {
  OP_EXTENDED = 0,
  OP_COPY = 1,
  OP_ADVANCE_PC = 2,
  OP_ADVANCE_LINE = 3,
  OP_SET_FILE = 4,
  OP_CONST_ADD_PC = 8,
  OP_FIXED_ADVANCE_PC = 9,
  EXTENDED_END_SEQUENCE = 1,
  EXTENDED_SET_ADDRESS = 2
};

/* The longest name: without a limit a damaged file could have one long one read again and again. */
enum { NAME_LONGEST = 4096 };

/* A reading of .debug_line, unit by unit: a head, and the program that makes the rows. */
struct reading {
  const struct wb_cubin *cubin;
  struct wb_line_table *table;
  const struct wb_cubin_section *lines;        /* .debug_line */
  const struct wb_cubin_section *strings;      /* .debug_str; NULL: there is none */
  const struct wb_cubin_section *line_strings; /* .debug_line_str, from version 5 on; NULL */
  bool no_memory;

  /* What is left of the unit. After a read beyond its end `failed` is set, and every read gives 0.
   */
  const unsigned char *at;
  const unsigned char *end;
  bool failed;

  /* The unit's head. */
  unsigned version;
  unsigned offset_size; /* 4 or 8 */
  unsigned minimum_length;
  int line_base;
  unsigned line_range;
  unsigned opcode_base;
  const unsigned char *operand_counts; /* of standard opcodes 1 .. opcode_base - 1 */
  const char **folders;
  size_t folder_count, folder_capacity;
  size_t first_file; /* in table->files, of the unit's number `file_base` */
  size_t file_count;
  unsigned file_base; /* the number of the unit's first file: 1, from version 5 on 0 */

  /* Its program while it runs. section is WB_CUBIN_NONE until an address in code is set. */
  size_t section;
  uint64_t address;
  uint64_t file;
  uint64_t line;
};

/* ---- numbers as DWARF writes them ---- */

/* Takes `count` bytes; NULL where there are fewer. */
static const unsigned char *take_bytes(struct reading *reading, uint64_t count)
{
  if (reading->failed || count > (size_t)(reading->end - reading->at)) {
    reading->failed = true;
    return NULL;
  }
  const unsigned char *bytes = reading->at;
  reading->at += count;
  return bytes;
}

/* Little-endian, of 1 to 8 bytes. */
static uint64_t take_number(struct reading *reading, unsigned size)
{
  const unsigned char *bytes = take_bytes(reading, size);
  uint64_t number = 0;
  for (unsigned i = 0; bytes != NULL && i < size; i++)
    number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

/* The bits of a number that is written seven a byte, lowest first; bits above 64 are lost. */
static uint64_t take_sevens(struct reading *reading, bool is_signed)
{
  uint64_t number = 0;
  unsigned shift = 0;
  const unsigned char *byte;
  do {
    byte = take_bytes(reading, 1);
    if (byte == NULL)
      return 0;
    if (shift < 64)
      number |= (uint64_t)(*byte & 0x7f) << shift;
    shift += shift < 64 ? 7 : 0;
  } while ((*byte & 0x80) != 0);
  if (is_signed && shift < 64 && (*byte & 0x40) != 0)
    number |= UINT64_MAX << shift;
  return number;
}

/* A string up to its zero; NULL where none ends it. */
static const char *take_string(struct reading *reading)
{
  const size_t left = (size_t)(reading->end - reading->at);
  const unsigned char *zero = reading->failed || left == 0 ? NULL : memchr(reading->at, 0, left);
  if (zero == NULL) {
    reading->failed = true;
    return NULL;
  }
  const char *string = (const char *)reading->at;
  reading->at = zero + 1;
  return string;
}

/* ---- the head of a unit ---- */

static void add_folder(struct reading *reading, const char *name)
{
  reading->no_memory |=
      !wb_grow(reading->folders, &reading->folder_capacity, reading->folder_count + 1);
  if (!reading->no_memory)
    reading->folders[reading->folder_count++] = name;
}

/* Adds a file with its folder, unless its name begins at the root. */
static void add_file(struct reading *reading, uint64_t folder, const char *name)
{
  struct wb_line_table *table = reading->table;
  const char *before =
      name[0] != '/' && folder < reading->folder_count ? reading->folders[folder] : "";
  reading->no_memory |= !wb_grow(table->files, &table->file_capacity, table->file_count + 1);
  if (!reading->no_memory)
    table->files[table->file_count++] = (struct wb_line_file){before, name};
}

/* Versions 2 to 4: strings, each list ended by an empty one. */
static void read_old_files(struct reading *reading)
{
  const char *name;
  add_folder(reading, ""); /* number 0: where the compiler ran */
  while (!reading->no_memory && (name = take_string(reading)) != NULL && *name != '\0')
    add_folder(reading, name);
  while (!reading->no_memory && (name = take_string(reading)) != NULL && *name != '\0') {
    const uint64_t folder = take_sevens(reading, false);
    take_sevens(reading, false); /* when it was changed */
    take_sevens(reading, false); /* its length */
    if (!reading->failed)
      add_file(reading, folder, name);
  }
}

/* A string of another section, NULL: which there is not. */
static const char *string_at(const struct wb_cubin_section *strings, uint64_t offset)
{
  if (strings == NULL || strings->bytes == NULL || offset >= strings->size)
    return NULL;
  const char *first = (const char *)strings->bytes + offset;
  const uint64_t left = strings->size - offset;
  return memchr(first, 0, left < NAME_LONGEST ? (size_t)left : NAME_LONGEST) != NULL ? first : NULL;
}

/* A value of version 5: a string, or a number; others are passed over. */
static void read_form(struct reading *reading, uint64_t form, const char **string, uint64_t *number)
{
  switch (form) {
  case FORM_STRING:
    *string = take_string(reading);
    break;
  case FORM_STRP:
    *string = string_at(reading->strings, take_number(reading, reading->offset_size));
    break;
  case FORM_LINE_STRP:
    *string = string_at(reading->line_strings, take_number(reading, reading->offset_size));
    break;
  case FORM_UDATA:
    *number = take_sevens(reading, false);
    break;
  case FORM_DATA1:
    *number = take_number(reading, 1);
    break;
  case FORM_DATA2:
    *number = take_number(reading, 2);
    break;
  case FORM_DATA4:
    *number = take_number(reading, 4);
    break;
  case FORM_DATA8:
    *number = take_number(reading, 8);
    break;
  case FORM_DATA16:
    take_bytes(reading, 16);
    break;
  case FORM_BLOCK:
    take_bytes(reading, take_sevens(reading, false));
    break;
  default:
    reading->failed = true;
  }
}

/* Version 5: folders or files, behind the pairs of content and form that say how they are written.
 */
static void read_new_entries(struct reading *reading, bool files)
{
  uint64_t contents[16];
  uint64_t forms[16];
  const unsigned form_count = (unsigned)take_number(reading, 1);
  reading->failed |= form_count > 16;
  for (unsigned f = 0; f < form_count && !reading->failed; f++) {
    contents[f] = take_sevens(reading, false);
    forms[f] = take_sevens(reading, false);
  }
  const uint64_t count = take_sevens(reading, false);
  for (uint64_t i = 0; i < count && !reading->failed && !reading->no_memory; i++) {
    const char *name = NULL;
    uint64_t folder = 0;
    const unsigned char *first = reading->at;
    for (unsigned f = 0; f < form_count; f++) {
      const char *string = NULL;
      uint64_t number = 0;
      read_form(reading, forms[f], &string, &number);
      name = contents[f] == CONTENT_PATH ? string : name;
      folder = contents[f] == CONTENT_DIRECTORY ? number : folder;
    }
    reading->failed |= reading->at == first || name == NULL;
    if (!reading->failed && files)
      add_file(reading, folder, name);
    else if (!reading->failed)
      add_folder(reading, name);
  }
}

/* Reads the head behind its unit's length, and adds its files to the table. The program is left. */
static void read_head(struct reading *reading)
{
  reading->version = (unsigned)take_number(reading, 2);
  reading->failed |= reading->version < 2 || reading->version > 5;
  if (reading->version == 5) {
    take_number(reading, 1); /* bytes of an address; each instruction says it, too */
    take_number(reading, 1); /* of a segment's number */
  }
  const uint64_t length = take_number(reading, reading->offset_size);
  const unsigned char *first = reading->at;
  reading->failed |= length > (size_t)(reading->end - first);
  reading->minimum_length = (unsigned)take_number(reading, 1);
  if (reading->version >= 4)
    take_number(reading, 1); /* operations of a long instruction word: 1 */
  take_number(reading, 1);   /* whether lines are statements at first */
  reading->line_base = (int)(int8_t)take_number(reading, 1);
  reading->line_range = (unsigned)take_number(reading, 1);
  reading->opcode_base = (unsigned)take_number(reading, 1);
  reading->failed |= reading->opcode_base == 0 || reading->line_range == 0;
  if (reading->failed)
    return;
  reading->operand_counts = take_bytes(reading, reading->opcode_base - 1);
  reading->folder_count = 0;
  reading->first_file = reading->table->file_count;
  reading->file_base = reading->version < 5;
  if (reading->version < 5) {
    read_old_files(reading);
  } else {
    read_new_entries(reading, false);
    read_new_entries(reading, true);
  }
  reading->file_count = reading->table->file_count - reading->first_file;
  reading->at = first + length;
}

/* ---- its program ---- */

static void begin_sequence(struct reading *reading)
{
  reading->section = WB_CUBIN_NONE;
  reading->address = 0;
  reading->file = 1;
  reading->line = 1;
}

/* Adds a row where its section, file and line are known. */
static void add_row(struct reading *reading)
{
  struct wb_line_table *table = reading->table;
  const uint64_t file = reading->file - reading->file_base;
  if (reading->section == WB_CUBIN_NONE || file >= reading->file_count ||
      reading->line > UINT32_MAX)
    return;
  reading->no_memory |= !wb_grow(table->rows, &table->row_capacity, table->row_count + 1);
  if (reading->no_memory)
    return;
  table->rows[table->row_count++] = (struct wb_line_row){
      .section = reading->section,
      .address = reading->address,
      .file = (uint32_t)(reading->first_file + file),
      .line = (uint32_t)reading->line,
  };
}

static bool is_before_offset(const void *relocations, size_t index, const void *offset)
{
  return ((const struct wb_cubin_relocation *)relocations)[index].offset <
         *(const uint64_t *)offset;
}

/* An address at `bytes` is that of a function's symbol, which a relocation gives. */
static void set_address(struct reading *reading, const unsigned char *bytes, uint64_t value)
{
  const struct wb_cubin *cubin = reading->cubin;
  const struct wb_cubin_slice *slice = &reading->lines->relocations;
  const struct wb_cubin_relocation *relocation = cubin->relocations + slice->first;
  const uint64_t offset = (uint64_t)(bytes - reading->lines->bytes);
  const size_t index = wb_lower_bound(relocation, slice->count, is_before_offset, &offset);
  reading->section = WB_CUBIN_NONE;
  if (index == slice->count || relocation[index].offset != offset ||
      relocation[index].symbol >= cubin->symbol_count)
    return;
  relocation += index;
  const struct wb_cubin_symbol *symbol = &cubin->symbols[relocation->symbol];
  if (!symbol->defined)
    return;
  reading->section = symbol->section;
  reading->address =
      symbol->value + (relocation->has_addend ? (uint64_t)relocation->addend : value);
}

static void advance(struct reading *reading, uint64_t steps)
{
  reading->address += steps * reading->minimum_length;
}

static void run_extended(struct reading *reading)
{
  const uint64_t length = take_sevens(reading, false);
  const unsigned char *first = take_bytes(reading, length);
  if (first == NULL || length == 0)
    return;
  if (*first == EXTENDED_END_SEQUENCE)
    begin_sequence(reading);
  if (*first == EXTENDED_SET_ADDRESS && length - 1 <= 8) {
    reading->at = first + 1;
    set_address(reading, first + 1, take_number(reading, (unsigned)length - 1));
  }
}

static void run_standard(struct reading *reading, unsigned opcode)
{
  switch (opcode) {
  case OP_EXTENDED:
    run_extended(reading);
    break;
  case OP_COPY:
    add_row(reading);
    break;
  case OP_ADVANCE_PC:
    advance(reading, take_sevens(reading, false));
    break;
  case OP_ADVANCE_LINE:
    reading->line += take_sevens(reading, true);
    break;
  case OP_SET_FILE:
    reading->file = take_sevens(reading, false);
    break;
  case OP_CONST_ADD_PC:
    advance(reading, (255 - reading->opcode_base) / reading->line_range);
    break;
  case OP_FIXED_ADVANCE_PC:
    reading->address += take_number(reading, 2);
    break;
  default:
    for (unsigned i = 0; i < reading->operand_counts[opcode - 1]; i++)
      take_sevens(reading, false);
  }
}

static void run(struct reading *reading)
{
  begin_sequence(reading);
  while (!reading->no_memory && !reading->failed && reading->at < reading->end) {
    const unsigned opcode = (unsigned)take_number(reading, 1);
    if (opcode < reading->opcode_base) {
      run_standard(reading, opcode);
      continue;
    }
    const unsigned adjusted = opcode - reading->opcode_base;
    advance(reading, adjusted / reading->line_range);
    reading->line +=
        (uint64_t)(int64_t)(reading->line_base + (int)(adjusted % reading->line_range));
    add_row(reading);
  }
}

/* ---- the table ---- */

static int compare_rows(const void *one, const void *other)
{
  const struct wb_line_row *a = one, *b = other;
  if (a->section != b->section)
    return a->section < b->section ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

/* Merges sorted halves, so that rows of one address stay in order. */
static void sort_rows(struct wb_line_row *rows, struct wb_line_row *room, size_t count)
{
  size_t half = count / 2, left = 0, right = half, next = 0;
  if (count < 2)
    return;
  sort_rows(rows, room, half);
  sort_rows(rows + half, room, count - half);
  while (left < half && right < count)
    room[next++] = compare_rows(&rows[right], &rows[left]) < 0 ? rows[right++] : rows[left++];
  while (left < half)
    room[next++] = rows[left++];
  memcpy(rows, room, next * sizeof *rows);
}

/* A section of the name that has bytes; NULL: none. */
static const struct wb_cubin_section *section_named(const struct wb_cubin *cubin, const char *name)
{
  const size_t number = wb_cubin_section_named(cubin, name);
  return number != WB_CUBIN_NONE && cubin->sections[number].bytes != NULL ? &cubin->sections[number]
                                                                          : NULL;
}

warpbound_status wb_line_table_read(const struct wb_cubin *cubin, struct wb_line_table *table,
                                    warpbound_error *error)
{
  struct reading reading = {
      .cubin = cubin,
      .table = table,
      .lines = section_named(cubin, ".debug_line"),
      .strings = section_named(cubin, ".debug_str"),
      .line_strings = section_named(cubin, ".debug_line_str"),
  };
  if (reading.lines == NULL)
    return WARPBOUND_OK;
  const unsigned char *end = reading.lines->bytes + reading.lines->size;
  for (reading.end = reading.lines->bytes; reading.end < end && !reading.no_memory;) {
    reading.at = reading.end;
    reading.end = end;
    reading.failed = false;
    reading.offset_size = 4;
    uint64_t length = take_number(&reading, 4);
    if (length == 0xffffffff) {
      reading.offset_size = 8;
      length = take_number(&reading, 8);
    }
    if (reading.failed || length > (size_t)(end - reading.at))
      break;
    reading.end = reading.at + length;
    read_head(&reading);
    run(&reading);
  }
  free(reading.folders);
  struct wb_line_row *room = wb_allocate(table->row_count, sizeof *room);
  if (room == NULL || reading.no_memory) {
    free(room);
    return wb_out_of_memory(error);
  }
  sort_rows(table->rows, room, table->row_count);
  free(room);
  return WARPBOUND_OK;
}

void wb_line_table_free(struct wb_line_table *table)
{
  free(table->files);
  free(table->rows);
  *table = (struct wb_line_table){0};
}

static bool row_is_before(const void *rows, size_t index, const void *wanted)
{
  return compare_rows(&((const struct wb_line_row *)rows)[index], wanted) < 0;
}

size_t wb_line_table_find(const struct wb_line_table *table, size_t section, uint64_t address)
{
  struct wb_line_row wanted = {.section = section, .address = address};
  return wb_lower_bound(table->rows, table->row_count, row_is_before, &wanted);
}
