/* Maxima of several sums together, over the paths of one warp: where all warps of a block, or of
 * the launch, take one path (doc/launch.md). */
#include "analysis/launch/launch_maxima.h"
#include "base/checked.h"

/* Adds a times b to the sum; false where it does not fit. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

/* The costs of all sums, each so often, by node and edge, in the arena; empty where they do not
 * fit. Errors: WARPBOUND_INTERNAL (memory). */
static warpbound_status make_costs(struct wb_launch_maxima *maxima,
                                   const uint64_t times[WB_SUM_COUNT], struct wb_path_costs *costs,
                                   warpbound_error *error)
{
  const struct wb_flow_system *flow = &maxima->system->flow;
  const uint64_t own = times[WB_SUM_OWN] + times[WB_SUM_ALONE_OWN];
  int64_t *nodes = wb_arena_array(&maxima->arena, int64_t, flow->node_count);
  int64_t *edges = wb_arena_array(&maxima->arena, int64_t, flow->edge_count);
  bool fits = true;
  *costs = (struct wb_path_costs){0};
  if (maxima->arena.failed)
    return wb_out_of_memory(error);
  for (size_t v = 0; v < flow->node_count && fits; v++) {
    uint64_t all = 0;
    for (unsigned s = 0; s < WB_SUM_COUNT && fits; s++)
      fits = add_product(times[s], (uint64_t)maxima->costs.of[s][v], &all);
    fits = fits && all <= INT64_MAX;
    nodes[v] = (int64_t)all;
  }
  for (size_t e = 0; e < flow->edge_count && fits; e++) {
    uint64_t all = 0;
    fits = add_product(own, (uint64_t)maxima->costs.advance[e], &all) && all <= INT64_MAX;
    edges[e] = (int64_t)all;
  }
  if (fits)
    *costs = (struct wb_path_costs){.nodes = nodes, .edges = edges};
  return WARPBOUND_OK;
}

/* The most that one path has of all sums, each so often, with the end of a warp; *most is
 * UINT64_MAX where that is not known, and *ipet is then empty. */
static warpbound_status solve(struct wb_launch_maxima *maxima, const uint64_t times[WB_SUM_COUNT],
                              const struct wb_control *control, struct wb_ipet_result *ipet,
                              uint64_t *most, warpbound_error *error)
{
  const struct wb_ipet_options how = {.effort = WB_IPET_BOUND};
  const uint64_t own = times[WB_SUM_OWN] + times[WB_SUM_ALONE_OWN];
  struct wb_path_costs costs;
  warpbound_error cause = {0};
  uint64_t end;
  *most = UINT64_MAX;
  warpbound_status status = make_costs(maxima, times, &costs, error);
  if (status != WARPBOUND_OK || costs.nodes == NULL ||
      !wb_multiply(maxima->times->end, maxima->terms.denominator / maxima->times->denominator,
                   &end) ||
      !wb_multiply(end, own, &end))
    return status;
  status = wb_path_system_solve(maxima->system, &costs, WB_CHECK_ALL_PHASES, &how, control, ipet,
                                &cause);
  if (status == WARPBOUND_OK && ipet->proof.bound >= 0 &&
      wb_add((uint64_t)ipet->proof.bound, end, most))
    return WARPBOUND_OK;
  wb_ipet_result_free(ipet);
  *ipet = (struct wb_ipet_result){0};
  *most = UINT64_MAX;
  if (status == WARPBOUND_OK || status == WARPBOUND_LIMIT || status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK;
  return wb_fail_with(error, &cause);
}

warpbound_status wb_launch_maxima_add_block(struct wb_launch_maxima *maxima,
                                            const struct wb_launch_shape *shape,
                                            const struct wb_control *control,
                                            warpbound_error *error)
{
  struct wb_launch_terms *terms = &maxima->terms;
  const uint64_t here = wb_divide_up(shape->block_warps, shape->partitions);
  const uint64_t times[WB_SUM_COUNT] = {
      [WB_SUM_OWN] = 1, [WB_SUM_PARTITION] = here - 1, [WB_SUM_OTHERS] = shape->block_warps - here};
  uint64_t apart = 0; /* own of separate maxima, with the end of a warp */
  uint64_t together;
  terms->same_path = 0;
  if (!maxima->system->same_path || !terms->barriers_known || maxima->same_path)
    return WARPBOUND_OK;
  for (unsigned s = 0; s < WB_SUM_COUNT; s++) {
    if (!add_product(times[s], terms->sum[s], &apart))
      return WARPBOUND_OK;
  }
  const warpbound_status status = solve(maxima, times, control, &maxima->block, &together, error);
  maxima->same_path = status == WARPBOUND_OK && together < apart;
  /* No less than A: no part of the bound is below 0. */
  if (maxima->same_path)
    terms->same_path = apart - wb_maximum(together, terms->sum[WB_SUM_OWN]);
  return status;
}

warpbound_status wb_launch_maxima_add_launch(struct wb_launch_maxima *maxima,
                                             const struct wb_launch_shape *shape,
                                             const struct wb_launch_bound *bound,
                                             const struct wb_control *control,
                                             warpbound_error *error)
{
  const struct wb_path_system *system = maxima->system;
  struct wb_launch_terms *terms = &maxima->terms;
  uint64_t times[WB_SUM_COUNT] = {0};
  uint64_t apart = 0;
  uint64_t together;
  if (!(system->launch_path || (system->same_path && shape->blocks == 1)) ||
      !terms->barriers_known || terms->one_path > 0 || bound->formula == WB_FORMULA_TOTAL)
    return WARPBOUND_OK;
  for (unsigned s = 0; s < WB_SUM_COUNT; s++) {
    /* The most of one phase is no sum over a path. */
    const bool of_path = s != WB_SUM_PHASE_UNITS && bound->times[s] < INT64_MAX;
    times[s] = of_path ? bound->times[s] : 0;
    if (!add_product(times[s], terms->sum[s], &apart))
      return WARPBOUND_OK;
  }
  const warpbound_status status = solve(maxima, times, control, &maxima->whole, &together, error);
  if (status != WARPBOUND_OK || together >= apart) {
    wb_ipet_result_free(&maxima->whole);
    maxima->whole = (struct wb_ipet_result){0};
    return status;
  }
  terms->one_path = wb_maximum(together, 1);
  for (unsigned s = 0; s < WB_SUM_COUNT; s++)
    terms->one_path_times[s] = times[s];
  return WARPBOUND_OK;
}
