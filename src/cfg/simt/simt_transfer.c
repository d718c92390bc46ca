#include "cfg/simt/simt_transfer.h"

#include "cfg/agreement/lane_agreement.h"
#include "cfg/simt/simt_block.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/simt/simt_record.h"

/* Why a control instruction that is reached cannot be analysed; NULL for no reason. */
static const char *fault_of(const struct wb_simt_analysis *analysis,
                            const struct wb_instruction *instruction)
{
  if (instruction->unknown && instruction->transfer == WB_TRANSFER_UNSUPPORTED)
    return "it is not known where lanes go from there";
  switch (instruction->transfer) {
  case WB_TRANSFER_UNSUPPORTED:
  case WB_TRANSFER_INDIRECT_BRANCH: /* of PTX, which is analysed elsewhere, as the next three */
  case WB_TRANSFER_CALL_FUNCTION:
  case WB_TRANSFER_CALL_INDIRECT:
  case WB_TRANSFER_RETURN:
    return "this control instruction is not supported";
  case WB_TRANSFER_INDEXED_BRANCH:
    if (instruction->target_count == 0)
      return "its targets are not in the listing; give --targets ADDRESS=A,B,C";
    break;
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_CALL:
  case WB_TRANSFER_PUSH:
    if (instruction->target_count == 0)
      return "expected a target, found none";
    break;
  default:
    break;
  }
  return analysis->mechanism->fault(instruction);
}

static bool refused(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const char *fault = fault_of(analysis, instruction);
  return fault != NULL && !wb_simt_refuse(analysis, analysis->block.instruction, fault);
}

/* A control instruction that also writes: by which lanes, and what, is not looked into. */
static void lose_written(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction)
{
  struct wb_simt_block *block = &analysis->block;
  if (instruction->unknown)
    wb_register_set_add(&block->written, (struct wb_register_span){0, WB_REGISTER_COUNT});
  for (uint32_t s = 0; s < instruction->write_count; s++)
    wb_register_set_add(&block->written, analysis->function->spans[instruction->first_write + s]);
  for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
    block->agreed.words[w] &= ~block->written.words[w];
  wb_simt_block_settle(analysis);
}

/* The instruction that ends the block. */
static void control(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  struct wb_simt_block *block = &analysis->block;
  if (refused(analysis, instruction))
    return;
  const bool tested = instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
                      instruction->second_predicate || instruction->together;
  const bool agrees = !tested || instruction->uniform ||
                      wb_simt_condition_agrees(analysis->function, instruction, &block->agreed);
  if (instruction->unknown || instruction->write_count > 0)
    lose_written(analysis, instruction);
  block->splits =
      !agrees || (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH &&
                  !wb_simt_index_agrees(analysis->function, instruction, &block->agreed));
  if (wb_instruction_conditional(instruction))
    wb_simt_note(analysis,
                 block->splits ? WB_NOTED_CONDITIONAL | WB_NOTED_DIVERGENT : WB_NOTED_CONDITIONAL);
  mechanism->all_do(analysis, instruction);
  if (tested && analysis->status == WARPBOUND_OK)
    mechanism->none_do(analysis, instruction);
  if (!agrees && analysis->status == WARPBOUND_OK)
    mechanism->some_do(analysis, instruction);
}

static bool step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  if (refused(analysis, instruction))
    return false;
  wb_simt_block_settle(analysis);
  return analysis->mechanism->step(analysis, instruction);
}

void wb_simt_transfer(struct wb_simt_analysis *analysis, uint32_t state)
{
  const struct wb_function *function = analysis->function;
  const struct wb_simt_layout *layout = &analysis->layout;
  struct wb_simt_block *block = &analysis->block;
  if (!wb_simt_block_enter(analysis, state))
    return;
  const bool tracked =
      analysis->options.agreement != WB_AGREEMENT_NONE || analysis->mechanism->groups;
  do {
    const struct wb_instruction *instruction = &function->instructions[block->instruction];
    const uint8_t role = layout->roles[block->instruction];
    wb_simt_note_instruction(analysis, block->instruction);
    analysis->work++;
    if (role >= WB_ROLE_END) {
      wb_simt_block_settle(analysis);
      control(analysis, instruction);
      return;
    }
    if (role == WB_ROLE_STEP) {
      if (!step(analysis, instruction))
        return;
    } else if (tracked) {
      wb_simt_agreement_step(function, instruction, &block->agreed, &block->written);
    }
    block->instruction++;
  } while (block->instruction < function->instruction_count &&
           !layout->leaders[block->instruction]);
  wb_simt_block_settle(analysis);
  block->instruction--;
  const struct wb_simt_transition transition = {
      .kind = WB_EDGE_FALLTHROUGH, .continuation = WB_NOWHERE, .plain = true};
  wb_simt_emit(analysis, transition, wb_simt_block_place(analysis, block->instruction + 1),
               block->agreement, block->abstract);
}
