/* The effect of instructions on the abstract stack when all active lanes do them, and when some do.
 */
#include "cfg/reconvergence_stack/stack_machine.h"

#include "cfg/agreement/lane_agreement.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

#include <stdlib.h>

enum wb_simt_role wb_stack_role(const struct wb_instruction *instruction)
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

void wb_stack_wrote(struct wb_simt_analysis *analysis, uint32_t written)
{
  const struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_register_sets *sets = &analysis->sets;
  struct wb_stack *stack = wb_stack_of_block(analysis);
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
    wb_simt_go_to(analysis, WB_EDGE_BRANCH, place, wb_stack_as_state(stack));
    if (!agrees)
      wb_simt_go_to(analysis, WB_EDGE_BRANCH, place, wb_stack_as_state(&sides));
    go = wb_simt_go_on(analysis);
  }
  free(sides.frames);
}

/* ---- control ---- */

/* Lanes wait for a token: notes, and refuses, what finds none. */
static void pop(struct wb_simt_analysis *analysis, const struct wb_stack *stack, uint8_t token)
{
  const struct wb_stack_descent *descent = &wb_stack_machine_of(analysis)->descent;
  wb_stack_all_leave(analysis, stack, token);
  if (analysis->record == NULL || analysis->status != WARPBOUND_OK || !descent->missing)
    return;
  if (descent->found)
    wb_simt_note(analysis, WB_NOTED_UNMATCHED);
  else
    wb_simt_refuse(analysis, analysis->block.instruction,
                   "expected a token that it waits for on the stack, found none");
}

static struct wb_stack_entry token_of(const struct wb_simt_analysis *analysis,
                                      const struct wb_instruction *push)
{
  return (struct wb_stack_entry){wb_simt_block_target(analysis, 0), push->token, false};
}

bool wb_stack_step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_stack *stack = wb_stack_of_block(analysis);
  struct wb_stack *next = &wb_stack_machine_of(analysis)->next;
  return wb_stack_push(analysis, token_of(analysis, instruction), false, stack, next) &&
         (wb_stack_copy(stack, next) || wb_simt_no_memory(analysis));
}

/* All lanes above the stack do the instruction. */
static void all_above_do(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction, const struct wb_stack *stack)
{
  const bool conditional = wb_instruction_conditional(instruction);
  struct wb_stack *next = &wb_stack_machine_of(analysis)->next;
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    wb_simt_go_to(analysis, WB_EDGE_BRANCH,
                  wb_simt_block_place(analysis, wb_simt_block_target(analysis, 0)),
                  wb_stack_as_state(stack));
    break;
  case WB_TRANSFER_INDEXED_BRANCH:
    branch_indexed(analysis, stack,
                   wb_simt_index_agrees(analysis->function, instruction, &analysis->block.agreed));
    break;
  case WB_TRANSFER_PUSH:
    if (wb_stack_push(analysis, token_of(analysis, instruction), conditional, stack, next))
      wb_simt_go_to_next(analysis, wb_stack_as_state(next));
    break;
  case WB_TRANSFER_CALL: {
    const uint32_t target = wb_simt_block_target(analysis, 0);
    const uint32_t context = wb_simt_block_callee(analysis, target);
    const struct wb_stack_entry entry = {analysis->block.instruction + 1, WB_TOKEN_RETURN, false};
    if (context != WB_NOWHERE && wb_stack_push(analysis, entry, conditional, stack, next))
      wb_simt_go_to(analysis, WB_EDGE_CALL, (struct wb_simt_place){target, context},
                    wb_stack_as_state(next));
    break;
  }
  case WB_TRANSFER_POP:
    pop(analysis, stack, instruction->token);
    break;
  default: /* WB_TRANSFER_EXIT */
    wb_stack_all_leave(analysis, stack, WB_TOKEN_COUNT);
    break;
  }
}

void wb_stack_all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  all_above_do(analysis, instruction, wb_stack_of_block(analysis));
}

void wb_stack_none_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  (void)instruction;
  wb_simt_go_to_next(analysis, analysis->block.abstract);
}

/* Those that do not do it go on at once where those that do it leave, and else after them. */
void wb_stack_some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const struct wb_stack *stack = wb_stack_of_block(analysis);
  struct wb_stack *side = &wb_stack_machine_of(analysis)->side;
  if (instruction->transfer == WB_TRANSFER_POP || instruction->transfer == WB_TRANSFER_EXIT) {
    const bool waits = instruction->transfer == WB_TRANSFER_POP;
    wb_stack_some_leave(analysis, stack, waits ? instruction->token : WB_TOKEN_COUNT, side);
    wb_simt_go_to_next(analysis, wb_stack_as_state(side));
    return;
  }
  const struct wb_stack_entry others = {analysis->block.instruction + 1, WB_TOKEN_NONE, true};
  if (wb_stack_push(analysis, others, true, stack, side))
    all_above_do(analysis, instruction, side);
}
