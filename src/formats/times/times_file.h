/* Files of measured times between places of the code (doc/measured/hybrid.md, "TIMES"):
 * comma-separated values with a header line; columns in any order, by their names:
 *
 *   kernel,run,warp,from,to,count,cycles
 *
 * `from` and `cycles` are needed, the others may be left out. from, to: a place as in flow facts
 * (0x0148, FILE:LINE, 0x0148@FILE:LINE, or a label), or the words start and end. '#' begins a
 * comment line; of these `# checksum NUMBER [KERNEL]` names the code that was measured. */
#ifndef WB_FORMATS_TIMES_TIMES_FILE_H
#define WB_FORMATS_TIMES_TIMES_FILE_H

#include "base/name_pool.h"
#include "base/status.h"
#include "base/text.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most cycles and the largest count of a row. */
#define WB_TIMES_MOST INT64_C(1000000000000000)

/* What `from` or `to` is. */
enum wb_times_end {
  WB_TIMES_PLACE, /* a place of the code */
  WB_TIMES_START, /* where a warp begins; only `from` */
  WB_TIMES_STOP,  /* where it ends: the word `end`; only `to` */
  WB_TIMES_BLOCK  /* of `to`: an empty cell: the end of the block with `from` */
};

struct wb_times_point {
  enum wb_times_end end;
  struct wb_place place; /* of WB_TIMES_PLACE */
};

/* In a run, for a warp: the longest time from passing `from` until the same lanes pass the next
 * point, where that is `to`; with WB_TIMES_BLOCK the longest time of the whole block with `from`,
 * whatever comes next; from WB_TIMES_START to WB_TIMES_STOP the whole run of the warp. */
struct wb_times_row {
  const char *kernel;     /* NULL: not said */
  const char *run, *warp; /* words that tell runs, and warps of a run, apart; NULL: not said */
  struct wb_times_point from, to;
  int64_t cycles; /* 0 .. WB_TIMES_MOST; decimals are rounded up */
  int64_t count;  /* how often it was seen, 0 .. WB_TIMES_MOST; -1: not said. 0: never; from and to
                     are points all the same */
  uint32_t line;  /* in the file */
};

/* The checksum of the code of a kernel that was measured (wb_function_checksum). */
struct wb_times_checksum {
  const char *kernel; /* NULL: of all rows */
  uint64_t checksum;
  uint32_t line; /* in the file */
};

/* Owns all of it: wb_times_free. Zero-initialise to fill it in by hand. */
struct wb_times {
  char *name; /* the file's, for messages */
  struct wb_times_row *rows;
  size_t row_count, row_capacity;
  struct wb_times_checksum *checksums;
  size_t checksum_count, checksum_capacity;
  struct wb_name_pool names; /* all texts of rows and checksums */
};

/* Reads a whole file; any bytes may be given. `name` is the file's, for messages. Cells may stand
 * in double quotes (RFC 4180; no line ends inside); a byte order mark is skipped. Errors:
 * WARPBOUND_INVALID_INPUT with line and column, what was expected and what was found (a file
 * without a header or without rows, columns that are missing, twice or not known, too many or too
 * few cells, cycles that are no number, negative, or above WB_TIMES_MOST); WARPBOUND_INTERNAL; with
 * nothing to free. Linear in the length. */
warpbound_status wb_times_parse(const char *name, const char *text, size_t length,
                                struct wb_times *times, warpbound_error *error);

/* Writes from or to as the reader reads it: "start", "end", "", or a place. */
void wb_times_write_point(const struct wb_times_point *point, struct wb_text *text);

void wb_times_free(struct wb_times *times);

/* ---- raw times ---- */

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
