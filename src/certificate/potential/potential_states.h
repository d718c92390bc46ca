/* The abstract states that a claim of a potential lists, with their offsets. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_STATES_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_STATES_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "certificate/potential/potential_machine.h"

#include <stddef.h>
#include <stdint.h>

/* Invariant: the maps of all components have the same contents. Zero-initialise. */
struct wb_check_potential_states {
  /* Borrowed. */
  const struct wb_check_potential_machine *machine;
  /* Components; 1 where the claim has none. */
  size_t component_count;
  /* By component and pool of the own warp: the offsets of the states. */
  struct wb_check_content_map offsets[WB_CHECK_POTENTIAL_POOLS][WB_CHECK_POTENTIAL_POOLS];
};

/* Takes the states of a claim. Errors: WARPBOUND_CHECK_FAILED where one is not a state of the
 * machine or stands there twice, WARPBOUND_LIMIT, WARPBOUND_INTERNAL. Free, after a failure too.
 * Linear in the states. */
warpbound_status wb_check_potential_states_make(const struct wb_check_potential_claim *claim,
                                                const struct wb_check_potential_machine *machine,
                                                size_t component_count,
                                                struct wb_check_potential_states *states,
                                                warpbound_error *error);

/* The offset in a component of the state with the own warp in pool `own`, as an entry; NULL where
 * the state is not listed. */
const struct wb_check_content_value *
wb_check_potential_states_find(const struct wb_check_potential_states *states, size_t component,
                               size_t own, const struct wb_check_content *content);

void wb_check_potential_states_free(struct wb_check_potential_states *states);

/* The other warps of a listed state. */
struct wb_check_content
wb_check_potential_state_content(const struct wb_check_potential_machine *machine,
                                 const struct wb_check_potential_state *state);

/* The content of so many other warps that stand before the first run. */
struct wb_check_content
wb_check_potential_start_content(const struct wb_check_potential_machine *machine, uint64_t others);

/* Instructions that these need to the end of that run, not cut off; UINT64_MAX for more than fit.
 */
uint64_t wb_check_potential_start_work(const struct wb_check_potential_machine *machine,
                                       uint64_t others);

/* Writes a state for messages: "(own C; L: 1, work 3; C: 2 or more)", or "the end" where `own` is
 * the number of pools. */
void wb_check_potential_state_write(const struct wb_check_potential_machine *machine, size_t own,
                                    const struct wb_check_content *content, struct wb_text *text);

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
