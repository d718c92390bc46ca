#include "cfg/simt/simt_engine.h"

#include "base/text.h"

#define POLL_EVERY 65536 /* steps of work */

bool wb_simt_no_memory(struct wb_simt_analysis *analysis)
{
  if (analysis->status == WARPBOUND_OK)
    analysis->status = wb_out_of_memory(analysis->error);
  return false;
}

bool wb_simt_refuse(struct wb_simt_analysis *analysis, uint32_t instruction, const char *why)
{
  const struct wb_instruction *at = &analysis->function->instructions[instruction];
  const bool missing = at->transfer == WB_TRANSFER_INDEXED_BRANCH && at->target_count == 0;
  const warpbound_status status = missing ? WARPBOUND_FACTS_MISSING : WARPBOUND_INVALID_INPUT;
  if (analysis->status == WARPBOUND_OK)
    analysis->status =
        wb_fail_at(analysis->error, status, analysis->code->name, at->line, at->column,
                   "%s: %s%s%s at 0x%04x: %s", analysis->function->name, at->opcode,
                   at->unknown ? " " : "", at->unknown ? at->operands : "", at->address, why);
  return false;
}

static bool limit(struct wb_simt_analysis *analysis, const char *which)
{
  if (analysis->status == WARPBOUND_OK)
    analysis->status =
        wb_fail(analysis->error, WARPBOUND_LIMIT, "%s: %s", analysis->function->name, which);
  return false;
}

/* Bytes of all that grows with the states found. Notes count twice: while an array grows both the
 * old and the new one are there. */
static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  return analysis->mechanism->memory_used(analysis) + analysis->noted * 2 +
         (uint64_t)fixpoint->state_capacity * sizeof *fixpoint->states +
         (uint64_t)fixpoint->abstract_capacity * analysis->mechanism->state_size +
         (uint64_t)fixpoint->cell_capacity * sizeof *fixpoint->first_dependents +
         (uint64_t)analysis->sets.capacity * sizeof *analysis->sets.sets +
         (uint64_t)fixpoint->dependent_capacity * sizeof *fixpoint->dependents +
         (uint64_t)(fixpoint->places.capacity + fixpoint->dependences.capacity) *
             sizeof *fixpoint->places.places;
}

bool wb_simt_go_on(struct wb_simt_analysis *analysis)
{
  if (analysis->sets.failed)
    wb_simt_no_memory(analysis);
  if (analysis->status != WARPBOUND_OK)
    return false;
  if (memory_used(analysis) > analysis->control->memory_limit)
    return limit(analysis, "the memory limit was reached in the control-flow analysis");
  if (analysis->work - analysis->polled < POLL_EVERY)
    return true;
  analysis->polled = analysis->work;
  switch (wb_control_poll(analysis->control, "control flow", 0)) {
  case WB_STOP_NONE:
    return true;
  case WB_STOP_TIME:
    return limit(analysis, "the time limit was reached in the control-flow analysis");
  default:
    return limit(analysis, "interrupted in the control-flow analysis");
  }
}

void wb_simt_violated(struct wb_simt_analysis *analysis, const char *what)
{
  const struct wb_simt_block *block = &analysis->block;
  if (analysis->violation == NULL || analysis->violation->length > 0)
    return;
  wb_text_format(analysis->violation, "instruction %u in context %u: %s: ", block->instruction,
                 block->context, what);
  analysis->mechanism->print(analysis, block->abstract, analysis->violation);
}
