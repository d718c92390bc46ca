/* Sections of a cubin, checked against the file, and which belongs to which section of code. */
#include "binary/cubin/cubin_reader.h"

#include "base/memory.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

const char *wb_cubin_string(struct wb_cubin_reader *reader, size_t table, uint64_t offset)
{
  const struct wb_cubin_section *strings = &reader->cubin->sections[table];
  if (strings->bytes == NULL || offset >= strings->size) {
    wb_cubin_fail(reader, "expected a name in section %zu of %llu bytes, found offset 0x%llx",
                  table, (unsigned long long)strings->size, (unsigned long long)offset);
    return NULL;
  }
  const char *text = (const char *)strings->bytes + offset;
  const size_t left = WB_CUBIN_NAME_BYTES * reader->length - reader->name_bytes;
  const size_t most = strings->size - offset < left ? (size_t)(strings->size - offset) : left;
  const char *end = memchr(text, '\0', most);
  if (end == NULL) {
    const uint64_t place = strings->place + offset;
    wb_cubin_fail(reader,
                  "the name at offset 0x%llx has no end, or names have more than %d times the "
                  "file's bytes",
                  (unsigned long long)place, WB_CUBIN_NAME_BYTES);
    return NULL;
  }
  reader->name_bytes += (size_t)(end - text);
  return text;
}

bool wb_cubin_is_name(const char *text)
{
  for (const char *at = text; *at != '\0'; at++) {
    if ((unsigned char)*at <= ' ' || *at == 0x7f || *at == ',')
      return false;
  }
  return text[0] != '/';
}

/* The bytes of a section are within the file. */
static bool place_bytes(const struct wb_cubin_reader *reader, size_t number,
                        struct wb_cubin_section *section)
{
  if (section->type == SHT_NOBITS || section->type == SHT_NULL)
    return true;
  if (section->place > reader->length || section->size > reader->length - section->place)
    return wb_cubin_fail(
        reader, "section %zu: expected 0x%llx bytes at offset 0x%llx, the file has 0x%zx", number,
        (unsigned long long)section->size, (unsigned long long)section->place, reader->length);
  section->bytes = reader->bytes + section->place;
  return true;
}

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
  return place_bytes(reader, number, section);
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
        (cubin->sections[s].name = wb_cubin_string(reader, table, head.sh_name)) == NULL)
      return false;
    if (!wb_cubin_is_name(cubin->sections[s].name))
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
  const uint64_t most = (uint64_t)WB_CUBIN_SHARED_BYTES * reader->length;
  uint64_t total = 0;
  for (size_t s = 1; s < reader->cubin->section_count; s++) {
    const struct wb_cubin_section *section = &reader->cubin->sections[s];
    if (section->bytes == NULL)
      continue;
    if (section->size > most - total)
      return wb_cubin_fail(reader,
                           "section %zu (%.100s): expected sections of at most %d times the file's "
                           "bytes, found more",
                           s, section->name, WB_CUBIN_SHARED_BYTES);
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

bool wb_cubin_read_sections(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t count;
  if (elf_getshdrnum(reader->elf, &count) != 0)
    return wb_cubin_fail(reader, "expected sections: %s", elf_errmsg(-1));
  if (count == 0 || count > WB_CUBIN_SECTION_LIMIT)
    return wb_cubin_fail(reader, "expected 1 to %zu sections, found %zu", WB_CUBIN_SECTION_LIMIT,
                         count);
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
