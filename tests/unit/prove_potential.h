/* A potential of one piece for each type, without work, for tests of what is made of it. */
#ifndef TEST_PROVE_POTENTIAL_H
#define TEST_PROVE_POTENTIAL_H

#include "makespan/potential/potential.h"

/* Made for `made_for` warps, then taken over to the problem; with a height for each state if these
 * are at most `heights` for all pieces. Free the proof. */
void prove_potential(const struct wb_problem *problem, uint32_t made_for, size_t heights,
                     struct wb_potential_proof *proof);

#endif
