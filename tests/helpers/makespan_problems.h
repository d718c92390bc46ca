/* Makespan problems, and potentials that prove bounds on them. */
#ifndef TESTS_HELPERS_MAKESPAN_PROBLEMS_H
#define TESTS_HELPERS_MAKESPAN_PROBLEMS_H

#include "certificate/potential/potential_claim.h"
#include "makespan/potential/potential_synthesis.h"
#include "model/problem.h"

#include <stdint.h>

/* The problem of a string on units "L=1,C=4"; the test fails where it is refused.
 * shared: letters of the types that all partitions share. Free with wb_problem_free. */
struct wb_problem make_problem(const char *string, const char *units, uint32_t slots,
                               uint32_t partitions, uint32_t warps, const char *shared);

/* Claims of potentials made by hand, to be spoilt, and what the checker is to say of them. */

/* Steps that the checker may take. */
#define DRAFT_WORK UINT64_C(1000000)

/* A claim with its own copies of everything. */
struct draft {
  struct wb_check_potential_claim claim;
  struct wb_check_potential_pool pools[WB_CHECK_POTENTIAL_POOLS];
  struct wb_check_potential_value values[4][4];
  int64_t worth[2][5];
  struct wb_check_potential_component components[2];
  struct wb_check_potential_state states[16];
};

/* Points the claim to the draft's own copies: after every copy of the draft. */
void bind_draft(struct draft *draft);

/* The checker proves this bound and this line. */
void expect_proof(const struct draft *draft, uint64_t cycles, int64_t slope, int64_t offset);

/* The checker ends with this status, with `part` in its message, and leaves the verdict alone. */
void expect_status(const struct draft *draft, warpbound_status expected, const char *part);

/* The same where the claim is wrong. */
void expect_refusal(const struct draft *draft, const char *part);

/* A potential of one component for each type, without work, for tests of what is made of it. */

/* Made for `made_for` warps, then taken over to the problem; with an offset for each state if
 * these are at most `own_offsets` for all components, else with sums. Free the proof. */
void prove_potential(const struct wb_problem *problem, uint32_t made_for, size_t own_offsets,
                     struct wb_potential_proof *proof);

#endif
