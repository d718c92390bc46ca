#include "analysis/launch/launch_weights.h"

#include "analysis/paths/system/path_stretches.h"

double wb_launch_maximum_weight(const struct wb_launch_maxima *maxima,
                                const struct wb_launch_bound *bound,
                                const struct wb_launch_maximum *maximum)
{
  const uint64_t most = maxima->terms.sum[maximum->sum];
  uint64_t times = bound->times[maximum->sum];
  /* Z, and without barriers Z1, are one maximum. */
  if (maximum->sum == WB_SUM_PHASE_UNITS)
    times += maxima->terms.phases == 1 ? bound->times[WB_SUM_UNITS] : 0;
  if (maximum->sum == WB_SUM_PHASE_UNITS && (uint64_t)maximum->ipet.proof.bound != most)
    return 0;
  return (double)times;
}

static void add_runs(const struct wb_path_system *system, const struct wb_launch_maximum *maximum,
                     double weight, double *runs)
{
  const struct wb_flow_system *flow = &system->flow;
  const bool all = maximum->phase >= WB_STRETCHES;
  for (uint32_t v = 0; v < flow->node_count; v++) {
    if (all || system->phase[v] == maximum->phase)
      runs[v] += weight * (double)wb_flow_start_runs(flow, v);
  }
  for (size_t e = 0; e < flow->edge_count; e++) {
    if (all || system->phase[flow->to[e]] == maximum->phase)
      runs[flow->to[e]] += weight * (double)maximum->ipet.taken[e];
  }
}

warpbound_status wb_launch_weights_find(struct wb_arena *arena,
                                        const struct wb_launch_maxima *maxima,
                                        const struct wb_launch_bound *bound,
                                        struct wb_launch_weights *weights, warpbound_error *error)
{
  bool one_is_counted = false;
  *weights = (struct wb_launch_weights){0};
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    const double weight = wb_launch_maximum_weight(maxima, bound, maximum);
    double **runs = &weights->of[maximum->sum];
    if (weight <= 0 || maximum->ipet.taken == NULL)
      continue;
    /* Of several phases with the most of Z the first counts. */
    if (maximum->sum == WB_SUM_PHASE_UNITS && one_is_counted)
      continue;
    one_is_counted |= maximum->sum == WB_SUM_PHASE_UNITS;
    if (*runs == NULL)
      *runs = wb_arena_array(arena, double, maxima->system->flow.node_count);
    if (*runs == NULL)
      return wb_out_of_memory(error);
    add_runs(maxima->system, maximum, weight, *runs);
  }
  return WARPBOUND_OK;
}
