#include "flow/loop_bounds/loop_exit.h"

/* Whether threads that execute the block's last instruction (doing), and threads that skip it
 * (skipping), may stay in the region. */
static void find_staying_outcomes(const struct wb_thread_flow *flow, const uint32_t *region,
                                  uint32_t loop, uint32_t block, bool *doing, bool *skipping)
{
  const struct wb_warp_block *from = &flow->graph->blocks[block];
  *doing = *skipping = false;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    const struct wb_warp_block *to = &flow->graph->blocks[flow->to[edge]];
    const bool falls = flow->graph->edges[flow->number[edge]].kind == WB_EDGE_FALLTHROUGH;
    const bool next = to->first == from->last + 1 && to->context == from->context;
    const bool stays = region[flow->to[edge]] == loop;
    *doing |= stays && !falls;
    *skipping |= stays && (falls || next);
  }
}

/* Whether threads that execute the instruction and threads that skip it may part. */
static bool can_leave(const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_BRANCH ||
         instruction->transfer == WB_TRANSFER_INDEXED_BRANCH ||
         instruction->transfer == WB_TRANSFER_POP || instruction->transfer == WB_TRANSFER_EXIT;
}

/* The implications of the guard for threads of that outcome; NULL where there are none. */
static const struct wb_implications *guard_of(const struct wb_thread_flow *flow, uint32_t block,
                                              bool doing, const struct wb_integer_state *state)
{
  const struct wb_instruction *last =
      &flow->graph->function->instructions[flow->graph->blocks[block].last];
  if (!can_leave(last) || last->guard < WB_REGISTER_PREDICATE ||
      last->guard >= WB_REGISTER_CONDITION_CODE)
    return NULL;
  /* Threads may skip it because of the other condition. */
  if (!doing && (last->conditional_code || last->second_predicate))
    return NULL;
  return &state->predicates[last->guard - WB_REGISTER_PREDICATE];
}

/* Whether the guard's predicate is true for threads of that outcome. */
static bool is_true(const struct wb_thread_flow *flow, uint32_t block, bool doing)
{
  return doing !=
         flow->graph->function->instructions[flow->graph->blocks[block].last].guard_negated;
}

bool wb_outcome_is_possible(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                            const struct wb_integer_state *state)
{
  const struct wb_implications *guard = guard_of(flow, block, doing, state);
  return guard == NULL ||
         guard->truth != (is_true(flow, block, doing) ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

uint32_t wb_outcome_comparisons(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                                const struct wb_integer_state *state)
{
  const struct wb_implications *guard = guard_of(flow, block, doing, state);
  if (guard == NULL)
    return 0;
  return is_true(flow, block, doing) ? guard->when_true : guard->when_false;
}

uint32_t wb_staying_comparisons(const struct wb_thread_flow *flow, const uint32_t *region,
                                uint32_t loop, uint32_t block, const struct wb_integer_state *state)
{
  bool doing;
  bool skipping;
  find_staying_outcomes(flow, region, loop, block, &doing, &skipping);
  return doing == skipping ? 0 : wb_outcome_comparisons(flow, block, doing, state);
}
