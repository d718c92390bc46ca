/* Traces through the public header alone: used well and misused. */
#include "handles.h"

/* A warp that never ends, and one that ends at once. */
static const char spinning[] = "\tcode for sm_52\n\t\tFunction : spin\n"
                               "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                               "        /*0008*/                    BRA 0x8 ;\n"
                               "\t\tFunction : stop\n"
                               "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                               "        /*0008*/                    EXIT ;\n";

TEST(the_same_seed_runs_the_same)
{
  const warpbound_trace_options options = {.seed = 7, .lanes = 4};
  warpbound_trace *traces[2];
  char *text = NULL;
  warpbound_kernel *kernel = kernel_of(module_of_file("examples/divergence.sass"), NULL);
  for (size_t t = 0; t < 2; t++)
    assert_ok(warpbound_trace_run(kernel, &options, NULL, &traces[t], NULL));
  const uint64_t steps = warpbound_trace_steps(traces[0]);
  assert_true(steps > 10);
  assert_int_equal(warpbound_trace_steps(traces[1]), steps);
  assert_true(warpbound_trace_ended(traces[0]));
  for (uint64_t s = 0; s < steps; s++) {
    assert_int_equal(warpbound_trace_instruction(traces[0], s),
                     warpbound_trace_instruction(traces[1], s));
    assert_int_equal(warpbound_trace_lanes(traces[0], s), warpbound_trace_lanes(traces[1], s));
    assert_in_range(warpbound_trace_lanes(traces[0], s), 1, 15);
  }
  assert_int_equal(warpbound_trace_instruction(traces[0], 0), 0);
  assert_int_equal(warpbound_trace_lanes(traces[0], 0), 15);
  assert_true(warpbound_trace_instruction(traces[0], steps) == SIZE_MAX);
  assert_int_equal(warpbound_trace_lanes(traces[0], steps), 0);
  expect_text(warpbound_trace_json(traces[0], &text, NULL), &text, "\"seed\": 7");
  expect_text(warpbound_trace_text(traces[0], &text, NULL), &text, "to the end of all lanes");
  for (size_t t = 0; t < 2; t++)
    warpbound_trace_free(traces[t]);
}

static bool stop_at_once(void *context)
{
  ++*(int *)context;
  return true;
}

TEST(traces_end_at_their_limits)
{
  int polls = 0;
  const warpbound_trace_options few = {.steps = 5};
  const warpbound_trace_options most = {.steps = 1000000};
  const warpbound_options limits = {.interrupted = stop_at_once, .context = &polls};
  const warpbound_options short_time = {.time_limit = 1e-9};
  warpbound_trace *trace;
  warpbound_kernel *kernel = kernel_of(module_of(spinning), "spin");
  assert_ok(warpbound_trace_run(kernel, &few, NULL, &trace, NULL));
  assert_int_equal(warpbound_trace_steps(trace), 5);
  assert_false(warpbound_trace_ended(trace));
  warpbound_trace_free(trace);
  assert_limit(warpbound_trace_run(kernel, &most, &limits, &trace, NULL));
  assert_true(polls > 0);
  assert_in_range(warpbound_trace_steps(trace), 1, 999999);
  warpbound_trace_free(trace);
  assert_limit(warpbound_trace_run(kernel, &most, &short_time, &trace, NULL));
  warpbound_trace_free(trace);
}

/* From sm_70 on steps are of groups of lanes, which may wait for one another for ever. */
TEST(traces_of_groups)
{
  const warpbound_trace_options options = {
      .seed = 1, .lanes = 4, .groups = WARPBOUND_GROUPS_LOWEST};
  warpbound_trace *trace;
  char *text = NULL;
  warpbound_kernel *kernel =
      kernel_of(module_of_file("tests/golden/data/sass/deadlock.sass"), NULL);
  assert_made(trace, warpbound_trace_run(kernel, &options, NULL, &trace, NULL));
  assert_true(warpbound_trace_is_deadlock(trace));
  assert_false(warpbound_trace_ended(trace));
  assert_int_equal(warpbound_trace_group(trace, 0), 1);
  assert_int_equal(warpbound_trace_group(trace, 4), 2);
  assert_int_equal(warpbound_trace_group(trace, 99), 0);
  assert_int_equal(warpbound_trace_lanes(trace, 4), 0x1);
  expect_text(warpbound_trace_json(trace, &text, NULL), &text, "\"order\": \"lowest\"");
  expect_text(warpbound_trace_text(trace, &text, NULL), &text, "deadlock");
}

TEST(trace_arguments_are_checked)
{
  const warpbound_trace_options wrong[] = {
      {.lanes = 33},
      {.steps = 1000001},
      {.groups = (warpbound_group_order)(WARPBOUND_GROUPS_STARVE + 1)},
      {.reconvergence = (warpbound_reconvergence)(WARPBOUND_RECONVERGENCE_ALWAYS + 1)}};
  warpbound_trace *trace;
  char *text;
  warpbound_kernel *kernel = kernel_of(module_of(spinning), "stop");
  for (size_t o = 0; o < COUNT_OF(wrong); o++) {
    assert_misuse(warpbound_trace_run(kernel, &wrong[o], NULL, &trace, NULL));
    assert_null(trace);
  }
  assert_misuse(warpbound_trace_run(NULL, NULL, NULL, &trace, NULL));
  assert_misuse(warpbound_trace_run(kernel, NULL, NULL, NULL, NULL));
  assert_misuse(warpbound_trace_json(NULL, &text, NULL));
  assert_misuse(warpbound_trace_text(NULL, NULL, NULL));
  assert_int_equal(warpbound_trace_steps(NULL), 0);
  assert_false(warpbound_trace_ended(NULL));
  assert_false(warpbound_trace_is_deadlock(NULL));
  assert_int_equal(warpbound_trace_group(NULL, 0), 0);
  warpbound_trace_free(NULL);
}
