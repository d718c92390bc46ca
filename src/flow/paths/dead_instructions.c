#include "flow/paths/dead_instructions.h"

#include "flow/loop_bounds/loop_bounds.h"
#include "isa/opcode.h"

#include <assert.h>

/* All borrowed. */
struct finder {
  bool *dead;
  bool *idle;
};

static void visit(void *context, const struct wb_interval_context *thread, uint32_t instruction)
{
  const struct finder *finder = context;
  finder->dead[instruction] = false;
  finder->idle[instruction] =
      finder->idle[instruction] && wb_interval_guard(thread) == WB_TRUTH_FALSE;
}

warpbound_status wb_dead_instructions_find(const struct wb_warp_graph *graph,
                                           const struct wb_loop_forest *forest,
                                           const struct wb_launch *launch, bool *dead, bool *idle,
                                           warpbound_error *error)
{
  struct finder finder = {dead, idle};
  bool whole;
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      dead[i] = idle[i] = true;
  }
  const warpbound_status status =
      wb_threads_visit(graph, forest, launch, visit, &finder, &whole, error);
  for (size_t i = 0; i < graph->function->instruction_count; i++) {
    dead[i] = dead[i] && status == WARPBOUND_OK && whole;
    idle[i] = idle[i] && status == WARPBOUND_OK && whole;
  }
  return status;
}

/* ---- ways that are cut ---- */

/* Whether threads that come to an instruction do it, as far as the predicates tell that it tests.
 */
static enum wb_truth does(const struct wb_interval_context *thread,
                          const struct wb_instruction *what)
{
  bool all = !what->conditional_code && !what->together && !wb_instruction_chooses(what);
  bool none = false;
  if (wb_instruction_votes(what))
    return WB_TRUTH_UNKNOWN; /* other lanes decide */
  if (what->guard != WB_NO_REGISTER) {
    const enum wb_truth truth = wb_interval_truth(thread, what->guard, !what->guard_negated);
    all = all && truth == WB_TRUTH_TRUE;
    none = truth == WB_TRUTH_FALSE;
  }
  for (uint32_t o = 0; what->second_predicate && o < what->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(thread->function, what, o);
    if (operand->kind != WB_OPERAND_PREDICATE)
      continue;
    const enum wb_truth truth = wb_interval_truth(thread, operand->number, !operand->negated);
    all = all && truth == WB_TRUTH_TRUE;
    none |= truth == WB_TRUTH_FALSE;
  }
  return none ? WB_TRUTH_FALSE : all ? WB_TRUTH_TRUE : WB_TRUTH_UNKNOWN;
}

/* Whether each thread that comes to an instruction goes on as the cut code does. */
static bool keeps_way(const struct wb_interval_context *thread, uint32_t instruction)
{
  const struct wb_function *cut = thread->function;
  const struct wb_instruction *before = &cut->uncut->instructions[instruction];
  const struct wb_instruction *now = &cut->instructions[instruction];
  if (!wb_instruction_is_cut(cut, instruction))
    return false; /* lanes may come to a call that none makes */
  return does(thread, before) == (now->never ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

static void visit_way(void *context, const struct wb_interval_context *thread, uint32_t instruction)
{
  bool *kept = context;
  kept[instruction] = kept[instruction] && keeps_way(thread, instruction);
}

warpbound_status wb_kept_ways_find(const struct wb_warp_graph *graph,
                                   const struct wb_loop_forest *forest,
                                   const struct wb_launch *launch, bool *kept,
                                   warpbound_error *error)
{
  bool whole;
  const size_t count = graph->function->instruction_count;
  assert(graph->function->uncut != NULL);
  for (size_t i = 0; i < count; i++)
    kept[i] = true;
  const warpbound_status status =
      wb_threads_visit(graph, forest, launch, visit_way, kept, &whole, error);
  for (size_t i = 0; i < count; i++)
    kept[i] = kept[i] && status == WARPBOUND_OK && whole;
  return status;
}
