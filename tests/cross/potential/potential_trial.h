/* What must hold of every potential, for tests on random instances. */
#ifndef TESTS_CROSS_POTENTIAL_TRIAL_H
#define TESTS_CROSS_POTENTIAL_TRIAL_H

#include "makespan/potential/potential_proof.h"
#include "trial.h"

#include <stdbool.h>
#include <stdint.h>

/* Neither the bound nor, for any number of warps from which it holds, the line is below the
 * truth. *exact counts the bounds that are equal to it. */
bool potential_is_safe(struct trial *trial, const struct wb_potential_proof *proof,
                       uint64_t *exact);

/* The checker, reading the file that the proof is written as, comes to the same bound and line;
 * where the rear is followed it may come to less. */
bool potential_is_checked(struct trial *trial, const struct wb_potential_proof *proof);

#endif
