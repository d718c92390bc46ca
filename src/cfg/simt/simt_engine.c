/* The passes over the states of the fixpoint, and the block of one state: its data instructions,
 * then what its last instruction does when all lanes that run do it, when none does, and when some
 * do. */
#include "cfg/simt/simt_engine.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define POLL_EVERY 65536 /* steps of work */

/* ---- failing ---- */

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

static bool stop(struct wb_simt_analysis *analysis, const char *why)
{
  analysis->status = wb_fail(analysis->error, WARPBOUND_LIMIT,
                             "%s: %s in the control-flow analysis", analysis->function->name, why);
  return false;
}

bool wb_simt_go_on(struct wb_simt_analysis *analysis)
{
  const struct wb_simt_fixpoint *fixpoint = &analysis->fixpoint;
  if (analysis->sets.failed)
    wb_simt_no_memory(analysis);
  if (analysis->status != WARPBOUND_OK)
    return false;
  /* Bytes of all that grows with the states found. Notes count twice: while an array grows both
   * the old and the new one are there. */
  const uint64_t memory =
      analysis->mechanism->memory_used(analysis) + analysis->noted * 2 +
      (uint64_t)fixpoint->state_capacity * sizeof *fixpoint->states +
      (uint64_t)fixpoint->abstract_capacity * analysis->mechanism->state_size +
      (uint64_t)fixpoint->cell_capacity * sizeof *fixpoint->first_dependences +
      (uint64_t)fixpoint->dependence_capacity * sizeof *fixpoint->next_dependences +
      (uint64_t)analysis->sets.capacity * sizeof *analysis->sets.sets +
      wb_simt_pairs_bytes(&fixpoint->places) + wb_simt_pairs_bytes(&fixpoint->dependences);
  if (memory > analysis->control->memory_limit)
    return stop(analysis, "the memory limit was reached");
  if (analysis->work - analysis->polled < POLL_EVERY)
    return true;
  analysis->polled = analysis->work;
  switch (wb_control_poll(analysis->control, "control flow", 0)) {
  case WB_STOP_NONE:
    return true;
  case WB_STOP_TIME:
    return stop(analysis, "the time limit was reached");
  default:
    return stop(analysis, "interrupted");
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

/* ---- the block that is being done ---- */

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

struct wb_simt_place wb_simt_block_next(const struct wb_simt_analysis *analysis)
{
  return wb_simt_block_place(analysis, analysis->block.instruction + 1);
}

uint32_t wb_simt_block_target(const struct wb_simt_analysis *analysis, uint32_t which)
{
  const struct wb_function *function = analysis->function;
  const uint32_t instruction = analysis->block.instruction;
  return function->targets[function->instructions[instruction].first_target + which];
}

void wb_simt_go_to(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                   struct wb_simt_place place, const void *abstract)
{
  const struct wb_simt_transition transition = {.kind = (uint8_t)kind,
                                                .rate = analysis->block.splits ? WB_RATE_EACH
                                                                               : WB_RATE_SHARED,
                                                .continuation = WB_NOWHERE};
  wb_simt_emit(analysis, transition, place, analysis->block.agreement, abstract);
}

/* ---- its instructions ---- */

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
  const bool refused = (analysis->mechanism->refused_transfers >> instruction->transfer & 1) != 0;
  return refused ? analysis->mechanism->refusal : NULL;
}

static bool refused(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const char *fault = fault_of(analysis, instruction);
  return fault != NULL && !wb_simt_refuse(analysis, analysis->block.instruction, fault);
}

/* The instruction that ends the block. */
static void control(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  const struct wb_function *function = analysis->function;
  struct wb_simt_block *block = &analysis->block;
  if (refused(analysis, instruction))
    return;
  const bool tested = instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
                      instruction->second_predicate || instruction->together;
  const bool agrees = !tested || instruction->uniform ||
                      wb_simt_condition_agrees(function, instruction, &block->agreed);
  if (instruction->unknown || instruction->write_count > 0) {
    /* It also writes: by which lanes, and what, is not looked into. */
    if (instruction->unknown)
      wb_register_set_add(&block->written, (struct wb_register_span){0, WB_AGREEMENT_COUNT});
    for (uint32_t s = 0; s < instruction->write_count; s++)
      wb_register_set_add_written(&block->written, function,
                                  function->spans[instruction->first_write + s]);
    for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
      block->agreed.words[w] &= ~block->written.words[w];
    wb_simt_block_settle(analysis);
  }
  block->splits = !agrees || (wb_instruction_chooses(instruction) &&
                              !wb_simt_index_agrees(function, instruction, &block->agreed));
  if (wb_instruction_conditional(instruction))
    wb_simt_note(analysis,
                 block->splits ? WB_NOTED_CONDITIONAL | WB_NOTED_DIVERGENT : WB_NOTED_CONDITIONAL);
  mechanism->all_do(analysis, instruction);
  if (tested && analysis->status == WARPBOUND_OK) {
    if (mechanism->none_do != NULL)
      mechanism->none_do(analysis, instruction);
    else
      wb_simt_go_to(analysis, WB_EDGE_FALLTHROUGH, wb_simt_block_next(analysis), block->abstract);
  }
  if (!agrees && mechanism->some_do != NULL && analysis->status == WARPBOUND_OK)
    mechanism->some_do(analysis, instruction);
}

/* Does the block of a state. Linear in its length, besides what the mechanism does. */
static void transfer(struct wb_simt_analysis *analysis, uint32_t state)
{
  const struct wb_function *function = analysis->function;
  const struct wb_simt_layout *layout = &analysis->layout;
  const struct wb_simt_state *from = &analysis->fixpoint.states[state];
  struct wb_simt_block *block = &analysis->block;
  *block = (struct wb_simt_block){.state = state,
                                  .instruction = from->place.instruction,
                                  .context = from->place.context,
                                  .agreed = analysis->sets.sets[from->agreement],
                                  .agreement = from->agreement,
                                  .abstract = block->abstract};
  if (!analysis->mechanism->copy(block->abstract, wb_simt_abstract_of(analysis, state))) {
    wb_simt_no_memory(analysis);
    return;
  }
  const bool tracked =
      analysis->options.agreement != WB_AGREEMENT_NONE || analysis->mechanism->groups;
  do {
    const struct wb_instruction *instruction = &function->instructions[block->instruction];
    const uint8_t role = layout->roles[block->instruction];
    wb_simt_note(analysis, WB_NOTED_REACHED);
    if (analysis->record != NULL)
      analysis->record->last[state] = block->instruction;
    analysis->work++;
    if (role >= WB_ROLE_END) {
      wb_simt_block_settle(analysis);
      control(analysis, instruction);
      return;
    }
    if (role == WB_ROLE_STEP) {
      if (refused(analysis, instruction))
        return;
      wb_simt_block_settle(analysis);
      if (!analysis->mechanism->step(analysis, instruction))
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
      .kind = WB_EDGE_FALLTHROUGH,
      .continuation = WB_NOWHERE,
      .plain = !wb_instruction_is_cut(function, block->instruction)};
  wb_simt_emit(analysis, transition, wb_simt_block_next(analysis), block->agreement,
               block->abstract);
}

/* ---- passes ---- */

bool wb_simt_start(struct wb_simt_analysis *analysis)
{
  analysis->block.abstract = wb_allocate(1, analysis->mechanism->state_size);
  return (analysis->block.abstract != NULL && wb_simt_fixpoint_start(analysis) &&
          wb_register_sets_start(&analysis->sets) && analysis->mechanism->start(analysis)) ||
         wb_simt_no_memory(analysis);
}

bool wb_simt_search(struct wb_simt_analysis *analysis)
{
  analysis->mechanism->begin(analysis);
  while (wb_simt_go_on(analysis)) {
    const uint32_t state = wb_simt_next(analysis);
    if (state == WB_NOWHERE)
      return true;
    transfer(analysis, state);
  }
  return false;
}

static void transfer_all(struct wb_simt_analysis *analysis)
{
  for (size_t s = 0; s < analysis->fixpoint.state_count && wb_simt_go_on(analysis); s++)
    transfer(analysis, (uint32_t)s);
}

void wb_simt_check(struct wb_simt_analysis *analysis, struct wb_text *violation)
{
  const char *broken = wb_register_sets_check(&analysis->sets);
  if (broken == NULL)
    broken = wb_simt_contexts_check(&analysis->contexts, &analysis->options);
  if (broken == NULL)
    broken = analysis->mechanism->check(analysis);
  if (broken != NULL) {
    wb_text_string(violation, broken);
    return;
  }
  analysis->violation = violation;
  analysis->mechanism->begin(analysis);
  transfer_all(analysis);
  analysis->violation = NULL;
}

bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  const size_t states = analysis->fixpoint.state_count;
  record->notes = wb_arena_array(&record->arena, uint8_t, analysis->function->instruction_count);
  record->ends = wb_arena_array(&record->arena, bool, states);
  record->last = wb_arena_array(&record->arena, uint32_t, states);
  if (record->arena.failed)
    return wb_simt_no_memory(analysis);
  analysis->record = record;
  transfer_all(analysis);
  analysis->record = NULL;
  return analysis->status == WARPBOUND_OK;
}

void wb_simt_record_free(struct wb_simt_record *record)
{
  free(record->edges);
  free(record->makings);
  free(record->matches);
  wb_arena_free(&record->arena);
  *record = (struct wb_simt_record){0};
}

void wb_simt_end_search(struct wb_simt_analysis *analysis)
{
  if (analysis->block.abstract != NULL)
    analysis->mechanism->clear(analysis->block.abstract);
  free(analysis->block.abstract);
  analysis->block.abstract = NULL;
  wb_simt_fixpoint_end_search(analysis);
  wb_register_sets_free(&analysis->sets);
}

void wb_simt_free(struct wb_simt_analysis *analysis)
{
  wb_simt_end_search(analysis);
  wb_simt_fixpoint_free(analysis);
  analysis->mechanism->free(analysis);
  wb_warp_graph_free(&analysis->graph);
}
