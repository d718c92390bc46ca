#include "cfg/simt_analysis.h"

#include "base/memory.h"
#include "base/text.h"
#include "cfg/simt/simt_engine.h"

#include <assert.h>
#include <stdlib.h>

/* ---- the mechanism ---- */

/* Which architectures reconverge how. Ascending, without gaps. */
static const struct {
  unsigned first;                           /* sm_50 is 50 */
  unsigned last;                            /* included */
  const struct wb_reconvergence *mechanism; /* NULL where it is not analysed yet */
  const char *generations;                  /* in words */
} architectures[] = {
    {0, 49, NULL, "Kepler and earlier"},
    {50, 62, &wb_reconvergence_stack, "Maxwell and Pascal"},
    {63, 69, NULL, "architectures between Pascal and Volta"},
    {70, UINT32_MAX, &wb_reconvergence_barriers, "Volta and later"},
};

/* A listing that names no architecture is taken for one of these: by the width of its words. */
static const unsigned unnamed_architecture = 50;
static const unsigned unnamed_wide_architecture = 70;

/* The mechanism of a function that can be analysed. */
static warpbound_status choose(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_reconvergence **mechanism, warpbound_error *error)
{
  if (function->instruction_count == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected instructions, found none", function->name);
  if (function->instruction_count >= UINT32_MAX)
    return wb_fail(error, WARPBOUND_LIMIT, "%s: more than 2^32 instructions", function->name);
  const unsigned unnamed = function->wide ? unnamed_wide_architecture : unnamed_architecture;
  const unsigned sm = function->sm == 0 ? unnamed : function->sm;
  size_t a = 0;
  while (sm > architectures[a].last)
    a++;
  *mechanism = architectures[a].mechanism;
  if (*mechanism == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, function->line, 0,
                      "%s: expected code for sm_50 to sm_62 or sm_70 and later, found sm_%u: the "
                      "reconvergence of "
                      "%s is not analysed yet",
                      function->name, function->sm, architectures[a].generations);
  return WARPBOUND_OK;
}

/* ---- the analysis ---- */

/* From the function to its graph, in order. Invariants that are broken fail an assertion; where
 * memory or time ends during the check of the fixpoint, what it says counts for nothing. */
static void analyse(struct wb_simt_analysis *analysis)
{
  struct wb_simt_record record = {0};
  bool found = wb_simt_start(analysis) && wb_simt_search(analysis);
#ifndef NDEBUG
  struct wb_text violation = {0};
  if (found)
    wb_simt_check(analysis, &violation);
  found = found && analysis->status == WARPBOUND_OK;
  assert(violation.length == 0 || !found);
  wb_text_free(&violation);
#endif
  if (found && wb_simt_record_make(analysis, &record)) {
    wb_simt_remark(analysis, &record);
    wb_simt_graph_make(analysis, &record);
  }
  assert(analysis->status != WARPBOUND_OK || wb_warp_graph_check(&analysis->graph) == NULL);
  wb_simt_record_free(&record);
}

warpbound_status wb_simt_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_simt_options *options,
                                 const struct wb_control *control,
                                 struct wb_simt_analysis **analysis, warpbound_error *error)
{
  *analysis = NULL;
  const struct wb_reconvergence *mechanism = NULL;
  warpbound_status status = choose(code, function, &mechanism, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_simt_analysis *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->code = code;
  made->function = function;
  made->options = *options;
  made->control = control;
  made->mechanism = mechanism;
  made->error = error;
  analyse(made);
  wb_simt_end_search(made);
  status = made->status;
  made->error = NULL;
  made->control = NULL;
  if (status == WARPBOUND_OK)
    *analysis = made;
  else
    wb_simt_analysis_free(made);
  return status;
}

/* ---- the outcome ---- */

const struct wb_warp_graph *wb_simt_analysis_graph(const struct wb_simt_analysis *analysis)
{
  return &analysis->graph;
}

bool wb_simt_loop_balanced(const struct wb_simt_analysis *analysis, const bool *headers,
                           const bool *body)
{
  /* No edge within the body resumes a continuation that is made outside. */
  for (size_t r = 0; r < analysis->resumption_count; r++) {
    const struct wb_simt_resumption *resumption = &analysis->resumptions[r];
    const struct wb_warp_edge *edge = &analysis->graph.edges[resumption->edge];
    const uint32_t maker = analysis->makers[resumption->continuation];
    if (body[edge->from] && body[edge->to] && (maker == WB_NOWHERE || !body[maker]))
      return false;
  }
  return !analysis->mechanism->leaves_behind(analysis, headers, body);
}

void wb_simt_analysis_free(struct wb_simt_analysis *analysis)
{
  if (analysis == NULL)
    return;
  wb_simt_free(analysis);
  free(analysis);
}
