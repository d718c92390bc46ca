#include "both_checkers.h"

#include <string.h>

static void add_string(struct both_claims *both, const char *letters)
{
  size_t at = both->claim.string_count++;
  both->reference.string_count++;
  both->letters[at] = letters;
  both->strings[at] = (struct wb_check_schedule_string){letters, strlen(letters)};
}

static void start(struct both_claims *both, const uint32_t *const *cycles, const size_t *counts)
{
  *both = (struct both_claims){0};
  both->claim = (struct wb_check_schedule_claim){
      .strings = both->strings, .blocks = 1, .partitions = 1, .cycles = cycles, .counts = counts};
  both->reference = (struct reference_schedule){
      .strings = both->letters, .blocks = 1, .partitions = 1, .cycles = cycles, .counts = counts};
}

void claim_for_both(struct both_claims *both, const struct instance *instance,
                    const uint32_t *const *cycles, const size_t *counts)
{
  start(both, cycles, counts);
  add_string(both, instance->letters);
  for (unsigned u = 0; u < 5; u++)
    both->claim.capacity[u] = both->reference.capacity[u] = instance->capacity[u];
  both->claim.issue_slots = both->reference.issue_slots = instance->issue_slots;
  both->claim.warps = both->reference.warps = instance->warps;
  both->claim.fair_first = both->reference.fair_first = instance->fair.first;
  both->claim.fair_length = both->reference.fair_length = instance->fair.length;
  both->claim.fair_count = both->reference.fair_count = instance->fair.count;
}

void claim_sm_for_both(struct both_claims *both, const struct sm_instance *instance,
                       const uint32_t *string_of, const uint32_t *const *cycles,
                       const size_t *counts)
{
  start(both, cycles, counts);
  for (uint32_t s = 0; s < instance->string_count; s++)
    add_string(both, instance->strings[s]);
  both->claim.string_of = both->reference.string_of = string_of;
  for (unsigned u = 0; u < 5; u++) {
    both->claim.capacity[u] = both->reference.capacity[u] = instance->capacity[u];
    both->claim.shared[u] = both->reference.shared[u] = instance->shared[u];
  }
  both->claim.issue_slots = both->reference.issue_slots = instance->issue_slots;
  both->claim.warps = both->reference.warps = sm_instance_warps(instance);
  both->claim.blocks = both->reference.blocks = instance->blocks;
  both->claim.partitions = both->reference.partitions = instance->partitions;
}
