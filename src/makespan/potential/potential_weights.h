/* The search for the dominance weights of a potential's components (doc/potentials/search.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_WEIGHTS_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_WEIGHTS_H

#include "base/status.h"
#include "makespan/potential/piecewise_potential.h"

#include <stdbool.h>

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

#endif
