/* Devices and whole launches through the public header alone; used well and misused. */
#include "handles.h"

/* The kernel of the launches: 4 x 4 blocks of 8 x 8 threads, as many tiles as the third parameter
 * says. */
struct code {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_annotations *annotations;
};

/* bounded: its loop has a bound. */
static struct code code_of_launch(bool bounded)
{
  const warpbound_module_options options = {.machine_code_only = true, .architecture = "sm_87"};
  const warpbound_parameter tiles = {.name = "param_3", .value = 32};
  const warpbound_annotation_options known = {.grid = {4, 4, 1},
                                              .block = {8, 8, 1},
                                              .parameters = &tiles,
                                              .parameter_count = bounded ? 1 : 0};
  struct code code;
  size_t length;
  const char *bytes = source_file("examples/matrix_multiply.fatbin", &length);
  assert_made(code.module,
              warpbound_module_parse("code", bytes, length, &options, &code.module, NULL));
  code.kernel = kernel_of(code.module, "matrix_tiled");
  code.annotations = annotations_of(code.module, &known);
  return code;
}

TEST(devices_have_names_and_numbers)
{
  const size_t count = warpbound_gpu_count();
  assert_true(count > 1);
  for (size_t d = 0; d < count; d++) {
    warpbound_gpu *gpu = gpu_of(warpbound_gpu_bundled_name(d));
    assert_string_equal(warpbound_gpu_name(gpu), warpbound_gpu_bundled_name(d));
    assert_true(warpbound_gpu_sms(gpu) > 0);
    assert_true(warpbound_gpu_clock(gpu) > 100000000);
    assert_true(warpbound_gpu_architecture(gpu) >= 50);
  }
  assert_string_equal(warpbound_gpu_bundled_name(count), "");
  warpbound_gpu *by_architecture = gpu_of("sm_87");
  assert_int_equal(warpbound_gpu_architecture(by_architecture), 87);
}

TEST(a_device_that_is_none_is_refused)
{
  warpbound_error error;
  warpbound_gpu *gpu = (warpbound_gpu *)&error;
  assert_misuse(warpbound_gpu_bundled("orin-agxx", &gpu, &error));
  assert_null(gpu);
  expect_part(error.message, "orin-agx");
  assert_misuse(warpbound_gpu_bundled(NULL, &gpu, NULL));
  assert_misuse(warpbound_gpu_bundled("orin-agx", NULL, NULL));
  assert_misuse(warpbound_gpu_from_json("d", NULL, 0, &gpu, NULL));
  assert_misuse(warpbound_gpu_from_json("d", "{}", 2, NULL, NULL));
  assert_invalid(warpbound_gpu_from_json("d", "{}", 2, &gpu, &error));
  assert_string_equal(error.file, "d");
  assert_null(gpu);
  assert_string_equal(warpbound_gpu_name(NULL), "");
  assert_int_equal(warpbound_gpu_architecture(NULL), 0);
  assert_int_equal(warpbound_gpu_sms(NULL), 0);
  assert_int_equal(warpbound_gpu_clock(NULL), 0);
  warpbound_gpu_free(NULL);
}

/* What a device is written as is read as the same device. */
TEST(a_device_is_a_file)
{
  char *text;
  char *again;
  warpbound_gpu *copy;
  warpbound_gpu *gpu = gpu_of("orin-agx");
  assert_made(text, warpbound_gpu_json(gpu, &text, NULL));
  assert_made(copy, warpbound_gpu_from_json(NULL, text, strlen(text), &copy, NULL));
  assert_made(again, warpbound_gpu_json(copy, &again, NULL));
  assert_string_equal(text, again);
  assert_misuse(warpbound_gpu_json(NULL, &text, NULL));
  assert_null(text);
  assert_misuse(warpbound_gpu_json(gpu, NULL, NULL));
}

TEST(a_value_is_changed_or_all_stay)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const uint64_t clock = warpbound_gpu_clock(gpu);
  assert_ok(warpbound_gpu_set(gpu, "sms=3", NULL));
  assert_int_equal(warpbound_gpu_sms(gpu), 3);
  assert_misuse(warpbound_gpu_set(gpu, "sms=0", NULL));
  assert_misuse(warpbound_gpu_set(gpu, "no.such.value=1", NULL));
  assert_misuse(warpbound_gpu_set(gpu, NULL, NULL));
  assert_misuse(warpbound_gpu_set(NULL, "sms=3", NULL));
  assert_int_equal(warpbound_gpu_sms(gpu), 3);
  assert_int_equal(warpbound_gpu_clock(gpu), clock);
}

TEST(a_mode_sets_clock_and_sms)
{
  warpbound_gpu *gpu = gpu_of("orin-agx");
  assert_ok(warpbound_gpu_set_mode(gpu, "15w", NULL));
  assert_int_equal(warpbound_gpu_sms(gpu), 6);
  assert_int_equal(warpbound_gpu_clock(gpu), 408000000);
  assert_misuse(warpbound_gpu_set_mode(gpu, "16W", NULL));
  assert_misuse(warpbound_gpu_set_mode(gpu, NULL, NULL));
  assert_misuse(warpbound_gpu_set_mode(NULL, "15W", NULL));
  assert_int_equal(warpbound_gpu_sms(gpu), 6);
}

/* A launch beside others takes longer: by their share, by their burst, by slower accesses. */
TEST(others_use_the_memory)
{
  struct code code = code_of_launch(true);
  warpbound_gpu *gpu = gpu_of("orin-agx");
  warpbound_launch_options options = {.wcet = {.annotations = code.annotations}};
  uint64_t before = 0;
  for (int step = 0; step < 4; step++) {
    warpbound_launch *launch;
    if (step == 1)
      options.foreign_burst = 4096;
    if (step == 2)
      options.foreign_rate = 10000000000;
    if (step == 3)
      assert_ok(warpbound_gpu_slow_memory(gpu, 1500, NULL));
    assert_made(launch, warpbound_launch_analyse(code.kernel, gpu, &options, NULL, &launch, NULL));
    assert_true(warpbound_launch_upper(launch).cycles > before);
    before = warpbound_launch_upper(launch).cycles;
  }
  warpbound_launch *none;
  options.foreign_rate = 0;
  options.foreign_share = 1000000;
  assert_misuse(warpbound_launch_analyse(code.kernel, gpu, &options, NULL, &none, NULL));
  assert_misuse(warpbound_gpu_slow_memory(gpu, 999, NULL));
  assert_misuse(warpbound_gpu_slow_memory(NULL, 2000, NULL));
}

TEST(a_device_has_an_sm)
{
  warpbound_sm *sm;
  warpbound_gpu *gpu = gpu_of("orin-agx");
  assert_made(sm, warpbound_sm_for_gpu(gpu, &sm, NULL));
  assert_int_equal(warpbound_sm_partitions(sm), 4);
  expect_part(warpbound_sm_name(sm), "orin-agx");
  assert_misuse(warpbound_sm_for_gpu(NULL, &sm, NULL));
  assert_null(sm);
  assert_misuse(warpbound_sm_for_gpu(gpu, NULL, NULL));
}

/* The certificate is accepted by the checker, and refused where it claims a cycle less. */
static void check_certificate(const warpbound_launch *launch, uint64_t upper)
{
  char *text;
  char claim[64];
  char less[64];
  warpbound_verdict *verdict;
  assert_made(text, warpbound_launch_certificate(launch, &text, NULL));
  assert_made(verdict, warpbound_verify("launch", text, strlen(text), NULL, &verdict, NULL));
  assert_int_equal(warpbound_verdict_claim(verdict), WARPBOUND_CLAIM_LAUNCH);
  assert_int_equal(warpbound_verdict_claimed(verdict), upper);
  snprintf(claim, sizeof claim, "\"cycles\": %llu", (unsigned long long)upper);
  char *place = strstr(text, claim);
  assert_non_null(place);
  snprintf(less, sizeof less, "\"cycles\": %*llu", (int)strlen(claim) - 10,
           (unsigned long long)upper - 1);
  memcpy(place, less, strlen(less));
  assert_int_equal(warpbound_verify("launch", text, strlen(text), NULL, &verdict, NULL),
                   WARPBOUND_CHECK_FAILED);
  own(verdict);
}

TEST(a_launch_has_a_bracket)
{
  struct code code = code_of_launch(true);
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_launch_options options = {.wcet = {.annotations = code.annotations},
                                            .simulate = 100000};
  warpbound_launch *launch;
  char *text;
  assert_ok(warpbound_gpu_set(gpu, "sms=2", NULL));
  assert_made(launch, warpbound_launch_analyse(code.kernel, gpu, &options, NULL, &launch, NULL));
  const warpbound_bound upper = warpbound_launch_upper(launch);
  const warpbound_bound lower = warpbound_launch_lower(launch);
  assert_int_equal(upper.kind, WARPBOUND_UPPER);
  assert_true(lower.cycles > 0 && lower.cycles <= upper.cycles && upper.cycles < UINT64_MAX);
  const uint32_t resident = warpbound_launch_resident_blocks(launch);
  assert_in_range(resident, 1, 16);
  assert_int_equal(warpbound_launch_waves(launch), (16 + 2 * resident - 1) / (2 * resident));
  assert_true(strlen(warpbound_launch_residency_limit(launch)) > 0);
  const size_t assumptions = warpbound_launch_assumption_count(launch);
  assert_true(assumptions > 0);
  assert_true(strlen(warpbound_launch_assumption(launch, assumptions - 1)) > 0);
  assert_string_equal(warpbound_launch_assumption(launch, assumptions), "");
  expect_text(warpbound_launch_json(launch, &text, NULL), &text, "\"upper\"");
  expect_text(warpbound_launch_text(launch, &text, NULL), &text, "matrix_tiled");
  expect_text(warpbound_launch_template(launch, &text, NULL), &text, "No fact is missing");
  check_certificate(launch, upper.cycles);
  assert_misuse(warpbound_launch_json(launch, NULL, NULL));
  assert_misuse(warpbound_launch_text(launch, NULL, NULL));
  assert_misuse(warpbound_launch_certificate(launch, NULL, NULL));
  assert_misuse(warpbound_launch_template(launch, NULL, NULL));
}

/* A loop without a bound leaves no bracket, and a template that asks for it. */
TEST(a_launch_can_lack_facts)
{
  struct code code = code_of_launch(false);
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_launch_options options = {.wcet = {.annotations = code.annotations}};
  warpbound_launch *launch;
  char *text;
  assert_int_equal(warpbound_launch_analyse(code.kernel, gpu, &options, NULL, &launch, NULL),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(launch);
  own(launch);
  assert_true(warpbound_launch_upper(launch).cycles == UINT64_MAX);
  assert_int_equal(warpbound_launch_lower(launch).cycles, 0);
  assert_int_equal(warpbound_launch_resident_blocks(launch), 0);
  assert_int_equal(warpbound_launch_waves(launch), 0);
  assert_string_equal(warpbound_launch_residency_limit(launch), "");
  assert_int_equal(warpbound_launch_json(launch, &text, NULL), WARPBOUND_FACTS_MISSING);
  assert_null(text);
  assert_int_equal(warpbound_launch_text(launch, &text, NULL), WARPBOUND_FACTS_MISSING);
  assert_int_equal(warpbound_launch_certificate(launch, &text, NULL), WARPBOUND_FACTS_MISSING);
  expect_text(warpbound_launch_template(launch, &text, NULL), &text, "?");
}

TEST(arguments_of_a_launch_are_checked)
{
  struct code code = code_of_launch(true);
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_launch_options options = {.wcet = {.annotations = code.annotations}};
  const warpbound_launch_options no_sizes = {0};
  const warpbound_options no_time = {.time_limit = -1};
  warpbound_module *string;
  warpbound_kernel *no_code;
  warpbound_launch *launch;
  warpbound_error error;
  assert_made(string, warpbound_module_of_string(NULL, "LC", &string, NULL));
  assert_made(no_code, warpbound_kernel_at(string, 0, &no_code, NULL));
  const struct {
    const warpbound_kernel *kernel;
    const warpbound_gpu *gpu;
    const warpbound_launch_options *options;
    const warpbound_options *limits;
    const char *message;
  } rows[] = {
      {NULL, gpu, &options, NULL, "kernel: expected a kernel"},
      {no_code, gpu, &options, NULL, "kernel: expected machine code"},
      {code.kernel, NULL, &options, NULL, "gpu: expected a device"},
      {code.kernel, gpu, NULL, NULL, "options: expected those of a launch"},
      {code.kernel, gpu, &options, &no_time, "time limit: expected seconds"},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    launch = (warpbound_launch *)&error;
    assert_misuse(warpbound_launch_analyse(rows[r].kernel, rows[r].gpu, rows[r].options,
                                           rows[r].limits, &launch, &error));
    assert_null(launch);
    assert_non_null(strstr(error.message, rows[r].message));
  }
  assert_misuse(warpbound_launch_analyse(code.kernel, gpu, &options, NULL, NULL, NULL));
  /* Sizes are facts. */
  assert_int_equal(warpbound_launch_analyse(code.kernel, gpu, &no_sizes, NULL, &launch, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(strstr(error.message, "--grid X[,Y,Z] (the blocks of the launch); --block"));
  assert_non_null(strstr(error.message, "--param 0x18=N"));
  warpbound_launch_free(launch);
}

TEST(an_interrupted_launch_is_none)
{
  struct code code = code_of_launch(true);
  warpbound_gpu *gpu = gpu_of("orin-agx");
  const warpbound_launch_options options = {.wcet = {.annotations = code.annotations}};
  const warpbound_options limits = {.interrupted = interrupt_at_once};
  warpbound_launch *launch;
  assert_limit(warpbound_launch_analyse(code.kernel, gpu, &options, &limits, &launch, NULL));
  assert_null(launch);
}

TEST(no_launch_has_no_numbers)
{
  char *text;
  assert_true(warpbound_launch_upper(NULL).cycles == UINT64_MAX);
  assert_int_equal(warpbound_launch_lower(NULL).cycles, 0);
  assert_int_equal(warpbound_launch_resident_blocks(NULL), 0);
  assert_int_equal(warpbound_launch_waves(NULL), 0);
  assert_string_equal(warpbound_launch_residency_limit(NULL), "");
  assert_int_equal(warpbound_launch_assumption_count(NULL), 0);
  assert_string_equal(warpbound_launch_assumption(NULL, 0), "");
  assert_misuse(warpbound_launch_json(NULL, &text, NULL));
  assert_null(text);
  assert_misuse(warpbound_launch_text(NULL, &text, NULL));
  assert_misuse(warpbound_launch_certificate(NULL, &text, NULL));
  assert_misuse(warpbound_launch_template(NULL, &text, NULL));
  warpbound_launch_free(NULL);
}

/* A value that yields to another of the same bytes leaves a note. */
TEST(entries_that_yield_are_noted)
{
  struct code code = code_of_launch(true);
  const warpbound_parameter rows[] = {
      {.name = "param_3", .value = 32, .said = "the first"},
      {.name = "param_3", .value = 8, .yields = true, .said = "it"}};
  warpbound_annotation_options known = {.parameters = rows, .parameter_count = 2};
  warpbound_annotations *annotations;
  assert_made(annotations, warpbound_annotations_create(code.module, &known, &annotations, NULL));
  assert_int_equal(warpbound_annotations_note_count(annotations), 1);
  assert_string_equal(warpbound_annotations_note(annotations, 0), "the first in place of it");
  assert_string_equal(warpbound_annotations_note(annotations, 1), "");
  assert_int_equal(warpbound_annotations_note_count(code.annotations), 0);
  assert_int_equal(warpbound_annotations_note_count(NULL), 0);
  assert_string_equal(warpbound_annotations_note(NULL, 0), "");
}
