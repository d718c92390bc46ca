/* The WCET of one warp of matrix_tiled, and what it rests on, for a launch with 16 tiles. The first
 * argument names the listing, where it is not matrix_multiply.sass here. */
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

static void print(const warpbound_wcet *wcet)
{
  const warpbound_bound bound = warpbound_wcet_bound(wcet);
  printf("at most %" PRIu64 " cycles (%s)\n", bound.cycles, warpbound_kind_name(bound.kind));
  for (size_t l = 0; l < warpbound_wcet_loop_count(wcet); l++) {
    const warpbound_loop loop = warpbound_wcet_loop(wcet, l);
    printf("loop at 0x%04" PRIx32 ": %" PRIu64 " back edges (%s)\n", loop.address, loop.warp_bound,
           loop.source);
  }
  for (size_t a = 0; a < warpbound_wcet_assumption_count(wcet); a++)
    printf("- %s\n", warpbound_wcet_assumption(wcet, a));
}

int main(int count, char **words)
{
  const char *file = count > 1 ? words[1] : "matrix_multiply.sass";
  /* The parameter `tiles` is 24 bytes from the first one. */
  const warpbound_parameter tiles = {.offset = 24, .value = 16};
  const warpbound_annotation_options known = {.parameters = &tiles, .parameter_count = 1};
  warpbound_wcet_options options = {0};
  warpbound_error error = {0};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_annotations *annotations = NULL;
  warpbound_wcet *wcet = NULL;
  size_t length;
  char *text = read_file(file, &length);
  if (text == NULL) {
    fprintf(stderr, "%s cannot be read\n", file);
    return 3;
  }
  warpbound_status status = warpbound_module_parse(file, text, length, NULL, &module, &error);
  free(text);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(module, "matrix_tiled", &kernel, &error);
  if (status == WARPBOUND_OK)
    status = warpbound_annotations_create(module, &known, &annotations, &error);
  options.annotations = annotations;
  if (status == WARPBOUND_OK)
    status = warpbound_wcet_analyse(kernel, &options, NULL, &wcet, &error);
  if (status == WARPBOUND_OK)
    print(wcet);
  else
    fprintf(stderr, "%s:%zu: %s\n", error.file, error.line, error.message);
  warpbound_wcet_free(wcet);
  warpbound_annotations_free(annotations);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  return (int)status;
}
