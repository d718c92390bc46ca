/* A cycle of a work-conserving scheduler: the one place with the semantics that the searches
 * share. */
#ifndef WB_MAKESPAN_MACHINE_CYCLE_H
#define WB_MAKESPAN_MACHINE_CYCLE_H

#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* In a cycle exactly `total` warps issue, at most most[u] of them of type u. Or, of a machine:
 * at most so many can. */
struct wb_quota {
  uint32_t most[WB_UNIT_COUNT];
  uint32_t total;
};

/* The quota within what room a machine has, where ready[u] warps wait for type u. */
static inline struct wb_quota wb_quota_within(const uint32_t most[WB_UNIT_COUNT], uint32_t total,
                                              const uint32_t ready[WB_UNIT_COUNT])
{
  struct wb_quota quota = {.total = 0};
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    quota.most[u] = ready[u] < most[u] ? ready[u] : most[u];
    sum += quota.most[u];
  }
  quota.total = sum < total ? (uint32_t)sum : total;
  return quota;
}

/* The quota where ready[u] unfinished warps wait for type u: per type
 * min(sigma_u, ready), in all min(sigma, the sum of those). Any choice of waiting
 * warps within it is a cycle of some work-conserving schedule, and every cycle of
 * one is such a choice. Where the scheduler is fair between blocks this holds for the warps of
 * each repetition in turn, within what those of earlier ones have left. */
static inline struct wb_quota wb_cycle_quota(const struct wb_problem *problem,
                                             const uint32_t ready[WB_UNIT_COUNT])
{
  return wb_quota_within(problem->capacity, problem->issue_slots, ready);
}

/* The fewest warps that a group of type `unit` must let issue so that what is left of
 * the quota can still be filled from the groups after it, which hold after[u] waiting
 * warps of each type. capped: whether the cap can bind (wb_problem_capped); where it
 * cannot, types do not compete and only the group's own counts. */
static inline uint32_t wb_quota_least(const struct wb_quota *left,
                                      const uint32_t after[WB_UNIT_COUNT], enum wb_unit unit,
                                      bool capped)
{
  if (!capped)
    return left->most[unit] > after[unit] ? left->most[unit] - after[unit] : 0;
  uint64_t others = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    others += after[u] < left->most[u] ? after[u] : left->most[u];
  return others < left->total ? (uint32_t)(left->total - others) : 0;
}

#endif
