#include "binary/lines/line_table.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "binary/lines/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };

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

/* A reading of .debug_line, unit by unit: a head, and the program that makes the rows. */
struct reading {
  const struct wb_cubin *cubin;
  struct wb_line_table *table;
  const struct wb_cubin_section *lines;        /* .debug_line */
  const struct wb_cubin_section *strings;      /* .debug_str; NULL: there is none */
  const struct wb_cubin_section *line_strings; /* .debug_line_str, from version 5 on; NULL */
  bool no_memory;

  struct wb_dwarf_reader in; /* what is left of the unit */

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
  while (!reading->no_memory && (name = wb_dwarf_take_string(&reading->in)) != NULL &&
         *name != '\0')
    add_folder(reading, name);
  while (!reading->no_memory && (name = wb_dwarf_take_string(&reading->in)) != NULL &&
         *name != '\0') {
    const uint64_t folder = wb_dwarf_take_sevens(&reading->in, false);
    wb_dwarf_take_sevens(&reading->in, false); /* when it was changed */
    wb_dwarf_take_sevens(&reading->in, false); /* its length */
    if (!reading->in.failed)
      add_file(reading, folder, name);
  }
}

/* A value of version 5: a string, or a number; others are passed over. */
static void read_form(struct reading *reading, uint64_t form, const char **string, uint64_t *number)
{
  switch (form) {
  case WB_DWARF_FORM_STRING:
    *string = wb_dwarf_take_string(&reading->in);
    break;
  case WB_DWARF_FORM_STRP:
    *string = wb_dwarf_string_at(reading->strings,
                                 wb_dwarf_take_number(&reading->in, reading->offset_size));
    break;
  case WB_DWARF_FORM_LINE_STRP:
    *string = wb_dwarf_string_at(reading->line_strings,
                                 wb_dwarf_take_number(&reading->in, reading->offset_size));
    break;
  case WB_DWARF_FORM_UDATA:
    *number = wb_dwarf_take_sevens(&reading->in, false);
    break;
  case WB_DWARF_FORM_DATA1:
    *number = wb_dwarf_take_number(&reading->in, 1);
    break;
  case WB_DWARF_FORM_DATA2:
    *number = wb_dwarf_take_number(&reading->in, 2);
    break;
  case WB_DWARF_FORM_DATA4:
    *number = wb_dwarf_take_number(&reading->in, 4);
    break;
  case WB_DWARF_FORM_DATA8:
    *number = wb_dwarf_take_number(&reading->in, 8);
    break;
  case WB_DWARF_FORM_DATA16:
    wb_dwarf_take_bytes(&reading->in, 16);
    break;
  case WB_DWARF_FORM_BLOCK:
    wb_dwarf_take_bytes(&reading->in, wb_dwarf_take_sevens(&reading->in, false));
    break;
  default:
    reading->in.failed = true;
  }
}

/* Version 5: folders or files, behind the pairs of content and form that say how they are written.
 */
static void read_new_entries(struct reading *reading, bool files)
{
  uint64_t contents[16] = {0};
  uint64_t forms[16] = {0};
  const unsigned form_count = (unsigned)wb_dwarf_take_number(&reading->in, 1);
  reading->in.failed |= form_count > 16;
  for (unsigned f = 0; f < form_count && !reading->in.failed; f++) {
    contents[f] = wb_dwarf_take_sevens(&reading->in, false);
    forms[f] = wb_dwarf_take_sevens(&reading->in, false);
  }
  const uint64_t count = wb_dwarf_take_sevens(&reading->in, false);
  for (uint64_t i = 0; i < count && !reading->in.failed && !reading->no_memory; i++) {
    const char *name = NULL;
    uint64_t folder = 0;
    const unsigned char *first = reading->in.at;
    for (unsigned f = 0; f < form_count; f++) {
      const char *string = NULL;
      uint64_t number = 0;
      read_form(reading, forms[f], &string, &number);
      name = contents[f] == CONTENT_PATH ? string : name;
      folder = contents[f] == CONTENT_DIRECTORY ? number : folder;
    }
    reading->in.failed |= reading->in.at == first || name == NULL;
    if (!reading->in.failed && files)
      add_file(reading, folder, name);
    else if (!reading->in.failed)
      add_folder(reading, name);
  }
}

/* Reads the head behind its unit's length, and adds its files to the table. The program is left. */
static void read_head(struct reading *reading)
{
  reading->version = (unsigned)wb_dwarf_take_number(&reading->in, 2);
  reading->in.failed |= reading->version < 2 || reading->version > 5;
  if (reading->version == 5) {
    wb_dwarf_take_number(&reading->in, 1); /* bytes of an address; each instruction says it, too */
    wb_dwarf_take_number(&reading->in, 1); /* of a segment's number */
  }
  const uint64_t length = wb_dwarf_take_number(&reading->in, reading->offset_size);
  const unsigned char *first = reading->in.at;
  reading->in.failed |= length > (size_t)(reading->in.end - first);
  reading->minimum_length = (unsigned)wb_dwarf_take_number(&reading->in, 1);
  if (reading->version >= 4)
    wb_dwarf_take_number(&reading->in, 1); /* operations of a long instruction word: 1 */
  wb_dwarf_take_number(&reading->in, 1);   /* whether lines are statements at first */
  reading->line_base = (int)(int8_t)wb_dwarf_take_number(&reading->in, 1);
  reading->line_range = (unsigned)wb_dwarf_take_number(&reading->in, 1);
  reading->opcode_base = (unsigned)wb_dwarf_take_number(&reading->in, 1);
  reading->in.failed |= reading->opcode_base == 0 || reading->line_range == 0;
  if (reading->in.failed)
    return;
  reading->operand_counts = wb_dwarf_take_bytes(&reading->in, reading->opcode_base - 1);
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
  reading->in.at = first + length;
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
  const uint64_t length = wb_dwarf_take_sevens(&reading->in, false);
  const unsigned char *first = wb_dwarf_take_bytes(&reading->in, length);
  if (first == NULL || length == 0)
    return;
  if (*first == EXTENDED_END_SEQUENCE)
    begin_sequence(reading);
  if (*first == EXTENDED_SET_ADDRESS && length - 1 <= 8) {
    reading->in.at = first + 1;
    set_address(reading, first + 1, wb_dwarf_take_number(&reading->in, (unsigned)length - 1));
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
    advance(reading, wb_dwarf_take_sevens(&reading->in, false));
    break;
  case OP_ADVANCE_LINE:
    reading->line += wb_dwarf_take_sevens(&reading->in, true);
    break;
  case OP_SET_FILE:
    reading->file = wb_dwarf_take_sevens(&reading->in, false);
    break;
  case OP_CONST_ADD_PC:
    advance(reading, (255 - reading->opcode_base) / reading->line_range);
    break;
  case OP_FIXED_ADVANCE_PC:
    reading->address += wb_dwarf_take_number(&reading->in, 2);
    break;
  default:
    for (unsigned i = 0; i < reading->operand_counts[opcode - 1]; i++)
      wb_dwarf_take_sevens(&reading->in, false);
  }
}

static void run(struct reading *reading)
{
  begin_sequence(reading);
  while (!reading->no_memory && !reading->in.failed && reading->in.at < reading->in.end) {
    const unsigned opcode = (unsigned)wb_dwarf_take_number(&reading->in, 1);
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

warpbound_status wb_line_table_read(const struct wb_cubin *cubin, struct wb_line_table *table,
                                    warpbound_error *error)
{
  struct reading reading = {
      .cubin = cubin,
      .table = table,
      .lines = wb_dwarf_section(cubin, ".debug_line"),
      .strings = wb_dwarf_section(cubin, ".debug_str"),
      .line_strings = wb_dwarf_section(cubin, ".debug_line_str"),
  };
  if (reading.lines == NULL)
    return WARPBOUND_OK;
  const unsigned char *end = reading.lines->bytes + reading.lines->size;
  for (reading.in.end = reading.lines->bytes; reading.in.end < end && !reading.no_memory;) {
    reading.in = (struct wb_dwarf_reader){.at = reading.in.end, .end = end};
    const uint64_t length = wb_dwarf_take_length(&reading.in, &reading.offset_size);
    if (reading.in.failed)
      break;
    reading.in.end = reading.in.at + length;
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
