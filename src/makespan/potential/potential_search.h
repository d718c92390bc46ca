/* The best potential that some effort finds: ever finer pools, while they are better. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H

#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>

/* The effort of a search, which is counted, not timed. */
enum wb_potential_depth {
  WB_POTENTIAL_QUICK, /* a fraction of a second */
  WB_POTENTIAL_FULL   /* some seconds up to a minute */
};

/* The options and the progress of a search. */
struct wb_potential_search_options {
  uint64_t below;  /* cycles: a bound is of use below this */
  uint64_t enough; /* cycles: no bound can be below this */
  enum wb_potential_depth depth;
  const struct wb_potential_proof *coarser; /* of an earlier search, or NULL */
  uint32_t settled; /* steps that have been tried to the end, a bit each; 0 at first; the search
                     * adds to it */
};

struct wb_potential_search_result {
  bool found;                      /* a potential below `below` cycles */
  enum wb_stop stop;               /* why it ended early: time, or interrupted */
  struct wb_potential_proof proof; /* the best one, where found */
};

/* Goes through the refinement schedule: one component, then one for each type; pools without work,
 * then with ever more of it, first where a type serves two or more warps a cycle (where it matters
 * most), then everywhere, then with more warps. Ends at `enough` cycles. The problem has to suit
 * (wb_pools_suit). Deterministic but for time limits. Errors: WARPBOUND_INTERNAL (memory). Free the
 * proof. */
warpbound_status wb_potential_search(const struct wb_problem *problem,
                                     struct wb_potential_search_options *options,
                                     const struct wb_control *control,
                                     struct wb_potential_search_result *result,
                                     warpbound_error *error);

#endif
