/* The best potential that some effort finds: ever finer pools, with one component and with one for
 * each type, and better dominance weights, while they are better (doc/potentials/search.md). And a
 * linear bound over all numbers of warps as a by-product. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_SEARCH_H

#include "base/status.h"
#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most shapes that one search tries. */
#define WB_POTENTIAL_SHAPES 128

/* Tries a shape. *better: it is better than all before it and than the one that the search began
 * with. *go_on: whether the search is to. */
typedef warpbound_status wb_potential_attempt(void *context, const struct wb_potential_shape *shape,
                                              bool *better, bool *go_on, warpbound_error *error);

/* Looks for better weights than those of `begin` by local search. First each component is bounded
 * by exactly one other, in all cyclic orders. Then, from the best shape so far, weight of a
 * component is moved from one other to another, all of it, then half, then a quarter, while that is
 * better; at last half in two components at once. No shape is tried twice. With fewer than three
 * components there is nothing to choose. Errors: those of `attempt`. */
warpbound_status wb_potential_improve_weights(const struct wb_potential_shape *begin,
                                              wb_potential_attempt *attempt, void *context,
                                              warpbound_error *error);

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

/* The least number of warps that a problem may have for a line to be found for it. The problem has
 * to suit (wb_pools_suit). */
uint32_t wb_potential_line_warps(const struct wb_problem *problem);

/* Looks for a potential with a line, from the coarsest level on, until one proves `enough` cycles
 * for the problem's W. It is of use where it proves no more than the closed form for many warps.
 * Its effort is counted, is the same for every W, and takes some hundredths of a second.
 * *found: *proof is to be freed. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_potential_find_line(const struct wb_problem *problem, uint64_t enough,
                                        const struct wb_control *control,
                                        struct wb_potential_proof *proof, bool *found,
                                        warpbound_error *error);

#endif
