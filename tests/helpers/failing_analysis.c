#include "failing_analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/work_control.h"
#include "failing_heap.h"

static warpbound_status ask(const struct wb_code *code, const struct wb_simt_options *options,
                            warpbound_error *error)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph united;
  static const bool body[64] = {true, true, true};
  static const bool headers[64] = {false, true};
  warpbound_status status =
      wb_simt_analyse(code, &code->functions[0], options, &control, &analysis, error);
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
  warpbound_error error = {.message = ""};
  size_t found = 0;
  const size_t live = heap.live;
  heap.count = 0;
  const warpbound_status first = ask(code, options, &error);
  assert_string_equal(error.message, "");
  assert_int_equal(first, WARPBOUND_OK);
  assert_int_equal(heap.live, live);
  const size_t total = heap.count;
  assert_true(total > 50);
  for (size_t n = 1; n <= total; n++) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = ask(code, options, &error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    found += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK)
      continue;
    assert_int_equal(status, WARPBOUND_INTERNAL);
    assert_string_equal(error.message, "out of memory");
  }
  assert_int_equal(found, answered);
}
