#include "ipet/system/system_builder.h"

#include "base/checked.h"
#include "ipet/system/loop_edges.h"

warpbound_status wb_system_too_large(const struct wb_system_builder *builder)
{
  return wb_fail(builder->error, WARPBOUND_INVALID_INPUT,
                 "a sum over bounds and facts does not fit into 64 bits");
}

bool wb_system_add_constant(struct wb_system_builder *builder, int64_t number)
{
  if (builder->system->failed)
    return true;
  int64_t *constant = &builder->system->limits[builder->system->limit_count - 1].constant;
  return wb_subtract_signed(*constant, number, constant);
}

bool wb_system_add_runs(struct wb_system_builder *builder, uint32_t block, int64_t factor)
{
  for (size_t i = builder->reaching.first[block]; i < builder->reaching.first[block + 1]; i++) {
    if (!wb_flow_term_add(builder->system, builder->reaching.item[i], factor))
      return false;
  }
  return block != builder->graph->entry_block || wb_system_add_constant(builder, factor);
}

static bool starts_inside(const struct wb_system_builder *builder, uint32_t loop)
{
  const struct wb_loop *it = &builder->input->forest->loops[loop];
  for (size_t i = 0; i < it->node_count; i++) {
    if (builder->input->forest->nodes[it->first_node + i] == builder->graph->entry_block)
      return true;
  }
  return false;
}

/* Marks the edges of the loop in the scratch. arrives: those too. */
static warpbound_status mark_loop_edges(struct wb_system_builder *builder, uint32_t loop,
                                        bool arrives)
{
  const struct wb_ipet_edge_marks edges = {.enters = builder->enters,
                                           .returns = builder->returns,
                                           .arrives = arrives ? builder->arrives : NULL};
  return wb_ipet_loop_edges(builder->graph, builder->input->forest,
                            builder->input->free_reactivations, loop, &edges, builder->error);
}

warpbound_status wb_system_mark_loop(struct wb_system_builder *builder, uint32_t loop,
                                     bool *starts_inside_loop)
{
  *starts_inside_loop = starts_inside(builder, loop);
  return mark_loop_edges(builder, loop, false);
}

/* Adds factor * (executions of the marked edges). */
static warpbound_status add_marked(struct wb_system_builder *builder, const bool *marked,
                                   int64_t factor)
{
  for (size_t e = 0; e < builder->graph->edge_count; e++) {
    if (marked[e] && !wb_flow_term_add(builder->system, (uint32_t)e, factor))
      return wb_system_too_large(builder);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_system_subtract_entries(struct wb_system_builder *builder, uint32_t loop,
                                            int64_t factor)
{
  warpbound_status status = mark_loop_edges(builder, loop, false);
  if (status == WARPBOUND_OK)
    status = add_marked(builder, builder->enters, -factor);
  if (status == WARPBOUND_OK && starts_inside(builder, loop) &&
      !wb_system_add_constant(builder, -factor))
    status = wb_system_too_large(builder);
  return status;
}

warpbound_status wb_system_add_arrivals(struct wb_system_builder *builder, uint32_t loop,
                                        int64_t factor)
{
  warpbound_status status = mark_loop_edges(builder, loop, true);
  return status == WARPBOUND_OK ? add_marked(builder, builder->arrives, factor) : status;
}

warpbound_status wb_system_add_returns(struct wb_system_builder *builder, uint32_t loop,
                                       int64_t factor)
{
  warpbound_status status = mark_loop_edges(builder, loop, false);
  return status == WARPBOUND_OK ? add_marked(builder, builder->returns, factor) : status;
}

bool wb_system_builder_make(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  uint32_t *from = wb_arena_array(&builder->arena, uint32_t, graph->edge_count);
  uint32_t *to = wb_arena_array(&builder->arena, uint32_t, graph->edge_count);
  builder->enters = wb_arena_array(&builder->arena, bool, graph->edge_count);
  builder->returns = wb_arena_array(&builder->arena, bool, graph->edge_count);
  builder->arrives = wb_arena_array(&builder->arena, bool, graph->edge_count);
  if (builder->arena.failed)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    from[e] = graph->edges[e].from;
    to[e] = graph->edges[e].to;
  }
  return wb_buckets_make(&builder->arena, to, graph->edge_count, graph->block_count,
                         &builder->reaching) &&
         wb_buckets_make(&builder->arena, from, graph->edge_count, graph->block_count,
                         &builder->leaving);
}

/* ---- entries that one edge may pop ---- */

uint32_t wb_entry_group_of(const struct wb_entry_groups *groups, uint32_t entry)
{
  uint32_t *group = groups->group;
  while (group[entry] != entry) {
    group[entry] = group[group[entry]];
    entry = group[entry];
  }
  return entry;
}

bool wb_entry_groups_make(struct wb_arena *arena, const struct wb_warp_graph *graph,
                          struct wb_entry_groups *groups)
{
  *groups =
      (struct wb_entry_groups){.group = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .first_pop = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .first_push = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .next_pop = wb_arena_array(arena, uint32_t, graph->pop_count),
                               .next_push = wb_arena_array(arena, uint32_t, graph->push_count)};
  if (arena->failed)
    return false;
  for (uint32_t n = 0; n < graph->entry_count; n++) {
    groups->group[n] = n;
    groups->first_pop[n] = groups->first_push[n] = UINT32_MAX;
  }
  /* Pops are sorted by edge. */
  for (size_t p = 1; p < graph->pop_count; p++) {
    if (graph->pops[p].edge != graph->pops[p - 1].edge)
      continue;
    const uint32_t first = wb_entry_group_of(groups, graph->pops[p - 1].entry);
    const uint32_t second = wb_entry_group_of(groups, graph->pops[p].entry);
    groups->group[wb_maximum(first, second)] = (uint32_t)wb_minimum(first, second);
  }
  for (size_t p = graph->pop_count; p-- > 0;) {
    const uint32_t group = wb_entry_group_of(groups, graph->pops[p].entry);
    groups->next_pop[p] = groups->first_pop[group];
    groups->first_pop[group] = (uint32_t)p;
  }
  for (size_t p = graph->push_count; p-- > 0;) {
    const uint32_t group = wb_entry_group_of(groups, graph->pushes[p].entry);
    groups->next_push[p] = groups->first_push[group];
    groups->first_push[group] = (uint32_t)p;
  }
  return true;
}
