#include "cfg/simt/simt_block.h"

#include "cfg/simt/simt_fixpoint.h"

#include <string.h>

/* States, and states for each instruction, beyond which calls enter no context of their own. */
#define CONTEXT_STATE_LIMIT ((size_t)65536)
#define CONTEXT_STATES_PER_INSTRUCTION ((size_t)16)

bool wb_simt_block_enter(struct wb_simt_analysis *analysis, uint32_t state)
{
  const struct wb_simt_state *from = &analysis->fixpoint.states[state];
  struct wb_simt_block *block = &analysis->block;
  block->state = state;
  block->instruction = from->place.instruction;
  block->context = from->place.context;
  block->agreement = from->agreement;
  block->splits = false;
  block->agreed = analysis->sets.sets[from->agreement];
  memset(&block->written, 0, sizeof block->written);
  return analysis->mechanism->copy(block->abstract, wb_simt_abstract_of(analysis, state)) ||
         wb_simt_no_memory(analysis);
}

void wb_simt_block_settle(struct wb_simt_analysis *analysis)
{
  struct wb_simt_block *block = &analysis->block;
  const bool groups = analysis->mechanism->groups;
  if (analysis->options.agreement == WB_AGREEMENT_NONE && !groups)
    return;
  if (analysis->options.agreement == WB_AGREEMENT_NONE)
    memset(&block->agreed, 0, sizeof block->agreed);
  else if (groups)
    wb_register_set_add(&block->agreed, analysis->mechanism->always_agree);
  block->agreement = wb_register_sets_number(&analysis->sets, &block->agreed);
  if (analysis->options.agreement == WB_AGREEMENT_ALL || groups)
    analysis->mechanism->wrote(analysis, wb_register_sets_number(&analysis->sets, &block->written));
  memset(&block->written, 0, sizeof block->written);
}

struct wb_simt_place wb_simt_block_place(const struct wb_simt_analysis *analysis,
                                         uint32_t instruction)
{
  return (struct wb_simt_place){instruction, analysis->block.context};
}

uint32_t wb_simt_block_target(const struct wb_simt_analysis *analysis, uint32_t which)
{
  const struct wb_function *function = analysis->function;
  const uint32_t instruction = analysis->block.instruction;
  return function->targets[function->instructions[instruction].first_target + which];
}

uint32_t wb_simt_block_callee(struct wb_simt_analysis *analysis, uint32_t target)
{
  const size_t most =
      CONTEXT_STATE_LIMIT + analysis->function->instruction_count * CONTEXT_STATES_PER_INSTRUCTION;
  const uint32_t context = wb_simt_contexts_enter(
      &analysis->contexts, wb_simt_block_place(analysis, analysis->block.instruction), target,
      analysis->fixpoint.state_count > most);
  if (context == UINT32_MAX)
    wb_simt_no_memory(analysis);
  return context;
}

void wb_simt_go_to(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                   struct wb_simt_place place, const struct wb_abstract_state *abstract)
{
  const struct wb_simt_transition transition = {.kind = (uint8_t)kind,
                                                .rate = analysis->block.splits ? WB_RATE_EACH
                                                                               : WB_RATE_SHARED,
                                                .continuation = WB_NOWHERE};
  wb_simt_emit(analysis, transition, place, analysis->block.agreement, abstract);
}

void wb_simt_go_to_next(struct wb_simt_analysis *analysis, const struct wb_abstract_state *abstract)
{
  wb_simt_go_to(analysis, WB_EDGE_FALLTHROUGH,
                wb_simt_block_place(analysis, analysis->block.instruction + 1), abstract);
}
