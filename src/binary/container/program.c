/* ELF files for a processor: the sections in which compilers of CUDA put fat binaries. */
#include "binary/container/container_walk.h"

#include <gelf.h>
#include <string.h>

/* Linked code, and code for the device linker (-rdc=true). */
static bool holds_fat_binaries(const char *section)
{
  return strcmp(section, ".nv_fatbin") == 0 || strcmp(section, "__nv_relfatbin") == 0;
}

/* Counts what is looked at: sections of a hostile file may all be of the same bytes. */
static bool look_at(struct wb_container_walk *walk, const struct wb_container_part *part)
{
  const uint64_t most = (uint64_t)WB_CONTAINER_SHARED_BYTES * walk->length;
  if (part->end - part->begin > most - walk->looked_at)
    return wb_container_fail(walk, "%s: expected sections of at most %d times the file's bytes",
                             part->place, WB_CONTAINER_SHARED_BYTES);
  walk->looked_at += part->end - part->begin;
  return true;
}

static bool walk_section(struct wb_container_walk *walk, const struct wb_container_part *program,
                         const GElf_Shdr *head, const char *name)
{
  struct wb_container_part part = {.place = wb_container_place(walk, program->place, "%s", name)};
  const size_t length = program->end - program->begin;
  if (part.place == NULL)
    return false;
  if (head->sh_type == SHT_NOBITS || head->sh_offset > length ||
      head->sh_size > length - head->sh_offset)
    return wb_container_add_damaged(walk, part.place, program->begin + head->sh_offset,
                                    "expected a section of 0x%llx bytes, the file has 0x%zx",
                                    (unsigned long long)head->sh_size, length);
  part.begin = program->begin + (size_t)head->sh_offset;
  part.end = part.begin + (size_t)head->sh_size;
  return look_at(walk, &part) && wb_container_walk_fat_binaries(walk, &part, false);
}

static bool walk_sections(struct wb_container_walk *walk, const struct wb_container_part *program,
                          Elf *elf, bool *found)
{
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return true;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr head;
    const char *name =
        gelf_getshdr(section, &head) != NULL ? elf_strptr(elf, names, head.sh_name) : NULL;
    if (name == NULL || !holds_fat_binaries(name))
      continue;
    *found = true;
    if (!walk_section(walk, program, &head, name))
      return false;
  }
  return true;
}

bool wb_container_walk_program(struct wb_container_walk *walk, const struct wb_container_part *part)
{
  bool found = false;
  if (elf_version(EV_CURRENT) != EV_NONE) {
    /* libelf takes bytes that may be written; opened to read, it does not. */
    Elf *elf = elf_memory((char *)walk->bytes + part->begin, part->end - part->begin);
    const bool walked = elf == NULL || walk_sections(walk, part, elf, &found);
    elf_end(elf);
    if (!walked)
      return false;
  }
  return found || (look_at(walk, part) && wb_container_walk_fat_binaries(walk, part, true));
}
