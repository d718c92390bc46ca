#include "flow/paths/common_instructions.h"

#include "flow/loop_bounds/thread_flow.h"

/* Whether a thread may end, or be lost, within the block, before the block's last instruction is
 * done. */
static bool may_vanish(const struct wb_warp_graph *graph, uint32_t block)
{
  const struct wb_instruction *instructions = graph->function->instructions;
  bool vanishes = false;
  for (uint32_t i = graph->blocks[block].first; i <= graph->blocks[block].last; i++)
    vanishes |= instructions[i].unknown || instructions[i].outside ||
                instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE;
  return vanishes;
}

static bool may_end(const struct wb_thread_flow *flow, uint32_t block)
{
  const struct wb_warp_graph *graph = flow->graph;
  const uint32_t *leaving = &flow->leaving.first[block];
  return graph->ends[block] || leaving[0] == leaving[1] || may_vanish(graph, block) ||
         graph->function->instructions[graph->blocks[block].last].transfer == WB_TRANSFER_EXIT;
}

static void mark(const struct wb_warp_graph *graph, uint32_t block, bool *common)
{
  if (may_vanish(graph, block))
    return;
  for (uint32_t i = graph->blocks[block].first; i <= graph->blocks[block].last; i++)
    common[i] = true;
}

/* Blocks on every path to an end: those that dominate the entry where all edges are turned round,
 * and each block that may end a thread is reached from one node more. */
static warpbound_status mark_common(const struct wb_thread_flow *flow, bool *common,
                                    warpbound_error *error)
{
  const struct wb_warp_graph *graph = flow->graph;
  const uint32_t end = (uint32_t)graph->block_count;
  struct wb_arena arena = {0};
  struct wb_edge_lists incoming = {0};
  struct wb_dominators dominators = {0};
  uint32_t *from = wb_arena_array(&arena, uint32_t, flow->edge_count + graph->block_count);
  uint32_t *to = wb_arena_array(&arena, uint32_t, flow->edge_count + graph->block_count);
  size_t count = 0;
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t e = 0; status == WARPBOUND_OK && e < flow->edge_count; e++) {
    from[count] = flow->to[e];
    to[count++] = flow->from[e];
  }
  for (uint32_t b = 0; status == WARPBOUND_OK && b < graph->block_count; b++) {
    if (!may_end(flow, b))
      continue;
    from[count] = end;
    to[count++] = b;
  }
  const struct wb_flow_graph turned = {graph->block_count + 1, count, from, to, end};
  if (status == WARPBOUND_OK && !wb_edge_lists_make(to, count, turned.node_count, &incoming))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_dominators_make(&turned, &incoming, &dominators, error);
  if (status == WARPBOUND_OK) {
    /* No thread ends where the end is not reached from the entry. */
    uint32_t block = graph->entry_block;
    while (block != end && dominators.immediate[block] != UINT32_MAX) {
      mark(graph, block, common);
      block = dominators.immediate[block];
    }
  }
  wb_dominators_free(&dominators);
  wb_edge_lists_free(&incoming);
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_common_instructions_find(const struct wb_warp_graph *graph, bool *common,
                                             warpbound_error *error)
{
  const struct wb_loop_forest no_loops = {0};
  struct wb_thread_flow flow;
  warpbound_status status = wb_thread_flow_make(graph, &no_loops, &flow, error);
  if (status == WARPBOUND_OK && flow.whole)
    status = mark_common(&flow, common, error);
  wb_thread_flow_free(&flow);
  return status;
}
