/* Launches together through the public header alone; used well and misused. */
#include "handles.h"

#include <inttypes.h>
#include <stdlib.h>

#define SIMULATE 100000

/* A launch of 4 x 4 blocks of 8 x 8 threads; `tiles` is its third parameter. asked: all else. */
static warpbound_launch *asked_launch_of(warpbound_gpu *gpu, uint64_t tiles,
                                         warpbound_launch_options asked)
{
  const warpbound_module_options options = {.machine_code_only = true, .architecture = "sm_87"};
  const warpbound_parameter parameter = {.name = "param_3", .value = tiles};
  const warpbound_annotation_options known = {
      .grid = {4, 4, 1}, .block = {8, 8, 1}, .parameters = &parameter, .parameter_count = 1};
  warpbound_module *module;
  warpbound_launch *launch;
  size_t length;
  const char *bytes = source_file("examples/matrix_multiply.fatbin", &length);
  assert_made(module, warpbound_module_parse("code", bytes, length, &options, &module, NULL));
  asked.wcet.annotations = annotations_of(module, &known);
  asked.warm_start = true;
  assert_made(launch, warpbound_launch_analyse(kernel_of(module, "matrix_tiled"), gpu, &asked, NULL,
                                               &launch, NULL));
  return launch;
}

static warpbound_launch *simulated_launch_of(warpbound_gpu *gpu, uint64_t tiles, bool in_company,
                                             uint64_t simulate)
{
  const warpbound_launch_options asked = {.simulate = simulate, .in_company = in_company};
  return asked_launch_of(gpu, tiles, asked);
}

static warpbound_launch *launch_of(warpbound_gpu *gpu, uint64_t tiles, bool in_company)
{
  return simulated_launch_of(gpu, tiles, in_company, 0);
}

/* Checks a certificate in which one number is another one. */
static void expect_refused(const char *certificate, const char *before, uint64_t number,
                           uint64_t other)
{
  char text[96];
  char changed[96];
  warpbound_verdict *verdict;
  snprintf(text, sizeof text, "%s%" PRIu64, before, number);
  snprintf(changed, sizeof changed, "%s%" PRIu64, before, other);
  const char *place = strstr(certificate, text);
  assert_non_null(place);
  const size_t length = strlen(certificate) + sizeof changed;
  char *whole = calloc(1, length);
  assert_non_null(whole);
  snprintf(whole, length, "%.*s%s%s", (int)(place - certificate), certificate, changed,
           place + strlen(text));
  const warpbound_input input = {"changed", whole, strlen(whole)};
  const warpbound_status status =
      warpbound_verify(input.name, input.text, input.length, NULL, &verdict, NULL);
  free(whole);
  assert_int_equal(status, WARPBOUND_CHECK_FAILED);
  own(verdict);
}

/* The certificate of the frame holds, and none that claims less, or is about more. */
static void expect_certified(const warpbound_frame *frame, size_t beside)
{
  char *certificate;
  warpbound_verdict *verdict;
  const uint64_t cycles = warpbound_frame_upper(frame).cycles;
  const uint64_t response = warpbound_frame_response(frame, beside);
  assert_made(certificate, warpbound_frame_certificate(frame, &certificate, NULL));
  assert_made(verdict,
              warpbound_verify("c", certificate, strlen(certificate), NULL, &verdict, NULL));
  assert_true(warpbound_verdict_valid(verdict));
  assert_int_equal(warpbound_verdict_claim(verdict), WARPBOUND_CLAIM_FRAME);
  assert_int_equal(warpbound_verdict_cycles(verdict), cycles);
  expect_refused(certificate, "\"cycles\": ", cycles, cycles - 1);
  expect_refused(certificate, "\"response\": ", response, response - 1);
  expect_refused(certificate, "\"cycles\": ", 1300000, 1300001);
  expect_refused(certificate, "\"period\": ", 130000000, 1000000);
  expect_refused(certificate, "\"most\": [", 16, 4);
  expect_refused(certificate, "\"blocks\": ", 16, 17);
}

/* The text is a run of at most so many cycles, which the checker accepts, but not in one more. */
static void expect_run(const char *run, uint64_t lower)
{
  warpbound_verdict *verdict;
  assert_made(verdict, warpbound_verify("r", run, strlen(run), NULL, &verdict, NULL));
  assert_true(warpbound_verdict_valid(verdict));
  assert_int_equal(warpbound_verdict_claim(verdict), WARPBOUND_CLAIM_LAUNCH_RUN);
  const uint64_t cycles = warpbound_verdict_cycles(verdict);
  assert_true(cycles > 0 && cycles <= lower);
  expect_refused(run, "\"cycles\": ", cycles, cycles + 1);
}

/* The run of a launch, and of launches together, can be checked; where none was simulated there is
 * none. */
TEST(runs_can_be_checked)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                             {"large", launch_of(gpu, 16, true)}};
  const warpbound_step steps[] = {{.name = "a", .launch = 0}, {.name = "b", .launch = 1}};
  const warpbound_frame_options options = {.in_flight = 1};
  warpbound_error error = {0};
  warpbound_frame *frame;
  char *run;
  assert_made(frame, warpbound_frame_analyse(launches, 2, steps, 2, &options, &frame, NULL));
  assert_int_equal(warpbound_launch_run(launches[0].launch, &run, &error), WARPBOUND_FACTS_MISSING);
  expect_part(error.message, "--simulate");
  assert_int_equal(warpbound_frame_run(frame, &run, &error), WARPBOUND_FACTS_MISSING);
  assert_null(run);
  const warpbound_frame_launch longer[] = {{"small", simulated_launch_of(gpu, 2, true, SIMULATE)},
                                           {"large", simulated_launch_of(gpu, 3, true, SIMULATE)}};
  assert_made(run, warpbound_launch_run(longer[0].launch, &run, NULL));
  expect_run(run, warpbound_launch_lower(longer[0].launch).cycles);
  assert_made(frame, warpbound_frame_analyse(longer, 2, steps, 2, &options, &frame, NULL));
  assert_made(run, warpbound_frame_run(frame, &run, NULL));
  expect_run(run, warpbound_frame_lower(frame).cycles);
}

/* A frame without launches has a run too. */
TEST(runs_of_waits_alone_can_be_checked)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_frame_launch launches[] = {
      {"small", simulated_launch_of(gpu, 2, true, SIMULATE)}};
  const warpbound_step steps[] = {
      {.name = "wait", .kind = WARPBOUND_STEP_HOST, .time_ns = 50000},
      {.name = "in", .kind = WARPBOUND_STEP_COPY_TO_DEVICE, .time_ns = 10000}};
  const warpbound_frame_options options = {.in_flight = 1};
  warpbound_frame *frame;
  char *run;
  assert_made(frame, warpbound_frame_analyse(launches, 1, steps, 2, &options, &frame, NULL));
  assert_int_equal(warpbound_frame_lower(frame).cycles, 65000);
  assert_made(run, warpbound_frame_run(frame, &run, NULL));
  expect_run(run, 65000);
}

TEST(a_frame_is_bounded)
{
  static const size_t first[] = {0};
  static const size_t both[] = {1, 2};
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                             {"large", launch_of(gpu, 32, true)}};
  const warpbound_step steps[] = {
      {.name = "in", .kind = WARPBOUND_STEP_COPY_TO_DEVICE, .bytes = 1000000, .rate = 1000000000},
      {.name = "a", .launch = 0, .after = first, .after_count = 1},
      {.name = "b", .launch = 1, .after = first, .after_count = 1},
      {.name = "end",
       .kind = WARPBOUND_STEP_HOST,
       .time_ns = 50000,
       .after = both,
       .after_count = 2},
      {.name = "c", .launch = 0, .beside = true, .period_ns = 100000000},
  };
  const warpbound_frame_options options = {.period_ns = 33000000, .deadline_ns = 20000000};
  warpbound_frame *frame;
  char *text;
  assert_made(frame, warpbound_frame_analyse(launches, 2, steps, 5, &options, &frame, NULL));
  const warpbound_bound upper = warpbound_frame_upper(frame);
  const warpbound_bound lower = warpbound_frame_lower(frame);
  assert_int_equal(upper.kind, WARPBOUND_UPPER);
  assert_true(lower.cycles <= upper.cycles);
  /* The copy takes a millisecond, the host 50 microseconds, at 1.3 GHz. */
  assert_true(lower.cycles >= 1300000 + 65000);
  assert_true(upper.cycles >= lower.cycles + warpbound_launch_lower(launches[1].launch).cycles / 4);
  assert_int_equal(warpbound_frame_in_flight(frame), 1);
  assert_true(warpbound_frame_is_critical(frame, 0));
  assert_true(warpbound_frame_is_critical(frame, 2));
  assert_false(warpbound_frame_is_critical(frame, 1));
  assert_true(warpbound_frame_slack(frame, 1) > 0);
  assert_int_equal(warpbound_frame_slack(frame, 2), 0);
  assert_true(warpbound_frame_response(frame, 4) >=
              warpbound_launch_upper(launches[0].launch).cycles);
  assert_int_equal(warpbound_frame_response(frame, 0), 0);
  assert_true(warpbound_frame_response_lower(frame, 4) > 0);
  assert_true(warpbound_frame_response_lower(frame, 4) <= warpbound_frame_response(frame, 4));
  assert_int_equal(warpbound_frame_response_lower(frame, 0), 0);
  assert_true(warpbound_frame_in_time(frame));
  assert_true(warpbound_frame_assumption_count(frame) > 3);
  expect_part(warpbound_frame_assumption(frame, 0), "company: ");
  assert_string_equal(warpbound_frame_assumption(frame, 1000), "");
  expect_certified(frame, 4);
  assert_made(text, warpbound_frame_json(frame, &text, NULL));
  expect_part(text, "\"in_time\": true");
  assert_made(text, warpbound_frame_text(frame, &text, NULL));
  expect_part(text, "copy to device");
  assert_made(text, warpbound_frame_svg(frame, &text, NULL));
  expect_part(text, "</svg>");
}

/* Beside a launch two frames can be under way, one after the other, and both may release their
 * launch while it is: the earlier frame too, which began before. So it takes no less than beside
 * two launches at any time. */
TEST(frames_that_began_before_release_launches)
{
  static const size_t first[] = {0};
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                             {"large", launch_of(gpu, 32, true)}};
  const warpbound_step asked = {.name = "c", .launch = 0, .beside = true, .period_ns = 100000000};
  const warpbound_step steps[] = {
      {.name = "wait", .kind = WARPBOUND_STEP_HOST, .time_ns = 5000000},
      {.name = "b", .launch = 1, .after = first, .after_count = 1},
      asked,
  };
  const warpbound_step twice[] = {{.name = "b", .launch = 1, .beside = true},
                                  {.name = "again", .launch = 1, .beside = true},
                                  asked};
  warpbound_frame_options options = {0};
  warpbound_frame *frame;
  warpbound_frame *apart;
  assert_made(frame, warpbound_frame_analyse(launches, 2, steps, 3, &options, &frame, NULL));
  const uint64_t once = warpbound_frame_response(frame, 2);
  assert_made(apart, warpbound_frame_analyse(launches, 2, twice, 3, &options, &apart, NULL));
  /* The next frame begins as soon as this one is over for sure; 1.3 cycles are a nanosecond. */
  options.period_ns = warpbound_frame_upper(frame).cycles * 10 / 13 + 1000;
  assert_made(frame, warpbound_frame_analyse(launches, 2, steps, 3, &options, &frame, NULL));
  assert_int_equal(warpbound_frame_in_flight(frame), 1);
  assert_true(warpbound_frame_response(frame, 2) > once);
  assert_true(warpbound_frame_response(frame, 2) >= warpbound_frame_response(apart, 2));
}

/* Bounds by stages that are paid once hold of a launch alone: other launches may have longer times
 * there. */
TEST(launches_whose_stages_are_paid_once_are_refused)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_launch_options asked[] = {
      {.unlimited_queues = true},
      {.unlimited_memory_queue = true},
      {.unlimited_queues = true, .unlimited_memory_queue = true}};
  const warpbound_step steps[] = {{.name = "a", .launch = 0}, {.name = "b", .launch = 1}};
  const warpbound_frame_options options = {.in_flight = 1};
  for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
    const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                               {"large", asked_launch_of(gpu, 32, asked[a])}};
    warpbound_error error = {0};
    warpbound_frame *frame;
    const warpbound_status status =
        warpbound_frame_analyse(launches, 2, steps, 2, &options, &frame, &error);
    assert_int_equal(status, WARPBOUND_INVALID_INPUT);
    expect_part(error.message, "expected an analysis in company");
  }
}

/* On SMs of its own a launch is not slower than beside the other on all of them, each with half. */
TEST(launches_on_their_own_sms)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  assert_ok(warpbound_gpu_set(gpu, "sms=7", NULL));
  const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                             {"large", launch_of(gpu, 32, true)}};
  const warpbound_step steps[] = {{.name = "a", .launch = 0, .beside = true},
                                  {.name = "b", .launch = 1, .beside = true}};
  warpbound_frame_options options = {.own_sms = true};
  warpbound_frame *frame;
  char *text = NULL;
  assert_made(frame, warpbound_frame_analyse(launches, 2, steps, 2, &options, &frame, NULL));
  for (size_t s = 0; s < 2; s++)
    assert_true(warpbound_frame_response(frame, s) >
                warpbound_launch_upper(launches[s].launch).cycles);
  assert_int_equal(warpbound_frame_upper(frame).cycles, 0);
  assert_int_equal(warpbound_frame_lower(frame).cycles, 0);
  assert_misuse(warpbound_frame_svg(frame, &text, NULL));
  assert_null(text);
}

TEST(what_is_no_frame_is_refused)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  warpbound_gpu *other = gpu_of("orin-nano");
  const warpbound_frame_launch launches[] = {{"small", launch_of(gpu, 8, true)},
                                             {"other", launch_of(other, 8, true)}};
  warpbound_step step = {.name = "a"};
  warpbound_frame_options options = {0};
  warpbound_frame *frame = (warpbound_frame *)&step;
  warpbound_error error;
  assert_misuse(warpbound_frame_analyse(NULL, 1, &step, 1, &options, &frame, NULL));
  assert_null(frame);
  assert_misuse(warpbound_frame_analyse(launches, 1, NULL, 1, &options, &frame, NULL));
  assert_misuse(warpbound_frame_analyse(launches, 1, &step, 1, NULL, &frame, NULL));
  assert_misuse(warpbound_frame_analyse(launches, 1, &step, 1, &options, NULL, NULL));
  assert_misuse(warpbound_frame_analyse(launches, 0, &step, 1, &options, &frame, NULL));
  assert_misuse(warpbound_frame_analyse(launches, 1, &step, 0, &options, &frame, NULL));
  assert_invalid(warpbound_frame_analyse(launches, 2, &step, 1, &options, &frame, &error));
  expect_part(error.message, "of another device");
  step.launch = 1;
  assert_misuse(warpbound_frame_analyse(launches, 1, &step, 1, &options, &frame, &error));
  expect_part(error.message, "step 'a': expected one of the launches");
  step.launch = 0;
  options.own_sms = true;
  assert_misuse(warpbound_frame_analyse(launches, 1, &step, 1, &options, &frame, &error));
  options = (warpbound_frame_options){.period_ns = 1000};
  assert_invalid(warpbound_frame_analyse(launches, 1, &step, 1, &options, &frame, &error));
  expect_part(error.message, "more than the 1 that may be in flight");
  step.gap_ns = UINT64_MAX;
  options.period_ns = 0;
  assert_invalid(warpbound_frame_analyse(launches, 1, &step, 1, &options, &frame, &error));
  assert_null(frame);
  assert_int_equal(warpbound_frame_in_flight(NULL), 0);
  assert_int_equal(warpbound_frame_assumption_count(NULL), 0);
  assert_false(warpbound_frame_in_time(NULL));
  warpbound_frame_free(NULL);
}
