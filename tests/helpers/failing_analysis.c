#include "failing_analysis.h"

#include "base/work_control.h"
#include "failing_heap.h"
#include "unit.h"

struct question {
  const struct wb_code *code;
  const struct wb_simt_options *options;
};

static warpbound_status ask(const void *context, warpbound_error *error)
{
  const struct question *question = context;
  const struct wb_code *code = question->code;
  struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph united;
  static const bool body[64] = {true, true, true};
  static const bool headers[64] = {false, true};
  warpbound_status status =
      wb_simt_analyse(code, &code->functions[0], question->options, &control, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_simt_loop_balanced(analysis, headers, body);
  status = wb_warp_graph_unite(wb_simt_analysis_graph(analysis), &united, error);
  if (status == WARPBOUND_OK)
    wb_warp_graph_free(&united);
  wb_simt_analysis_free(analysis);
  return status;
}

void failing_analysis(const struct wb_code *code, const struct wb_simt_options *options,
                      size_t answered)
{
  const struct question question = {.code = code, .options = options};
  const struct heap_trial trial = try_each(ask, &question, WARPBOUND_OK);
  assert_int_equal(trial.survived, answered);
  assert_true(trial.total > 50);
}
