#include "ipet/system/group_limits.h"

#include "base/arena.h"
#include "base/checked.h"
#include "ipet/system/group_system.h"
#include "ipet/system/loop_edges.h"
#include "ipet/system/system_builder.h"

/* The arrays live in the builder's arena. */
struct limiter {
  struct wb_system_builder *builder;
  struct wb_entry_groups groups;
  bool *once;       /* by group: each push of each of its entries is popped at most once */
  bool *pops;       /* by edge: it pops an entry */
  bool *full;       /* by edge: how many lanes take it is limited by how often groups do */
  bool *full_block; /* by block: the same of its runs */
};

/* ---- loops ---- */

/* factor * (lanes that take the marked edges). */
static bool add_marked_lanes(struct wb_system_builder *builder, const bool *marked, int64_t factor)
{
  bool fits = true;
  for (uint32_t e = 0; e < builder->graph->edge_count && fits; e++) {
    if (marked[e])
      fits = wb_flow_term_add(builder->system, wb_group_lane_edge(builder->graph, e), factor);
  }
  return fits;
}

static warpbound_status limit_lanes_of_loop(struct wb_system_builder *builder, size_t index)
{
  const struct wb_ipet_loop_limit *limit = &builder->input->loop_limits[index];
  bool inside = false;
  int64_t at_start = 0;
  wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_THREADS + (uint32_t)index);
  warpbound_status status = wb_system_mark_loop(builder, limit->loop, &inside);
  if (status == WARPBOUND_OK && !add_marked_lanes(builder, builder->returns, 1))
    status = wb_system_too_large(builder);
  if (status == WARPBOUND_OK)
    status = wb_system_mark_loop(builder, limit->per, &inside);
  if (status != WARPBOUND_OK)
    return status;
  return add_marked_lanes(builder, builder->enters, -limit->thread_bound) &&
                 (!inside || (wb_multiply_signed(limit->thread_bound, WB_IPET_LANES, &at_start) &&
                              wb_system_add_constant(builder, -at_start)))
             ? WARPBOUND_OK
             : wb_system_too_large(builder);
}

warpbound_status wb_group_limit_loop(struct wb_system_builder *builder, size_t index)
{
  const struct wb_ipet_loop_limit *limit = &builder->input->loop_limits[index];
  warpbound_status status = WARPBOUND_OK;
  if (limit->thread_bound != WB_IPET_NO_BOUND)
    status = limit_lanes_of_loop(builder, index);
  if (status != WARPBOUND_OK || limit->bound == WB_IPET_NO_BOUND ||
      (limit->thread_bound != WB_IPET_NO_BOUND && limit->bound > limit->thread_bound))
    return status;
  wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_LOOP + (uint32_t)index);
  status = wb_system_add_returns(builder, limit->loop, 1);
  return status == WARPBOUND_OK ? wb_system_subtract_entries(builder, limit->per, limit->bound)
                                : status;
}

/* ---- releases ---- */

/* A group of entries is popped at most as often as it is pushed, in all. */
static warpbound_status limit_releases(struct limiter *limiter, uint32_t group)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  const struct wb_entry_groups *groups = &limiter->groups;
  uint32_t last = UINT32_MAX;
  bool fits = true;
  wb_flow_limit_add(limiter->builder->system, 0, WB_IPET_ORIGIN_ENTRY + group);
  for (uint32_t p = groups->first_pop[group]; p != UINT32_MAX && fits; p = groups->next_pop[p]) {
    if (graph->pops[p].edge != last)
      fits = wb_flow_term_add(limiter->builder->system, graph->pops[p].edge, 1);
    last = graph->pops[p].edge;
  }
  for (uint32_t p = groups->first_push[group]; p != UINT32_MAX && fits; p = groups->next_push[p])
    fits = wb_system_add_runs(limiter->builder, graph->pushes[p].block, -1);
  return fits ? WARPBOUND_OK : wb_system_too_large(limiter->builder);
}

/* The most runs of a block by one lane; -1 where a loop around it has no bound of threads for each
 * of its own entries, or where the number does not fit. */
static int64_t runs_of_lane(const struct wb_system_builder *builder, uint32_t block)
{
  const struct wb_ipet_input *input = builder->input;
  int64_t runs = 1;
  uint32_t loop = input->forest->innermost[block];
  for (; loop != UINT32_MAX && runs > 0; loop = input->forest->loops[loop].parent) {
    int64_t rounds = -1;
    for (size_t l = 0; l < input->loop_limit_count; l++) {
      const struct wb_ipet_loop_limit *limit = &input->loop_limits[l];
      if (limit->loop == loop && limit->per == loop && limit->thread_bound != WB_IPET_NO_BOUND &&
          limit->thread_bound < INT64_MAX && (rounds < 0 || limit->thread_bound + 1 < rounds))
        rounds = limit->thread_bound + 1;
    }
    if (rounds < 0 || !wb_multiply_signed(runs, rounds, &runs))
      runs = -1;
  }
  return runs;
}

/* Edges over which the lanes of the warp come together, and no others. Where all lanes of the warp
 * that have not ended come together, the lane that ends last is among them each time. */
static void limit_meetings(struct limiter *limiter)
{
  struct wb_system_builder *builder = limiter->builder;
  const struct wb_warp_graph *graph = builder->graph;
  for (size_t p = 0; p < graph->pop_count; p++) {
    const uint32_t edge = graph->pops[p].edge;
    bool all = p == 0 || graph->pops[p - 1].edge != edge;
    for (size_t q = p; all && q < graph->pop_count && graph->pops[q].edge == edge; q++) {
      const struct wb_warp_entry *entry = &graph->entries[graph->pops[q].entry];
      all = entry->token == WB_TOKEN_WARP && entry->once;
    }
    const int64_t runs = all ? runs_of_lane(builder, graph->edges[edge].from) : -1;
    if (runs < 0)
      continue;
    wb_flow_limit_add(builder->system, runs, WB_IPET_ORIGIN_MEETING + edge);
    (void)wb_flow_term_add(builder->system, edge, 1); /* a single number fits */
  }
}

static warpbound_status limit_entries(struct limiter *limiter)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < graph->pop_count; p++)
    limiter->pops[graph->pops[p].edge] = true;
  for (uint32_t n = 0; n < graph->entry_count; n++)
    limiter->once[n] = true;
  for (uint32_t n = 0; n < graph->entry_count; n++)
    limiter->once[wb_entry_group_of(&limiter->groups, n)] &= graph->entries[n].once;
  for (uint32_t n = 0; n < graph->entry_count && status == WARPBOUND_OK; n++) {
    if (limiter->groups.group[n] == n && limiter->once[n] &&
        limiter->groups.first_pop[n] != UINT32_MAX)
      status = limit_releases(limiter, n);
  }
  limit_meetings(limiter);
  return status;
}

/* ---- lanes and groups ---- */

/* Whether a run of the edge's block leads to the edge and to nothing else: then the block's rows
 * hold of the edge too. */
static bool is_only_way(const struct wb_system_builder *builder, uint32_t edge)
{
  const uint32_t from = builder->graph->edges[edge].from;
  return builder->leaving.first[from + 1] - builder->leaving.first[from] == 1 &&
         !builder->graph->ends[from] && builder->graph->edges[edge].rate != WB_RATE_LANES;
}

/* The edges and blocks where lanes are limited by groups: the edges that are not the only way from
 * their block, those back to loops that have a bound of the warp alone, and blocks in facts. */
static warpbound_status mark_full(struct limiter *limiter)
{
  struct wb_system_builder *builder = limiter->builder;
  const struct wb_ipet_input *input = builder->input;
  const struct wb_warp_graph *graph = builder->graph;
  for (uint32_t e = 0; e < graph->edge_count; e++)
    limiter->full[e] = !is_only_way(builder, e);
  for (size_t l = 0; l < input->loop_limit_count; l++) {
    bool inside;
    if (input->loop_limits[l].thread_bound != WB_IPET_NO_BOUND)
      continue;
    warpbound_status status = wb_system_mark_loop(builder, input->loop_limits[l].loop, &inside);
    if (status != WARPBOUND_OK)
      return status;
    for (uint32_t e = 0; e < graph->edge_count; e++)
      limiter->full[e] |= builder->returns[e];
  }
  for (size_t f = 0; f < input->fact_count; f++) {
    for (size_t t = 0; t < input->facts[f].term_count; t++)
      limiter->full_block[input->facts[f].terms[t].block] = true;
  }
  /* A release is charged to one of the edges at which its lanes waited. */
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    limiter->full_block[graph->edges[e].to] |= limiter->full[e] && limiter->pops[e];
    limiter->full[e] &= !limiter->pops[e];
  }
  return WARPBOUND_OK;
}

static warpbound_status couple(struct limiter *limiter)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  warpbound_status status = mark_full(limiter);
  for (uint32_t e = 0; e < graph->edge_count && status == WARPBOUND_OK; e++) {
    if (!is_only_way(limiter->builder, e)) {
      /* Each time that a group takes the edge, one of its lanes does. */
      struct wb_flow_system *system = limiter->builder->system;
      wb_flow_limit_add(system, 0, WB_IPET_ORIGIN_ABOVE + e);
      (void)wb_flow_term_add(system, e, 1); /* a single number fits */
      (void)wb_flow_term_add(system, wb_group_lane_edge(limiter->builder->graph, e), -1);
    }
    if (limiter->full[e]) {
      /* Each time that a group takes the edge, at most 32 lanes do. */
      struct wb_flow_system *system = limiter->builder->system;
      wb_flow_limit_add(system, 0, WB_IPET_ORIGIN_BELOW + e);
      (void)wb_flow_term_add(system, wb_group_lane_edge(limiter->builder->graph, e), 1);
      (void)wb_flow_term_add(system, e, -WB_IPET_LANES);
    }
  }
  for (uint32_t b = 0; b < graph->block_count && status == WARPBOUND_OK; b++) {
    if (limiter->full_block[b]) {
      /* In each run of the block by a group there are at most 32 lanes; at the start as many as
       * that. */
      struct wb_system_builder *builder = limiter->builder;
      wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_FULL + b);
      for (size_t i = builder->reaching.first[b]; i < builder->reaching.first[b + 1]; i++) {
        const uint32_t edge = builder->reaching.item[i];
        (void)wb_flow_term_add(builder->system, wb_group_lane_edge(builder->graph, edge), 1);
        (void)wb_flow_term_add(builder->system, edge, -WB_IPET_LANES);
      }
    }
  }
  return status;
}

warpbound_status wb_group_limit_flow(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_arena *arena = &builder->arena;
  struct limiter limiter = {.builder = builder,
                            .once = wb_arena_array(arena, bool, graph->entry_count),
                            .pops = wb_arena_array(arena, bool, graph->edge_count),
                            .full = wb_arena_array(arena, bool, graph->edge_count),
                            .full_block = wb_arena_array(arena, bool, graph->block_count)};
  if (!wb_entry_groups_make(arena, graph, &limiter.groups))
    return wb_out_of_memory(builder->error);
  const warpbound_status status = limit_entries(&limiter);
  return status == WARPBOUND_OK ? couple(&limiter) : status;
}
