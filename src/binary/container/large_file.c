#include "binary/container/large_file.h"

#include "binary/container/container.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that say what a file is: no fewer than the head of an ELF file has. */
#define BEGIN 64

/* A file that is being read in parts. */
struct large {
  struct wb_input *source;
  int descriptor;
  size_t read; /* bytes so far */
  bool found;  /* a section that may hold fat binaries */
  warpbound_error *error;
};

/* Reads what lies from an offset on; false with an error. */
static bool read_at(struct large *large, uint64_t offset, uint64_t length)
{
  if (offset > large->source->length || length > large->source->length - offset) {
    wb_fail_at(large->error, WARPBOUND_INVALID_INPUT, large->source->name, 0, 0,
               "expected 0x%llx bytes at offset 0x%llx, the file has 0x%zx",
               (unsigned long long)length, (unsigned long long)offset, large->source->length);
    return false;
  }
  if (length > WB_LARGE_FILE_READ_LIMIT - large->read) {
    wb_fail_at(large->error, WARPBOUND_INVALID_INPUT, large->source->name, 0, 0,
               "expected fat binaries of at most %zu bytes together", WB_LARGE_FILE_READ_LIMIT);
    return false;
  }
  large->read += (size_t)length;
  return wb_input_read_part(large->source, large->descriptor, (size_t)offset, (size_t)length,
                            large->error) == WARPBOUND_OK;
}

/* The head of an ELF file that lies at `base`, its table of sections, their names, and the sections
 * that may hold fat binaries. What libelf does not understand is left out: wb_container_read says
 * what is wrong with it. */
static bool read_program(struct large *large, Elf *elf, uint64_t base, uint64_t size)
{
  GElf_Ehdr head;
  size_t sections, names;
  if (gelf_getehdr(elf, &head) == NULL || elf_getshdrnum(elf, &sections) != 0 ||
      elf_getshdrstrndx(elf, &names) != 0)
    return true;
  const uint64_t table = (uint64_t)sections * head.e_shentsize;
  if (head.e_shoff > size || table > size - head.e_shoff)
    return true;
  if (!read_at(large, base, size < BEGIN ? size : BEGIN) ||
      !read_at(large, base + head.e_shoff, table))
    return false;
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr shape;
    const char *name =
        gelf_getshdr(section, &shape) != NULL ? elf_strptr(elf, names, shape.sh_name) : NULL;
    const bool code = name != NULL && wb_container_section_counts(name);
    const bool inside = name != NULL && shape.sh_type != SHT_NOBITS && shape.sh_offset <= size &&
                        shape.sh_size <= size - shape.sh_offset;
    large->found |= code;
    if (inside && (code || elf_ndxscn(section) == names) &&
        !read_at(large, base + shape.sh_offset, shape.sh_size))
      return false;
  }
  return true;
}

/* What of a member of a static library may lead to GPU code: of a program what read_program reads,
 * all of a cubin, a fat binary or another library. */
static bool read_member(struct large *large, Elf *elf, uint64_t base, uint64_t size)
{
  if (!read_at(large, base, size < BEGIN ? size : BEGIN))
    return false;
  switch (wb_container_kind((const unsigned char *)large->source->bytes + base, (size_t)size)) {
  case WB_CONTAINER_NONE:
    return true;
  case WB_CONTAINER_PROGRAM:
    return read_program(large, elf, base, size);
  default:
    large->found = true;
    return read_at(large, base, size);
  }
}

/* The heads of the members of a static library, the table of long names, and what read_member
 * reads.
 */
static bool read_library(struct large *large, Elf *library)
{
  enum { MAGIC = 8, HEAD = 60 };
  Elf_Cmd command = ELF_C_READ;
  bool read = read_at(large, 0, MAGIC);
  while (read && command != ELF_C_NULL) {
    Elf *elf = elf_begin(large->descriptor, command, library);
    if (elf == NULL)
      break;
    const Elf_Arhdr *head = elf_getarhdr(elf);
    const int64_t base = elf_getbase(elf);
    if (head != NULL && base >= MAGIC + HEAD && head->ar_size >= 0) {
      const uint64_t at = (uint64_t)base, size = (uint64_t)head->ar_size;
      const bool names = head->ar_rawname != NULL && strncmp(head->ar_rawname, "// ", 3) == 0;
      read = read_at(large, at - HEAD, HEAD) &&
             (names ? read_at(large, at, size) : read_member(large, elf, at, size));
    }
    command = elf_next(elf);
    elf_end(elf);
  }
  return read;
}

static warpbound_status read_parts(struct large *large, enum wb_container_kind kind)
{
  const bool whole = kind == WB_CONTAINER_FAT_BINARY;
  Elf *elf = whole ? NULL : elf_begin(large->descriptor, ELF_C_READ, NULL);
  bool read = true;
  if (whole)
    large->found = read = read_at(large, 0, large->source->length);
  else if (elf != NULL && elf_kind(elf) == ELF_K_AR)
    read = read_library(large, elf);
  else if (elf != NULL)
    read = read_program(large, elf, 0, large->source->length);
  elf_end(elf);
  if (!read)
    return large->error->status;
  if (large->found)
    return WARPBOUND_OK;
  return wb_fail_at(large->error, WARPBOUND_INVALID_INPUT, large->source->name, 0, 0,
                    "expected GPU code in sections .nv_fatbin or __nv_relfatbin (of a file of this "
                    "size only these are read), found none");
}

warpbound_status wb_large_file_read(const char *path, size_t most, struct wb_input *source,
                                    bool *large, warpbound_error *error)
{
  unsigned char begin[BEGIN];
  warpbound_error own = {0};
  struct stat about;
  struct large reading = {.source = source, .error = error != NULL ? error : &own};
  *large = false;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 0 ||
      (uint64_t)about.st_size <= most)
    return WARPBOUND_OK;
  reading.descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (reading.descriptor < 0)
    return WARPBOUND_OK; /* who reads it whole says why it cannot be opened */
  const bool begun = pread(reading.descriptor, begin, sizeof begin, 0) == (ssize_t)sizeof begin;
  const enum wb_container_kind kind =
      begun ? wb_container_kind(begin, sizeof begin) : WB_CONTAINER_NONE;
  warpbound_status status = WARPBOUND_OK;
  if (kind != WB_CONTAINER_NONE && kind != WB_CONTAINER_CUBIN &&
      elf_version(EV_CURRENT) != EV_NONE) {
    *large = true;
    status = wb_input_reserve(path, (size_t)about.st_size, source, error);
    if (status == WARPBOUND_OK)
      status = read_parts(&reading, kind);
    if (status != WARPBOUND_OK)
      wb_input_free(source);
  }
  close(reading.descriptor);
  return status;
}
