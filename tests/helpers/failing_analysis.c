#include "failing_analysis.h"

#include "base/work_control.h"
#include "failing_heap.h"
#include "unit.h"

size_t fail_each_or_answer(failing_work *work, const void *context, size_t *total)
{
  warpbound_error error = {.message = ""};
  size_t answered = 0;
  const size_t live = heap.live;
  heap.count = 0;
  if (work(context, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heap.live, live);
  *total = heap.count;
  for (size_t n = 1; n <= *total; n++) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = work(context, &error);
    heap.fail_at = 0;
    if (heap.live != live)
      fail_msg("allocation %zu of %zu: %zu blocks are left (%s)", n, *total, heap.live - live,
               error.message);
    answered += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK)
      continue;
    assert_int_equal(status, WARPBOUND_INTERNAL);
    if (strstr(error.message, "out of memory") == NULL)
      fail_msg("allocation %zu of %zu: %s", n, *total, error.message);
  }
  return answered;
}

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
  size_t total;
  assert_int_equal(fail_each_or_answer(ask, &question, &total), answered);
  assert_true(total > 50);
}
