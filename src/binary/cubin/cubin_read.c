/* The reading of a cubin: its beginning, then part after part. */
#include "binary/cubin/cubin_reader.h"

#include "base/little_endian.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The beginning of the file, which libelf is not asked about. */
static bool check_beginning(const struct wb_cubin_reader *reader)
{
  if (!wb_cubin_detect(reader->bytes, reader->length))
    return wb_cubin_fail(reader, "expected a cubin, an ELF file for CUDA (e_machine %d)", EM_CUDA);
  if (reader->bytes[EI_CLASS] != ELFCLASS64 || reader->length < sizeof(Elf64_Ehdr))
    return wb_cubin_fail(reader, "expected a cubin of 64-bit ELF, found class %u in %zu bytes",
                         reader->bytes[EI_CLASS], reader->length);
  return true;
}

static bool read_parts(struct wb_cubin_reader *reader)
{
  return wb_cubin_read_sections(reader) && wb_cubin_read_symbols(reader) &&
         wb_cubin_read_relocations(reader) && wb_cubin_read_head(reader) &&
         wb_cubin_read_functions(reader) && wb_cubin_read_attributes(reader);
}

warpbound_status wb_cubin_read(const char *name, const unsigned char *bytes, size_t length,
                               struct wb_cubin *cubin, warpbound_error *error)
{
  warpbound_error record = {.status = WARPBOUND_OK};
  struct wb_cubin_reader reader = {
      .name = name, .bytes = bytes, .length = length, .cubin = cubin, .error = &record};
  *cubin = (struct wb_cubin){0};
  if (!check_beginning(&reader))
    return wb_fail_with(error, &record);
  /* libelf takes bytes that may be written; opened to read, it does not. */
  if (elf_version(EV_CURRENT) == EV_NONE ||
      (reader.elf = elf_memory((char *)bytes, length)) == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "expected an ELF file: %s",
                      elf_errmsg(-1));
  const bool read = read_parts(&reader);
  elf_end(reader.elf);
  free(reader.functions);
  if (read)
    return WARPBOUND_OK;
  wb_cubin_free(cubin);
  return wb_fail_with(error, &record);
}
