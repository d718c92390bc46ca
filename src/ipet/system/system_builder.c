#include "ipet/system/system_builder.h"

#include "base/checked.h"
#include "base/memory.h"
#include "ipet/system/loop_edges.h"

#include <stdlib.h>

warpbound_status wb_system_too_large(const struct wb_system_builder *builder)
{
  return wb_fail(builder->error, WARPBOUND_INVALID_INPUT,
                 "a sum over bounds and facts does not fit into 64 bits");
}

static bool block_edges_make(struct wb_block_edges *lists, const struct wb_warp_graph *graph,
                             bool reaching)
{
  lists->first = wb_allocate(graph->block_count + 2, sizeof *lists->first);
  lists->edge = wb_allocate(graph->edge_count, sizeof *lists->edge);
  if (lists->first == NULL || lists->edge == NULL)
    return false;
  /* Counting sort: counts stand two places further on, so that filling moves each `first` to its
   * place. */
  size_t *fill = lists->first + 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    fill[(reaching ? graph->edges[e].to : graph->edges[e].from) + 1]++;
  for (size_t b = 1; b <= graph->block_count; b++)
    fill[b] += fill[b - 1];
  for (size_t e = 0; e < graph->edge_count; e++)
    lists->edge[fill[reaching ? graph->edges[e].to : graph->edges[e].from]++] = (uint32_t)e;
  return true;
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
    if (!wb_flow_term_add(builder->system, builder->reaching.edge[i], factor))
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
  builder->enters = wb_allocate(graph->edge_count, sizeof *builder->enters);
  builder->returns = wb_allocate(graph->edge_count, sizeof *builder->returns);
  builder->arrives = wb_allocate(graph->edge_count, sizeof *builder->arrives);
  return block_edges_make(&builder->reaching, graph, true) &&
         block_edges_make(&builder->leaving, graph, false) && builder->enters != NULL &&
         builder->returns != NULL && builder->arrives != NULL;
}

void wb_system_builder_free(struct wb_system_builder *builder)
{
  free(builder->reaching.first);
  free(builder->reaching.edge);
  free(builder->leaving.first);
  free(builder->leaving.edge);
  free(builder->enters);
  free(builder->returns);
  free(builder->arrives);
}

/* ---- entries that one edge may pop ---- */

uint32_t wb_entry_group_of(uint32_t *group, uint32_t entry)
{
  while (group[entry] != entry) {
    group[entry] = group[group[entry]];
    entry = group[entry];
  }
  return entry;
}

/* Pops are sorted by edge. */
void wb_entry_groups_unite(const struct wb_warp_graph *graph, uint32_t *group)
{
  for (uint32_t n = 0; n < graph->entry_count; n++)
    group[n] = n;
  for (size_t p = 1; p < graph->pop_count; p++) {
    if (graph->pops[p].edge != graph->pops[p - 1].edge)
      continue;
    const uint32_t first = wb_entry_group_of(group, graph->pops[p - 1].entry);
    const uint32_t second = wb_entry_group_of(group, graph->pops[p].entry);
    if (first < second)
      group[second] = first;
    else
      group[first] = second;
  }
}
