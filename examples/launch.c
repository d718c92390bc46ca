/* The worst case of a whole launch on Jetson AGX Orin, what limits it, and what it rests on. The
 * first argument names the binary, where it is not matrix_multiply.fatbin here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <warpbound.h>

/* A file's bytes, to be freed; NULL where it cannot be read. */
static char *read_file(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
    bytes = malloc((size_t)size + 1);
  *length = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
  if (file != NULL)
    fclose(file);
  return bytes;
}

/* What the calls below make; zero is none. */
struct made {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_annotations *annotations;
  warpbound_gpu *gpu;
  warpbound_launch *launch;
};

static void print(const warpbound_launch *launch)
{
  const warpbound_bound lower = warpbound_launch_lower(launch);
  const warpbound_bound upper = warpbound_launch_upper(launch);
  printf("at most %" PRIu64 " cycles (%s)\n", upper.cycles, warpbound_kind_name(upper.kind));
  printf("at least %" PRIu64 " cycles (%s)\n", lower.cycles, warpbound_kind_name(lower.kind));
  printf("%" PRIu32 " blocks on an SM, limited by %s\n", warpbound_launch_resident_blocks(launch),
         warpbound_launch_residency_limit(launch));
  for (size_t a = 0; a < warpbound_launch_assumption_count(launch); a++)
    printf("- %s\n", warpbound_launch_assumption(launch, a));
}

/* matrix_tiled on 8 x 8 blocks of 8 x 8 threads, with tiles = 64. */
static warpbound_status analyse(const char *file, const char *bytes, size_t length,
                                struct made *made, warpbound_error *error)
{
  const warpbound_module_options code = {.machine_code_only = true, .architecture = "sm_87"};
  const warpbound_parameter tiles = {.name = "param_3", .value = 64};
  const warpbound_annotation_options known = {
      .grid = {8, 8, 1}, .block = {8, 8, 1}, .parameters = &tiles, .parameter_count = 1};
  warpbound_launch_options options = {.simulate = 1000000};
  warpbound_status status =
      warpbound_module_parse(file, bytes, length, &code, &made->module, error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(made->module, "matrix_tiled", &made->kernel, error);
  if (status == WARPBOUND_OK)
    status = warpbound_annotations_create(made->module, &known, &made->annotations, error);
  if (status == WARPBOUND_OK)
    status = warpbound_gpu_bundled("orin-agx", &made->gpu, error);
  options.wcet.annotations = made->annotations;
  if (status == WARPBOUND_OK)
    status =
        warpbound_launch_analyse(made->kernel, made->gpu, &options, NULL, &made->launch, error);
  return status;
}

int main(int count, char **words)
{
  const char *file = count > 1 ? words[1] : "matrix_multiply.fatbin";
  warpbound_error error = {0};
  struct made made = {0};
  size_t length;
  char *bytes = read_file(file, &length);
  if (bytes == NULL) {
    fprintf(stderr, "%s cannot be read\n", file);
    return 3;
  }
  const warpbound_status status = analyse(file, bytes, length, &made, &error);
  free(bytes);
  if (status == WARPBOUND_OK)
    print(made.launch);
  else
    fprintf(stderr, "%s:%zu: %s\n", error.file, error.line, error.message);
  warpbound_launch_free(made.launch);
  warpbound_gpu_free(made.gpu);
  warpbound_annotations_free(made.annotations);
  warpbound_kernel_free(made.kernel);
  warpbound_module_free(made.module);
  return (int)status;
}
