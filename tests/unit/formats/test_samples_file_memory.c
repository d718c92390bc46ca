/* The reader of measured times when memory runs out: every allocation is made to fail in turn, and
 * nothing is left behind. Left out: allocations of Jansson. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_heap.h"
#include "formats/samples/samples_file.h"

#include <string.h>

static const char table[] = "\"Kernel Name\",\"time\",unit\n\"a \"\"b\"\"\",1,ns\nc,2,ns\nd,3,ns\n"
                            "e,4,ns\nf,5,ns\ng,6,ns\nh,7,ns\ni,8,ns\nj,9,ns\nj,1,ns\nj,1,ns\n";

/* Reads with the first allocation failing, then the second, until none fails; the number that
 * failed. */
static size_t fail_each(const char *text, const struct wb_samples_choice *choice,
                        warpbound_status last)
{
  const size_t live = heap.live;
  size_t failed = 0;
  for (size_t at = 1;; at++) {
    struct wb_samples samples;
    warpbound_error error = {0};
    heap.count = 0;
    heap.fail_at = at;
    const warpbound_status status =
        wb_samples_parse("f", text, strlen(text), choice, &samples, &error);
    heap.fail_at = 0;
    wb_samples_free(&samples);
    assert_int_equal(heap.live, live);
    if (heap.count < at) {
      assert_int_equal(status, last);
      return failed;
    }
    assert_int_equal(status, WARPBOUND_INTERNAL);
    assert_string_equal(error.message, "out of memory");
    failed++;
  }
}

static void reading_fails_cleanly(void **state)
{
  (void)state;
  assert_true(fail_each(table, &(struct wb_samples_choice){.group = "Kernel Name"}, WARPBOUND_OK) >
              20);
  assert_true(fail_each("[1, 2, 3]", &(struct wb_samples_choice){0}, WARPBOUND_OK) > 3);
}

static void refusing_fails_cleanly(void **state)
{
  (void)state;
  assert_true(fail_each("a,b\n1,2\n", &(struct wb_samples_choice){.column = "x"}, WARPBOUND_USAGE) >
              3);
  assert_true(fail_each("a,b\n1,2\n", &(struct wb_samples_choice){0}, WARPBOUND_USAGE) > 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(reading_fails_cleanly),
                                     cmocka_unit_test(refusing_fails_cleanly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
