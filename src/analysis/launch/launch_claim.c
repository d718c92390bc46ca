/* The claim of a bound on a launch, for the independent checker. */
#include "analysis/launch/launch_maxima.h"
#include "base/checked.h"
#include "certificate/flow/paths_check.h"

static const enum wb_check_launch_sum checked_sums[WB_SUM_COUNT] = {
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
  uint64_t *advance = wb_arena_array(&owner->arena, uint64_t, system->flow.edge_count);
  struct wb_check_launch_maximum *claimed =
      wb_arena_array(&owner->arena, struct wb_check_launch_maximum, maxima->count + 2);
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
    pending[v].stay = times->pending[v].stay * factor;
  }
  for (size_t e = 0; e < system->flow.edge_count; e++)
    advance[e] = times->advance[e] * factor;
  /* Phases of the claim are numbered as those of maxima, composite paths and stretches too. */
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    claimed[m] = (struct wb_check_launch_maximum){.sum = checked_sums[maximum->sum],
                                                  .phase = maximum->phase,
                                                  .scale = maximum->ipet.proof.scale,
                                                  .price = maximum->ipet.proof.price,
                                                  .potential = maximum->ipet.proof.potential};
  }
  size_t count = maxima->count;
  const struct {
    bool there;
    enum wb_check_launch_sum sum;
    const struct wb_ipet_proof *proof;
  } of_one_path[] = {
      {maxima->same_path, WB_CHECK_LAUNCH_BLOCK, &maxima->block.proof},
      {maxima->terms.one_path > 0, WB_CHECK_LAUNCH_ONE_PATH, &maxima->whole.proof},
  };
  for (size_t p = 0; p < sizeof of_one_path / sizeof *of_one_path; p++) {
    if (of_one_path[p].there)
      claimed[count++] =
          (struct wb_check_launch_maximum){.sum = of_one_path[p].sum,
                                           .phase = WB_CHECK_LAUNCH_ALL_PHASES,
                                           .scale = of_one_path[p].proof->scale,
                                           .price = of_one_path[p].proof->price,
                                           .potential = of_one_path[p].proof->potential};
  }
  owner->claim = (struct wb_check_launch_claim){.system = system->flow,
                                                .first = system->first,
                                                .last = system->last,
                                                .interleaved = walk ? NULL : interleaved,
                                                .ends = walk ? NULL : ends,
                                                .local = system->local,
                                                .common = system->common,
                                                .early_ends = system->early_ends > 0,
                                                .as_many = maxima->terms.as_many,
                                                .same_path = maxima->same_path,
                                                .launch_path = maxima->terms.one_path > 0,
                                                .partition_warps = maxima->terms.partition_warps,
                                                .code = *maxima->code,
                                                .shape = *shape,
                                                .pending = pending,
                                                .advance = advance,
                                                .maxima = claimed,
                                                .maximum_count = count,
                                                .cycles = cycles};
  /* Sums of units are claimed as those of a phase: there is one where they count. */
  for (size_t s = 0; s < WB_SUM_COUNT && maxima->terms.one_path > 0; s++)
    owner->claim.launch_times[s == WB_SUM_UNITS ? WB_CHECK_LAUNCH_PHASE_UNITS : checked_sums[s]] +=
        maxima->terms.one_path_times[s];
  return WARPBOUND_OK;
}

void wb_launch_claim_free(struct wb_launch_claim_owner *owner)
{
  wb_arena_free(&owner->arena);
  *owner = (struct wb_launch_claim_owner){0};
}
