/* The views of a potential with several components (doc/potentials/potentials.md, "Components"). A
 * view compares the weighted mean of the components before a cycle with one component after it, and
 * values the cycle's steps for that. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_VIEWS_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_VIEWS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/potential/potential_machine.h"

#include <stddef.h>
#include <stdint.h>

/* Two views of each component: of an active one, then of a dominated one. */
#define WB_CHECK_POTENTIAL_VIEWS (2 * WB_CHECK_POTENTIAL_POOLS)

/* Invariant: weight_sum is the sum of the weights, at least 1. */
struct wb_check_potential_view {
  /* Steps have their least values under the view, times weight_sum. */
  struct wb_check_potential_machine machine;
  /* By component: its weight before the cycle. An active component has weight 1, and no other has
   * any. */
  int64_t weights[WB_CHECK_POTENTIAL_POOLS];
  /* D. */
  int64_t weight_sum;
  /* By pool: the least value of a warp that stands in it and does not issue, times weight_sum. */
  int64_t idle[WB_CHECK_POTENTIAL_POOLS];
};

/* Zero-initialise. */
struct wb_check_potential_views {
  /* Component j has view j where it is active, view component_count + j where it is dominated. */
  struct wb_check_potential_view view[WB_CHECK_POTENTIAL_VIEWS];
  /* Components; 1 where the claim has none. */
  size_t component_count;
};

/* Checks the components of a claim against the pools of its machine, and makes the views. Of a
 * claim without components the only view is the machine as it stands. Errors as wb_check_potential.
 * Time: views * length * kinds of steps. */
warpbound_status wb_check_potential_views_make(struct wb_arena *arena,
                                               const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               struct wb_check_potential_views *views,
                                               warpbound_error *error);
/* The view of a component in a cycle that begins with the own warp in pool `own` and the other
 * warps as in `warps`. */
size_t wb_check_potential_views_choose(const struct wb_check_potential_views *views,
                                       const struct wb_check_potential_claim *claim, size_t own,
                                       const uint32_t warps[WB_CHECK_POTENTIAL_POOLS],
                                       size_t component);

#endif
