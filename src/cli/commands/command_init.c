/* `warpbound init`: a project file from a binary. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/kernel_needs.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/check/project_report.h"
#include "report/device_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROJECT_FILE "warpbound.yaml"
/* Without --sources the loops of so many kernels are looked at, for what they need: a library has
 * thousands. */
#define MOST_KERNELS 64

/* The first architecture of which there is machine code; NULL where there is none. */
static const char *first_architecture(const warpbound_images *images, uint32_t *sm)
{
  for (size_t i = 0; i < warpbound_images_count(images); i++) {
    const warpbound_image image = warpbound_images_image(images, i);
    if ((image.kind == WARPBOUND_IMAGE_CUBIN || image.kind == WARPBOUND_IMAGE_LISTING) &&
        image.damage[0] == '\0') {
      *sm = image.sm;
      return image.architecture;
    }
  }
  return NULL;
}

/* A file or folder as the project's file names it: one of the working folder by its name, if the
 * project stands there too; else from the root. The caller frees it. */
static char *name_path(const char *binary, const char *project)
{
  struct wb_text text = {0};
  char *whole = NULL;
  if (strchr(project, '/') == NULL || binary[0] == '/') {
    wb_text_string(&text, binary);
    return wb_text_take(&text);
  }
  whole = realpath(binary, NULL);
  wb_text_string(&text, whole != NULL ? whole : binary);
  free(whole);
  return wb_text_take(&text);
}

/* Which machine code: that for --sm, else the first. */
static warpbound_status choose(const struct arguments *arguments, struct wb_project_start *start,
                               char architecture[32], struct wb_text *devices,
                               warpbound_error *error)
{
  warpbound_gpu *gpu = NULL;
  uint32_t sm = 0;
  const char *first = first_architecture(start->wish.images, &sm);
  if (first == NULL)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected machine code, found none ('warpbound kernels %.100s' lists what there "
                   "is)",
                   arguments->input);
  start->device = arguments->value[OPTION_SM];
  if (start->device != NULL) {
    const warpbound_status status = gpu_input_read(arguments, &gpu, error);
    if (status != WARPBOUND_OK)
      return status;
    snprintf(architecture, 32, "sm_%" PRIu32, warpbound_gpu_architecture(gpu));
    warpbound_gpu_free(gpu);
  } else {
    snprintf(architecture, 32, "%s", first);
    wb_launch_devices_of(sm, devices);
  }
  start->wish.architecture = architecture;
  start->devices = devices->length > 0 ? devices->data : "the code's architecture has none bundled";
  if (devices->failed)
    return wb_out_of_memory(error);
  return wb_project_kernels(&start->wish) > 0
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "expected kernels in machine code for %s, found none", architecture);
}

/* What the loops of the kernels need, if these are few or their sources were named. */
static warpbound_status read_needs(const struct arguments *arguments, const struct wb_input *source,
                                   struct wb_project_start *start, struct kernel_needs *needs,
                                   warpbound_error *error)
{
  return arguments->value[OPTION_SOURCES] != NULL ||
                 wb_project_kernels(&start->wish) <= MOST_KERNELS
             ? kernel_needs_read(arguments, source, &start->wish, needs, error)
             : WARPBOUND_OK;
}

static warpbound_status write_project(const struct arguments *arguments,
                                      const struct wb_input *source, const warpbound_images *images,
                                      warpbound_error *error)
{
  const char *folder = arguments->value[OPTION_SOURCES];
  struct kernel_needs needs = {0};
  char *sources = NULL;
  struct wb_project_start start = {.wish = {.images = images}};
  const char *output = arguments->value[OPTION_OUTPUT];
  const char *project = output != NULL ? output : PROJECT_FILE;
  char architecture[32];
  struct wb_text devices = {0};
  struct wb_text text = {0};
  char *binary = NULL;
  warpbound_status status = choose(arguments, &start, architecture, &devices, error);
  if (status == WARPBOUND_OK)
    status = read_needs(arguments, source, &start, &needs, error);
  if (status == WARPBOUND_OK) {
    binary = name_path(arguments->input, project);
    sources = folder != NULL ? name_path(folder, project) : NULL;
    start.binary = binary;
    start.sources = sources;
    status = binary != NULL && (folder == NULL || sources != NULL) ? WARPBOUND_OK
                                                                   : wb_out_of_memory(error);
  }
  if (status == WARPBOUND_OK) {
    wb_project_write(&start, &text);
    status = output_write(project, &text, error);
  }
  if (status == WARPBOUND_OK) {
    char words[320];
    snprintf(words, sizeof words,
             "wrote %.100s: fill in what stands after '#', then 'warpbound "
             "check %.100s'",
             project, project);
    terminal_note(words);
  }
  kernel_needs_free(&needs);
  free(sources);
  free(binary);
  wb_text_free(&devices);
  return status;
}

warpbound_status command_init(struct arguments *arguments, warpbound_error *error)
{
  const char *output = arguments->value[OPTION_OUTPUT];
  const char *project = output != NULL ? output : PROJECT_FILE;
  struct wb_input source = {0};
  warpbound_images *images = NULL;
  if (arguments->input == NULL || strcmp(arguments->input, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "expected a file, which the project names, found %s",
                   arguments->input == NULL ? "none" : "'-'");
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK && access(project, F_OK) == 0)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "'%.200s' is there already, and may have what you filled in: --output FILE "
                     "writes another one",
                     project);
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a file with GPU code", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_read(source.name, source.bytes, source.length, &images, error);
  if (status == WARPBOUND_OK)
    status = write_project(arguments, &source, images, error);
  warpbound_images_free(images);
  wb_input_free(&source);
  return status;
}
