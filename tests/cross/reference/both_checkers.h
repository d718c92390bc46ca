/* What the tests of schedules share: a schedule as each of the two checkers takes it,
 * and how many random runs to make. */
#ifndef TESTS_CROSS_BOTH_CHECKERS_H
#define TESTS_CROSS_BOTH_CHECKERS_H

#include "certificate/schedule/schedule_claim.h"
#include "environment.h"
#include "random_instance.h"
#include "reference_checker.h"
#include "sm_brute_force.h"

#include <stddef.h>
#include <stdint.h>

/* Instances (WARPBOUND_CROSS_RUNS) and the seed of the first one (WARPBOUND_SEED). */
#define DEFAULT_RUNS UINT64_C(20000)
#define DEFAULT_SEED UINT64_C(20120711)
#define MOST_WARPS 8u

/* A schedule for either checker, which point into strings and letters: not to be copied. */
struct both_claims {
  struct wb_check_schedule_string strings[SM_STRING_LIMIT];
  const char *letters[SM_STRING_LIMIT];
  struct wb_check_schedule_claim claim;
  struct reference_schedule reference;
};

/* The lists are borrowed: for each warp its issue cycles, and how many. */
void claim_for_both(struct both_claims *both, const struct instance *instance,
                    const uint32_t *const *cycles, const size_t *counts);
/* The same of a whole SM; string_of: the string that each warp runs. */
void claim_sm_for_both(struct both_claims *both, const struct sm_instance *instance,
                       const uint32_t *string_of, const uint32_t *const *cycles,
                       const size_t *counts);

#endif
