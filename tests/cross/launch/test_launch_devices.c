/* Whole analyses of a small kernel on changed devices. Each value of each bundled device, one at a
 * time and all together, is set to small numbers: the analysis ends with a status, and where there
 * is a number its certificate is verified. Of the sizes of shared memory: the number of any size is
 * the greatest of all, and falls where fewer of them can be. What is left out: whether numbers are
 * true (test_launch_cross.c), and sensitivities, which are only computed.
 *   WARPBOUND_CROSS_RUNS  400 times the draws (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "api/arguments.h"
#include "base/file.h"
#include "base/random.h"
#include "unit.h"
#include "warpbound.h"

#include <inttypes.h>

static uint64_t draws(void)
{
  return number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 400;
}

/* ---- a kernel of the device's architecture, or of one before ---- */

struct code {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_annotations *annotations;
};

static void read_kernel(const char *device, uint32_t blocks, struct code *code)
{
  static const uint32_t architectures[] = {61, 70, 75, 87, 90, 120};
  const char *root = getenv("WARPBOUND_SOURCE");
  const warpbound_annotation_options known = {.grid = {blocks, 1, 1}, .block = {64, 1, 1}};
  struct wb_input source;
  warpbound_gpu *gpu;
  char name[512], architecture[16] = "sm_61";
  snprintf(name, sizeof name, "%s/tests/fixtures/binary/kernels/shared_memory/transpose.fatbin",
           root != NULL ? root : ".");
  assert_ok(warpbound_gpu_bundled(device, &gpu, NULL));
  for (size_t a = 0; a < COUNT_OF(architectures); a++) {
    if (architectures[a] <= warpbound_gpu_architecture(gpu))
      snprintf(architecture, sizeof architecture, "sm_%" PRIu32, architectures[a]);
  }
  warpbound_gpu_free(gpu);
  const warpbound_module_options options = {.machine_code_only = true,
                                            .architecture = architecture};
  assert_ok(wb_input_read(name, &source, NULL));
  assert_ok(
      warpbound_module_parse(name, source.bytes, source.length, &options, &code->module, NULL));
  wb_input_free(&source);
  assert_ok(warpbound_kernel_choose(code->module, NULL, &code->kernel, NULL));
  assert_ok(warpbound_annotations_create(code->module, &known, &code->annotations, NULL));
}

static void free_kernel(struct code *code)
{
  warpbound_annotations_free(code->annotations);
  warpbound_kernel_free(code->kernel);
  warpbound_module_free(code->module);
}

static void verify(const warpbound_launch *launch, const char *what)
{
  warpbound_error error = {0};
  char *text = NULL;
  char *json = NULL;
  warpbound_verdict *verdict = NULL;
  if (warpbound_launch_certificate(launch, &text, &error) != WARPBOUND_OK ||
      warpbound_verify("claim", text, strlen(text), NULL, &verdict, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", what, error.message);
  assert_ok(warpbound_launch_json(launch, &json, NULL));
  warpbound_verdict_free(verdict);
  warpbound_text_free(json);
  warpbound_text_free(text);
}

/* An analysis with all that one has. Whether it gave a number. */
static bool analyse(const struct code *code, const warpbound_gpu *gpu, const char *what)
{
  const warpbound_launch_options options = {.wcet = {.annotations = code->annotations},
                                            .allow_other_device = true,
                                            .simulate = 2000,
                                            .sensitivity = true};
  warpbound_launch *launch = NULL;
  warpbound_error error = {0};
  const warpbound_status status =
      warpbound_launch_analyse(code->kernel, gpu, &options, NULL, &launch, &error);
  if (status == WARPBOUND_INTERNAL || (status != WARPBOUND_OK && error.message[0] == '\0'))
    fail_msg("%s: status %d: %s", what, (int)status, error.message);
  if (status == WARPBOUND_OK)
    verify(launch, what);
  warpbound_launch_free(launch);
  return status == WARPBOUND_OK;
}

static uint64_t small(struct wb_random *random)
{
  const uint64_t kind = wb_random_below(random, 4);
  return kind < 3 ? kind : wb_random_below(random, 40);
}

/* Sets a value where it can be that number. */
static bool set(warpbound_gpu *gpu, size_t value, uint64_t number)
{
  char text[160];
  snprintf(text, sizeof text, "%s=%" PRIu64, gpu->device.values[value].name, number);
  return warpbound_gpu_set(gpu, text, NULL) == WARPBOUND_OK;
}

/* Whether a value is one of the numbers of the device itself, which shape launches. */
static bool is_of_shape(const warpbound_gpu *gpu, size_t value)
{
  static const char *const beginnings[] = {"sms",    "partitions", "clock",     "launch.",
                                           "block.", "warp.",      "residency."};
  for (size_t b = 0; b < COUNT_OF(beginnings); b++) {
    if (strncmp(gpu->device.values[value].name, beginnings[b], strlen(beginnings[b])) == 0)
      return true;
  }
  return false;
}

/* One value at a time: a draw of the numbers of the device itself, all of them in usual runs, and
 * of those of its classes. */
static size_t try_single_values(const char *device, struct code *code, struct wb_random *random,
                                size_t *numbers)
{
  size_t tried = 0;
  warpbound_gpu *gpu;
  assert_ok(warpbound_gpu_bundled(device, &gpu, NULL));
  const size_t count = gpu->device.value_count;
  for (size_t v = 0; v < count; v++) {
    if (wb_random_below(random, is_of_shape(gpu, v) ? 50 : 2000) >= draws())
      continue;
    for (uint64_t number = 0; number < 4; number++) {
      warpbound_gpu *changed;
      char what[200];
      const uint64_t value = number < 3 ? number : small(random);
      assert_ok(warpbound_gpu_bundled(device, &changed, NULL));
      snprintf(what, sizeof what, "%s, %s=%" PRIu64, device, gpu->device.values[v].name, value);
      if (set(changed, v, value)) {
        *numbers += analyse(code, changed, what);
        tried++;
      }
      warpbound_gpu_free(changed);
    }
  }
  warpbound_gpu_free(gpu);
  return tried;
}

TEST(test_single_values)
{
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  size_t numbers = 0;
  size_t tried = 0;
  for (size_t d = 0; d < warpbound_gpu_count(); d++) {
    struct code code;
    read_kernel(warpbound_gpu_bundled_name(d), 40, &code);
    tried += try_single_values(warpbound_gpu_bundled_name(d), &code, &random, &numbers);
    free_kernel(&code);
  }
  print_message("# %zu devices with one small value, %zu with a number\n", tried, numbers);
  assert_true(numbers * 2 > tried);
}

/* Many at a time; one in four keeps the limits that a block has to fit in. */
TEST(test_values_together)
{
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  size_t numbers = 0;
  for (uint64_t draw = 0; draw < draws(); draw++) {
    const char *device =
        warpbound_gpu_bundled_name(wb_random_below(&random, warpbound_gpu_count()));
    const uint64_t share = 1 + wb_random_below(&random, 8);
    const bool fits = wb_random_below(&random, 4) > 0;
    char what[100];
    struct code code;
    warpbound_gpu *gpu;
    read_kernel(device, 1 + (uint32_t)wb_random_below(&random, 100), &code);
    assert_ok(warpbound_gpu_bundled(device, &gpu, NULL));
    for (size_t v = 0; v < gpu->device.value_count; v++) {
      if (wb_random_below(&random, 8) < share &&
          !(fits && strncmp(gpu->device.values[v].name, "residency.", 10) == 0))
        (void)set(gpu, v, small(&random));
    }
    snprintf(what, sizeof what, "draw %" PRIu64 ", %s", draw, device);
    numbers += analyse(&code, gpu, what);
    warpbound_gpu_free(gpu);
    free_kernel(&code);
  }
  print_message("# %zu of %" PRIu64 " devices of small values with a number\n", numbers, draws());
  assert_true(numbers > 0);
}

/* The upper end, 0 where there is none. */
static uint64_t upper_of(const struct code *code, const warpbound_gpu *gpu, uint32_t dynamic,
                         uint32_t carveout, bool balanced)
{
  const warpbound_launch_options options = {.wcet = {.annotations = code->annotations},
                                            .dynamic_shared = dynamic,
                                            .allow_other_device = true,
                                            .balanced_dispatch = balanced,
                                            .carveout = carveout};
  warpbound_launch *launch = NULL;
  const warpbound_status status =
      warpbound_launch_analyse(code->kernel, gpu, &options, NULL, &launch, NULL);
  const uint64_t cycles = status == WARPBOUND_OK ? warpbound_launch_upper(launch).cycles : 0;
  if (status == WARPBOUND_OK)
    verify(launch, gpu->device.name);
  warpbound_launch_free(launch);
  return cycles;
}

/* Of the device with one size alone. */
static uint64_t single_upper(const struct code *code, const char *device, uint32_t sms,
                             uint32_t dynamic, uint64_t bytes, bool balanced)
{
  warpbound_gpu *gpu;
  char text[80];
  uint64_t cycles = 0;
  assert_ok(warpbound_gpu_bundled(device, &gpu, NULL));
  snprintf(text, sizeof text, "sms=%" PRIu32, sms);
  assert_ok(warpbound_gpu_set(gpu, text, NULL));
  snprintf(text, sizeof text, "residency.shared_memory=%" PRIu64, bytes);
  if (warpbound_gpu_set(gpu, text, NULL) == WARPBOUND_OK)
    cycles = upper_of(code, gpu, dynamic, WARPBOUND_LARGEST_CARVEOUT, balanced);
  warpbound_gpu_free(gpu);
  return cycles;
}

static int compare(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* From the largest size down: the number of at least a size is the greatest of those of it and all
 * larger ones, each as if the device had no other; that of any size is the last one. */
static void compare_carveouts(const char *device, uint64_t draw, struct wb_random *random,
                              size_t *worse)
{
  const uint32_t sms = 1 + (uint32_t)wb_random_below(random, 6);
  const uint32_t dynamic = (uint32_t)wb_random_below(random, 24 * 1024);
  const bool balanced = wb_random_below(random, 4) == 0;
  uint64_t sizes[WB_CARVEOUT_LIMIT];
  uint64_t greatest = 0;
  uint64_t last = 0;
  struct code code;
  warpbound_gpu *gpu;
  char text[40];
  read_kernel(device, 1 + (uint32_t)wb_random_below(random, 120), &code);
  assert_ok(warpbound_gpu_bundled(device, &gpu, NULL));
  snprintf(text, sizeof text, "sms=%" PRIu32, sms);
  assert_ok(warpbound_gpu_set(gpu, text, NULL));
  const struct wb_residency_rules *rules = &gpu->device.residency;
  for (size_t c = 0; c < rules->carveout_count; c++)
    sizes[c] = wb_device_number(&gpu->device, rules->carveouts[c]);
  qsort(sizes, rules->carveout_count, sizeof *sizes, compare);
  const uint64_t largest = upper_of(&code, gpu, dynamic, WARPBOUND_LARGEST_CARVEOUT, balanced);
  for (size_t c = rules->carveout_count; c-- > 0;) {
    const uint64_t single = single_upper(&code, device, sms, dynamic, sizes[c], balanced);
    const uint64_t next = c > 0 ? sizes[c - 1] + 1 : 0;
    const uint64_t between = next + wb_random_below(random, sizes[c] - next + 1);
    greatest = single > greatest ? single : greatest;
    last = upper_of(&code, gpu, dynamic, (uint32_t)between, balanced);
    if (last != greatest)
      fail_msg("draw %" PRIu64 ", %s, at least %" PRIu64 " bytes: %" PRIu64
               " cycles, the greatest of all sizes is %" PRIu64,
               draw, device, between, last, greatest);
  }
  assert_int_equal(upper_of(&code, gpu, dynamic, 0, balanced), greatest);
  assert_true(largest <= greatest);
  *worse += largest < greatest;
  warpbound_gpu_free(gpu);
  free_kernel(&code);
}

TEST(test_carveouts)
{
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  size_t worse = 0;
  for (uint64_t draw = 0; draw < draws() / 4 + warpbound_gpu_count(); draw++)
    compare_carveouts(warpbound_gpu_bundled_name(draw % warpbound_gpu_count()), draw, &random,
                      &worse);
  print_message("# a smaller size is worse than the largest in %zu launches of %" PRIu64 "\n",
                worse, draws() / 4 + warpbound_gpu_count());
  assert_true(worse > 0);
}
