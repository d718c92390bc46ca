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

/* Times of nodes and edges in the units of the claim. They fit: the costs of the nodes did. */
static void fill_times(const struct wb_launch_maxima *maxima,
                       struct wb_check_launch_pending *pending, uint64_t *advance)
{
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
  for (size_t e = 0; e < maxima->system->flow.edge_count; e++)
    advance[e] = times->advance[e] * factor;
}

static struct wb_check_launch_maximum claimed_maximum(enum wb_check_launch_sum sum, uint32_t phase,
                                                      const struct wb_ipet_proof *proof)
{
  return (struct wb_check_launch_maximum){.sum = sum,
                                          .phase = phase,
                                          .scale = proof->scale,
                                          .price = proof->price,
                                          .potential = proof->potential};
}

/* The claims of all maxima; returns how many. Phases are numbered as those of maxima, composite
 * paths and stretches too. */
static size_t fill_maxima(const struct wb_launch_maxima *maxima,
                          struct wb_check_launch_maximum *claimed)
{
  size_t count = 0;
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    claimed[count++] =
        claimed_maximum(checked_sums[maximum->sum], maximum->phase, &maximum->ipet.proof);
  }
  if (maxima->same_path)
    claimed[count++] =
        claimed_maximum(WB_CHECK_LAUNCH_BLOCK, WB_CHECK_LAUNCH_ALL_PHASES, &maxima->block.proof);
  if (maxima->terms.one_path > 0)
    claimed[count++] =
        claimed_maximum(WB_CHECK_LAUNCH_ONE_PATH, WB_CHECK_LAUNCH_ALL_PHASES, &maxima->whole.proof);
  return count;
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
  uint64_t *advance = wb_arena_array(&owner->arena, uint64_t, system->flow.edge_count);
  struct wb_check_launch_maximum *claimed =
      wb_arena_array(&owner->arena, struct wb_check_launch_maximum, maxima->count + 2);
  if (owner->arena.failed) {
    wb_launch_claim_free(owner);
    return wb_out_of_memory(error);
  }
  fill_times(maxima, pending, advance);
  const size_t count = fill_maxima(maxima, claimed);
  owner->claim = (struct wb_check_launch_claim){.system = system->flow,
                                                .first = system->first,
                                                .last = system->last,
                                                .interleaved = walk ? NULL : interleaved,
                                                .ends = walk ? NULL : ends,
                                                .local = system->local,
                                                .common = system->common,
                                                .early_ends = system->early_ends > 0,
                                                .as_many = maxima->terms.as_many,
                                                .groups = maxima->terms.as_many && system->groups,
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
