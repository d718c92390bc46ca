#include "both_checkers.h"

#include <string.h>

struct reference_schedule reference_of(const struct instance *instance,
                                       const uint32_t *const *cycles, const size_t *counts)
{
  struct reference_schedule schedule = {.letters = instance->letters,
                                        .issue_slots = instance->issue_slots,
                                        .warps = instance->warps,
                                        .cycles = cycles,
                                        .counts = counts,
                                        .fair_first = instance->fair.first,
                                        .fair_length = instance->fair.length,
                                        .fair_count = instance->fair.count};
  memcpy(schedule.capacity, instance->capacity, sizeof schedule.capacity);
  return schedule;
}

struct wb_schedule_claim claim_of(const struct instance *instance, const uint32_t *const *cycles,
                                  const size_t *counts)
{
  struct wb_schedule_claim claim = {.letters = instance->letters,
                                    .length = strlen(instance->letters),
                                    .issue_slots = instance->issue_slots,
                                    .warps = instance->warps,
                                    .cycles = cycles,
                                    .counts = counts,
                                    .fair_first = instance->fair.first,
                                    .fair_length = instance->fair.length,
                                    .fair_count = instance->fair.count};
  for (unsigned u = 0; u < 4; u++)
    claim.capacity[u] = instance->capacity[u];
  return claim;
}
