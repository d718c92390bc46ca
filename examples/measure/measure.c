/* Measures a kernel on a GPU through the CUDA driver: times of whole launches, and what the probes
 * of 'warpbound instrument' keep. See README.md. */
#include "cuda_driver.h"
#include "launch_inputs.h"
#include "measure_options.h"
#include "raw_output.h"

#include <stdlib.h>
#include <string.h>

enum exit_status { MEASURED = 0, USAGE = 2, REFUSED = 3, NO_GPU = 4 };

/* Everything of one measurement. Handles are 0 until they are made. */
struct measurement {
  struct measure_options options;
  struct cuda_driver driver;
  cuda_handle context, module, function, start, end;
  struct inputs inputs;
  char *ptx;
  size_t ptx_length;
  struct probes probes;
  bool probed;         /* the PTX has probes, in the kernel that runs */
  uint32_t own;        /* warps with rows of their own */
  bool others;         /* there are more warps */
  cuda_address buffer; /* of own warps */
  cuda_address rest;   /* the module's rows of all others */
  cuda_address flush;  /* as many bytes as the L2 cache has twice; 0: none */
  size_t flush_bytes;
  uint32_t *words; /* rows of one warp on the device */
  FILE *raw;
  FILE *times;
};

/* Whether a call of the driver went well; else it says what did not. */
static bool well(const struct measurement *all, cuda_result result, const char *what)
{
  if (result != CUDA_SUCCESS)
    fprintf(stderr, "measure: %s: %s\n", what, cuda_error(&all->driver, result));
  return result == CUDA_SUCCESS;
}

/* ---- before the runs ---- */

/* The driver and a GPU; without them there is nothing to measure. */
static bool find_gpu(struct measurement *all)
{
  cuda_device device = 0;
  const char *missing = cuda_driver_load(all->options.driver, &all->driver);
  if (missing != NULL) {
    fprintf(stderr, "measure: no CUDA driver here (%s): nothing was measured\n", missing);
    return false;
  }
  const cuda_result found = all->driver.init(0);
  if (found != CUDA_SUCCESS ||
      all->driver.device_get(&device, (int)all->options.device) != CUDA_SUCCESS) {
    fprintf(stderr, "measure: no GPU %u here (%s): nothing was measured\n", all->options.device,
            cuda_error(&all->driver, found));
    return false;
  }
  char name[128] = "";
  int l2 = 0;
  all->driver.device_name(name, sizeof name - 1, device);
  all->driver.device_attribute(&l2, CUDA_ATTRIBUTE_L2_CACHE_SIZE, device);
  fprintf(stderr, "measure: %s, L2 cache of %d bytes\n", name, l2);
  all->flush_bytes = l2 > 0 ? (size_t)l2 * 2 : (size_t)256 << 20;
  return well(all, all->driver.context_create(&all->context, 0, device), "a context");
}

static bool load_kernel(struct measurement *all)
{
  const struct measure_options *options = &all->options;
  all->ptx = read_whole_file(options->ptx, &all->ptx_length);
  if (all->ptx == NULL) {
    fprintf(stderr, "measure: cannot read %s\n", options->ptx);
    return false;
  }
  all->probed = probes_find(all->ptx, &all->probes) &&
                (options->kernel == NULL || strcmp(options->kernel, all->probes.kernel) == 0);
  if (!all->probed && (options->kernel == NULL || options->raw != NULL)) {
    fprintf(stderr, "measure: %s: expected PTX of 'warpbound instrument'%s\n", options->ptx,
            options->raw != NULL ? " with probes in this kernel" : ", or --kernel");
    return false;
  }
  const char *kernel = all->probed ? all->probes.kernel : options->kernel;
  if (!well(all, all->driver.module_load(&all->module, all->ptx), options->ptx) ||
      !well(all, all->driver.module_function(&all->function, all->module, kernel), kernel))
    return false;
  return options->shared == 0 ||
         well(all,
              all->driver.function_set(all->function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                       (int)options->shared),
              "--shared");
}

static size_t warp_bytes(const struct measurement *all)
{
  return (size_t)all->probes.rows * DEVICE_ROW_WORDS * sizeof(uint32_t);
}

/* The address of a variable of the probes; 0 where there is none. */
static cuda_address variable(const struct measurement *all, const char *word)
{
  char name[96];
  cuda_address address = 0;
  size_t bytes = 0;
  snprintf(name, sizeof name, "%s_%s", all->probes.prefix, word);
  if (!well(all, all->driver.module_global(&address, &bytes, all->module, name), name))
    return 0;
  return address;
}

/* How many warps a launch has. */
static uint64_t count_warps(const struct measure_options *options)
{
  const uint64_t threads = (uint64_t)options->block[0] * options->block[1] * options->block[2];
  const uint64_t blocks = (uint64_t)options->grid[0] * options->grid[1] * options->grid[2];
  return blocks * ((threads + 31) / 32);
}

/* Gives the probes their rows. */
static bool make_rows(struct measurement *all)
{
  const uint64_t warps = count_warps(&all->options);
  all->own = warps < all->options.warps ? (uint32_t)warps : all->options.warps;
  all->others = warps > all->own;
  all->words = malloc(warp_bytes(all));
  const uint64_t capacity = all->own;
  const cuda_address to_buffer = variable(all, "buffer");
  const cuda_address to_capacity = variable(all, "capacity");
  all->rest = variable(all, "others");
  if (all->words == NULL || to_buffer == 0 || to_capacity == 0 || all->rest == 0)
    return false;
  if (all->own > 0 &&
      !well(all, all->driver.allocate(&all->buffer, all->own * warp_bytes(all)), "--warps"))
    return false;
  const uint64_t address = all->buffer;
  return well(all, all->driver.copy_to(to_buffer, &address, sizeof address), "rows") &&
         well(all, all->driver.copy_to(to_capacity, &capacity, sizeof capacity), "rows");
}

static bool open_file(const char *name, FILE **file)
{
  if (name == NULL)
    return true;
  *file = fopen(name, "wb");
  if (*file == NULL)
    fprintf(stderr, "measure: cannot write %s\n", name);
  return *file != NULL;
}

static bool open_outputs(struct measurement *all)
{
  if (!open_file(all->options.raw, &all->raw) || !open_file(all->options.times, &all->times))
    return false;
  if (all->raw != NULL) {
    const struct raw_header header = {
        .checksum = checksum_of(all->ptx, all->ptx_length),
        .rows = all->probes.rows,
        .runs = all->options.runs,
        .warps = all->own,
        .others = all->others,
        .kernel = all->probes.kernel,
    };
    raw_write_header(all->raw, &header);
  }
  if (all->times != NULL)
    fputs(all->probed ? "run,time_us,longest_warp_cycles\n" : "run,time_us\n", all->times);
  return true;
}

static bool prepare(struct measurement *all)
{
  return load_kernel(all) && inputs_make(&all->driver, &all->options, &all->inputs) &&
         (!all->probed || make_rows(all)) &&
         (!all->options.cold ||
          well(all, all->driver.allocate(&all->flush, all->flush_bytes), "--cache cold")) &&
         well(all, all->driver.event_create(&all->start, 0), "an event") &&
         well(all, all->driver.event_create(&all->end, 0), "an event") && open_outputs(all);
}

/* ---- a run ---- */

static bool clear_rows(const struct measurement *all)
{
  if (!all->probed)
    return true;
  return (all->own == 0 ||
          well(all, all->driver.fill(all->buffer, 0, all->own * warp_bytes(all)), "rows")) &&
         well(all, all->driver.fill(all->rest, 0, warp_bytes(all)), "rows");
}

static bool launch(struct measurement *all, float *milliseconds)
{
  const struct measure_options *options = &all->options;
  const struct cuda_driver *driver = &all->driver;
  return well(all, driver->synchronize(), "before a launch") &&
         well(all, driver->event_record(all->start, NULL), "an event") &&
         well(all,
              driver->launch(all->function, options->grid[0], options->grid[1], options->grid[2],
                             options->block[0], options->block[1], options->block[2],
                             options->shared, NULL, all->inputs.pointers, NULL),
              "a launch") &&
         well(all, driver->event_record(all->end, NULL), "an event") &&
         well(all, driver->event_wait(all->end), "a launch") &&
         well(all, driver->event_elapsed(milliseconds, all->start, all->end), "an event");
}

/* Brings the caches into the state that was asked for, and the rows and inputs to their beginning.
 */
static bool prepare_run(struct measurement *all, uint64_t run)
{
  float unused;
  const uint64_t seed = all->options.seed;
  if (!all->options.cold &&
      (!well(all, inputs_fill(&all->inputs, seed, run), "inputs") || !launch(all, &unused)))
    return false;
  if (!well(all, inputs_fill(&all->inputs, seed, run), "inputs") || !clear_rows(all))
    return false;
  return !all->options.cold ||
         well(all, all->driver.fill(all->flush, (unsigned char)run, all->flush_bytes),
              "--cache cold");
}

/* Writes the rows of one warp; *longest grows with its whole run. */
static bool write_warp(struct measurement *all, cuda_address from, uint32_t *longest)
{
  if (!well(all, all->driver.copy_from(all->words, from, warp_bytes(all)), "rows"))
    return false;
  for (uint32_t row = 0; row < all->probes.rows; row++) {
    const struct raw_row kept = row_of_lanes(all->words + (size_t)row * DEVICE_ROW_WORDS);
    if (row == ROW_WHOLE && kept.longest > *longest)
      *longest = kept.longest;
    if (all->raw != NULL)
      raw_write_row(all->raw, kept);
  }
  return true;
}

static bool write_rows(struct measurement *all, uint32_t *longest)
{
  *longest = 0;
  for (uint32_t warp = 0; warp < all->own; warp++)
    if (!write_warp(all, all->buffer + warp * warp_bytes(all), longest))
      return false;
  return !all->others || write_warp(all, all->rest, longest);
}

static bool run_once(struct measurement *all, unsigned run)
{
  float milliseconds = 0;
  uint32_t longest = 0;
  if (!prepare_run(all, run) || !launch(all, &milliseconds) ||
      (all->probed && !write_rows(all, &longest)))
    return false;
  if (all->times == NULL)
    return true;
  fprintf(all->times, "%u,%.6g", run, (double)milliseconds * 1000);
  if (all->probed)
    fprintf(all->times, ",%lu", (unsigned long)longest);
  fputc('\n', all->times);
  return true;
}

/* ---- all of it ---- */

/* Ends an output; one that is not whole is removed. */
static bool close_output(FILE *file, const char *name, bool whole)
{
  if (file == NULL)
    return true;
  const bool written = ferror(file) == 0;
  const bool closed = fclose(file) == 0;
  if (whole && written && closed)
    return true;
  remove(name);
  if (whole)
    fprintf(stderr, "measure: cannot write %s\n", name);
  return false;
}

static enum exit_status measure(struct measurement *all)
{
  if (!find_gpu(all))
    return NO_GPU;
  bool done = prepare(all);
  for (unsigned run = 0; run < all->options.runs && done; run++)
    done = run_once(all, run);
  const bool raw = close_output(all->raw, all->options.raw, done);
  const bool times = close_output(all->times, all->options.times, done);
  return done && raw && times ? MEASURED : REFUSED;
}

static void free_all(struct measurement *all)
{
  inputs_free(&all->inputs);
  if (all->buffer != 0)
    all->driver.release(all->buffer);
  if (all->flush != 0)
    all->driver.release(all->flush);
  if (all->context != NULL)
    all->driver.context_destroy(all->context);
  cuda_driver_unload(&all->driver);
  free(all->words);
  free(all->ptx);
}

int main(int count, char **words)
{
  static struct measurement all; /* larger than a stack should hold */
  if (count == 2 && strcmp(words[1], "--help") == 0) {
    measure_usage(stdout);
    return MEASURED;
  }
  if (!measure_options_read(count, words, &all.options)) {
    fputs("measure --help says more\n", stderr);
    return USAGE;
  }
  const enum exit_status status = measure(&all);
  free_all(&all);
  return status;
}
