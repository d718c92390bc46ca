#include "cfg/simt_analysis.h"

#include "base/memory.h"
#include "cfg/simt/simt_engine.h"

#include <stdlib.h>

/* The architectures whose reconvergence is an activation stack with SYNC and BRK. */
enum { FIRST_ARCHITECTURE = 50, LAST_ARCHITECTURE = 62 };

static warpbound_status check(const struct wb_machine_code *code,
                              const struct wb_machine_function *function, warpbound_error *error)
{
  if (function->instruction_count == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected instructions, found none", function->name);
  if (function->instruction_count >= UINT32_MAX)
    return wb_fail(error, WARPBOUND_LIMIT, "%s: more than 2^32 instructions", function->name);
  if (function->sm > LAST_ARCHITECTURE)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected code for sm_50 to sm_62, found sm_%u: the reconvergence of "
                      "Volta and later is not analysed yet",
                      function->name, function->sm);
  if (function->sm != 0 && function->sm < FIRST_ARCHITECTURE)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected code for sm_50 to sm_62, found sm_%u: the reconvergence of "
                      "Kepler and earlier is not analysed yet",
                      function->name, function->sm);
  return WARPBOUND_OK;
}

/* What only the search for the fixpoint needs. */
static void free_scratch(struct wb_simt_analysis *analysis)
{
  free(analysis->queue);
  free(analysis->dependents);
  free(analysis->here.stack.frames);
  free(analysis->next.frames);
  free(analysis->side.frames);
  free(analysis->walk.frames);
  free(analysis->walk.dirty);
  free(analysis->walk.todo);
  wb_pair_map_free(&analysis->dependences);
  wb_pair_map_free(&analysis->places);
  wb_simt_contexts_free(&analysis->contexts);
  wb_simt_layout_free(&analysis->layout);
  wb_register_sets_free(&analysis->sets);
}

warpbound_status wb_simt_analyse(const struct wb_machine_code *code,
                                 const struct wb_machine_function *function,
                                 const struct wb_simt_options *options,
                                 const struct wb_control *control,
                                 struct wb_simt_analysis **analysis, warpbound_error *error)
{
  *analysis = NULL;
  warpbound_status status = check(code, function, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_simt_analysis *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->code = code;
  made->function = function;
  made->options = *options;
  made->control = control;
  made->error = error;
  if (!wb_simt_layout_make(function, &made->layout) || !wb_simt_contexts_start(&made->contexts) ||
      !wb_register_sets_start(&made->sets) || !wb_stack_graph_start(&made->stacks))
    wb_simt_no_memory(made);
  if (made->status == WARPBOUND_OK)
    wb_simt_solve(made);
  if (made->status == WARPBOUND_OK)
    wb_simt_make_graph(made);
  free_scratch(made);
  status = made->status;
  made->error = NULL;
  made->control = NULL;
  if (status == WARPBOUND_OK)
    *analysis = made;
  else
    wb_simt_analysis_free(made);
  return status;
}

const struct wb_warp_graph *wb_simt_analysis_graph(const struct wb_simt_analysis *analysis)
{
  return &analysis->graph;
}

void wb_simt_analysis_free(struct wb_simt_analysis *analysis)
{
  if (analysis == NULL)
    return;
  for (size_t s = 0; s < analysis->state_count; s++)
    free(analysis->states[s].stack.frames);
  free(analysis->states);
  free(analysis->block_states);
  free(analysis->pushers);
  free(analysis->popped);
  wb_stack_graph_free(&analysis->stacks);
  wb_warp_graph_free(&analysis->graph);
  free(analysis);
}
