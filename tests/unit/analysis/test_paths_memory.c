/* The makespan over all paths of a kernel when memory runs out: every allocation is made to fail in
 * turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/paths/makespan/paths_makespan.h"
#include "failing_heap.h"
#include "makespan/machine/policy.h"
#include "simt_text.h"

#include <string.h>

/* A uniform branch: two paths. */
static const char *const lines[] = {
    "CTA R0",           "SETP P0 R0", "@P0 BRA other", "MOV R1 R0", "EXIT",
    "other: MOV R1 R0", "MOV R2 R0",  "MOV R3 R0",     "EXIT",      NULL,
};

static warpbound_status ask(const struct wb_code *code, uint64_t *cycles, warpbound_error *error)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = {.default_bound = UINT64_MAX};
  const struct wb_analysis_options asked = {.simulate_only = true,
                                            .policy = wb_policy_find("fixed-priority"),
                                            .limits = {.method = WARPBOUND_METHOD_BOUNDS}};
  struct wb_sm_configuration sm;
  struct wb_paths paths;
  struct wb_instance instance;
  struct warpbound_result result;
  wb_sm_configuration_start(&sm, "one of each");
  sm.issue_slots = 1;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    sm.unit[u] = (struct wb_unit_capacity){.numerator = 1, .denominator = 1, .hold = 1};
  const struct wb_paths_question question = {.sm = &sm, .warps = 2, .blocks = 1, .options = &asked};
  warpbound_status status =
      wb_paths_make(code, &code->functions[0], &options, &control, &paths, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_paths_makespan(&paths, &question, &instance, &result, error);
  if (status == WARPBOUND_OK) {
    *cycles = result.upper.cycles;
    wb_result_clear(&result);
    wb_instance_clear(&instance);
  }
  wb_paths_free(&paths);
  return status;
}

static void failing_allocations_are_reported(void **state)
{
  (void)state;
  struct wb_code code;
  warpbound_error error = {.message = ""};
  uint64_t exact = 0;
  size_t answered = 0;
  simt_text_make(lines, &code);
  const size_t live = heap.live;
  heap.count = 0;
  if (ask(&code, &exact, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_int_equal(heap.live, live);
  assert_int_equal(exact, 14);
  const size_t total = heap.count;
  for (size_t n = 1; n <= total; n++) {
    uint64_t cycles = 0;
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = ask(&code, &cycles, &error);
    heap.fail_at = 0;
    if (heap.live != live)
      fail_msg("allocation %zu of %zu: %zu blocks are left (%s)", n, total, heap.live - live,
               error.message);
    if (status == WARPBOUND_OK) {
      assert_true(cycles >= exact);
      answered++;
      continue;
    }
    assert_int_equal(status, WARPBOUND_INTERNAL);
    if (strstr(error.message, "out of memory") == NULL)
      fail_msg("allocation %zu of %zu: %s", n, total, error.message);
  }
  print_message("# %zu allocations, %zu of them not needed\n", total, answered);
  assert_true(answered < total / 10);
  wb_code_free(&code);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(failing_allocations_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
