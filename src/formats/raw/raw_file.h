/* The raw output of an instrumented kernel, as the host program of examples/measure writes it. All
 * numbers are little endian:
 *
 *   offset  bytes
 *        0      8  "warpraw1"
 *        8      8  checksum of the instrumented PTX (FNV-1a, 64 bits)
 *       16      4  rows of a warp
 *       20      4  runs
 *       24      4  warps whose rows are their own, by number
 *       28      4  1: the rows of all other warps together follow those; 0: there are none
 *       32      4  length of the kernel's name
 *       36      4  0
 *       40         the kernel's name
 *                  by run, by warp, by row: the longest time of a lane in cycles (4 bytes, 2^32 -
 * 1: that or more), the largest count of a lane (4 bytes)
 */
#ifndef WB_FORMATS_RAW_RAW_FILE_H
#define WB_FORMATS_RAW_RAW_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The time that says: that or more. */
#define WB_RAW_SATURATED UINT32_MAX

/* Longest name of a kernel. */
#define WB_RAW_NAME_LIMIT 65536

/* A file that was read. name and rows point into its bytes, which the caller keeps. */
struct wb_raw {
  uint64_t checksum;
  uint32_t row_count;
  uint32_t run_count;
  uint32_t warp_count; /* with their own rows */
  bool others;         /* after them, the rows of all other warps together */
  const char *kernel;  /* not ended by a zero */
  size_t kernel_length;
  const unsigned char *rows;
};

struct wb_raw_row {
  uint32_t longest;
  uint32_t count;
};

/* Reads any bytes; file is for messages. Errors: WARPBOUND_INVALID_INPUT, which says at which byte
 * what was expected. Constant time. */
warpbound_status wb_raw_parse(const char *file, const void *bytes, size_t length,
                              struct wb_raw *raw, warpbound_error *error);

/* A row; warp may be warp_count where there are others. */
struct wb_raw_row wb_raw_row_of(const struct wb_raw *raw, size_t run, size_t warp, size_t row);

#endif
