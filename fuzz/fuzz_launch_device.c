/* Fuzz target: a whole launch of a small kernel, of which bytes choose the device, grid, block and
 * shared memory, and set values of the device to small numbers: there is a status, and where there
 * is a bound its certificate is verified. */
#include "api/arguments.h"
#include "warpbound.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Warp instructions that one analysis simulates. */
#define SIMULATED 500

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what, const warpbound_error *error)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_launch_device: violated: %s: %s\n", what, error->message);
  abort();
}

/* The input, read from the front; 0 after its end. */
struct input {
  const uint8_t *data;
  size_t size, at;
};

static uint32_t byte_of(struct input *input)
{
  return input->at < input->size ? input->data[input->at++] : 0;
}

/* Three bytes a value: which one, and the number; one that it cannot have is refused. */
static void shrink(warpbound_gpu *gpu, struct input *input)
{
  while (input->at < input->size) {
    const size_t value = (byte_of(input) + 256 * byte_of(input)) % gpu->device.value_count;
    char text[160];
    warpbound_error error = {0};
    snprintf(text, sizeof text, "%s=%" PRIu32, gpu->device.values[value].name, byte_of(input));
    if (warpbound_gpu_set(gpu, text, &error) != WARPBOUND_OK)
      require(error.message[0] != '\0', "a value is refused in words", &error);
  }
}

static void check_bound(const warpbound_launch *launch)
{
  warpbound_error error = {0};
  warpbound_verdict *verdict = NULL;
  char *text = NULL;
  warpbound_status status = warpbound_launch_certificate(launch, &text, &error);
  require(status == WARPBOUND_OK, "a bound has a certificate", &error);
  status = warpbound_verify("claim", text, strlen(text), NULL, &verdict, &error);
  require(status == WARPBOUND_OK, "it is valid", &error);
  warpbound_verdict_free(verdict);
  warpbound_text_free(text);
}

/* The kernel's code for a device: that of the latest architecture that is not after it. */
static warpbound_module *module_of(const char *device)
{
  static const uint32_t architectures[] = {61, 70, 75, 87, 90, 120};
  static char bytes[1 << 16];
  char architecture[16] = "sm_61";
  warpbound_module *module = NULL;
  warpbound_gpu *gpu = NULL;
  warpbound_error error = {0};
  FILE *file = fopen(FUZZ_KERNEL, "rb");
  const size_t length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file != NULL)
    fclose(file);
  if (warpbound_gpu_bundled(device, &gpu, &error) != WARPBOUND_OK)
    abort();
  for (size_t a = 0; a < sizeof architectures / sizeof architectures[0]; a++) {
    if (architectures[a] <= warpbound_gpu_architecture(gpu))
      snprintf(architecture, sizeof architecture, "sm_%" PRIu32, architectures[a]);
  }
  warpbound_gpu_free(gpu);
  const warpbound_module_options options = {.machine_code_only = true,
                                            .architecture = architecture};
  require(warpbound_module_parse(FUZZ_KERNEL, bytes, length, &options, &module, &error) ==
              WARPBOUND_OK,
          "the kernel is read", &error);
  return module;
}

static void analyse(const char *device, struct input *input)
{
  const warpbound_annotation_options known = {.grid = {1 + byte_of(input), 1, 1},
                                              .block = {1 + byte_of(input), 1, 1}};
  const uint32_t flags = byte_of(input);
  warpbound_launch_options options = {.dynamic_shared = 64 * byte_of(input),
                                      .allow_other_device = true,
                                      .balanced_dispatch = (flags & 1) != 0,
                                      .unlimited_queues = (flags & 4) != 0,
                                      .unlimited_memory_queue = (flags & 8) != 0,
                                      .carveout = (flags & 2) != 0 ? WARPBOUND_LARGEST_CARVEOUT : 0,
                                      .simulate = SIMULATED,
                                      .sensitivity = true};
  warpbound_module *module = module_of(device);
  warpbound_kernel *kernel = NULL;
  warpbound_annotations *annotations = NULL;
  warpbound_launch *launch = NULL;
  warpbound_gpu *gpu = NULL;
  warpbound_error error = {0};
  if (warpbound_gpu_bundled(device, &gpu, &error) != WARPBOUND_OK ||
      warpbound_kernel_choose(module, NULL, &kernel, &error) != WARPBOUND_OK)
    abort();
  shrink(gpu, input);
  if (warpbound_annotations_create(module, &known, &annotations, &error) == WARPBOUND_OK) {
    options.wcet.annotations = annotations;
    const warpbound_status status =
        warpbound_launch_analyse(kernel, gpu, &options, NULL, &launch, &error);
    require(status == WARPBOUND_OK || error.message[0] != '\0', "a refusal has words", &error);
    require(status != WARPBOUND_INTERNAL, "no mistake of its own", &error);
    if (status == WARPBOUND_OK)
      check_bound(launch);
  }
  warpbound_launch_free(launch);
  warpbound_annotations_free(annotations);
  warpbound_gpu_free(gpu);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct input input = {data, size, 0};
  analyse(warpbound_gpu_bundled_name(byte_of(&input) % warpbound_gpu_count()), &input);
  return 0;
}
