/* What calls cost: called functions, and code that is not shown. */
#include "analysis/wcet/wcet_steps.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

warpbound_status wb_callees_make(struct wb_callees *callees, const struct wb_code *code,
                                 warpbound_error *error)
{
  *callees = (struct wb_callees){
      .code = code, .callees = wb_allocate(code->function_count, sizeof *callees->callees)};
  return callees->callees != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_callees_free(struct wb_callees *callees)
{
  for (size_t f = 0; callees->callees != NULL && f < callees->code->function_count; f++) {
    wb_list_free(&callees->callees[f].assumptions);
    wb_estimate_free(&callees->callees[f].estimate);
  }
  free(callees->callees);
  *callees = (struct wb_callees){0};
}

/* The function of the listing that the call enters, for the same architecture; SIZE_MAX for none.
 */
static size_t find_callee(const struct wb_wcet_analysis *analysis, const char *name)
{
  const struct wb_code *code = analysis->wcet->code;
  for (size_t f = 0; name != NULL && f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    bool called = strcmp(function->name, name) == 0;
    for (size_t s = 0; s < function->symbol_count && !called; s++)
      called = function->symbols[s].index == 0 && strcmp(function->symbols[s].name, name) == 0;
    if (called && function->sm == analysis->wcet->function->sm)
      return f;
  }
  return SIZE_MAX;
}

/* Whether lanes that call the function together may return in several groups: they may come apart
 * in it, and nothing shows that one group returns for each call. */
static bool returns_apart(const struct wb_warp_graph *graph)
{
  size_t count = 0;
  bool one = true;
  if (!graph->groups || graph->divergence_point_count == 0)
    return false;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    const struct wb_instruction *last = &graph->function->instructions[graph->blocks[b].last];
    if (!graph->ends[b] || last->transfer == WB_TRANSFER_EXIT)
      continue;
    count++;
    one = one && !graph->several[b] && graph->innermost_scopes[b] == UINT32_MAX;
  }
  return count > 1 || !one;
}

/* A function that cannot be analysed counts as one that is not there; facts that are wrong of it
 * are refused as those of the kernel are. */
static warpbound_status analyse_callee(struct wb_wcet_analysis *analysis, size_t index)
{
  struct wb_callee *callee = &analysis->callees->callees[index];
  struct wb_wcet_options options = *analysis->options;
  struct wb_wcet wcet;
  options.file = NULL;
  options.refinement = NULL;
  callee->state = WB_CALLEE_PENDING;
  analysis->callees->depth++;
  const warpbound_status status =
      wb_wcet_analyse_within(&analysis->callees->code->functions[index], &options,
                             analysis->control, analysis->callees, &wcet, analysis->error);
  analysis->callees->depth--;
  callee->state = WB_CALLEE_REFUSED;
  if (status == WARPBOUND_OK) {
    callee->state = WB_CALLEE_KNOWN;
    callee->apart = returns_apart(wcet.flow.graph);
    callee->cycles = wcet.ipet.proof.bound;
    wb_estimate_add_all(&callee->estimate, &wcet.estimate, NULL);
    wb_list_add_all(&callee->assumptions, &wcet.assumptions);
  }
  wb_wcet_free(&wcet);
  return status == WARPBOUND_INVALID_INPUT && !analysis->callees->facts_refused ? WARPBOUND_OK
                                                                                : status;
}

static warpbound_status count_call(struct wb_wcet_analysis *analysis, uint32_t index,
                                   const struct wb_callee *callee)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (!wb_add_signed(wcet->cycles[index], callee->cycles, &wcet->cycles[index]))
    return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                   "the cycles of a call do not fit into 64 bits");
  const struct wb_instruction *call = &wcet->function->instructions[index];
  wb_estimate_add_all(&wcet->estimate, &callee->estimate, call->callee);
  if (callee->apart)
    wb_estimate_because_of(&wcet->estimate, "call-returns-apart", wcet->code, call,
                           "let its lanes come together before they return, or compile the "
                           "function into the kernel (__forceinline__)",
                           "nothing shows that all lanes return from %.200s together, and what "
                           "follows runs once for each group of them",
                           call->callee);
  if (wcet->calls == NULL)
    wcet->calls = call;
  wb_list_add(&wcet->assumptions,
              "a call of %.200s, in a section of its own, costs its WCET by itself: %" PRId64
              " cycles",
              call->callee, callee->cycles);
  wb_list_add_all(&wcet->assumptions, &callee->assumptions);
  return WARPBOUND_OK;
}

/* The cost of code that is called and not in the listing, or cannot be analysed by itself, is in no
 * number. found: it is in the listing. */
static void leave_out(struct wb_wcet_analysis *analysis, const struct wb_instruction *what,
                      bool found)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (what->callee == NULL)
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what,
                           "give a file that holds all code that is called, or say where the call "
                           "may go (--targets)",
                           "what it calls is not known, so that its time is in no number");
  else if (!found)
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what,
                           "give the linked program, where that holds it; what only the driver has "
                           "(vprintf) is in no file: leave the call out",
                           "it calls %.200s, which is not in the file, so that its time is in no "
                           "number",
                           what->callee);
  else
    wb_estimate_because_of(&wcet->estimate, "call-not-analysed", wcet->code, what,
                           "mend what `warpbound wcet --kernel` says of that function; recursion "
                           "has no bound",
                           "it calls %.200s, which cannot be analysed by itself, so that its time "
                           "is in no number",
                           what->callee);
  wb_list_add(
      &wcet->assumptions,
      "the time of code that is called and not in the listing counts as that of the calling "
      "instruction: the result is an estimate");
  if (what->callee != NULL)
    wb_list_add(&wcet->assumptions, "not counted: %.200s", what->callee);
}

static warpbound_status count_instruction(struct wb_wcet_analysis *analysis, uint32_t index)
{
  const struct wb_instruction *what = &analysis->wcet->function->instructions[index];
  struct wb_callees *callees = analysis->callees;
  if ((!what->outside && what->transfer != WB_TRANSFER_CALL_OUTSIDE) || what->never)
    return WARPBOUND_OK;
  const size_t found = find_callee(analysis, what->callee);
  const bool asked = found != SIZE_MAX && !analysis->options->free_reactivations;
  warpbound_status status = WARPBOUND_OK;
  if (asked && callees->callees[found].state == WB_CALLEE_NEW &&
      callees->depth < WB_CALL_DEPTH_LIMIT)
    status = analyse_callee(analysis, found);
  if (status != WARPBOUND_OK)
    return status;
  if (asked && callees->callees[found].state == WB_CALLEE_KNOWN)
    return count_call(analysis, index, &callees->callees[found]);
  leave_out(analysis, what, found != SIZE_MAX);
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_count_calls(struct wb_wcet_analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->wcet->graph;
  bool *counted = wb_allocate(analysis->wcet->function->instruction_count, sizeof *counted);
  warpbound_status status = counted != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      if (status != WARPBOUND_OK || counted[i])
        continue;
      counted[i] = true;
      status = count_instruction(analysis, i);
    }
  }
  free(counted);
  return status;
}
