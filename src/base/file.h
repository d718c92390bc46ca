/* Whole files, read with a limit and written so that a reader never sees half. */
#ifndef WB_BASE_FILE_H
#define WB_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Largest input file in bytes: what a person could mean, not what would fit. */
#define WB_INPUT_LIMIT ((size_t)1 << 28)

/* An input in memory. bytes is ended by a zero that length does not count; name
 * is for messages. Both belong to the struct. */
struct wb_input {
  char *name;
  char *bytes;
  size_t length;
};

/* Reads a file, or standard input for "-". Fails with WARPBOUND_INVALID_INPUT
 * where it cannot be read or is larger than WB_INPUT_LIMIT. */
warpbound_status wb_input_read(const char *path, struct wb_input *source, warpbound_error *error);
/* The same with another limit in bytes. */
warpbound_status wb_input_read_most(const char *path, size_t most, struct wb_input *source,
                                    warpbound_error *error);
/* Room for the bytes of a file that is too large to be read whole: zeros, which take no memory on
 * systems that map them when they are used. Not a mapping of the file, which another process could
 * cut off. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_input_reserve(const char *path, size_t length, struct wb_input *source,
                                  warpbound_error *error);
/* Reads a part of the file of a descriptor to its place in what was reserved. Errors:
 * WARPBOUND_INVALID_INPUT where the file ends before, or cannot be read. */
warpbound_status wb_input_read_part(struct wb_input *source, int descriptor, size_t offset,
                                    size_t length, warpbound_error *error);
void wb_input_free(struct wb_input *source);

/* Writes a file beside its place and renames it, so that it is whole or absent.
 * Devices and pipes (which cannot be renamed onto) are written directly. */
warpbound_status wb_file_write(const char *path, const char *bytes, size_t length,
                               warpbound_error *error);

/* Whether wb_file_write could begin to write there, without changing what is there: for those who
 * would work long before they write. Errors: as wb_file_write. */
warpbound_status wb_file_try(const char *path, warpbound_error *error);

/* Whether two names are of one file: the same words, or one regular file that is there. */
bool wb_file_same(const char *a, const char *b);

#endif
