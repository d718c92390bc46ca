/* What a launch has to fetch because nothing of it is in caches of instructions, constants and
 * translations when it begins (doc/launches/cold-starts.md). */
#ifndef WB_LAUNCH_TIMING_COLD_START_H
#define WB_LAUNCH_TIMING_COLD_START_H

#include "base/status.h"
#include "flow/accesses/accesses.h"
#include "model/code.h"
#include "model/devices/device_timing.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* The code that warps come to, and the pages of its data. All borrowed. The device has caches. */
struct wb_cold_question {
  const struct wb_device_timing *device;
  const struct wb_function *function;
  const struct wb_accesses *accesses;
  const uint32_t *first, *last; /* by node: its instructions; first > last: none */
  const bool *interleaved;      /* by node: other groups of lanes may run in between */
  size_t node_count;
  const bool *common; /* by instruction: each warp comes to it before it ends; NULL: none known */
  bool warm;          /* nothing is fetched: only loads of constants end at the SM's caches */
  bool declared;      /* all data of the launch lie in declared buffers: */
  uint64_t pages;     /* the most pages that these touch */
  bool by_access; /* where their translations are kept, chains wait for one at each access, and for
                     no page without one: else for each page once, whatever accesses it */
};

/* What was found, for assumptions and for people. */
struct wb_cold_start {
  uint64_t code_lines, constant_lines; /* that warps come to; at least, of constants */
  uint64_t common_code;                /* of the lines of code: each warp comes to them */
  uint64_t code_bytes, constant_bytes; /* that caches have to keep of them */
  uint64_t pages;                      /* of all that the launch touches, where they are kept */
  bool kept;      /* caches of an SM keep code and constants: each line is fetched once */
  bool near_code; /* caches of a partition keep the code as well */
  bool near_constants;
  bool kept_loads; /* loads of constants whose places are in the code end at those caches */
  bool pages_kept; /* each page is translated once; else an access, or a fetch, may wait for it */
  bool unknown_constants; /* operands whose places are not known: each may be fetched */
};

/* Adds to the code of the device what the launch fetches once, and to instructions and stages what
 * is fetched again and again because nothing keeps it; takes off the way beyond the SM of loads of
 * constants that are kept. Of a warm start the last alone. Errors: WARPBOUND_INVALID_INPUT where a
 * number is out of range, WARPBOUND_INTERNAL (memory). Linear, but for a sort. */
warpbound_status wb_cold_start_add(const struct wb_cold_question *question,
                                   struct wb_timed_code *code, struct wb_cold_start *found,
                                   warpbound_error *error);

/* Cycles of a fetch that waits for no others: of each stage the delay, the last request to be
 * served, and before it the others on all servers. Of a fetch whose numbers are in range it fits.
 */
uint64_t wb_cold_fetch_cycles(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch);

#endif
