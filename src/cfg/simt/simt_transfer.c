/* The successors of a state: its block's data instructions, then what its last instruction
 * does when all active lanes do it, when none does, and when some do. */
#include "cfg/simt/simt_engine.h"

#include <stdlib.h>
#include <string.h>

/* States, and 16 more for each instruction, beyond which there are no new contexts. */
#define CROWD 65536

/* Brings what the block's instructions have written so far to the stack. */
static void settle(struct wb_simt_analysis *analysis)
{
  struct wb_simt_here *here = &analysis->here;
  struct wb_register_sets *sets = &analysis->sets;
  if (analysis->options.agreement == WB_AGREEMENT_NONE)
    return;
  here->agreement = wb_register_sets_number(sets, &here->agreed);
  if (analysis->options.agreement != WB_AGREEMENT_ALL)
    return;
  const uint32_t written = wb_register_sets_number(sets, &here->written);
  const bool disjoint_known = !analysis->options.no_groups;
  for (size_t f = 0; f < here->stack.count; f++) {
    struct wb_frame *frame = &here->stack.frames[f];
    const bool apart = disjoint_known && analysis->stacks.nodes[frame->node].token == WB_TOKEN_NONE;
    frame->lost = wb_register_sets_either(sets, frame->lost, written);
    if (frame->waiters == WB_WAITERS_NONE) /* its lanes are the active ones */
      frame->agreement = here->agreement;
    else if (!apart)
      frame->agreement = wb_register_sets_without(sets, frame->agreement, written);
  }
  analysis->work += here->stack.count;
  memset(&here->written, 0, sizeof here->written);
}

static struct wb_simt_place place_of(const struct wb_simt_here *here, uint32_t instruction)
{
  return (struct wb_simt_place){instruction, here->context};
}

static void go_to(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                  struct wb_simt_place place, const struct wb_stack *stack)
{
  const struct wb_simt_way way = {.kind = (uint8_t)kind, .popped = WB_NOWHERE};
  wb_simt_emit(analysis, way, place, analysis->here.agreement, stack);
}

static void go_on(struct wb_simt_analysis *analysis, const struct wb_stack *stack)
{
  go_to(analysis, WB_EDGE_FALLTHROUGH, place_of(&analysis->here, analysis->here.instruction + 1),
        stack);
}

/* The frame of an entry when it is pushed: its lanes agree on what the active ones do. */
static struct wb_frame new_frame(const struct wb_simt_analysis *analysis, uint32_t node,
                                 uint8_t token)
{
  uint8_t waiters = token == WB_TOKEN_NONE ? WB_WAITERS_SOME : WB_WAITERS_NONE;
  if (analysis->options.no_groups)
    waiters = WB_WAITERS_UNKNOWN;
  const bool all = analysis->options.agreement == WB_AGREEMENT_ALL;
  return (struct wb_frame){.node = node,
                           .agreement = all ? analysis->here.agreement : WB_REGISTERS_NONE,
                           .lost = WB_REGISTERS_NONE,
                           .waiters = waiters};
}

/* Pushes an entry on `below`; *result, another stack, becomes that entry alone. divergent: some
 * executions of the instruction by active lanes do not push it. */
static bool push_on(struct wb_simt_analysis *analysis, struct wb_simt_entry entry, bool divergent,
                    const struct wb_stack *below, struct wb_stack *result)
{
  const uint32_t node = wb_simt_push(analysis, entry, below);
  if (node == WB_NOWHERE)
    return false;
  wb_simt_note_push(analysis, node, divergent);
  if (!wb_stack_reserve(result, 1))
    return wb_simt_no_memory(analysis);
  result->frames[0] = new_frame(analysis, node, entry.token);
  result->count = 1;
  return true;
}

static uint32_t target_of(const struct wb_simt_analysis *analysis, uint32_t which)
{
  const struct wb_function *function = analysis->function;
  return function->targets[function->instructions[analysis->here.instruction].first_target + which];
}

/* ---- indexed branches ---- */

/* Adds the frame of an entry at a point to `sides`. */
static bool add_side(struct wb_simt_analysis *analysis, uint32_t point,
                     const struct wb_stack *below, struct wb_stack *sides)
{
  bool changed = false;
  const struct wb_simt_entry entry = {point, WB_TOKEN_NONE, false};
  if (!push_on(analysis, entry, true, below, &analysis->next))
    return false;
  analysis->work += sides->count;
  return (wb_stack_join(&analysis->sets, sides, &analysis->next, &changed) ||
          wb_simt_no_memory(analysis)) &&
         wb_simt_go_on(analysis);
}

/* Some lanes go to one target; the others wait where they do the branch again or, where they
 * all go to one place too, there. `sides`: all that can wait. */
static void branch_indexed(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                           bool agrees)
{
  struct wb_simt_here *here = &analysis->here;
  const uint32_t count = analysis->function->instructions[here->instruction].target_count;
  struct wb_stack sides = {0};
  bool go = true;
  if (!agrees) {
    go = add_side(analysis, here->instruction, stack, &sides);
    for (uint32_t t = 0; go && t < count; t++)
      go = add_side(analysis, target_of(analysis, t), stack, &sides);
  }
  for (uint32_t t = 0; go && t < count; t++) {
    const struct wb_simt_place place = place_of(here, target_of(analysis, t));
    go_to(analysis, WB_EDGE_BRANCH, place, stack);
    if (!agrees)
      go_to(analysis, WB_EDGE_BRANCH, place, &sides);
    go = wb_simt_go_on(analysis);
  }
  free(sides.frames);
}

/* ---- control ---- */

/* What may be wrong with a control instruction that is reached; NULL for nothing. */
static const char *fault_of(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_VOLTA:
    return "convergence barriers, of Volta and later, are not supported yet";
  case WB_TRANSFER_UNSUPPORTED:
    return "this control instruction is not supported";
  case WB_TRANSFER_INDEXED_BRANCH:
    if (instruction->target_count == 0)
      return "its targets are not in the listing; give --targets ADDRESS=A,B,C";
    return NULL;
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_CALL:
  case WB_TRANSFER_PUSH:
    return instruction->target_count == 0 ? "expected a target, found none" : NULL;
  default:
    return NULL;
  }
}

static void call(struct wb_simt_analysis *analysis, bool conditional, const struct wb_stack *stack)
{
  struct wb_simt_here *here = &analysis->here;
  const uint32_t target = target_of(analysis, 0);
  const bool crowded = analysis->state_count > CROWD + analysis->function->instruction_count * 16;
  const uint32_t context = wb_simt_contexts_enter(
      &analysis->contexts, place_of(here, here->instruction), target, crowded);
  if (context == UINT32_MAX) {
    wb_simt_no_memory(analysis);
    return;
  }
  const struct wb_simt_entry entry = {here->instruction + 1, WB_TOKEN_RETURN, false};
  if (push_on(analysis, entry, conditional, stack, &analysis->next))
    go_to(analysis, WB_EDGE_CALL, (struct wb_simt_place){target, context}, &analysis->next);
}

/* Whether all lanes that do an indexed branch go to one target. */
static bool index_agrees(const struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction)
{
  bool agrees = true;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = analysis->function->spans[instruction->first_read + s];
    const bool guard = span.first == instruction->guard && span.count == 1;
    agrees = agrees && (guard || wb_register_set_has_span(&analysis->here.agreed, span));
  }
  return agrees || instruction->uniform;
}

static struct wb_simt_entry token_of(const struct wb_simt_analysis *analysis,
                                     const struct wb_instruction *push)
{
  return (struct wb_simt_entry){target_of(analysis, 0), push->token, false};
}

/* All lanes above the stack do the instruction. */
static void all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                   const struct wb_stack *stack)
{
  const bool conditional = wb_instruction_conditional(instruction);
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    go_to(analysis, WB_EDGE_BRANCH, place_of(&analysis->here, target_of(analysis, 0)), stack);
    break;
  case WB_TRANSFER_INDEXED_BRANCH:
    branch_indexed(analysis, stack, index_agrees(analysis, instruction));
    break;
  case WB_TRANSFER_PUSH:
    if (push_on(analysis, token_of(analysis, instruction), conditional, stack, &analysis->next))
      go_on(analysis, &analysis->next);
    break;
  case WB_TRANSFER_CALL:
    call(analysis, conditional, stack);
    break;
  case WB_TRANSFER_POP:
    wb_simt_all_leave(analysis, stack, instruction->token);
    break;
  default: /* WB_TRANSFER_EXIT */
    wb_simt_all_leave(analysis, stack, WB_TOKEN_COUNT);
    break;
  }
}

/* Some lanes do the instruction, the others go on at the next one: at once, where those that
 * do it leave, and else after them. */
static void some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_simt_here *here = &analysis->here;
  if (instruction->transfer == WB_TRANSFER_POP || instruction->transfer == WB_TRANSFER_EXIT) {
    const bool pop = instruction->transfer == WB_TRANSFER_POP;
    wb_simt_some_leave(analysis, &here->stack, pop ? instruction->token : WB_TOKEN_COUNT,
                       &analysis->side);
    go_on(analysis, &analysis->side);
    return;
  }
  const struct wb_simt_entry others = {here->instruction + 1, WB_TOKEN_NONE, true};
  if (push_on(analysis, others, true, &here->stack, &analysis->side))
    all_do(analysis, instruction, &analysis->side);
}

/* A control instruction that also writes: by which lanes, and what, is not looked into. */
static void lose_written(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction)
{
  struct wb_simt_here *here = &analysis->here;
  if (instruction->unknown)
    wb_register_set_add(&here->written, (struct wb_register_span){0, WB_REGISTER_COUNT});
  for (uint32_t s = 0; s < instruction->write_count; s++)
    wb_register_set_add(&here->written, analysis->function->spans[instruction->first_write + s]);
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    here->agreed.words[w] &= ~here->written.words[w];
  settle(analysis);
}

static void control(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_simt_here *here = &analysis->here;
  const char *fault = fault_of(instruction);
  if (fault != NULL) {
    wb_simt_refuse(analysis, here->instruction, fault);
    return;
  }
  const bool tested = instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
                      instruction->second_predicate;
  const bool agrees = !tested || instruction->uniform ||
                      wb_simt_condition_agrees(analysis->function, instruction, &here->agreed);
  if (instruction->unknown || instruction->write_count > 0)
    lose_written(analysis, instruction);
  const bool splits = !agrees || (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH &&
                                  !index_agrees(analysis, instruction));
  if (wb_instruction_conditional(instruction))
    wb_simt_note_condition(analysis, splits);
  analysis->walk.found = false;
  analysis->walk.missing = false;
  all_do(analysis, instruction, &here->stack);
  if (tested && analysis->status == WARPBOUND_OK)
    go_on(analysis, &here->stack);
  if (!agrees && analysis->status == WARPBOUND_OK)
    some_do(analysis, instruction);
}

/* ---- blocks ---- */

static bool enter(struct wb_simt_analysis *analysis, uint32_t state)
{
  const struct wb_simt_state *from = &analysis->states[state];
  struct wb_simt_here *here = &analysis->here;
  here->state = state;
  here->instruction = from->place.instruction;
  here->context = from->place.context;
  here->agreement = from->agreement;
  here->agreed = analysis->sets.sets[from->agreement];
  memset(&here->written, 0, sizeof here->written);
  return wb_stack_copy(&here->stack, &from->stack) || wb_simt_no_memory(analysis);
}

static bool push_unconditionally(struct wb_simt_analysis *analysis,
                                 const struct wb_instruction *instruction)
{
  const char *fault = fault_of(instruction);
  if (fault != NULL)
    return wb_simt_refuse(analysis, analysis->here.instruction, fault);
  settle(analysis);
  return push_on(analysis, token_of(analysis, instruction), false, &analysis->here.stack,
                 &analysis->next) &&
         (wb_stack_copy(&analysis->here.stack, &analysis->next) || wb_simt_no_memory(analysis));
}

void wb_simt_transfer(struct wb_simt_analysis *analysis, uint32_t state)
{
  const struct wb_function *function = analysis->function;
  struct wb_simt_here *here = &analysis->here;
  if (!enter(analysis, state))
    return;
  const bool tracked = analysis->options.agreement != WB_AGREEMENT_NONE;
  do {
    const struct wb_instruction *instruction = &function->instructions[here->instruction];
    wb_simt_note_instruction(analysis, here->instruction);
    analysis->work++;
    if (wb_simt_ends_block(instruction)) {
      settle(analysis);
      control(analysis, instruction);
      return;
    }
    if (instruction->transfer == WB_TRANSFER_PUSH && !instruction->never) {
      if (!push_unconditionally(analysis, instruction))
        return;
    } else if (tracked) {
      wb_simt_agreement_step(function, instruction, &here->agreed, &here->written);
    }
    here->instruction++;
  } while (here->instruction < function->instruction_count &&
           !analysis->layout.leaders[here->instruction]);
  settle(analysis);
  here->instruction--;
  const struct wb_simt_way way = {.kind = WB_EDGE_FALLTHROUGH, .popped = WB_NOWHERE, .plain = true};
  wb_simt_emit(analysis, way, place_of(here, here->instruction + 1), here->agreement, &here->stack);
}
