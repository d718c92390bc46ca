#include "analysis/launch/launch_claim.h"

#include "analysis/paths/system/path_solver.h"
#include "certificate/flow/paths_check.h"

static const enum wb_check_launch_sum sums[WB_SUM_COUNT] = {
    [WB_SUM_ALONE_OWN] = WB_CHECK_LAUNCH_ALONE_OWN,
    [WB_SUM_ALONE_PARTITION] = WB_CHECK_LAUNCH_ALONE_PARTITION,
    [WB_SUM_ALONE_OTHERS] = WB_CHECK_LAUNCH_ALONE_OTHERS,
    [WB_SUM_OWN] = WB_CHECK_LAUNCH_OWN,
    [WB_SUM_PARTITION] = WB_CHECK_LAUNCH_PARTITION,
    [WB_SUM_OTHERS] = WB_CHECK_LAUNCH_OTHERS,
    [WB_SUM_UNITS] = WB_CHECK_LAUNCH_UNITS,
    [WB_SUM_PHASE_UNITS] = WB_CHECK_LAUNCH_PHASE_UNITS,
    [WB_SUM_GPU] = WB_CHECK_LAUNCH_GPU,
    [WB_SUM_TOTAL] = WB_CHECK_LAUNCH_TOTAL,
    [WB_SUM_BARRIERS] = WB_CHECK_LAUNCH_BARRIERS,
};

static uint32_t phase_of(uint32_t phase)
{
  switch (phase) {
  case WB_CHECK_ALL_PHASES:
    return WB_CHECK_LAUNCH_ALL_PHASES;
  case WB_COMPOSITE_PATHS:
    return WB_CHECK_LAUNCH_COMPOSITE;
  case WB_STRETCHES:
    return WB_CHECK_LAUNCH_STRETCH;
  default:
    return phase;
  }
}

warpbound_status wb_launch_claim_fill(const struct wb_launch_maxima *maxima,
                                      const bool *interleaved, const bool *ends,
                                      const struct wb_launch_shape *shape, uint64_t cycles,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error)
{
  const struct wb_path_system *system = maxima->system;
  const bool walk = wb_flow_system_is_walk(&system->flow);
  *owner = (struct wb_launch_claim_owner){0};
  struct wb_check_launch_pending *pending =
      wb_arena_array(&owner->arena, struct wb_check_launch_pending, system->flow.node_count);
  struct wb_check_launch_maximum *claimed =
      wb_arena_array(&owner->arena, struct wb_check_launch_maximum, maxima->count);
  if (owner->arena.failed) {
    wb_launch_claim_free(owner);
    return wb_out_of_memory(error);
  }
  /* Times of nodes in the units of the claim. They fit: the costs of the nodes did. */
  const struct wb_warp_times *times = maxima->times;
  const uint64_t factor = maxima->terms.denominator / times->denominator;
  for (size_t v = 0; v < maxima->system->flow.node_count; v++) {
    for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++)
      pending[v].scoreboard[b] = times->pending[v].scoreboard[b] * factor;
    for (size_t r = 0; r < WB_RESOURCE_LIMIT; r++)
      pending[v].service[r] = times->pending[v].service[r] * factor;
    pending[v].end = times->pending[v].end * factor;
  }
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    claimed[m] = (struct wb_check_launch_maximum){.sum = sums[maximum->sum],
                                                  .phase = phase_of(maximum->phase),
                                                  .scale = maximum->ipet.proof.scale,
                                                  .price = maximum->ipet.proof.price,
                                                  .potential = maximum->ipet.proof.potential};
  }
  owner->claim = (struct wb_check_launch_claim){.system = system->flow,
                                                .first = system->first,
                                                .last = system->last,
                                                .interleaved = walk ? NULL : interleaved,
                                                .ends = walk ? NULL : ends,
                                                .local = system->local,
                                                .common = system->common,
                                                .code = *maxima->code,
                                                .shape = *shape,
                                                .pending = pending,
                                                .maxima = claimed,
                                                .maximum_count = maxima->count,
                                                .cycles = cycles};
  return WARPBOUND_OK;
}

warpbound_status wb_launch_claim_make(const struct wb_launch_analysis *analysis,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error)
{
  const struct wb_device_timing *device = analysis->device;
  const size_t count = analysis->residencies.count;
  const warpbound_status status =
      wb_launch_claim_fill(&analysis->maxima, analysis->interleaved, analysis->ends,
                           &analysis->shape, analysis->upper.cycles, owner, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_launch_grounds *grounds = &owner->grounds;
  uint32_t *others = wb_arena_array(&owner->arena, uint32_t, count);
  grounds->device = device->name;
  grounds->assumptions = analysis->assumptions;
  grounds->values = wb_arena_array(&owner->arena, struct wb_device_value, device->value_count);
  if (owner->arena.failed) {
    wb_launch_claim_free(owner);
    return wb_out_of_memory(error);
  }
  /* The resident blocks of all carve-outs but the worst. */
  for (size_t r = 0; r < count; r++) {
    if (r != analysis->uppers.worst)
      others[owner->claim.other_resident_count++] = analysis->uppers.resident[r];
  }
  owner->claim.other_residents = others;
  for (size_t v = 0; v < device->value_count; v++) {
    if (analysis->value_used[v])
      grounds->values[grounds->value_count++] = device->values[v];
  }
  return WARPBOUND_OK;
}

void wb_launch_claim_free(struct wb_launch_claim_owner *owner)
{
  wb_arena_free(&owner->arena);
  *owner = (struct wb_launch_claim_owner){0};
}
