/* A potential of one component for each type, without work, for tests of what is made of it. */
#ifndef TEST_PROVE_POTENTIAL_H
#define TEST_PROVE_POTENTIAL_H

#include "makespan/potential/potential_synthesis.h"

/* Made for `made_for` warps, then taken over to the problem; with an offset for each state if
 * these are at most `own_offsets` for all components, else with sums. Free the proof. */
void prove_potential(const struct wb_problem *problem, uint32_t made_for, size_t own_offsets,
                     struct wb_potential_proof *proof);

#endif
