/* Texts in UTF-16, as PowerShell writes them, made UTF-8. */
#include "formats/samples/samples_file.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* Three bytes of UTF-8 for each unit of 16 bits, at most. */
#define MOST_BYTES 3

bool wb_is_utf16(const char *text, size_t length)
{
  const unsigned char *bytes = (const unsigned char *)text;
  return length >= 2 &&
         ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
}

/* Writes a character; returns how many bytes. */
static size_t write_character(uint32_t character, char *to)
{
  if (character < 0x80) {
    to[0] = (char)character;
    return 1;
  }
  if (character < 0x800) {
    to[0] = (char)(0xc0 | character >> 6);
    to[1] = (char)(0x80 | (character & 0x3f));
    return 2;
  }
  if (character < 0x10000) {
    to[0] = (char)(0xe0 | character >> 12);
    to[1] = (char)(0x80 | (character >> 6 & 0x3f));
    to[2] = (char)(0x80 | (character & 0x3f));
    return 3;
  }
  to[0] = (char)(0xf0 | character >> 18);
  to[1] = (char)(0x80 | (character >> 12 & 0x3f));
  to[2] = (char)(0x80 | (character >> 6 & 0x3f));
  to[3] = (char)(0x80 | (character & 0x3f));
  return 4;
}

warpbound_status wb_utf16_decode(const char *name, const char *text, size_t length, char **decoded,
                                 size_t *decoded_length, warpbound_error *error)
{
  const unsigned char *bytes = (const unsigned char *)text;
  const bool little = bytes[0] == 0xff;
  const size_t units = length / 2;
  size_t line = 1;
  *decoded_length = 0;
  *decoded = NULL;
  if (length % 2 != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected UTF-16, two bytes a character, found %zu bytes", length);
  *decoded = wb_allocate(units * MOST_BYTES, 1);
  if (*decoded == NULL)
    return wb_out_of_memory(error);
  for (size_t u = 1; u < units; u++) {
    const unsigned char *at = bytes + 2 * u;
    uint32_t character = (uint32_t)at[little] << 8 | at[!little];
    const bool high = character >= 0xd800 && character < 0xdc00;
    const uint32_t low =
        high && u + 1 < units ? (uint32_t)at[2 + little] << 8 | at[2 + !little] : 0;
    if (high && low >= 0xdc00 && low < 0xe000) {
      character = 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00);
      u++;
    } else if (character >= 0xd800 && character < 0xe000) {
      free(*decoded);
      *decoded = NULL;
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, line, 0,
                        "expected UTF-16, found half of a character of two units");
    }
    line += character == '\n';
    *decoded_length += write_character(character, *decoded + *decoded_length);
  }
  return WARPBOUND_OK;
}
