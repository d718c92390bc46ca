/* Tests of series when memory runs out: every allocation is made to fail in turn, and nothing is
 * left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evt/tests/series_tests.h"
#include "failing_heap.h"
#include "samples/make_times.h"

#include <stdlib.h>

/* So many that the p-value of halves is that of the limit. */
#define COUNT 100000

static warpbound_status ljung_box(const double *values, size_t count, struct wb_test *test,
                                  warpbound_error *error)
{
  return wb_test_ljung_box(values, count, 0, test, error);
}

typedef warpbound_status series_test(const double *, size_t, struct wb_test *, warpbound_error *);

static size_t failures_of(series_test *tested, const double *values, size_t count)
{
  const size_t live = heap.live;
  warpbound_status status = WARPBOUND_INTERNAL;
  size_t failed = 0;
  for (size_t at = 1; status != WARPBOUND_OK; at++) {
    struct wb_test test;
    warpbound_error error = {0};
    heap.count = 0;
    heap.fail_at = at;
    status = tested(values, count, &test, &error);
    heap.fail_at = 0;
    if (status != WARPBOUND_OK) {
      assert_int_equal(status, WARPBOUND_INTERNAL);
      assert_string_equal(error.message, "out of memory");
      failed++;
    }
    assert_int_equal(heap.live, live);
  }
  return failed;
}

static void every_allocation_fails(void **state)
{
  (void)state;
  double *const values = malloc(COUNT * sizeof *values);
  assert_non_null(values);
  const struct made_times recipe = {
      .family = MADE_NORMAL, .location = 10, .scale = 1, .correlation = 0.5, .tick = 0.1};
  make_times(&recipe, COUNT, 1, values);
  assert_int_equal(failures_of(ljung_box, values, 1000), 5);
  assert_int_equal(failures_of(wb_test_runs, values, 1000), 1);
  assert_int_equal(failures_of(wb_test_kpss, values, 1000), 5);
  assert_int_equal(failures_of(wb_test_change_point, values, 1000), 5);
  assert_int_equal(failures_of(wb_test_halves, values, 1000), 9);
  assert_int_equal(failures_of(wb_test_halves, values, COUNT), 9);
  free(values);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
