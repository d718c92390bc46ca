/* The reading of a cubin: its head, sections, symbols and relocations; looking them up. */
#include "binary/cubin/cubin_reader.h"

#include "base/little_endian.h"
#include "base/memory.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sections, checked against the file, and which belongs to which section of code ---- */

/* Most sections of a cubin. Libraries of kernels have some ten thousand. */
#define SECTION_LIMIT ((size_t)1 << 20)

/* Most symbols and relocations of a cubin: each needs several times its bytes in the file. */
#define SYMBOL_LIMIT ((size_t)1 << 22)
#define RELOCATION_LIMIT ((size_t)1 << 22)

/* All names together have at most as many times the bytes of the file: names may overlap, and a
 * hostile file could make many long ones of few bytes. */
#define NAME_BYTES 4

/* All sections together have at most as many times the bytes of the file: from sm_100 on those
 * named .nv.merc share theirs with others. */
#define SHARED_BYTES 4

/* The text of a string table, a section's number, at an offset; NULL with *error where it is not
 * within. */
static const char *string_at(struct wb_cubin_reader *reader, size_t table, uint64_t offset)
{
  const struct wb_cubin_section *strings = &reader->cubin->sections[table];
  if (strings->bytes == NULL || offset >= strings->size) {
    wb_cubin_fail(reader, "expected a name in section %zu of %llu bytes, found offset 0x%llx",
                  table, (unsigned long long)strings->size, (unsigned long long)offset);
    return NULL;
  }
  const char *text = (const char *)strings->bytes + offset;
  const size_t left = NAME_BYTES * reader->length - reader->name_bytes;
  const size_t most = strings->size - offset < left ? (size_t)(strings->size - offset) : left;
  const char *end = memchr(text, '\0', most);
  if (end == NULL) {
    const uint64_t place = strings->place + offset;
    wb_cubin_fail(reader,
                  "the name at offset 0x%llx has no end, or names have more than %d times the "
                  "file's bytes",
                  (unsigned long long)place, NAME_BYTES);
    return NULL;
  }
  reader->name_bytes += (size_t)(end - text);
  return text;
}

/* Whether a text can be the name of a section or a symbol in a listing: it has no blank,
 * comma or control character, and does not begin as a comment does. */
static bool is_name(const char *text)
{
  for (const char *at = text; *at != '\0'; at++) {
    if ((unsigned char)*at <= ' ' || *at == 0x7f || *at == ',')
      return false;
  }
  return text[0] != '/';
}

/* Types of sections in relocatable files: memory without contents in the file, but for the
 * initialised one. */
enum { SHT_CUDA_GLOBAL = 0x70000007, SHT_CUDA_GLOBAL_INITIALIZED, SHT_CUDA_LOCAL, SHT_CUDA_SHARED };

static bool read_section(const struct wb_cubin_reader *reader, size_t number)
{
  GElf_Shdr head;
  if (gelf_getshdr(elf_getscn(reader->elf, number), &head) == NULL)
    return wb_cubin_fail(reader, "section %zu: expected its head: %s", number, elf_errmsg(-1));
  struct wb_cubin_section *section = &reader->cubin->sections[number];
  *section = (struct wb_cubin_section){.name = "",
                                       .function = WB_CUBIN_NONE,
                                       .type = head.sh_type,
                                       .flags = head.sh_flags,
                                       .place = head.sh_offset,
                                       .size = head.sh_size,
                                       .alignment = head.sh_addralign,
                                       .entry_size = head.sh_entsize,
                                       .link = head.sh_link,
                                       .info = head.sh_info};
  if (section->type == SHT_NOBITS || section->type == SHT_NULL ||
      (section->type >= SHT_CUDA_GLOBAL && section->type <= SHT_CUDA_SHARED &&
       section->type != SHT_CUDA_GLOBAL_INITIALIZED))
    return true;
  if (section->place > reader->length || section->size > reader->length - section->place)
    return wb_cubin_fail(
        reader, "section %zu: expected 0x%llx bytes at offset 0x%llx, the file has 0x%zx", number,
        (unsigned long long)section->size, (unsigned long long)section->place, reader->length);
  section->bytes = reader->bytes + section->place;
  return true;
}

static bool read_names(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t table;
  if (elf_getshdrstrndx(reader->elf, &table) != 0 || table == 0 || table >= cubin->section_count)
    return wb_cubin_fail(reader, "expected a section with the names of sections");
  for (size_t s = 1; s < cubin->section_count; s++) {
    GElf_Shdr head;
    if (gelf_getshdr(elf_getscn(reader->elf, s), &head) == NULL ||
        (cubin->sections[s].name = string_at(reader, table, head.sh_name)) == NULL)
      return false;
    if (!is_name(cubin->sections[s].name))
      return wb_cubin_fail(
          reader, "section %zu: expected a name without blanks and commas, and no slash before it",
          s);
    /* Shared memory has no initial contents, whatever the file holds there. */
    if (strncmp(cubin->sections[s].name, ".nv.shared.", strlen(".nv.shared.")) == 0)
      cubin->sections[s].bytes = NULL;
  }
  return true;
}

/* Sections hardly share bytes: who reads all of them then reads little more than the file. */
static bool check_total(const struct wb_cubin_reader *reader)
{
  const uint64_t most = (uint64_t)SHARED_BYTES * reader->length;
  uint64_t total = 0;
  for (size_t s = 1; s < reader->cubin->section_count; s++) {
    const struct wb_cubin_section *section = &reader->cubin->sections[s];
    if (section->bytes == NULL)
      continue;
    if (section->size > most - total)
      return wb_cubin_fail(reader,
                           "section %zu (%.100s): expected sections of at most %d times the file's "
                           "bytes, found more",
                           s, section->name, SHARED_BYTES);
    total += section->size;
  }
  return true;
}

bool wb_cubin_is_code(const struct wb_cubin_section *section)
{
  return section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR) != 0 &&
         section->bytes != NULL;
}

/* Whether a section says with sh_info which section of code it belongs to. Old compilers do not set
 * SHF_INFO_LINK. */
static bool is_attached(const struct wb_cubin *cubin, const struct wb_cubin_section *section)
{
  return ((section->flags & SHF_INFO_LINK) != 0 || strncmp(section->name, ".nv.", 4) == 0) &&
         section->type != SHT_REL && section->type != SHT_RELA && section->info > 0 &&
         section->info < cubin->section_count && wb_cubin_is_code(&cubin->sections[section->info]);
}

/* Sorts the attached sections by what they belong to, by counting. */
static bool attach(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (is_attached(cubin, &cubin->sections[s])) {
      cubin->sections[cubin->sections[s].info].attached.count++;
      cubin->attached_count++;
    }
  }
  cubin->attached = wb_allocate(cubin->attached_count, sizeof *cubin->attached);
  if (cubin->attached == NULL)
    return wb_cubin_out_of_memory(reader);
  size_t first = 0;
  for (size_t s = 1; s < cubin->section_count; s++) {
    struct wb_cubin_slice *slice = &cubin->sections[s].attached;
    slice->first = first;
    first += slice->count;
    slice->count = 0;
  }
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (is_attached(cubin, &cubin->sections[s])) {
      struct wb_cubin_slice *slice = &cubin->sections[cubin->sections[s].info].attached;
      cubin->attached[slice->first + slice->count++] = (uint32_t)s;
    }
  }
  return true;
}

static bool read_sections(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t count;
  if (elf_getshdrnum(reader->elf, &count) != 0)
    return wb_cubin_fail(reader, "expected sections: %s", elf_errmsg(-1));
  if (count == 0 || count > SECTION_LIMIT)
    return wb_cubin_fail(reader, "expected 1 to %zu sections, found %zu", SECTION_LIMIT, count);
  if ((cubin->sections = wb_allocate(count, sizeof *cubin->sections)) == NULL)
    return wb_cubin_out_of_memory(reader);
  cubin->section_count = count;
  cubin->sections[0] = (struct wb_cubin_section){.name = "", .function = WB_CUBIN_NONE};
  for (size_t s = 1; s < count; s++) {
    if (!read_section(reader, s))
      return false;
  }
  return read_names(reader) && check_total(reader) && attach(reader);
}

/* ---- symbols and relocations ---- */

/* The data of a section of entries, and their number; NULL with *error where it is not of whole
 * entries. */
static Elf_Data *entries_of(const struct wb_cubin_reader *reader, size_t number, size_t size,
                            size_t *count)
{
  const struct wb_cubin_section *section = &reader->cubin->sections[number];
  if (section->entry_size != size || section->size % size != 0) {
    wb_cubin_fail(reader, "section %zu (%s): expected entries of %zu bytes, found 0x%llx bytes",
                  number, section->name, size, (unsigned long long)section->size);
    return NULL;
  }
  Elf_Data *data = elf_getdata(elf_getscn(reader->elf, number), NULL);
  if (data == NULL)
    wb_cubin_fail(reader, "section %zu (%s): %s", number, section->name, elf_errmsg(-1));
  *count = section->size / size;
  return data;
}

static bool read_symbol(struct wb_cubin_reader *reader, Elf_Data *data, size_t strings,
                        size_t number)
{
  struct wb_cubin *cubin = reader->cubin;
  GElf_Sym entry;
  if (gelf_getsym(data, (int)number, &entry) == NULL)
    return wb_cubin_fail(reader, "symbol %zu: %s", number, elf_errmsg(-1));
  struct wb_cubin_symbol *symbol = &cubin->symbols[number];
  *symbol = (struct wb_cubin_symbol){
      .section = entry.st_shndx,
      .defined = entry.st_shndx > 0 && entry.st_shndx < SHN_LORESERVE,
      .value = entry.st_value,
      .size = entry.st_size,
      .type = GELF_ST_TYPE(entry.st_info),
      .binding = GELF_ST_BIND(entry.st_info),
      .other = entry.st_other,
  };
  if (symbol->defined && symbol->section >= cubin->section_count)
    return wb_cubin_fail(reader, "symbol %zu: expected a section below %zu, found %u", number,
                         cubin->section_count, symbol->section);
  if ((symbol->name = string_at(reader, strings, entry.st_name)) == NULL)
    return false;
  return symbol->type == STT_FILE || is_name(symbol->name) ||
         wb_cubin_fail(
             reader,
             "symbol %zu: expected a name without blanks and commas, and no slash before it",
             number);
}

/* Numbers of sections that do not fit into a symbol stand in a table of their own. */
static bool read_wide_sections(const struct wb_cubin_reader *reader, size_t table)
{
  struct wb_cubin *cubin = reader->cubin;
  for (size_t s = 1; s < cubin->section_count; s++) {
    const struct wb_cubin_section *section = &cubin->sections[s];
    if (section->type != SHT_SYMTAB_SHNDX || section->link != table)
      continue;
    for (size_t i = 0; i < cubin->symbol_count && i < section->size / 4; i++) {
      struct wb_cubin_symbol *symbol = &cubin->symbols[i];
      if (symbol->section != SHN_XINDEX)
        continue;
      symbol->section = wb_u32(section->bytes + 4 * i);
      symbol->defined = symbol->section > 0 && symbol->section < cubin->section_count;
      if (!symbol->defined)
        return wb_cubin_fail(reader, "symbol %zu: expected a section below %zu, found %u", i,
                             cubin->section_count, symbol->section);
    }
    return true;
  }
  return true;
}

static bool read_symbols(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t table = 1; /* the first symbol table */
  while (table < cubin->section_count && cubin->sections[table].type != SHT_SYMTAB)
    table++;
  if (table == cubin->section_count)
    return true;
  size_t count;
  Elf_Data *data = entries_of(reader, table, sizeof(Elf64_Sym), &count);
  const size_t strings = cubin->sections[table].link;
  if (data == NULL)
    return false;
  if (strings == 0 || strings >= cubin->section_count ||
      cubin->sections[strings].type != SHT_STRTAB)
    return wb_cubin_fail(reader, "section %zu (%s): expected the section of its names, found %zu",
                         table, cubin->sections[table].name, strings);
  if (count > SYMBOL_LIMIT)
    return wb_cubin_fail(reader, "expected at most %zu symbols, found %zu", SYMBOL_LIMIT, count);
  if ((cubin->symbols = wb_allocate(count, sizeof *cubin->symbols)) == NULL)
    return wb_cubin_out_of_memory(reader);
  cubin->symbol_count = count;
  for (size_t i = 0; i < count; i++) {
    if (!read_symbol(reader, data, strings, i))
      return false;
  }
  return read_wide_sections(reader, table);
}

static bool read_relocation(const struct wb_cubin_reader *reader, size_t section, Elf_Data *data,
                            size_t number, struct wb_cubin_relocation *relocation)
{
  const struct wb_cubin *cubin = reader->cubin;
  const struct wb_cubin_section *changed = &cubin->sections[cubin->sections[section].info];
  GElf_Rela entry = {0};
  GElf_Rel plain;
  const bool has_addend = cubin->sections[section].type == SHT_RELA;
  if (has_addend ? gelf_getrela(data, (int)number, &entry) == NULL
                 : gelf_getrel(data, (int)number, &plain) == NULL)
    return wb_cubin_fail(reader, "section %zu (%s), entry %zu: %s", section,
                         cubin->sections[section].name, number, elf_errmsg(-1));
  if (!has_addend)
    entry = (GElf_Rela){.r_offset = plain.r_offset, .r_info = plain.r_info};
  *relocation = (struct wb_cubin_relocation){.offset = entry.r_offset,
                                             .type = (uint32_t)GELF_R_TYPE(entry.r_info),
                                             .symbol = (uint32_t)GELF_R_SYM(entry.r_info),
                                             .addend = entry.r_addend,
                                             .has_addend = has_addend,
                                             .section = section};
  if (relocation->offset >= changed->size || relocation->symbol >= cubin->symbol_count)
    return wb_cubin_fail(reader,
                         "section %zu (%s), entry %zu: expected an offset below 0x%llx and a "
                         "symbol below %zu, found 0x%llx and %u",
                         section, cubin->sections[section].name, number,
                         (unsigned long long)changed->size, cubin->symbol_count,
                         (unsigned long long)relocation->offset, relocation->symbol);
  return true;
}

static bool read_relocation_section(struct wb_cubin_reader *reader, size_t section, size_t size)
{
  struct wb_cubin *cubin = reader->cubin;
  const struct wb_cubin_section *head = &cubin->sections[section];
  size_t count;
  Elf_Data *data = entries_of(reader, section, size, &count);
  if (data == NULL)
    return false;
  if (count > 0 && (head->info == 0 || head->info >= cubin->section_count))
    return wb_cubin_fail(reader, "section %zu (%s): expected the section that it changes, found %u",
                         section, head->name, head->info);
  for (size_t i = 0; i < count; i++) {
    if (!read_relocation(reader, section, data, i, &cubin->relocations[cubin->relocation_count]))
      return false;
    cubin->relocation_count++;
  }
  return true;
}

/* The context of compare_relocations is the file's sections, by way of `changed`. */
struct sorted_relocation {
  uint32_t changed;
  size_t order; /* in the file: relocations of one place keep it */
  struct wb_cubin_relocation relocation;
};

static int compare_relocations(const void *left, const void *right)
{
  const struct sorted_relocation *a = left, *b = right;
  if (a->changed != b->changed)
    return a->changed < b->changed ? -1 : 1;
  if (a->relocation.offset != b->relocation.offset)
    return a->relocation.offset < b->relocation.offset ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Sorts relocations by what they change, and gives each section its slice. */
static bool sort_relocations(const struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  struct sorted_relocation *sorted = wb_allocate(cubin->relocation_count, sizeof *sorted);
  if (sorted == NULL)
    return wb_cubin_out_of_memory(reader);
  for (size_t r = 0; r < cubin->relocation_count; r++)
    sorted[r] = (struct sorted_relocation){cubin->sections[cubin->relocations[r].section].info, r,
                                           cubin->relocations[r]};
  qsort(sorted, cubin->relocation_count, sizeof *sorted, compare_relocations);
  for (size_t r = 0; r < cubin->relocation_count; r++) {
    struct wb_cubin_slice *slice = &cubin->sections[sorted[r].changed].relocations;
    cubin->relocations[r] = sorted[r].relocation;
    if (slice->count++ == 0)
      slice->first = r;
  }
  free(sorted);
  return true;
}

/* Bytes of a relocation of a section; 0: it holds none. */
static size_t relocation_size(const struct wb_cubin_section *section)
{
  switch (section->type) {
  case SHT_REL:
    return sizeof(Elf64_Rel);
  case SHT_RELA:
    return sizeof(Elf64_Rela);
  default:
    return 0;
  }
}

static bool read_relocations(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t most = 0;
  for (size_t s = 1; s < cubin->section_count; s++) {
    const size_t size = relocation_size(&cubin->sections[s]);
    most += size > 0 ? (size_t)cubin->sections[s].size / size : 0;
  }
  if (most > RELOCATION_LIMIT)
    return wb_cubin_fail(reader, "expected at most %zu relocations, found %zu", RELOCATION_LIMIT,
                         most);
  if ((cubin->relocations = wb_allocate(most, sizeof *cubin->relocations)) == NULL)
    return wb_cubin_out_of_memory(reader);
  for (size_t s = 1; s < cubin->section_count; s++) {
    const size_t size = relocation_size(&cubin->sections[s]);
    if (size > 0 && !read_relocation_section(reader, s, size))
      return false;
  }
  return sort_relocations(reader);
}

/* ---- the head: layout, architecture, toolkit ---- */

/* The ABI version from which the head is of the new layout. */
#define NEW_ABI 8

/* Flags that mark a target with the suffix "a", whose code runs on that architecture alone. */
#define OLD_ACCELERATOR 0x800u
#define NEW_ACCELERATOR 0x8u

/* The record of .nv.compat that says the same in CUDA 13: format 2 (a byte), attribute 9. */
#define BYTE_RECORD 2
#define SIZED_RECORD 4
#define COMPAT_ACCELERATOR 9

/* The note of sections .note.nv.cuinfo (CUDA 13) and .note.nv.cuver (12.8, 12.9): after its head of
 * 12 bytes and a name of 12 bytes u16 version, u16 virtual architecture and, in version 2, u32
 * toolkit. That of .note.nv.tkinfo: texts of the tool, of which the last has its options. */
#define NOTE_DATA 24

/* Toolkits count as 129 for 12.9; versions of notes are far below. */
#define LEAST_TOOLKIT 100

/* The bytes of a section of the name that has `least` of them; NULL: none. */
static const unsigned char *bytes_of(const struct wb_cubin *cubin, const char *name, uint64_t least,
                                     uint64_t *size)
{
  const size_t number = wb_cubin_section_named(cubin, name);
  if (number == WB_CUBIN_NONE || cubin->sections[number].size < least)
    return NULL;
  *size = cubin->sections[number].size;
  return cubin->sections[number].bytes;
}

/* Whether .nv.compat says that the target has the suffix "a"; what is not understood says nothing.
 */
static bool compat_accelerator(const struct wb_cubin *cubin)
{
  uint64_t size;
  const unsigned char *bytes = bytes_of(cubin, ".nv.compat", 4, &size);
  for (uint64_t at = 0; bytes != NULL && at + 4 <= size; at += 4) {
    const unsigned char *record = bytes + at;
    if (record[0] == BYTE_RECORD && record[1] == COMPAT_ACCELERATOR && record[2] == 1)
      return true;
    if (record[0] == SIZED_RECORD)
      at += wb_u16(record + 2);
  }
  return false;
}

/* Whether the options of the tool in .note.nv.tkinfo end the architecture's name with f. */
static bool is_family(const struct wb_cubin *cubin)
{
  char option[32];
  const size_t length =
      (size_t)snprintf(option, sizeof option, "-arch sm_%uf", (unsigned)cubin->architecture);
  uint64_t size;
  const unsigned char *bytes = bytes_of(cubin, ".note.nv.tkinfo", 0, &size);
  for (uint64_t at = NOTE_DATA; bytes != NULL && at + length < size; at++) {
    if (memcmp(bytes + at, option, length) == 0)
      return bytes[at + length] == ' ' || bytes[at + length] == '\0';
  }
  return false;
}

/* In CUDA 12.8 and 12.9 the first word of the tool's note is the toolkit, later a version. */
static void read_notes(struct wb_cubin *cubin)
{
  uint64_t size;
  const unsigned char *tool = bytes_of(cubin, ".note.nv.tkinfo", NOTE_DATA + 4, &size);
  if (tool != NULL && wb_u32(tool + NOTE_DATA) >= LEAST_TOOLKIT)
    cubin->toolkit = wb_u32(tool + NOTE_DATA);
  const bool info = wb_cubin_section_named(cubin, ".note.nv.cuinfo") != WB_CUBIN_NONE;
  const unsigned char *note =
      bytes_of(cubin, info ? ".note.nv.cuinfo" : ".note.nv.cuver", NOTE_DATA + 8, &size);
  if (note == NULL)
    return;
  cubin->virtual_architecture = wb_u16(note + NOTE_DATA + 2);
  if (wb_u16(note + NOTE_DATA) >= 2)
    cubin->toolkit = wb_u32(note + NOTE_DATA + 4);
}

static bool read_head(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  GElf_Ehdr head;
  if (gelf_getehdr(reader->elf, &head) == NULL)
    return wb_cubin_fail(reader, "expected the head of an ELF file: %s", elf_errmsg(-1));
  cubin->flags = head.e_flags;
  cubin->abi = head.e_ident[EI_ABIVERSION];
  cubin->relocatable = head.e_type == ET_REL;
  cubin->toolkit = WB_CUBIN_ABSENT;
  cubin->virtual_architecture = WB_CUBIN_ABSENT;
  bool accelerator;
  if (cubin->abi >= NEW_ABI) {
    cubin->layout = WB_CUBIN_NEW;
    cubin->architecture = head.e_flags >> 8 & 0xff;
    accelerator = (head.e_flags & NEW_ACCELERATOR) != 0 || compat_accelerator(cubin);
    read_notes(cubin);
  } else {
    cubin->layout = WB_CUBIN_OLD;
    cubin->architecture = head.e_flags & 0xff;
    cubin->virtual_architecture = head.e_flags >> 16 & 0xff;
    accelerator = (head.e_flags & OLD_ACCELERATOR) != 0 && cubin->architecture >= 90;
    if (head.e_version > 1)
      cubin->toolkit = head.e_version;
  }
  if (cubin->architecture == 0)
    return wb_cubin_fail(reader, "expected an architecture in e_flags, found 0x%x",
                         (unsigned)head.e_flags);
  if (accelerator)
    cubin->suffix = 'a';
  else if (is_family(cubin))
    cubin->suffix = 'f';
  snprintf(cubin->architecture_name, sizeof cubin->architecture_name, "sm_%u%c",
           (unsigned)cubin->architecture, cubin->suffix);
  return true;
}

/* ---- reading ---- */

bool wb_cubin_fail(const struct wb_cubin_reader *reader, const char *format, ...)
{
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0, "%s", message);
  return false;
}

bool wb_cubin_out_of_memory(const struct wb_cubin_reader *reader)
{
  wb_out_of_memory(reader->error);
  return false;
}

bool wb_cubin_detect(const unsigned char *bytes, size_t length)
{
  return length >= sizeof(Elf32_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0 &&
         bytes[EI_DATA] == ELFDATA2LSB &&
         wb_u16(bytes + offsetof(Elf64_Ehdr, e_machine)) == EM_CUDA;
}

warpbound_status wb_cubin_read(const char *name, const unsigned char *bytes, size_t length,
                               struct wb_cubin *cubin, warpbound_error *error)
{
  warpbound_error record = {.status = WARPBOUND_OK};
  struct wb_cubin_reader reader = {
      .name = name, .bytes = bytes, .length = length, .cubin = cubin, .error = &record};
  *cubin = (struct wb_cubin){0};
  /* The beginning of the file, which libelf is not asked about. */
  if (!wb_cubin_detect(bytes, length))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a cubin, an ELF file for CUDA (e_machine %d)", EM_CUDA);
  if (bytes[EI_CLASS] != ELFCLASS64 || length < sizeof(Elf64_Ehdr))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a cubin of 64-bit ELF, found class %u in %zu bytes",
                      bytes[EI_CLASS], length);
  /* libelf takes bytes that may be written; opened to read, it does not. */
  if (elf_version(EV_CURRENT) == EV_NONE ||
      (reader.elf = elf_memory((char *)bytes, length)) == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "expected an ELF file: %s",
                      elf_errmsg(-1));
  const bool read = read_sections(&reader) && read_symbols(&reader) && read_relocations(&reader) &&
                    read_head(&reader) && wb_cubin_read_functions(&reader);
  elf_end(reader.elf);
  free(reader.functions);
  if (read)
    return WARPBOUND_OK;
  wb_cubin_free(cubin);
  return wb_fail_with(error, &record);
}

/* ---- looking up ---- */

void wb_cubin_free(struct wb_cubin *cubin)
{
  free(cubin->sections);
  free(cubin->symbols);
  free(cubin->relocations);
  free(cubin->attached);
  free(cubin->functions);
  free(cubin->parameters);
  free(cubin->branches);
  free(cubin->offsets);
  *cubin = (struct wb_cubin){0};
}

size_t wb_cubin_section_named(const struct wb_cubin *cubin, const char *name)
{
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (strcmp(cubin->sections[s].name, name) == 0)
      return s;
  }
  return WB_CUBIN_NONE;
}

size_t wb_cubin_section_of(const struct wb_cubin *cubin, size_t code, const char *prefix)
{
  const struct wb_cubin_slice *attached = &cubin->sections[code].attached;
  for (size_t a = attached->first; a < attached->first + attached->count; a++) {
    if (strncmp(cubin->sections[cubin->attached[a]].name, prefix, strlen(prefix)) == 0)
      return cubin->attached[a];
  }
  return WB_CUBIN_NONE;
}

size_t wb_cubin_function_named(const struct wb_cubin *cubin, const char *name)
{
  size_t found = WB_CUBIN_NONE;
  for (size_t f = 0; f < cubin->function_count; f++) {
    if (strcmp(cubin->functions[f].name, name) != 0)
      continue;
    if (cubin->functions[f].kernel)
      return f;
    if (found == WB_CUBIN_NONE)
      found = f;
  }
  return found;
}
