#include "flow/loop_bounds/loop_exit.h"

/* Which ways from the block's end stay in the region: those of threads that do its last
 * instruction, and of threads that do not. */
static void find_ways(const struct wb_thread_flow *flow, const uint32_t *region, uint32_t loop,
                      uint32_t block, bool *doing, bool *passing)
{
  const struct wb_warp_block *from = &flow->graph->blocks[block];
  *doing = *passing = false;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    const struct wb_warp_block *to = &flow->graph->blocks[flow->to[edge]];
    const bool falls = flow->graph->edges[flow->number[edge]].kind == WB_EDGE_FALLTHROUGH;
    const bool next = to->first == from->last + 1 && to->context == from->context;
    const bool stays = region[flow->to[edge]] == loop;
    *doing |= stays && !falls;
    *passing |= stays && (falls || next);
  }
}

/* Whether doing an instruction and not doing it go different ways. */
static bool can_leave(const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_BRANCH ||
         instruction->transfer == WB_TRANSFER_INDEXED_BRANCH ||
         instruction->transfer == WB_TRANSFER_POP || instruction->transfer == WB_TRANSFER_EXIT;
}

/* What the guard says of threads that go that way; NULL where it says nothing. */
static const struct wb_implications *guard_of(const struct wb_thread_flow *flow, uint32_t block,
                                              bool doing, const struct wb_integer_state *state)
{
  const struct wb_instruction *last =
      &flow->graph->function->instructions[flow->graph->blocks[block].last];
  if (!can_leave(last) || last->guard < WB_REGISTER_PREDICATE ||
      last->guard >= WB_REGISTER_CONDITION_CODE)
    return NULL;
  /* Who passes on may do so because of another condition. */
  if (!doing && (last->conditional_code || last->second_predicate))
    return NULL;
  return &state->predicates[last->guard - WB_REGISTER_PREDICATE];
}

/* Whether the guard's predicate is true for them. */
static bool is_true(const struct wb_thread_flow *flow, uint32_t block, bool doing)
{
  return doing !=
         flow->graph->function->instructions[flow->graph->blocks[block].last].guard_negated;
}

bool wb_way_is_possible(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                        const struct wb_integer_state *state)
{
  const struct wb_implications *guard = guard_of(flow, block, doing, state);
  return guard == NULL ||
         guard->truth != (is_true(flow, block, doing) ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

uint32_t wb_implied_by_way(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                           const struct wb_integer_state *state)
{
  const struct wb_implications *guard = guard_of(flow, block, doing, state);
  if (guard == NULL)
    return 0;
  return is_true(flow, block, doing) ? guard->when_true : guard->when_false;
}

uint32_t wb_implied_by_staying(const struct wb_thread_flow *flow, const uint32_t *region,
                               uint32_t loop, uint32_t block, const struct wb_integer_state *state)
{
  bool doing;
  bool passing;
  find_ways(flow, region, loop, block, &doing, &passing);
  return doing == passing ? 0 : wb_implied_by_way(flow, block, doing, state);
}
