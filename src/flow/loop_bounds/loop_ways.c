#include "flow/loop_bounds/loop_ways.h"

#include "base/memory.h"
#include "flow/loop_bounds/edge_state.h"
#include "flow/loop_bounds/loop_exit.h"

/* Adds a way on which all comparisons of the chain hold. */
static bool add_way(const struct wb_block_end *end, uint32_t row, struct wb_loop_summary *summary)
{
  const uint32_t way = summary->way_count++;
  for (; row != 0; row = end->comparisons->rows[row].next) {
    if (!wb_grow(summary->leaves, &summary->leave_capacity, summary->leave_count + 1))
      return false;
    summary->leaves[summary->leave_count++] =
        (struct wb_loop_leave){end->comparisons->rows[row], way};
  }
  return true;
}

static bool add_edge(const struct wb_block_end *end, uint32_t edge, struct wb_loop_summary *summary)
{
  struct wb_integer_state after = *end->state;
  bool known;
  const bool doing = wb_edge_executes_last(end->flow, end->block, edge, &known);
  if (!wb_edge_state(end->flow, end->comparisons, end->visit, end->block, edge, &after))
    return true; /* no thread takes it */
  return add_way(end, known ? wb_outcome_comparisons(end->flow, end->block, doing, end->state) : 0,
                 summary);
}

/* Whether the thread may end inside the block, or in code that is not shown, in a way that no
 * outcome of its last instruction tells. */
static bool may_vanish(const struct wb_block_end *end)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  const struct wb_warp_block *block = &graph->blocks[end->block];
  for (uint32_t i = block->first; i <= block->last; i++) {
    const struct wb_instruction *what = &graph->function->instructions[i];
    if (what->unknown || what->outside || what->transfer == WB_TRANSFER_CALL_OUTSIDE)
      return true;
  }
  const bool ends = graph->ends[end->block] || end->flow->leaving.first[end->block] ==
                                                   end->flow->leaving.first[end->block + 1];
  return ends && graph->function->instructions[block->last].transfer != WB_TRANSFER_EXIT;
}

bool wb_loop_ways_collect(const struct wb_block_end *end, struct wb_loop_summary *summary)
{
  const struct wb_thread_flow *flow = end->flow;
  const struct wb_warp_graph *graph = end->flow->graph;
  const struct wb_instruction *last =
      &graph->function->instructions[graph->blocks[end->block].last];
  bool ok = may_vanish(end)
                ? add_way(end, 0, summary)
                : last->transfer != WB_TRANSFER_EXIT || last->never ||
                      !wb_outcome_is_possible(end->flow, end->block, true, end->state) ||
                      add_way(end, wb_outcome_comparisons(end->flow, end->block, true, end->state),
                              summary);
  for (uint32_t i = flow->leaving.first[end->block]; ok && i < flow->leaving.first[end->block + 1];
       i++) {
    const uint32_t edge = flow->leaving.list[i];
    if (end->region[flow->to[edge]] != end->loop)
      ok = add_edge(end, edge, summary);
  }
  return ok;
}
