#include "flow/loop_bounds/edge_state.h"

#include "base/memory.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "values/domain.h"

/* ---- the outcome of the last instruction ---- */

static const struct wb_instruction *last_of(const struct wb_block_end *end)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  return &graph->function->instructions[graph->blocks[end->block].last];
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

/* The implications of the predicate that the block's last instruction tests, for threads that
 * execute it (doing) or skip it because its guard is false (not doing), and whether it is true for
 * them; NULL where there is none. Where several conditions have to hold, threads that skip the
 * instruction may do so because of any of them. */
static const struct wb_implications *condition_of(const struct wb_block_end *end, bool doing,
                                                  bool *is_true)
{
  const struct wb_function *function = end->flow->graph->function;
  const struct wb_instruction *last = last_of(end);
  const bool guarded = last->guard != WB_NO_REGISTER;
  const int conditions = guarded + last->second_predicate + last->conditional_code + last->together;
  if (!can_leave(last) || (!doing && conditions > 1))
    return NULL;
  uint32_t number = last->guard;
  bool negated = last->guard_negated; /* the instruction is done where the predicate is false */
  /* Else the predicate operand of a branch: BRA P1, 0x40; BRA.U !UP0, 0x40. */
  for (size_t i = 0; number == WB_NO_REGISTER && last->second_predicate && i < last->operand_count;
       i++) {
    const struct wb_operand *operand = &function->operands[last->first_operand + i];
    if (operand->kind == WB_OPERAND_PREDICATE) {
      number = operand->number;
      negated = operand->negated;
    }
  }
  const size_t predicate = wb_predicate_index(number);
  *is_true = doing != negated;
  return predicate < WB_TRUTH_COUNT ? &end->state->predicates[predicate] : NULL;
}

static bool outcome_is_possible(const struct wb_block_end *end, bool doing)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(end, doing, &is_true);
  return predicate == NULL || predicate->truth != (is_true ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

/* The comparisons that hold for a thread after that outcome: a row of the table; 0: none. */
static uint32_t outcome_comparisons(const struct wb_block_end *end, bool doing)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(end, doing, &is_true);
  if (predicate == NULL)
    return 0;
  return is_true ? predicate->when_true : predicate->when_false;
}

/* Whether a thread that takes the edge has executed the block's last instruction. *known: false
 * where it may have skipped it too. */
static bool executes_last(const struct wb_block_end *end, uint32_t edge, bool *known)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  const struct wb_warp_block *from = &graph->blocks[end->block];
  const struct wb_warp_block *to = &graph->blocks[end->flow->to[edge]];
  const bool falls = graph->edges[end->flow->number[edge]].kind == WB_EDGE_FALLTHROUGH;
  const bool next = to->first == from->last + 1 && to->context == from->context;
  *known = falls || !next;
  return !falls;
}

uint32_t wb_staying_comparisons(const struct wb_block_end *end)
{
  const struct wb_thread_flow *flow = end->flow;
  bool doing = false; /* threads that execute the last instruction may stay in the region */
  bool skipping = false;
  for (uint32_t i = flow->leaving.first[end->block]; i < flow->leaving.first[end->block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    bool known;
    const bool executes = executes_last(end, edge, &known);
    const bool stays = end->region[flow->to[edge]] == end->loop;
    doing |= stays && executes;
    skipping |= stays && (!executes || !known);
  }
  return doing == skipping ? 0 : outcome_comparisons(end, doing);
}

/* ---- registers on an edge ---- */

/* Whether the operation is the sum of one register and a number, or that register. */
static bool find_difference(const struct wb_micro_operation *operation, uint16_t *from,
                            uint32_t *offset)
{
  const size_t words = operation->kind == WB_MICRO_ADD ? 3 : operation->kind == WB_MICRO_COPY;
  *from = WB_NO_REGISTER;
  *offset = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    const bool plain = !source->negated && !source->complemented && s < words;
    if (source->kind == WB_SOURCE_NUMBER && plain)
      *offset += (uint32_t)source->value;
    else if (source->kind == WB_SOURCE_REGISTER && plain && *from == WB_NO_REGISTER)
      *from = source->number;
    else if (source->kind != WB_SOURCE_NONE)
      return false;
  }
  return *from < WB_VALUE_COUNT;
}

static void meet_sum(struct wb_integer *value, const struct wb_integer *other, uint32_t offset)
{
  const struct wb_integer by = wb_integer_exactly(offset);
  const struct wb_integer sum = wb_integer_add(other, &by);
  if (sum.base == WB_NO_REGISTER)
    wb_integer_meet(value, &sum);
}

/* Refines *state, a state at the block's end, by the block's moves, and sums with a number, that
 * every thread does and whose two registers are not written after them: each register by the other
 * one. Linear in the block. */
static void refine_copies(const struct wb_thread_flow *flow, uint32_t block,
                          struct wb_integer_state *state)
{
  const struct wb_function *function = flow->graph->function;
  const struct wb_warp_block *what = &flow->graph->blocks[block];
  bool written[WB_VALUE_COUNT] = {false}; /* after the instruction */
  for (uint32_t i = what->last + 1; i-- > what->first;) {
    const struct wb_instruction *instruction = &function->instructions[i];
    struct wb_micro_code code;
    uint16_t from;
    uint32_t offset;
    if (instruction->guard == WB_NO_REGISTER && instruction->write_count > 0 &&
        !instruction->never && !instruction->unknown && wb_lower(function, i, &code) &&
        code.write_count == 1 && !code.writes[0].wide && code.writes[0].number < WB_VALUE_COUNT &&
        find_difference(&code.operations[code.writes[0].result], &from, &offset)) {
      const uint16_t to = code.writes[0].number;
      if (to != from && !written[to] && !written[from]) {
        meet_sum(&state->registers[from], &state->registers[to], 0 - offset);
        meet_sum(&state->registers[to], &state->registers[from], offset);
      }
    }
    if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
      return; /* all registers may be written */
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &function->spans[instruction->first_write + s];
      for (unsigned r = span->first; r < (unsigned)span->first + span->count && r < WB_VALUE_COUNT;
           r++)
        written[r] = true;
    }
  }
}

/* The register of a side of the comparison, if it is not written again before the block's end; else
 * WB_NO_REGISTER. */
static uint16_t compared_register(const struct wb_block_end *end, const struct wb_comparison *row,
                                  size_t side)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  const uint16_t number = row->sources[side];
  return number != WB_NO_REGISTER && wb_registers_written(graph->function, row->instruction + 1,
                                                          graph->blocks[end->block].last, number)
             ? WB_NO_REGISTER
             : number;
}

/* Refines both sides of the comparison, each by the other. False where that leaves no number. */
static bool assume_comparison(const struct wb_block_end *end, const struct wb_comparison *row,
                              struct wb_integer_state *state)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  const uint16_t left = compared_register(end, row, 0);
  const uint16_t right = compared_register(end, row, 1);
  return (left == WB_NO_REGISTER ||
          wb_integer_assume(&state->registers[left], relation, &row->right, row->as_signed)) &&
         (right == WB_NO_REGISTER ||
          wb_integer_assume(&state->registers[right], wb_relation_mirrored(relation), &row->left,
                            row->as_signed));
}

bool wb_edge_state(const struct wb_block_end *end, uint32_t edge, struct wb_integer_state *state)
{
  const struct wb_warp_block *from = &end->flow->graph->blocks[end->block];
  bool known;
  bool is_true;
  const bool doing = executes_last(end, edge, &known);
  *state = *end->state;
  if (!known)
    return true;
  if (!outcome_is_possible(end, doing))
    return false;
  const struct wb_implications *predicate = condition_of(end, doing, &is_true);
  for (size_t i = 0; predicate != NULL && i < state->conditionals.count; i++) {
    const struct wb_conditional_value *row = &state->conditionals.rows[i];
    if (predicate == &end->state->predicates[row->predicate] && row->when == is_true)
      state->registers[row->number] = row->value;
  }
  const uint32_t first = outcome_comparisons(end, doing);
  for (uint32_t row = first; row != 0; row = end->comparisons->rows[row].next) {
    const struct wb_comparison *it = &end->comparisons->rows[row];
    if (!it->wide && it->visit == end->visit && it->instruction >= from->first &&
        it->instruction <= from->last && !assume_comparison(end, it, state))
      return false;
  }
  if (first != 0)
    refine_copies(end->flow, end->block, state);
  return true;
}

/* ---- ways out of a loop ---- */

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

bool wb_loop_ways_collect(const struct wb_block_end *end, struct wb_loop_summary *summary)
{
  const struct wb_thread_flow *flow = end->flow;
  const struct wb_warp_block *block = &flow->graph->blocks[end->block];
  const struct wb_instruction *instructions = flow->graph->function->instructions;
  const struct wb_instruction *last = last_of(end);
  const uint32_t *leaving = &flow->leaving.first[end->block];
  /* The thread may end inside the block, or in code that is not shown, in a way that no outcome of
   * its last instruction tells. */
  bool vanishes = (flow->graph->ends[end->block] || leaving[0] == leaving[1]) &&
                  last->transfer != WB_TRANSFER_EXIT;
  for (uint32_t i = block->first; i <= block->last; i++)
    vanishes |= instructions[i].unknown || instructions[i].outside ||
                instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE;
  bool added = true;
  if (vanishes)
    added = add_way(end, 0, summary);
  else if (last->transfer == WB_TRANSFER_EXIT && !last->never && outcome_is_possible(end, true))
    added = add_way(end, outcome_comparisons(end, true), summary);
  for (uint32_t i = leaving[0]; added && i < leaving[1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    struct wb_integer_state after;
    bool known;
    if (end->region[flow->to[edge]] == end->loop || !wb_edge_state(end, edge, &after))
      continue;
    const bool doing = executes_last(end, edge, &known);
    added = add_way(end, known ? outcome_comparisons(end, doing) : 0, summary);
  }
  return added;
}
