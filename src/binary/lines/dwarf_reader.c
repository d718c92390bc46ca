#include "binary/lines/dwarf_reader.h"

#include <stddef.h>
#include <string.h>

const unsigned char *wb_dwarf_take_bytes(struct wb_dwarf_reader *reader, uint64_t count)
{
  if (reader->failed || count > (size_t)(reader->end - reader->at)) {
    reader->failed = true;
    return NULL;
  }
  const unsigned char *bytes = reader->at;
  reader->at += count;
  return bytes;
}

uint64_t wb_dwarf_take_number(struct wb_dwarf_reader *reader, unsigned size)
{
  const unsigned char *bytes = wb_dwarf_take_bytes(reader, size);
  uint64_t number = 0;
  for (unsigned i = 0; bytes != NULL && i < size; i++)
    number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

uint64_t wb_dwarf_take_sevens(struct wb_dwarf_reader *reader, bool is_signed)
{
  uint64_t number = 0;
  unsigned shift = 0;
  const unsigned char *byte;
  do {
    byte = wb_dwarf_take_bytes(reader, 1);
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

const char *wb_dwarf_take_string(struct wb_dwarf_reader *reader)
{
  const size_t left = (size_t)(reader->end - reader->at);
  const unsigned char *zero = reader->failed || left == 0 ? NULL : memchr(reader->at, 0, left);
  if (zero == NULL) {
    reader->failed = true;
    return NULL;
  }
  const char *string = (const char *)reader->at;
  reader->at = zero + 1;
  return string;
}

uint64_t wb_dwarf_take_length(struct wb_dwarf_reader *reader, unsigned *offset_size)
{
  *offset_size = 4;
  uint64_t length = wb_dwarf_take_number(reader, 4);
  if (length == 0xffffffff) {
    *offset_size = 8;
    length = wb_dwarf_take_number(reader, 8);
  }
  reader->failed |= length > (size_t)(reader->end - reader->at);
  return reader->failed ? 0 : length;
}

const char *wb_dwarf_string_at(const struct wb_cubin_section *strings, uint64_t offset)
{
  if (strings == NULL || strings->bytes == NULL || offset >= strings->size)
    return NULL;
  const char *first = (const char *)strings->bytes + offset;
  const uint64_t left = strings->size - offset;
  const size_t most = left < WB_DWARF_NAME_LONGEST ? (size_t)left : WB_DWARF_NAME_LONGEST;
  return memchr(first, 0, most) != NULL ? first : NULL;
}

const struct wb_cubin_section *wb_dwarf_section(const struct wb_cubin *cubin, const char *name)
{
  const size_t number = wb_cubin_section_named(cubin, name);
  return number != WB_CUBIN_NONE && cubin->sections[number].bytes != NULL ? &cubin->sections[number]
                                                                          : NULL;
}
