/* What a potential proves of schedules where the rearmost warps are followed exactly
 * (doc/potentials.md, "Following the rear"). */
#ifndef WB_MAKESPAN_POTENTIAL_TRAILING_WARPS_H
#define WB_MAKESPAN_POTENTIAL_TRAILING_WARPS_H

#include "makespan/potential/potential.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps that are followed. */
#define WB_POTENTIAL_TRAILING_LIMIT 4

/* How much it may spend: moves looked at, and bytes of the table, of which the control allows no
 * more than its limit. */
struct wb_trailing_effort {
  uint64_t steps;
  uint64_t memory;
};

/* followed: it came to its end. stop: why it did not (WB_STOP_MEMORY: beyond the effort). */
struct wb_trailing_outcome {
  bool followed;
  enum wb_stop stop;
};

/* Whether the rear of a potential can be followed: it has several pieces. */
bool wb_potential_has_trailing(const struct wb_potential_proof *proof);

/* Follows the `rear` rearmost warps, 1 .. the problem's and at most WB_POTENTIAL_TRAILING_LIMIT.
 * Where it comes to its end the proof's bound and line are those that follow, never worse than
 * without. Deterministic. Time: rear states, C(I + rear, rear) times those of the pools, times
 * moves; memory: C(I + rear, rear - 1) times the pools' states. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_potential_follow_trailing(struct wb_potential_proof *proof, uint32_t trailing,
                                              const struct wb_trailing_effort *effort,
                                              const struct wb_control *control,
                                              struct wb_trailing_outcome *outcome,
                                              warpbound_error *error);

/* Follows as many as the effort allows, one more at a time while that pays, from the number
 * that the proof has. *stop: why it ended, where not by the effort. */
warpbound_status wb_potential_follow_more(struct wb_potential_proof *proof,
                                          const struct wb_trailing_effort *effort,
                                          const struct wb_control *control, enum wb_stop *stop,
                                          warpbound_error *error);

#endif
