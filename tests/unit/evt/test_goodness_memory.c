/* Goodness of fit when memory runs out: every allocation is made to fail in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evt/goodness/goodness.h"
#include "failing_heap.h"
#include "samples/make_times.h"

enum { COUNT = 1200 }; /* a part is compared: the clock is coarse */

static const struct made_times recipe = {
    .family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.1, .tick = 20};

static void test_memory(void **state)
{
  (void)state;
  static double times[COUNT], place[COUNT];
  make_times(&recipe, COUNT, 19, times);
  for (size_t k = 0; k < COUNT; k++)
    place[k] = (double)k / COUNT;
  const struct wb_fit_data data = {.values = times, .count = COUNT, .covariate = place};
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  struct wb_tail_fit fit;
  struct wb_goodness goodness;
  warpbound_error error;
  assert_int_equal(wb_tail_fit(&data, WB_TAIL_GUMBEL, WB_FIT_LIKELIHOOD, &fit, &error),
                   WARPBOUND_OK);
  const size_t live = heap.live;
  warpbound_status status = WARPBOUND_INTERNAL;
  size_t fail_at = 1;
  for (; status != WARPBOUND_OK; fail_at++) {
    heap.count = 0;
    heap.fail_at = fail_at;
    status = wb_goodness_of_fit(&data, &fit, recipe.tick, 3, 19, &control, &goodness, &error);
    heap.fail_at = 0;
    if (status != WARPBOUND_OK)
      assert_string_equal(error.message, "out of memory");
    assert_int_equal(heap.live, live);
  }
  assert_true(fail_at > 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
