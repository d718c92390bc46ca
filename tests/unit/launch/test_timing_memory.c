/* Timed code and warp times while each allocation fails in turn. */
#include "failing_heap.h"
#include "formats/device/device_file.h"
#include "frontend/sass/sass_front_end.h"
#include "launch/timing/timing_code.h"
#include "launch/timing/warp_times.h"
#include "unit.h"

/* With a pair that issues together and an access of which nothing is known: assumptions. */
static const char listing[] = "\tcode for sm_61\n"
                              "\t\tFunction : k\n"
                              "\t.headerflags @\"EF_CUDA_SM61\"\n"
                              "                                   /* 0x001fc400fe2007f0 */\n"
                              "        /*0008*/ MOV R1, R2 ; /* 0x4c98078000870001 */\n"
                              "        /*0010*/ LDG.E R0, [R2] ; /* 0xeed4200000070200 */\n"
                              "        /*0018*/ EXIT ; /* 0xe30000000007000f */\n";

struct question {
  const struct wb_function *function;
  const struct wb_device_timing *device;
};

static warpbound_status all(const void *context, warpbound_error *error)
{
  const struct question *question = context;
  static const uint32_t first[] = {0, 2};
  static const uint32_t last[] = {1, 2};
  static const uint32_t from = 0;
  static const uint32_t to = 1;
  const struct wb_timing_graph graph = {.node_count = 2,
                                        .edge_count = 1,
                                        .first = first,
                                        .last = last,
                                        .from = &from,
                                        .to = &to,
                                        .starts = &from,
                                        .start_count = 1};
  FREED_BY(wb_list_free) struct wb_list assumptions = {0};
  struct wb_timed_code code;
  struct wb_warp_times times;
  warpbound_status status = wb_timed_code_make(NULL, question->function, question->device, NULL,
                                               NULL, &code, &assumptions, error);
  if (status == WARPBOUND_OK) {
    assert_true(assumptions.count >= 2);
    status = wb_warp_times_find(&code, &graph, &times, error);
    wb_timed_code_free(&code);
  }
  if (status == WARPBOUND_OK) {
    assert_true(times.reached[1]);
    wb_warp_times_free(&times);
  }
  return status;
}

TEST(nothing_leaks_where_memory_is_out)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  warpbound_error error = {0};
  if (wb_sass_parse("x", listing, strlen(listing), NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(wb_device_timing_bundled("gtx-1080", &device, &error));
  const struct question question = {.function = &code.functions[0], .device = &device};
  assert_true(fail_each(all, &question, WARPBOUND_OK) > 15);
}
