/* The initial values of a synthesis. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_START_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_START_H

#include "makespan/potential/potential_proof.h"

#include <stdbool.h>

/* Gives the potential of a proof, whose states are known, the values of a coarser proof for the
 * same problem, which has limits and a number of components that are not larger. Where coarser is
 * NULL or not such a proof, every step is worth a cycle and all state offsets are 0. No move gains
 * less than a cycle then, but from a coarser proof that has other weights. The scale is
 * WB_POTENTIAL_SCALE. Returns whether the coarser proof was used. */
bool wb_potential_start_values(struct wb_potential_proof *proof,
                               const struct wb_potential_proof *coarser);

#endif
