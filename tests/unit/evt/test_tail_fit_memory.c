/* Fits and their intervals when memory runs out: every allocation is made to fail in turn, and
 * nothing is left behind. Left out: allocations of NLopt, without which Newton's method goes on
 * alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evt/fit/intervals.h"
#include "failing_heap.h"

static const double values[] = {3.1, 2.7, 4.4, 3.9, 2.9, 3.3, 5.6, 3.0, 3.6, 4.1, 2.5, 3.4};
static const double covariate[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const double survivals[] = {0.1, 0.001};
enum { COUNT = sizeof values / sizeof *values };

static warpbound_status fit_and_profile(bool with_trend, warpbound_error *error)
{
  const struct wb_fit_data data = {
      .values = values, .count = COUNT, .covariate = with_trend ? covariate : NULL};
  struct wb_tail_fit fit, again;
  struct wb_interval interval;
  warpbound_status status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, error);
  if (status == WARPBOUND_OK)
    status = wb_profile_shape(&data, &fit, 0.95, &interval, error);
  if (status == WARPBOUND_OK && !with_trend)
    status = wb_profile_level(&data, &fit, 0.01, 0.95, &interval, error);
  if (status == WARPBOUND_OK && !with_trend)
    status = wb_tail_refit(&data, &fit, &again, error);
  return status;
}

static warpbound_status bootstrap(warpbound_error *error)
{
  const struct wb_tail_fit fit = {.tail = {WB_TAIL_GUMBEL, 3, 1, 0}, .count = COUNT};
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  struct wb_interval intervals[2];
  unsigned failed;
  const warpbound_status status =
      wb_bootstrap_levels(&fit, survivals, 2, 0.9, 5, 1, &control, intervals, &failed, error);
  assert_true(intervals[0].found == (status == WARPBOUND_OK));
  return status;
}

static void every_allocation_fails(void **state)
{
  (void)state;
  static const size_t least_failures[] = {3, 2, 5};
  const size_t live = heap.live;
  for (int kind = 0; kind < 3; kind++) {
    warpbound_status status = WARPBOUND_INTERNAL;
    size_t failed = 0;
    for (size_t at = 1; status != WARPBOUND_OK; at++) {
      warpbound_error error = {0};
      heap.count = 0;
      heap.fail_at = at;
      status = kind == 2 ? bootstrap(&error) : fit_and_profile(kind == 1, &error);
      heap.fail_at = 0;
      if (status != WARPBOUND_OK) {
        assert_int_equal(status, WARPBOUND_INTERNAL);
        assert_string_equal(error.message, "out of memory");
        failed++;
      }
      assert_int_equal(heap.live, live);
    }
    assert_true(failed >= least_failures[kind]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
