/* Normalisation, and the makespan problem that it yields: what every bound,
 * search, policy and check of this project is about. */
#ifndef WB_MODEL_PROBLEM_H
#define WB_MODEL_PROBLEM_H

#include "base/status.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>

/* W identical warps run one string in order on one partition, at most one instruction per warp and
 * cycle, each for one cycle on a unit of its type.
 * Work-conserving: in no cycle does an unfinished warp idle whose next type has a free unit while
 * an issue slot is free. Nothing else is known of the scheduler.
 *
 * Invariants: string.length >= 1, warps >= 1, capacity[u] >= 1 for every type that the string uses,
 * capacity[WB_UNIT_NONE] == WB_UNLIMITED, issue_slots >= 1. Where units are shared with other
 * partitions, the problem by itself is only a part of the truth (outside_warps > 0), and there is
 * no fairness. */
struct wb_problem {
  struct wb_kernel_string string;
  uint32_t capacity[WB_UNIT_COUNT]; /* sigma_u: instructions of type u that can start in a cycle;
                                       WB_UNLIMITED: no limit */
  uint32_t issue_slots; /* sigma: instructions that can start in a cycle; WB_UNLIMITED: no cap */
  uint32_t warps;       /* W */
  bool shared[WB_UNIT_COUNT]; /* the outside warps compete for the units of type u too */
  uint32_t outside_warps;     /* of the other partitions, which run the same string */
  struct wb_fair_blocks fair; /* blocks of `string` between whose repetitions the scheduler is fair:
                                 in no cycle could a warp that issues give its place, within the
                                 capacities and the issue slots, to one that idles before an
                                 instruction of an earlier repetition */
};

/* Normalises a kernel string for a configuration (ETFA 2013, III-E): where sigma
 * is below 1 or instructions hold their unit for x cycles, each letter of the type
 * is repeated x / sigma times and sigma becomes 1. Refused, with the reason:
 * a type that the string uses and the configuration lacks; x / sigma not a whole
 * number; sigma above 1 that is not whole, or with x above 1 (the repetition would
 * make a lone warp faster than it is); more than WB_NORMALISED_LIMIT letters. A
 * configuration from a file is then WARPBOUND_INVALID_INPUT, else WARPBOUND_USAGE.
 * The SM's `warps` spread evenly over its partitions: the problem has
 * ceil(warps / partitions). Frees nothing of its arguments; the caller frees the
 * problem with wb_problem_free. */
warpbound_status wb_problem_normalise(const struct wb_kernel_string *kernel,
                                      const struct wb_sm_configuration *sm, uint32_t warps,
                                      struct wb_problem *problem, warpbound_error *error);

/* s_u = min(sigma_u, sigma): the most instructions of u in a cycle. */
uint32_t wb_problem_service(const struct wb_problem *problem, enum wb_unit unit);

/* Whether the cap on issue slots can ever bind: false where it is at least the sum
 * of the capacities of the types used, or at least the number of warps. */
bool wb_problem_capped(const struct wb_problem *problem);

/* Whether any units that the string uses are shared with other partitions. */
bool wb_problem_has_shared(const struct wb_problem *problem);

/* Whether only fair schedules count. */
bool wb_problem_fair(const struct wb_problem *problem);

void wb_problem_free(struct wb_problem *problem);

#endif
