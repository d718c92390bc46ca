/* The values that the making of a potential starts with. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_START_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_START_H

#include "makespan/potential/potential.h"

#include <stdbool.h>

/* Gives the potential of a proof, whose states are known, the values of a coarser proof for the
 * same problem: with limits and a number of pieces that are not larger. Where coarser is NULL or
 * not that, every step is worth a cycle, and no height anything. No move gains less than a cycle
 * then, but from a coarser proof that has other shares. Returns whether the coarser proof was
 * used. The scale is WB_POTENTIAL_SCALE. */
bool wb_potential_start_values(struct wb_potential_proof *proof,
                               const struct wb_potential_proof *coarser);

#endif
