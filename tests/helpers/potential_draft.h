/* Claims of potentials made by hand, to be spoilt, and what the checker is to say of them. */
#ifndef TEST_POTENTIAL_DRAFT_H
#define TEST_POTENTIAL_DRAFT_H

#include "certificate/potential/potential_claim.h"

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

#endif
