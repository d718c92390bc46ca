/* What a potential says of the machine's states, as an estimate for beams. */
#ifndef WB_MAKESPAN_POTENTIAL_ESTIMATE_H
#define WB_MAKESPAN_POTENTIAL_ESTIMATE_H

#include "makespan/potential.h"
#include "makespan/state_value.h"

/* Reads one piece into an estimate, which was started for the same problem: the values by
 * position; the own warp's for the one that has done least; and for each number of warps that
 * wait for a type the mean of the heights of the states that have as many. A problem that
 * estimates are made for (WB_VALUE_MOST), its numbers below 2^20 cycles.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_potential_estimate(const struct wb_potential_proof *proof, unsigned piece,
                                       struct wb_state_value *value, warpbound_error *error);

#endif
