/* What is asked of a cold start, and what is found (cold_start.h). */
#ifndef WB_LAUNCH_TIMING_COLD_QUESTION_H
#define WB_LAUNCH_TIMING_COLD_QUESTION_H

#include "flow/accesses/accesses.h"
#include "model/code.h"
#include "model/devices/device_timing.h"

#include <stdbool.h>
#include <stddef.h>
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

#endif
