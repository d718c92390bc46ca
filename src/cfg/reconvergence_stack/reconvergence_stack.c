/* The activation stack as a reconvergence mechanism: its abstract states, and the effect of
 * instructions on them when all active lanes do them, and when some do. */
#include "cfg/reconvergence_stack/stack_machine.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the data ---- */

static bool start(struct wb_simt_analysis *analysis)
{
  struct wb_stack_machine *machine = wb_allocate(1, sizeof *machine);
  analysis->mechanism_data = machine;
  return machine != NULL && wb_stack_graph_start(&machine->stacks);
}

static void free_machine(struct wb_simt_analysis *analysis)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  if (machine == NULL)
    return;
  free(machine->next.frames);
  free(machine->side.frames);
  free(machine->descent.frames);
  free(machine->descent.dirty);
  free(machine->descent.todo);
  wb_stack_graph_free(&machine->stacks);
  free(machine);
  analysis->mechanism_data = NULL;
}

/* Frames count twice: while an array grows both the old and the new one are there. */
static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  const struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  return (uint64_t)machine->frame_count * sizeof(struct wb_frame) * 2 +
         (uint64_t)machine->stacks.capacity * sizeof *machine->stacks.nodes +
         wb_simt_pairs_bytes(&machine->stacks.names);
}

/* ---- abstract states: stacks ---- */

static bool copy(void *to, const void *from)
{
  return wb_stack_copy(to, from);
}

static bool covers(struct wb_simt_analysis *analysis, const void *large, const void *small)
{
  return wb_stack_covers(&analysis->sets, large, small);
}

static void clear(void *state)
{
  struct wb_stack *stack = state;
  free(stack->frames);
  *stack = (struct wb_stack){0};
}

/* "[node 3 at 12, waiters 2, agreement 5, lost 0; ...]". */
static void print(const struct wb_simt_analysis *analysis, const void *state, struct wb_text *text)
{
  const struct wb_stack *stack = state;
  const struct wb_stack_node *nodes = wb_stack_machine_of(analysis)->stacks.nodes;
  wb_text_string(text, "[");
  for (size_t f = 0; f < stack->count; f++) {
    const struct wb_frame *frame = &stack->frames[f];
    wb_text_format(text, "%snode %" PRIu32, f > 0 ? "; " : "", frame->node);
    if (frame->node >= WB_NODE_FIRST)
      wb_text_format(text, " at %" PRIu32, nodes[frame->node].point);
    wb_text_format(text, ", waiters %u, agreement %" PRIu32 ", lost %" PRIu32,
                   (unsigned)frame->waiters, frame->agreement, frame->lost);
  }
  wb_text_string(text, "]");
}

/* ---- instructions ---- */

static void begin(struct wb_simt_analysis *analysis)
{
  struct wb_stack *first = &wb_stack_machine_of(analysis)->next;
  const struct wb_simt_transition transition = {.kind = WB_EDGE_FALLTHROUGH,
                                                .continuation = WB_NOWHERE};
  if (wb_stack_push_start(analysis, first))
    wb_simt_emit(analysis, transition, (struct wb_simt_place){0, 0}, WB_REGISTERS_NONE, first);
}

static enum wb_simt_role role(const struct wb_instruction *instruction)
{
  if (instruction->never)
    return WB_ROLE_DATA;
  switch (instruction->transfer) {
  case WB_TRANSFER_NEXT:
  case WB_TRANSFER_CALL_OUTSIDE:
    return WB_ROLE_DATA;
  case WB_TRANSFER_PUSH:
    return wb_instruction_conditional(instruction) ? WB_ROLE_END : WB_ROLE_STEP;
  case WB_TRANSFER_INDEXED_BRANCH:
    return WB_ROLE_END_REPEAT;
  default:
    return WB_ROLE_END;
  }
}

static void wrote(struct wb_simt_analysis *analysis, uint32_t written)
{
  const struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_register_sets *sets = &analysis->sets;
  struct wb_stack *stack = analysis->block.abstract;
  const bool disjoint_known = !analysis->options.no_groups;
  for (size_t f = 0; f < stack->count; f++) {
    struct wb_frame *frame = &stack->frames[f];
    const bool apart = disjoint_known && machine->stacks.nodes[frame->node].token == WB_TOKEN_NONE;
    frame->lost = wb_register_sets_either(sets, frame->lost, written);
    if (frame->waiters == WB_WAITERS_NONE) /* its lanes are those that run */
      frame->agreement = analysis->block.agreement;
    else if (!apart)
      frame->agreement = wb_register_sets_without(sets, frame->agreement, written);
  }
  analysis->work += stack->count;
}

/* ---- indexed branches ---- */

/* Adds the frame of an entry at a point to `sides`. */
static bool add_side(struct wb_simt_analysis *analysis, uint32_t point,
                     const struct wb_stack *below, struct wb_stack *sides)
{
  struct wb_stack *next = &wb_stack_machine_of(analysis)->next;
  bool changed = false;
  const struct wb_stack_entry entry = {point, WB_TOKEN_NONE, false};
  if (!wb_stack_push(analysis, entry, true, below, next))
    return false;
  analysis->work += sides->count;
  return (wb_stack_join(&analysis->sets, sides, next, &changed) || wb_simt_no_memory(analysis)) &&
         wb_simt_go_on(analysis);
}

/* Some lanes go to one target; the others wait where they do the branch again or, where they
 * all go to one place too, there. `sides`: all that can wait. */
static void branch_indexed(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                           bool agrees)
{
  const struct wb_simt_block *block = &analysis->block;
  const uint32_t count = analysis->function->instructions[block->instruction].target_count;
  struct wb_stack sides = {0};
  bool go = true;
  if (!agrees) {
    go = add_side(analysis, block->instruction, stack, &sides);
    for (uint32_t t = 0; go && t < count; t++)
      go = add_side(analysis, wb_simt_block_target(analysis, t), stack, &sides);
  }
  for (uint32_t t = 0; go && t < count; t++) {
    const struct wb_simt_place place =
        wb_simt_block_place(analysis, wb_simt_block_target(analysis, t));
    wb_simt_go_to(analysis, WB_EDGE_BRANCH, place, stack);
    if (!agrees)
      wb_simt_go_to(analysis, WB_EDGE_BRANCH, place, &sides);
    go = wb_simt_go_on(analysis);
  }
  free(sides.frames);
}

/* ---- control ---- */

static struct wb_stack_entry token_of(const struct wb_simt_analysis *analysis,
                                      const struct wb_instruction *push)
{
  return (struct wb_stack_entry){wb_simt_block_target(analysis, 0), push->token, false};
}

static bool step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_stack *stack = analysis->block.abstract;
  struct wb_stack *next = &wb_stack_machine_of(analysis)->next;
  return wb_stack_push(analysis, token_of(analysis, instruction), false, stack, next) &&
         (wb_stack_copy(stack, next) || wb_simt_no_memory(analysis));
}

/* All lanes above the stack do the instruction. */
static void all_above_do(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction, const struct wb_stack *stack)
{
  const struct wb_stack_descent *descent = &wb_stack_machine_of(analysis)->descent;
  const bool conditional = wb_instruction_conditional(instruction);
  struct wb_stack *next = &wb_stack_machine_of(analysis)->next;
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    wb_simt_go_to(analysis, WB_EDGE_BRANCH,
                  wb_simt_block_place(analysis, wb_simt_block_target(analysis, 0)), stack);
    break;
  case WB_TRANSFER_INDEXED_BRANCH:
    branch_indexed(analysis, stack,
                   wb_simt_index_agrees(analysis->function, instruction, &analysis->block.agreed));
    break;
  case WB_TRANSFER_PUSH:
    if (wb_stack_push(analysis, token_of(analysis, instruction), conditional, stack, next))
      wb_simt_go_to(analysis, WB_EDGE_FALLTHROUGH, wb_simt_block_next(analysis), next);
    break;
  case WB_TRANSFER_CALL: {
    const uint32_t target = wb_simt_block_target(analysis, 0);
    const uint32_t context = wb_simt_block_callee(analysis, target);
    const struct wb_stack_entry entry = {analysis->block.instruction + 1, WB_TOKEN_RETURN, false};
    if (context != WB_NOWHERE && wb_stack_push(analysis, entry, conditional, stack, next))
      wb_simt_go_to(analysis, WB_EDGE_CALL, (struct wb_simt_place){target, context}, next);
    break;
  }
  case WB_TRANSFER_POP:
    wb_stack_all_leave(analysis, stack, instruction->token);
    if (analysis->record == NULL || analysis->status != WARPBOUND_OK || !descent->missing)
      break;
    if (descent->found)
      wb_simt_note(analysis, WB_NOTED_UNMATCHED);
    else
      wb_simt_refuse(analysis, analysis->block.instruction,
                     "expected a token that it waits for on the stack, found none");
    break;
  default: /* WB_TRANSFER_EXIT */
    wb_stack_all_leave(analysis, stack, WB_TOKEN_COUNT);
    break;
  }
}

static void all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  all_above_do(analysis, instruction, analysis->block.abstract);
}

/* Those that do not do it go on at once where those that do it leave, and else after them. */
static void some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const struct wb_stack *stack = analysis->block.abstract;
  struct wb_stack *side = &wb_stack_machine_of(analysis)->side;
  if (instruction->transfer == WB_TRANSFER_POP || instruction->transfer == WB_TRANSFER_EXIT) {
    const bool waits = instruction->transfer == WB_TRANSFER_POP;
    wb_stack_some_leave(analysis, stack, waits ? instruction->token : WB_TOKEN_COUNT, side);
    wb_simt_go_to(analysis, WB_EDGE_FALLTHROUGH, wb_simt_block_next(analysis), side);
    return;
  }
  const struct wb_stack_entry others = {analysis->block.instruction + 1, WB_TOKEN_NONE, true};
  if (wb_stack_push(analysis, others, true, stack, side))
    all_above_do(analysis, instruction, side);
}

/* ---- after the search ---- */

static void assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  const struct wb_function *function = analysis->function;
  struct wb_list *assumptions = &analysis->graph.assumptions;
  struct wb_address_list unmatched = {0};
  bool sides = false;
  for (size_t i = 0; i < function->instruction_count; i++) {
    sides = sides || (function->instructions[i].transfer == WB_TRANSFER_BRANCH &&
                      (record->notes[i] & WB_NOTED_DIVERGENT) != 0);
    if ((record->notes[i] & WB_NOTED_UNMATCHED) != 0)
      wb_address_list_add(&unmatched, function->instructions[i].address);
  }
  if (sides)
    wb_list_add(assumptions, "of lanes that disagree on a branch, those that take it run first and "
                             "the others wait");
  if (unmatched.count > 0)
    wb_list_add(assumptions,
                "lanes come with their token on the stack, though the analysis cannot exclude "
                "that it is missing, to %s",
                wb_address_list_text(&unmatched));
}

static size_t continuation_count(const struct wb_simt_analysis *analysis)
{
  return wb_stack_machine_of(analysis)->stacks.count;
}

static bool continuation(const struct wb_simt_analysis *analysis, uint32_t number,
                         struct wb_warp_entry *entry)
{
  const struct wb_stack_node *node = &wb_stack_machine_of(analysis)->stacks.nodes[number];
  *entry = (struct wb_warp_entry){node->point, node->context, node->token, true};
  return number >= WB_NODE_FIRST;
}

/* Adds the nodes of a stack that were not met yet. */
static void add_nodes(const struct wb_stack *stack, bool *met, uint32_t *nodes, size_t *count)
{
  for (size_t f = 0; f < stack->count; f++) {
    const uint32_t node = stack->frames[f].node;
    if (!met[node])
      nodes[(*count)++] = node;
    met[node] = true;
  }
}

/* Whether some entry that is pushed in the body and goes on in the body can be on the stack at a
 * header. Linear in the stack graph, but for a search for the block of each entry. */
static bool leaves_behind(const struct wb_simt_analysis *analysis, const bool *headers,
                          const bool *body)
{
  const struct wb_stack_graph *stacks = &wb_stack_machine_of(analysis)->stacks;
  struct wb_arena arena = {0};
  bool *met = wb_arena_array(&arena, bool, stacks->count);
  uint32_t *nodes = wb_arena_array(&arena, uint32_t, stacks->count);
  bool left = arena.failed;
  size_t count = 0;
  for (size_t b = 0; !left && b < analysis->graph.block_count; b++) {
    if (headers[b])
      add_nodes(wb_simt_abstract_of(analysis, analysis->block_states[b]), met, nodes, &count);
  }
  for (size_t n = 0; !left && n < count; n++) {
    const struct wb_stack_node *node = &stacks->nodes[nodes[n]];
    const uint32_t maker = analysis->makers[nodes[n]];
    if (nodes[n] >= WB_NODE_FIRST && maker != WB_NOWHERE && body[maker]) {
      const uint32_t block = wb_block_that_begins(&analysis->graph, node->point, node->context);
      left = block != WB_NOWHERE && body[block];
    }
    add_nodes(&node->below, met, nodes, &count);
  }
  wb_arena_free(&arena);
  return left;
}

static const char *check(const struct wb_simt_analysis *analysis)
{
  const struct wb_stack_graph *stacks = &wb_stack_machine_of(analysis)->stacks;
  const char *broken = wb_stack_graph_check(&analysis->sets, stacks);
  for (size_t s = 0; broken == NULL && s < analysis->fixpoint.state_count; s++)
    broken = wb_stack_check(&analysis->sets, stacks, wb_simt_abstract_of(analysis, (uint32_t)s));
  return broken;
}

const struct wb_reconvergence wb_reconvergence_stack = {
    .name = "activation stack",
    .architectures = "Maxwell or Pascal",
    .state_size = sizeof(struct wb_stack),
    .refused_transfers = 1u << WB_TRANSFER_SCOPE_OPEN | 1u << WB_TRANSFER_SCOPE_SYNC |
                         1u << WB_TRANSFER_SCOPE_BREAK | 1u << WB_TRANSFER_WARP_SYNC |
                         1u << WB_TRANSFER_CALL_LINKED | 1u << WB_TRANSFER_RETURN_LINKED,
    .refusal = "expected code for Maxwell or Pascal, found an instruction of Volta and later",
    .start = start,
    .free = free_machine,
    .memory_used = memory_used,
    .copy = copy,
    .join = wb_stack_machine_join,
    .covers = covers,
    .clear = clear,
    .print = print,
    .role = role,
    .begin = begin,
    .wrote = wrote,
    .step = step,
    .all_do = all_do,
    .some_do = some_do,
    .assume = assume,
    .continuation_count = continuation_count,
    .continuation = continuation,
    .leaves_behind = leaves_behind,
    .check = check,
};
