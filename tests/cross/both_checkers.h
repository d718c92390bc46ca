/* What the tests of schedules share: a schedule as each of the two checkers takes it,
 * and how many random runs to make. */
#ifndef TESTS_CROSS_BOTH_CHECKERS_H
#define TESTS_CROSS_BOTH_CHECKERS_H

#include "certificate/schedule_check.h"
#include "environment.h"
#include "random_instance.h"
#include "reference_checker.h"

#include <stddef.h>
#include <stdint.h>

/* Instances (WARPBOUND_CROSS_RUNS) and the seed of the first one (WARPBOUND_SEED). */
#define DEFAULT_RUNS UINT64_C(20000)
#define DEFAULT_SEED UINT64_C(20120711)
#define MOST_WARPS 8u

/* The lists are borrowed: for each warp its issue cycles, and how many. */
struct reference_schedule reference_of(const struct instance *instance,
                                       const uint32_t *const *cycles, const size_t *counts);
struct wb_schedule_claim claim_of(const struct instance *instance, const uint32_t *const *cycles,
                                  const size_t *counts);

#endif
