#include "flow/loop_bounds/loop_exit.h"

#include "isa/opcode.h"

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

/* Whether threads that execute the instruction and threads that skip it may part. A vote decides
 * for threads whose guard says otherwise. */
static bool can_leave(const struct wb_instruction *instruction)
{
  switch ((enum wb_transfer)instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    return !wb_instruction_votes(instruction);
  case WB_TRANSFER_INDEXED_BRANCH:
  case WB_TRANSFER_POP:
  case WB_TRANSFER_EXIT:
  case WB_TRANSFER_CALL_LINKED:
  case WB_TRANSFER_RETURN_LINKED:
    return true;
  default:
    return false;
  }
}

/* A predicate that an instruction tests. */
struct condition {
  uint32_t number; /* of its register */
  bool negated;    /* the instruction is done where it is false */
};

/* The predicate operand of a branch: BRA P1, 0x40; BRA.U !UP0, 0x40. False where there is none. */
static bool find_operand(const struct wb_function *function,
                         const struct wb_instruction *instruction, struct condition *condition)
{
  for (size_t i = 0; i < instruction->operand_count; i++) {
    const struct wb_operand *operand = &function->operands[instruction->first_operand + i];
    if (operand->kind == WB_OPERAND_PREDICATE && operand->number != WB_NO_REGISTER) {
      *condition = (struct condition){operand->number, operand->negated};
      return true;
    }
  }
  return false;
}

/* A predicate that holds for threads of that outcome: false where there is none. Where several
 * conditions have to hold, threads that skip the instruction may do so because of any of them. */
static bool find_condition(const struct wb_function *function, const struct wb_instruction *last,
                           bool doing, struct condition *condition)
{
  const bool guarded = last->guard != WB_NO_REGISTER;
  const int conditions = guarded + last->second_predicate + last->conditional_code + last->together;
  if (!can_leave(last) || (!doing && conditions > 1))
    return false;
  *condition = (struct condition){last->guard, last->guard_negated};
  return guarded || (last->second_predicate && find_operand(function, last, condition));
}

/* The implications of that predicate for threads of that outcome, and whether it is true for them;
 * NULL where there is none. */
static const struct wb_implications *condition_of(const struct wb_thread_flow *flow, uint32_t block,
                                                  bool doing, const struct wb_integer_state *state,
                                                  bool *is_true)
{
  const struct wb_function *function = flow->graph->function;
  const struct wb_instruction *last = &function->instructions[flow->graph->blocks[block].last];
  struct condition condition;
  if (!find_condition(function, last, doing, &condition) ||
      wb_predicate_index(condition.number) == WB_TRUTH_COUNT)
    return NULL;
  *is_true = doing != condition.negated;
  return &state->predicates[wb_predicate_index(condition.number)];
}

void wb_outcome_values(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                       struct wb_integer_state *state)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(flow, block, doing, state, &is_true);
  for (size_t i = 0; predicate != NULL && i < state->conditionals.count; i++) {
    const struct wb_conditional_value *row = &state->conditionals.rows[i];
    if (predicate == &state->predicates[row->predicate] && row->when == is_true)
      state->registers[row->number] = row->value;
  }
}

bool wb_outcome_is_possible(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                            const struct wb_integer_state *state)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(flow, block, doing, state, &is_true);
  return predicate == NULL || predicate->truth != (is_true ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

uint32_t wb_outcome_comparisons(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                                const struct wb_integer_state *state)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(flow, block, doing, state, &is_true);
  if (predicate == NULL)
    return 0;
  return is_true ? predicate->when_true : predicate->when_false;
}

uint32_t wb_staying_comparisons(const struct wb_thread_flow *flow, const uint32_t *region,
                                uint32_t loop, uint32_t block, const struct wb_integer_state *state)
{
  bool doing;
  bool skipping;
  find_staying_outcomes(flow, region, loop, block, &doing, &skipping);
  return doing == skipping ? 0 : wb_outcome_comparisons(flow, block, doing, state);
}
