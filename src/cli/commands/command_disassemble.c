/* `warpbound disassemble`. */
#include "cli/commands/commands.h"

#include "cli/input/images_input.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"

#include <string.h>

/* The command under way. */
struct job {
  struct images_input input;
  warpbound_disassembly_options options;
  struct wb_text text;
  warpbound_error *error;
};

/* Whether an image is machine code with functions: programs have some without, too. */
static bool has_code(const struct job *job, size_t index)
{
  return warpbound_images_image(job->input.images, index).kind == WARPBOUND_IMAGE_CUBIN &&
         (warpbound_images_function_count(job->input.images, index) > 0 ||
          warpbound_images_image(job->input.images, index).damage[0] != '\0');
}

static size_t next(const struct job *job, size_t first)
{
  const size_t count = warpbound_images_count(job->input.images);
  size_t i = images_input_next(&job->input, first);
  while (i < count && !has_code(job, i))
    i = images_input_next(&job->input, i + 1);
  return i;
}

/* What is wanted is machine code, and of one architecture. */
static warpbound_status check(const struct job *job)
{
  const warpbound_images *images = job->input.images;
  const size_t count = warpbound_images_count(images);
  const size_t first = next(job, 0);
  struct wb_text names = {0};
  if (first == count)
    return wb_fail_at(job->error, WARPBOUND_INVALID_INPUT, job->input.source.name, 0, 0,
                      "expected machine code (a cubin), found none");
  const char *architecture = warpbound_images_image(images, first).architecture;
  for (size_t i = next(job, first); i < count; i = next(job, i + 1)) {
    if (strcmp(warpbound_images_image(images, i).architecture, architecture) == 0)
      continue;
    images_input_architectures(images, WARPBOUND_IMAGE_CUBIN, &names);
    wb_fail_at(job->error, WARPBOUND_USAGE, job->input.source.name, 0, 0,
               "expected --arch with one of %.300s", names.data != NULL ? names.data : "those");
    wb_text_free(&names);
    return WARPBOUND_USAGE;
  }
  return WARPBOUND_OK;
}

/* Whether an image is damaged or has the kernel that is wanted: of several images not all need to.
 */
static bool has_kernel(const struct job *job, size_t index)
{
  const warpbound_images *images = job->input.images;
  return warpbound_images_image(images, index).damage[0] != '\0' ||
         warpbound_images_find_function(images, index, job->options.kernel, 0) <
             warpbound_images_function_count(images, index);
}

/* Appends one image's listing. */
static warpbound_status disassemble(struct job *job, size_t index)
{
  char *listing;
  warpbound_status status =
      warpbound_images_disassemble(job->input.images, index, &job->options, &listing, job->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_text_string(&job->text, listing);
  warpbound_text_free(listing);
  return WARPBOUND_OK;
}

static warpbound_status disassemble_all(struct job *job)
{
  const size_t count = warpbound_images_count(job->input.images);
  bool found = false;
  warpbound_status status = check(job);
  for (size_t i = next(job, 0); status == WARPBOUND_OK && i < count; i = next(job, i + 1)) {
    if (!has_kernel(job, i))
      continue;
    found = true;
    status = disassemble(job, i);
  }
  if (status == WARPBOUND_OK && !found)
    return wb_fail_at(job->error, WARPBOUND_USAGE, job->input.source.name, 0, 0,
                      "--kernel: expected a function of the file ('warpbound kernels' lists them), "
                      "found '%.100s'",
                      job->options.kernel);
  return status;
}

static warpbound_status print(struct arguments *arguments, struct job *job)
{
  if (arguments->value[OPTION_OUTPUT] != NULL)
    return output_write(arguments, OPTION_OUTPUT, &job->text, job->error);
  return terminal_print(&job->text, job->error);
}

warpbound_status command_disassemble(struct arguments *arguments, warpbound_error *error)
{
  struct job job = {.options = {.kernel = arguments->value[OPTION_KERNEL],
                                .code_only = arguments->value[OPTION_CODE_ONLY] != NULL},
                    .error = error};
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK)
    status = images_input_read(arguments, &job.input, error);
  if (status == WARPBOUND_OK)
    status = disassemble_all(&job);
  if (status == WARPBOUND_OK)
    status = print(arguments, &job);
  wb_text_free(&job.text);
  images_input_free(&job.input);
  return status;
}
