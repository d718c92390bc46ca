/* Symbols and relocations of a cubin. */
#include "binary/cubin/cubin_reader.h"

#include "base/little_endian.h"
#include "base/memory.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* The number of the first symbol table, or 0. */
static size_t symbol_table(const struct wb_cubin *cubin)
{
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (cubin->sections[s].type == SHT_SYMTAB)
      return s;
  }
  return 0;
}

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
  if ((symbol->name = wb_cubin_string(reader, strings, entry.st_name)) == NULL)
    return false;
  return symbol->type == STT_FILE || wb_cubin_is_name(symbol->name) ||
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

bool wb_cubin_read_symbols(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  const size_t table = symbol_table(cubin);
  if (table == 0)
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
  if (count > WB_CUBIN_SYMBOL_LIMIT)
    return wb_cubin_fail(reader, "expected at most %zu symbols, found %zu", WB_CUBIN_SYMBOL_LIMIT,
                         count);
  if ((cubin->symbols = wb_allocate(count, sizeof *cubin->symbols)) == NULL)
    return wb_cubin_out_of_memory(reader);
  cubin->symbol_count = count;
  for (size_t i = 0; i < count; i++) {
    if (!read_symbol(reader, data, strings, i))
      return false;
  }
  return read_wide_sections(reader, table);
}

static bool is_relocations(const struct wb_cubin_section *section)
{
  return section->type == SHT_REL || section->type == SHT_RELA;
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

static bool read_section(struct wb_cubin_reader *reader, size_t section)
{
  struct wb_cubin *cubin = reader->cubin;
  const struct wb_cubin_section *head = &cubin->sections[section];
  size_t count;
  Elf_Data *data = entries_of(
      reader, section, head->type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel), &count);
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

bool wb_cubin_read_relocations(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t most = 0;
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (is_relocations(&cubin->sections[s]))
      most += (size_t)cubin->sections[s].size /
              (cubin->sections[s].type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
  }
  if (most > WB_CUBIN_RELOCATION_LIMIT)
    return wb_cubin_fail(reader, "expected at most %zu relocations, found %zu",
                         WB_CUBIN_RELOCATION_LIMIT, most);
  if ((cubin->relocations = wb_allocate(most, sizeof *cubin->relocations)) == NULL)
    return wb_cubin_out_of_memory(reader);
  for (size_t s = 1; s < cubin->section_count; s++) {
    if (is_relocations(&cubin->sections[s]) && !read_section(reader, s))
      return false;
  }
  return sort_relocations(reader);
}
