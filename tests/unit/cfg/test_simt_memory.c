/* The abstract interpretation when memory runs out: every allocation is made to fail in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "failing_heap.h"
#include "simt_text.h"

/* A bit of everything that is stored. */
static const char *const lines[] = {
    "TID R0",         "SETP P0 R0",     "SSY join", "PBK end",
    "BRX R0 a b = b", "a: CAL f",       "@P0 BRK",  "LDG R2 R1",
    "b: @P0 BRA a",   "SSY b",          "@P0 BRK",  "end: JCAL vprintf",
    "SYNC = a",       "join: @P0 EXIT", "EXIT",     "f: @P0 RET",
    "@!P0 CAL f",     "MYSTERY",        "RET",      NULL,
};

/* What is asked of an analysis and its graph. */
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

/* The question about a loop needs two allocations and is answered without them. */
static void fail_each(const struct wb_simt_options *options)
{
  struct wb_code code;
  warpbound_error error = {.message = ""};
  size_t answered = 0;
  simt_text_make(lines, &code);
  const size_t live = heap.live;
  heap.count = 0;
  assert_int_equal(ask(&code, options, &error), WARPBOUND_OK);
  assert_int_equal(heap.live, live);
  const size_t total = heap.count;
  assert_true(total > 50);
  for (size_t n = 1; n <= total; n++) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = ask(&code, options, &error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    answered += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK)
      continue;
    assert_int_equal(status, WARPBOUND_INTERNAL);
    assert_string_equal(error.message, "out of memory");
  }
  assert_int_equal(answered, 2);
  wb_code_free(&code);
}

static void failing_allocations_are_reported(void **state)
{
  (void)state;
  fail_each(&(struct wb_simt_options){0});
  fail_each(&(struct wb_simt_options){.acyclic_stack = true, .no_groups = true});
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(failing_allocations_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
