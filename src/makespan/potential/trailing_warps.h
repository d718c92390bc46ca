/* The bound that a potential proves where the trailing warps are followed exactly
 * (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_MAKESPAN_POTENTIAL_TRAILING_WARPS_H
#define WB_MAKESPAN_POTENTIAL_TRAILING_WARPS_H

#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much following them may spend. */
struct wb_trailing_effort {
  uint64_t steps;  /* moves looked at */
  uint64_t memory; /* bytes of the table; at most the control's limit is used */
};

/* The outcome of following them. */
struct wb_trailing_outcome {
  bool followed;     /* it came to its end */
  enum wb_stop stop; /* why it did not (WB_STOP_MEMORY: beyond the effort) */
};

/* Follows the `trailing` last warps of a potential with several components, 1 .. the problem's and
 * at most WB_POTENTIAL_TRAILING_LIMIT. Where it comes to its end it sets the proof's bound and
 * line, which are never worse than without. Deterministic. With I instructions and k trailing
 * warps, time: C(I + k, k) times the pools' states times their moves; memory: C(I + k, k - 1) times
 * the pools' states. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_potential_follow_trailing(struct wb_potential_proof *proof, uint32_t trailing,
                                              const struct wb_trailing_effort *effort,
                                              const struct wb_control *control,
                                              struct wb_trailing_outcome *outcome,
                                              warpbound_error *error);

/* Follows one more at a time, from the number that the proof has, as long as the effort is likely
 * to allow it. *stop: why it ended early; WB_STOP_NONE where the effort is used up as planned. */
warpbound_status wb_potential_follow_more(struct wb_potential_proof *proof,
                                          const struct wb_trailing_effort *effort,
                                          const struct wb_control *control, enum wb_stop *stop,
                                          warpbound_error *error);

#endif
