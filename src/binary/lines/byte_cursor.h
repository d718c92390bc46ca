/* A cursor over bytes that may be damaged: numbers as DWARF writes them. After a read beyond the
 * end `failed` is set and every read gives 0. */
#ifndef WB_BINARY_LINES_BYTE_CURSOR_H
#define WB_BINARY_LINES_BYTE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wb_byte_cursor {
  const unsigned char *at;
  const unsigned char *end;
  bool failed;
};

/* The next `count` bytes; NULL where there are fewer. */
static inline const unsigned char *wb_cursor_bytes(struct wb_byte_cursor *cursor, uint64_t count)
{
  if (cursor->failed || count > (size_t)(cursor->end - cursor->at)) {
    cursor->failed = true;
    return NULL;
  }
  const unsigned char *bytes = cursor->at;
  cursor->at += count;
  return bytes;
}

/* Little-endian, of 1 to 8 bytes. */
static inline uint64_t wb_cursor_number(struct wb_byte_cursor *cursor, unsigned size)
{
  const unsigned char *bytes = wb_cursor_bytes(cursor, size);
  uint64_t number = 0;
  for (unsigned i = 0; bytes != NULL && i < size; i++)
    number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

/* The bits of a number that is written seven a byte, lowest first; bits above 64 are lost. *shift:
 * how many there are, at most 70. *last: the last byte. */
static inline uint64_t wb_cursor_sevens(struct wb_byte_cursor *cursor, unsigned *shift,
                                        unsigned char *last)
{
  uint64_t number = 0;
  *shift = 0;
  *last = 0;
  for (;;) {
    const unsigned char *byte = wb_cursor_bytes(cursor, 1);
    if (byte == NULL) {
      *last = 0;
      return 0;
    }
    if (*shift < 64)
      number |= (uint64_t)(*byte & 0x7f) << *shift;
    *shift += *shift < 64 ? 7 : 0;
    *last = *byte;
    if ((*byte & 0x80) == 0)
      return number;
  }
}

static inline uint64_t wb_cursor_uleb(struct wb_byte_cursor *cursor)
{
  unsigned shift;
  unsigned char last;
  return wb_cursor_sevens(cursor, &shift, &last);
}

static inline int64_t wb_cursor_sleb(struct wb_byte_cursor *cursor)
{
  unsigned shift;
  unsigned char last;
  uint64_t number = wb_cursor_sevens(cursor, &shift, &last);
  if (shift < 64 && (last & 0x40) != 0)
    number |= UINT64_MAX << shift;
  return (int64_t)number;
}

/* A string up to its zero; NULL where none ends it. */
static inline const char *wb_cursor_string(struct wb_byte_cursor *cursor)
{
  const unsigned char *zero = cursor->failed || cursor->at == cursor->end
                                  ? NULL
                                  : memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
  if (zero == NULL) {
    cursor->failed = true;
    return NULL;
  }
  const char *string = (const char *)cursor->at;
  cursor->at = zero + 1;
  return string;
}

#endif
