#include "flow/loop_bounds/edge_state.h"

#include "flow/loop_bounds/copy_refinement.h"
#include "flow/loop_bounds/loop_exit.h"
#include "values/register_writes.h"

bool wb_edge_executes_last(const struct wb_thread_flow *flow, uint32_t block, uint32_t edge,
                           bool *known)
{
  const struct wb_warp_block *from = &flow->graph->blocks[block];
  const struct wb_warp_block *to = &flow->graph->blocks[flow->to[edge]];
  const bool falls = flow->graph->edges[flow->number[edge]].kind == WB_EDGE_FALLTHROUGH;
  const bool next = to->first == from->last + 1 && to->context == from->context;
  *known = falls || !next;
  return !falls;
}

/* The register of a side of the comparison, if it is not written again before the block's end; else
 * WB_NO_REGISTER. */
static uint16_t compared_register(const struct wb_thread_flow *flow, uint32_t block,
                                  const struct wb_comparison *row, size_t side)
{
  const uint16_t number = row->sources[side];
  return number != WB_NO_REGISTER &&
                 wb_registers_written(flow->graph->function, row->instruction + 1,
                                      flow->graph->blocks[block].last, number)
             ? WB_NO_REGISTER
             : number;
}

/* Refines both sides of the comparison, each by the other. False where that leaves no number. */
static bool assume_comparison(const struct wb_thread_flow *flow, uint32_t block,
                              const struct wb_comparison *row, struct wb_integer_state *state)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  const uint16_t left = compared_register(flow, block, row, 0);
  const uint16_t right = compared_register(flow, block, row, 1);
  return (left == WB_NO_REGISTER ||
          wb_integer_assume(&state->registers[left], relation, &row->right, row->as_signed)) &&
         (right == WB_NO_REGISTER ||
          wb_integer_assume(&state->registers[right], wb_relation_mirrored(relation), &row->left,
                            row->as_signed));
}

bool wb_edge_state(const struct wb_thread_flow *flow, const struct wb_comparisons *comparisons,
                   uint32_t visit, uint32_t block, uint32_t edge, struct wb_integer_state *state)
{
  const struct wb_warp_block *from = &flow->graph->blocks[block];
  bool known;
  const bool doing = wb_edge_executes_last(flow, block, edge, &known);
  if (known && !wb_outcome_is_possible(flow, block, doing, state))
    return false;
  if (known)
    wb_outcome_values(flow, block, doing, state);
  uint32_t row = known ? wb_outcome_comparisons(flow, block, doing, state) : 0;
  const bool compared = row != 0;
  for (; row != 0; row = comparisons->rows[row].next) {
    const struct wb_comparison *it = &comparisons->rows[row];
    if (!it->wide && it->visit == visit && it->instruction >= from->first &&
        it->instruction <= from->last && !assume_comparison(flow, block, it, state))
      return false;
  }
  if (compared)
    wb_refine_copies(flow, block, state);
  return true;
}
