/* The head of a cubin: layout, architecture, toolkit. */
#include "binary/cubin/cubin_reader.h"

#include "base/little_endian.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>

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

static bool is_accelerator_record(const unsigned char *record)
{
  return record[0] == BYTE_RECORD && record[1] == COMPAT_ACCELERATOR && record[2] == 1;
}

/* Whether .nv.compat says so; what is not understood says nothing. */
static bool compat_accelerator(const struct wb_cubin *cubin)
{
  const size_t number = wb_cubin_section_named(cubin, ".nv.compat");
  if (number == WB_CUBIN_NONE || cubin->sections[number].bytes == NULL)
    return false;
  const struct wb_cubin_section *section = &cubin->sections[number];
  for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
    const unsigned char *record = section->bytes + at;
    if (is_accelerator_record(record))
      return true;
    if (record[0] == SIZED_RECORD)
      at += wb_u16(record + 2);
  }
  return false;
}

/* Whether the options of the tool in .note.nv.tkinfo end the architecture's name so. */
static bool has_option(const struct wb_cubin *cubin, const char *option)
{
  const size_t number = wb_cubin_section_named(cubin, ".note.nv.tkinfo");
  if (number == WB_CUBIN_NONE || cubin->sections[number].bytes == NULL)
    return false;
  const struct wb_cubin_section *section = &cubin->sections[number];
  const size_t size = strlen(option);
  for (uint64_t at = NOTE_DATA; at + size < section->size; at++) {
    if (memcmp(section->bytes + at, option, size) == 0)
      return section->bytes[at + size] == ' ' || section->bytes[at + size] == '\0';
  }
  return false;
}

/* In CUDA 12.8 and 12.9 the first word of the tool's note is the toolkit, later a version. */
static void read_tool(struct wb_cubin *cubin)
{
  const size_t number = wb_cubin_section_named(cubin, ".note.nv.tkinfo");
  if (number == WB_CUBIN_NONE || cubin->sections[number].bytes == NULL ||
      cubin->sections[number].size < NOTE_DATA + 4)
    return;
  const uint32_t word = wb_u32(cubin->sections[number].bytes + NOTE_DATA);
  if (word >= LEAST_TOOLKIT)
    cubin->toolkit = word;
}

static void read_notes(struct wb_cubin *cubin)
{
  size_t number = wb_cubin_section_named(cubin, ".note.nv.cuinfo");
  if (number == WB_CUBIN_NONE)
    number = wb_cubin_section_named(cubin, ".note.nv.cuver");
  if (number == WB_CUBIN_NONE || cubin->sections[number].bytes == NULL ||
      cubin->sections[number].size < NOTE_DATA + 8)
    return;
  const unsigned char *data = cubin->sections[number].bytes + NOTE_DATA;
  cubin->virtual_architecture = wb_u16(data + 2);
  if (wb_u16(data) >= 2)
    cubin->toolkit = wb_u32(data + 4);
}

static void name_architecture(struct wb_cubin *cubin)
{
  char option[32];
  snprintf(cubin->architecture_name, sizeof cubin->architecture_name, "sm_%u%c",
           (unsigned)cubin->architecture, cubin->suffix);
  if (cubin->suffix != '\0')
    return;
  snprintf(option, sizeof option, "-arch sm_%uf", (unsigned)cubin->architecture);
  if (has_option(cubin, option)) {
    cubin->suffix = 'f';
    snprintf(cubin->architecture_name, sizeof cubin->architecture_name, "sm_%uf",
             (unsigned)cubin->architecture);
  }
}

bool wb_cubin_read_head(struct wb_cubin_reader *reader)
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
    read_tool(cubin);
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
  cubin->suffix = accelerator ? 'a' : '\0';
  name_architecture(cubin);
  return true;
}
