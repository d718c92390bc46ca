#include "flow/loop_bounds/thread_flow.h"

#include "base/memory.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "values/domain.h"
#include "values/interval/interval_domain.h"

#define NONE UINT32_MAX

/* Whether lanes that wait in entries without a token go on where an edge of their block leads, or
 * repeat the block's own indexed branch. */
static bool splits_are_edges(const struct wb_thread_flow *flow)
{
  const struct wb_warp_graph *graph = flow->graph;
  bool all = true;
  for (size_t p = 0; p < graph->push_count && all; p++) {
    const struct wb_warp_entry *entry = &graph->entries[graph->pushes[p].entry];
    const uint32_t block = graph->pushes[p].block;
    all = entry->token != WB_TOKEN_NONE || (graph->blocks[block].last == entry->point &&
                                            graph->blocks[block].context == entry->context);
    for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
      const struct wb_warp_block *to = &graph->blocks[flow->to[flow->leaving.list[i]]];
      all |= to->first == entry->point && to->context == entry->context;
    }
  }
  return all;
}

/* Reverse postorder by a depth-first search with an explicit stack. */
static bool find_order(struct wb_thread_flow *flow)
{
  const size_t count = flow->graph->block_count;
  struct wb_arena arena = {0};
  uint32_t *stack = wb_arena_array(&arena, uint32_t, count);
  uint32_t *next = wb_arena_array(&arena, uint32_t, count); /* by block: the next edge to follow */
  bool *seen = wb_arena_array(&arena, bool, count);
  const bool ok = !arena.failed;
  size_t depth = 0;
  size_t left = count;
  if (ok) {
    stack[depth++] = flow->graph->entry_block;
    seen[flow->graph->entry_block] = true;
  }
  while (depth > 0) {
    const uint32_t block = stack[depth - 1];
    const uint32_t edge = flow->leaving.first[block] + next[block]++;
    if (edge == flow->leaving.first[block + 1]) {
      flow->order[--left] = block;
      flow->place[block] = (uint32_t)left;
      depth--;
      continue;
    }
    const uint32_t to = flow->to[flow->leaving.list[edge]];
    if (!seen[to])
      stack[depth++] = to;
    seen[to] = true;
  }
  flow->whole = flow->whole && left == 0;
  wb_arena_free(&arena);
  return ok;
}

warpbound_status wb_thread_flow_make(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     struct wb_thread_flow *flow, warpbound_error *error)
{
  *flow = (struct wb_thread_flow){.graph = graph};
  struct wb_arena *arena = &flow->arena;
  flow->number = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->from = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->to = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->is_back = wb_arena_array(arena, bool, graph->edge_count);
  flow->order = wb_arena_array(arena, uint32_t, graph->block_count);
  flow->place = wb_arena_array(arena, uint32_t, graph->block_count);
  flow->loop_at = wb_arena_array(arena, uint32_t, graph->block_count);
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_EDGE_REACTIVATION)
      continue;
    flow->number[flow->edge_count] = (uint32_t)e;
    flow->from[flow->edge_count] = graph->edges[e].from;
    flow->to[flow->edge_count++] = graph->edges[e].to;
  }
  if (!wb_edge_lists_make(flow->from, flow->edge_count, graph->block_count, &flow->leaving) ||
      !wb_edge_lists_make(flow->to, flow->edge_count, graph->block_count, &flow->reaching))
    return wb_out_of_memory(error);
  flow->whole = splits_are_edges(flow);
  if (!find_order(flow))
    return wb_out_of_memory(error);
  if (!flow->whole)
    return WARPBOUND_OK;
  for (size_t b = 0; b < flow->graph->block_count; b++)
    flow->loop_at[b] = NONE;
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    if (loop->irreducible)
      continue;
    flow->loop_at[loop->header] = (uint32_t)l;
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const uint32_t number = forest->back_edges[loop->first_back_edge + i];
      const uint32_t *first = &flow->leaving.first[graph->edges[number].from];
      for (uint32_t e = first[0]; e < first[1]; e++) {
        const uint32_t edge = flow->leaving.list[e];
        flow->is_back[edge] |= flow->number[edge] == number && flow->to[edge] == loop->header;
      }
    }
  }
  const struct wb_flow_graph edges = {graph->block_count, flow->edge_count, flow->from, flow->to,
                                      graph->entry_block};
  return wb_dominators_make(&edges, &flow->reaching, &flow->dominators, error);
}

void wb_thread_flow_free(struct wb_thread_flow *flow)
{
  wb_edge_lists_free(&flow->leaving);
  wb_edge_lists_free(&flow->reaching);
  wb_dominators_free(&flow->dominators);
  wb_arena_free(&flow->arena);
  *flow = (struct wb_thread_flow){0};
}

bool wb_thread_flow_is_valid(const struct wb_thread_flow *flow)
{
  const struct wb_warp_graph *graph = flow->graph;
  for (size_t e = 0; e < flow->edge_count; e++) {
    const uint32_t number = flow->number[e];
    if (number >= graph->edge_count || (e > 0 && number <= flow->number[e - 1]) ||
        flow->from[e] != graph->edges[number].from || flow->to[e] != graph->edges[number].to ||
        flow->from[e] >= graph->block_count || flow->to[e] >= graph->block_count)
      return false;
    if (flow->whole && flow->is_back[e] && flow->place[flow->to[e]] > flow->place[flow->from[e]])
      return false;
  }
  for (size_t i = 0; flow->whole && i < graph->block_count; i++) {
    if (flow->order[i] >= graph->block_count || flow->place[flow->order[i]] != i)
      return false;
  }
  return !flow->whole || graph->block_count == 0 || flow->order[0] == graph->entry_block;
}

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

/* Conditions of an instruction that are predicates: its guard, and a branch's operand (BRA P1,
 * 0x40; BRA.U !UP0, 0x40). */
enum { GUARD, OPERAND };

/* The block's last instruction, with the condition that it had where one of its ways is cut. */
static const struct wb_instruction *asked_of(const struct wb_warp_graph *graph, uint32_t block)
{
  const struct wb_function *function = graph->function;
  const uint32_t last = graph->blocks[block].last;
  return wb_instruction_is_cut(function, last) ? &function->uncut->instructions[last]
                                               : &function->instructions[last];
}

/* The index of the predicate that a block's last instruction tests in that condition, for threads
 * that execute it (doing) or skip it because a condition does not hold (not doing), and whether it
 * is true for them; WB_TRUTH_COUNT where there is none. Where several conditions have to hold,
 * threads that skip the instruction may do so because of any of them. */
static size_t tested_predicate(const struct wb_function *function,
                               const struct wb_instruction *last, bool doing, unsigned condition,
                               bool *is_true)
{
  const bool guarded = last->guard != WB_NO_REGISTER;
  const int conditions = guarded + last->second_predicate + last->conditional_code + last->together;
  if (!can_leave(last) || (!doing && conditions > 1))
    return WB_TRUTH_COUNT;
  uint32_t number = condition == GUARD ? last->guard : WB_NO_REGISTER;
  bool negated = last->guard_negated; /* the instruction is done where the predicate is false */
  for (size_t i = 0; condition == OPERAND && last->second_predicate && i < last->operand_count;
       i++) {
    const struct wb_operand *operand = &function->operands[last->first_operand + i];
    if (operand->kind == WB_OPERAND_PREDICATE) {
      number = operand->number;
      negated = operand->negated;
    }
  }
  *is_true = doing != negated;
  return wb_predicate_index(number);
}

/* The implications of that predicate; NULL where there is none. */
static const struct wb_implications *condition_of(const struct wb_block_end *end, bool doing,
                                                  unsigned condition, bool *is_true)
{
  const size_t predicate =
      tested_predicate(end->flow->graph->function, asked_of(end->flow->graph, end->block), doing,
                       condition, is_true);
  return predicate < WB_TRUTH_COUNT ? &end->state->predicates[predicate] : NULL;
}

static bool outcome_is_possible(const struct wb_block_end *end, bool doing)
{
  bool possible = true;
  for (unsigned condition = GUARD; condition < WB_EDGE_CONDITIONS; condition++) {
    bool is_true;
    const struct wb_implications *predicate = condition_of(end, doing, condition, &is_true);
    possible = possible && (predicate == NULL ||
                            predicate->truth != (is_true ? WB_TRUTH_FALSE : WB_TRUTH_TRUE));
  }
  return possible;
}

/* The comparisons that hold for a thread after that outcome of a condition: a row of the table; 0:
 * none. */
static uint32_t outcome_comparisons(const struct wb_block_end *end, bool doing, unsigned condition)
{
  bool is_true;
  const struct wb_implications *predicate = condition_of(end, doing, condition, &is_true);
  if (predicate == NULL)
    return 0;
  return is_true ? predicate->when_true : predicate->when_false;
}

/* Those of one of the conditions. */
static uint32_t some_comparisons(const struct wb_block_end *end, bool doing)
{
  const uint32_t row = outcome_comparisons(end, doing, GUARD);
  return row != 0 ? row : outcome_comparisons(end, doing, OPERAND);
}

/* Whether a thread that takes the edge has executed the block's last instruction. *known: false
 * where it may have skipped it too. */
static bool executes_last(const struct wb_thread_flow *flow, uint32_t edge, bool *known)
{
  const struct wb_warp_graph *graph = flow->graph;
  const struct wb_warp_block *from = &graph->blocks[flow->from[edge]];
  const struct wb_warp_block *to = &graph->blocks[flow->to[edge]];
  const bool falls = graph->edges[flow->number[edge]].kind == WB_EDGE_FALLTHROUGH;
  const bool next = to->first == from->last + 1 && to->context == from->context;
  *known = falls || !next;
  return !falls;
}

bool wb_edge_condition(const struct wb_thread_flow *flow, uint32_t edge, unsigned condition,
                       size_t *predicate, bool *is_true)
{
  bool known;
  const bool doing = executes_last(flow, edge, &known);
  const struct wb_warp_graph *graph = flow->graph;
  const struct wb_instruction *last =
      &graph->function->instructions[graph->blocks[flow->from[edge]].last];
  *predicate =
      known ? tested_predicate(graph->function, last, doing, condition, is_true) : WB_TRUTH_COUNT;
  return *predicate < WB_TRUTH_COUNT;
}

uint32_t wb_staying_comparisons(const struct wb_block_end *end, unsigned condition)
{
  const struct wb_thread_flow *flow = end->flow;
  bool doing = false; /* threads that execute the last instruction may stay in the region */
  bool skipping = false;
  for (uint32_t i = flow->leaving.first[end->block]; i < flow->leaving.first[end->block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    bool known;
    const bool executes = executes_last(end->flow, edge, &known);
    const bool stays = end->region[flow->to[edge]] == end->loop;
    doing |= stays && executes;
    skipping |= stays && (!executes || !known);
  }
  return doing == skipping ? 0 : outcome_comparisons(end, doing, condition);
}

/* ---- registers on an edge ---- */

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
        wb_interval_find_difference(&code.operations[code.writes[0].result], &from, &offset)) {
      const uint16_t to = code.writes[0].number;
      if (to != from && !written[to] && !written[from]) {
        meet_sum(&state->registers[from], &state->registers[to], 0 - offset);
        meet_sum(&state->registers[to], &state->registers[from], offset);
      }
    }
    if (instruction->unknown)
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

/* Refines the bits of a register that a side is, if it is not written from the comparison to the
 * block's end. False where that leaves no number. */
static bool assume_bits(const struct wb_block_end *end, const struct wb_comparison *row,
                        size_t side, enum wb_relation relation, struct wb_integer_state *state)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  const struct wb_mask *mask = &row->masks[side];
  const struct wb_integer *other = side == 0 ? &row->right : &row->left;
  if (mask->number == WB_NO_REGISTER ||
      wb_registers_written(graph->function, row->instruction, graph->blocks[end->block].last,
                           mask->number))
    return true;
  struct wb_integer value = side == 0 ? row->left : row->right;
  if (value.base != WB_NO_REGISTER)
    return true;
  if (!wb_integer_assume(&value, relation, other, row->as_signed))
    return false;
  const struct wb_masked *held = wb_masks_find(&state->masks, mask->number, mask->bits);
  struct wb_masked bits = {.number = mask->number,
                           .holder = held != NULL ? held->holder : WB_NO_REGISTER,
                           .bits = mask->bits,
                           .value = wb_interval_masked(mask, &value)};
  if (relation == WB_RELATION_UNEQUAL && !mask->complemented)
    wb_masked_exclude(&bits, &value, other);
  const bool kept =
      bits.holder == WB_NO_REGISTER || mask->complemented ||
      wb_integer_assume(&state->registers[bits.holder], relation, other, row->as_signed);
  if (held == NULL || bits.value.width < held->value.width)
    wb_masks_set(&state->masks, &bits);
  return kept;
}

/* Refines what a register that is compared holds under outcomes of predicates: an outcome that
 * leaves no number is not that of a thread that takes the edge. */
static void assume_conditionals(uint16_t number, enum wb_relation relation,
                                const struct wb_integer *other, bool as_signed,
                                struct wb_integer_state *state)
{
  const struct wb_conditionals before = state->conditionals;
  for (size_t i = 0; i < before.count; i++) {
    struct wb_conditional_value row = before.rows[i];
    if (row.number != number || row.value.base != WB_NO_REGISTER)
      continue;
    if (wb_integer_assume(&row.value, relation, other, as_signed))
      wb_conditionals_set(&state->conditionals, row.number, row.predicate, row.when, &row.value);
    else if (state->predicates[row.predicate].truth == WB_TRUTH_UNKNOWN)
      state->predicates[row.predicate].truth = row.when ? WB_TRUTH_FALSE : WB_TRUTH_TRUE;
  }
}

/* Refines both sides of the comparison, each by the other. False where that leaves no number. */
static bool assume_comparison(const struct wb_block_end *end, const struct wb_comparison *row,
                              struct wb_integer_state *state)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  const uint16_t left = compared_register(end, row, 0);
  const uint16_t right = compared_register(end, row, 1);
  if ((left != WB_NO_REGISTER &&
       !wb_integer_assume(&state->registers[left], relation, &row->right, row->as_signed)) ||
      (right != WB_NO_REGISTER &&
       !wb_integer_assume(&state->registers[right], wb_relation_mirrored(relation), &row->left,
                          row->as_signed)))
    return false;
  if (left != WB_NO_REGISTER)
    assume_conditionals(left, relation, &row->right, row->as_signed, state);
  if (right != WB_NO_REGISTER)
    assume_conditionals(right, wb_relation_mirrored(relation), &row->left, row->as_signed, state);
  if (left != WB_NO_REGISTER && right != WB_NO_REGISTER)
    wb_interval_assume_difference(state, left, right, relation, row->as_signed);
  const struct wb_integer *registers[2] = {left != WB_NO_REGISTER ? &state->registers[left] : NULL,
                                           right != WB_NO_REGISTER ? &state->registers[right]
                                                                   : NULL};
  struct wb_integer sides[2] = {row->left, row->right};
  for (size_t side = 0; side < 2; side++) {
    if (registers[side] != NULL)
      wb_integer_narrow(&sides[side], registers[side]);
  }
  wb_interval_assume_sums(end->terms, state, row, sides);
  return assume_bits(end, row, 0, relation, state) &&
         assume_bits(end, row, 1, wb_relation_mirrored(relation), state);
}

/* Refines the numbers of 64 bits in registers, each by the other side. False where that leaves
 * none. */
static bool assume_wide(const struct wb_block_end *end, const struct wb_comparison *row,
                        struct wb_integer_state *state)
{
  const struct wb_warp_graph *graph = end->flow->graph;
  const uint32_t last = graph->blocks[end->block].last;
  struct wb_register_pair pairs[2];
  size_t kept = 0; /* pairs that hold the numbers that were compared */
  for (size_t side = 0; side < 2; side++) {
    const enum wb_relation relation = (enum wb_relation)row->relation;
    const struct wb_wide *other = side == 0 ? &row->wide_right : &row->wide_left;
    const struct wb_side_pair pair = row->pairs[side];
    if (pair.low >= WB_VALUE_COUNT || pair.high >= WB_VALUE_COUNT || pair.low == pair.high ||
        wb_registers_written(graph->function, row->instruction, last, pair.low) ||
        wb_registers_written(graph->function, row->instruction, last, pair.high))
      continue;
    struct wb_wide value = wb_pairs_value(&state->pairs, state->registers, pair.low, pair.high);
    if (!wb_wide_assume(&value, side == 0 ? relation : wb_relation_mirrored(relation), other,
                        row->as_signed))
      return false;
    wb_integer_state_narrow_pair(state, pair.low, pair.high, &value);
    pairs[side] = (struct wb_register_pair){pair.low, pair.high};
    kept++;
  }
  if (kept == 2) {
    wb_wide_difference_assume(state, pairs[0], pairs[1], (enum wb_relation)row->relation,
                              row->as_signed);
    wb_interval_assume_wide_difference(state, pairs[0], pairs[1], (enum wb_relation)row->relation,
                                       row->as_signed);
  }
  return wb_wide_differences_reduce(state);
}

/* Refines the state by the comparisons of a chain; again: those of numbers of 64 bits alone, where
 * a pair is known to hold the difference of others, of which another one of the chain told. False
 * where no number is left. */
static bool assume_chain(const struct wb_block_end *end, uint32_t row, bool again,
                         struct wb_integer_state *state)
{
  const struct wb_warp_block *from = &end->flow->graph->blocks[end->block];
  for (; row != 0; row = end->comparisons->rows[row].next) {
    const struct wb_comparison *it = &end->comparisons->rows[row];
    if (it->visit != end->visit || it->instruction < from->first || it->instruction > from->last ||
        (again && (!it->wide || state->wide_differences.count == 0)))
      continue;
    if (!(it->wide ? assume_wide : assume_comparison)(end, it, state))
      return false;
  }
  return true;
}

bool wb_edge_state(const struct wb_block_end *end, uint32_t edge, struct wb_integer_state *state)
{
  bool known;
  bool is_true;
  const bool doing = executes_last(end->flow, edge, &known);
  *state = *end->state;
  if (!known)
    return true;
  if (!outcome_is_possible(end, doing))
    return false;
  bool refined = false;
  for (unsigned condition = GUARD; condition < WB_EDGE_CONDITIONS; condition++) {
    const struct wb_implications *predicate = condition_of(end, doing, condition, &is_true);
    for (size_t i = 0; predicate != NULL && i < end->state->conditionals.count; i++) {
      const struct wb_conditional_value *row = &end->state->conditionals.rows[i];
      if (predicate == &end->state->predicates[row->predicate] && row->when == is_true)
        state->registers[row->number] = row->value;
    }
  }
  for (unsigned condition = GUARD; condition < WB_EDGE_CONDITIONS; condition++) {
    const struct wb_implications *predicate = condition_of(end, doing, condition, &is_true);
    if (predicate != NULL && !wb_interval_assume_orders(
                                 &end->state->orders, (size_t)(predicate - end->state->predicates),
                                 is_true, state, &refined))
      return false;
  }
  for (unsigned condition = GUARD; condition < WB_EDGE_CONDITIONS; condition++) {
    const uint32_t first = outcome_comparisons(end, doing, condition);
    refined |= first != 0;
    if (!assume_chain(end, first, false, state) || !assume_chain(end, first, true, state))
      return false;
  }
  if (refined) {
    wb_interval_reduce(state);
    refine_copies(end->flow, end->block, state);
  }
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
    added = add_way(end, some_comparisons(end, true), summary);
  for (uint32_t i = leaving[0]; added && i < leaving[1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    struct wb_integer_state after;
    bool known;
    if (end->region[flow->to[edge]] == end->loop || !wb_edge_state(end, edge, &after))
      continue;
    const bool doing = executes_last(end->flow, edge, &known);
    added = add_way(end, known ? some_comparisons(end, doing) : 0, summary);
  }
  return added;
}
