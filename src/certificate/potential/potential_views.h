/* A potential of several components, for its checker: what each component makes of a cycle while it
 * answers for itself, and while others answer for it (doc/potentials.md, "Components"). */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_VIEWS_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_VIEWS_H

#include "certificate/potential/potential_machine.h"

#include <stddef.h>
#include <stdint.h>

/* Views of components that answer for themselves, then of those for which others do. */
#define WB_CHECK_POTENTIAL_VIEWS (2 * WB_CHECK_POTENTIAL_POOLS)

/* machine: with the values of steps under the view, all times weight_sum. shares: those of the
 * components in what the view begins with; weight_sum: their sum. idle: what one of the others is
 * worth that stands in a pool and does not issue, times weight_sum. */
struct wb_check_potential_view {
  struct wb_check_potential_machine machine;
  int64_t weights[WB_CHECK_POTENTIAL_POOLS];
  int64_t weight_sum;
  int64_t idle[WB_CHECK_POTENTIAL_POOLS];
};

/* component_count: 1 where the claim has none. Zero-initialise. */
struct wb_check_potential_views {
  struct wb_check_potential_view view[WB_CHECK_POTENTIAL_VIEWS];
  size_t component_count;
};

/* Checks the components of a claim against the pools of its machine, and makes the views. With a
 * claim without components, the only view is the machine as it stands. Errors as
 * wb_check_potential. Free, after a failure too. Time: views * length * kinds of steps. */
warpbound_status wb_check_potential_views_make(const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               struct wb_check_potential_views *views,
                                               warpbound_error *error);
void wb_check_potential_views_free(struct wb_check_potential_views *views);

/* The view under which a component is asked about a cycle that begins with the own warp in pool
 * `own` and the others as in `warps`. */
size_t wb_check_potential_views_choose(const struct wb_check_potential_views *views,
                                       const struct wb_check_potential_claim *claim, size_t own,
                                       const uint32_t warps[WB_CHECK_POTENTIAL_POOLS],
                                       size_t component);

#endif
