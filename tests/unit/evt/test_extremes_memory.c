/* Blocks, clusters and thresholds when memory runs out: every allocation is made to fail in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evt/extremes/block_maxima.h"
#include "evt/extremes/clusters.h"
#include "evt/extremes/thresholds.h"
#include "evt/samples/ascending.h"
#include "failing_heap.h"
#include "samples/make_times.h"

#include <string.h>

enum { COUNT = 600 };

static const struct made_times recipe = {
    .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .tick = 2};

static double times[COUNT];

static struct wb_control one_thread(void)
{
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  return control;
}

static warpbound_status run_blocks(warpbound_error *error)
{
  const struct wb_control control = one_thread();
  const struct wb_block_question question = {.values = times,
                                             .count = COUNT,
                                             .significance = 0.05,
                                             .tick = recipe.tick,
                                             .seed = 1,
                                             .control = &control};
  struct wb_block_sizes sizes;
  return wb_block_size_choose(&question, &sizes, error);
}

static warpbound_status run_clusters(warpbound_error *error)
{
  struct wb_extremal_index index;
  return wb_extremal_index_of(times, COUNT, 1100, 0, &index, error);
}

static warpbound_status run_scan(warpbound_error *error)
{
  const struct wb_control control = one_thread();
  struct wb_threshold_scan scan;
  return wb_threshold_scan(times, COUNT, 0.2, recipe.tick, 0.05, 1, &control, &scan, error);
}

/* Runs with each allocation failing in turn, at least `least` of them. */
static void fail_each(warpbound_status (*run)(warpbound_error *error), size_t least)
{
  const size_t live = heap.live;
  warpbound_status status = WARPBOUND_INTERNAL;
  size_t fail_at = 1;
  for (; status != WARPBOUND_OK; fail_at++) {
    warpbound_error error = {0};
    heap.count = 0;
    heap.fail_at = fail_at;
    status = run(&error);
    heap.fail_at = 0;
    if (status != WARPBOUND_OK)
      assert_non_null(strstr(error.message, "memory"));
    assert_int_equal(heap.live, live);
  }
  assert_true(fail_at > least);
}

static void test_blocks(void **state)
{
  (void)state;
  make_times(&recipe, COUNT, 3, times);
  fail_each(run_blocks, 2);
}

static void test_clusters(void **state)
{
  (void)state;
  make_times(&recipe, COUNT, 3, times);
  fail_each(run_clusters, 1);
}

static void test_scan(void **state)
{
  (void)state;
  make_times(&recipe, COUNT, 3, times);
  wb_sort_ascending(times, COUNT);
  fail_each(run_scan, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_clusters),
      cmocka_unit_test(test_scan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
