/* The best potential that some effort finds: ever finer pools, while they pay. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H

#include "makespan/potential/potential.h"

#include <stdbool.h>

/* How far to go: WB_POTENTIAL_QUICK is a fraction of a second, WB_POTENTIAL_FULL some
 * seconds up to a minute. Both are counted in work, not in time. */
enum wb_potential_depth { WB_POTENTIAL_QUICK, WB_POTENTIAL_FULL };

/* What is known when a search begins. below, enough: of use is a bound below `below`, and none
 * can be below `enough`. coarser: a proof that an earlier search found, or NULL. settled: what
 * earlier searches have tried to the end, 0 at first; the search adds to it. */
struct wb_potential_search_options {
  uint64_t below;
  uint64_t enough;
  enum wb_potential_depth depth;
  const struct wb_potential_proof *coarser;
  uint32_t settled;
};

/* found: *proof holds the best potential, below `below` cycles. stop: why it ended
 * early (time, interrupted). */
struct wb_potential_search_result {
  bool found;
  enum wb_stop stop;
  struct wb_potential_proof proof;
};

/* Tries one piece, then one for each type; pools without work, then with ever more of it, first
 * where a type serves two or more warps a cycle (there it pays most), then everywhere, then with
 * more warps. Stops early at `enough` cycles. The problem must suit (wb_pools_suit). Deterministic
 * but for time limits. Free the proof. */
warpbound_status wb_potential_search(const struct wb_problem *problem,
                                     struct wb_potential_search_options *options,
                                     const struct wb_control *control,
                                     struct wb_potential_search_result *result,
                                     warpbound_error *error);

#endif
