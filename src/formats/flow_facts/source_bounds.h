/* Loop bounds that stand in source files, as comments or pragmas beside the loops. */
#ifndef WB_FORMATS_FLOW_FACTS_SOURCE_BOUNDS_H
#define WB_FORMATS_FLOW_FACTS_SOURCE_BOUNDS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The bound of a loop whose condition stands in a line. */
struct wb_source_bound {
  /* From 1. */
  uint32_t line;
  /* Most back edges for each entry of a thread. */
  uint64_t bound;
  /* Where the word `loopbound` stands, from 1. */
  uint32_t at_line, at_column;
};

/* Invariant: lines ascend, each once. Zero-initialise; free with wb_source_bounds_free. */
struct wb_source_bounds {
  struct wb_source_bound *items;
  size_t count, capacity;
};

/* Reads the bounds of a source file, which is not parsed otherwise:
 *   // loopbound 15             a comment in the loop's own line (either kind of comment), or
 *                               beside pragmas in the lines above it
 *   #pragma loopbound min 0 max 15
 *   _Pragma("loopbound min 0 max 15")
 *                               as in TACLeBench, for the next line that is not empty and has more
 *                               than pragmas: the most iterations of the body, which no loop has
 * less back edges than A word after `loopbound` that is not a number (unknown, = n) gives no bound.
 * Of several in a line the largest counts. Any bytes may be given. `name` is for messages. Errors:
 * WARPBOUND_INVALID_INPUT where a pragma's words are not understood, with line and column;
 * WARPBOUND_INTERNAL. Linear in length. */
warpbound_status wb_source_bounds_parse(const char *name, const char *text, size_t length,
                                        struct wb_source_bounds *bounds, warpbound_error *error);

/* The bound in a line; NULL where there is none. Logarithmic. */
const struct wb_source_bound *wb_source_bounds_find(const struct wb_source_bounds *bounds,
                                                    uint32_t line);

void wb_source_bounds_free(struct wb_source_bounds *bounds);

#endif
