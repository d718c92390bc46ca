/* `warpbound kernels`. */
#include "cli/commands/commands.h"
#include "cli/input/module_input.h"
#include "cli/output/terminal.h"
#include "report/images_report.h"

#include <stdio.h>

/* The GPU code of the input. */
struct kernels_job {
  struct wb_input source;
  warpbound_images *images;
  const char *architecture; /* of --arch, or NULL */
};

/* The next image from `first` on that is wanted. */
static size_t next(const struct kernels_job *job, size_t first)
{
  return warpbound_images_find(job->images, job->architecture, first);
}

/* Of more architectures none is named in a message: a damaged file may have any number. */
#define MOST_NAMED 40

/* Whether an image is for the architecture of --arch; the error says which ones there are. */
static warpbound_status check_architecture(const struct kernels_job *job, warpbound_error *error)
{
  const size_t count = warpbound_images_count(job->images);
  struct wb_list found = {0};
  struct wb_text names = {0};
  if (next(job, 0) < count)
    return WARPBOUND_OK;
  for (size_t i = 0; i < count && found.count < MOST_NAMED; i++) {
    const warpbound_image image = warpbound_images_image(job->images, i);
    if (image.architecture[0] != '\0')
      wb_list_add(&found, "%s", image.architecture);
  }
  for (size_t i = 0; i < found.count; i++)
    wb_text_format(&names, "%s%s", i > 0 ? ", " : "", found.items[i]);
  wb_fail(error, WARPBOUND_USAGE, "--arch: expected one of %.300s, found '%.40s'",
          names.data != NULL ? names.data : "none", job->architecture);
  wb_text_free(&names);
  wb_list_free(&found);
  return WARPBOUND_USAGE;
}

/* Says what is damaged. Errors: WARPBOUND_INVALID_INPUT where everything that was asked for is. */
static warpbound_status report_damage(const struct kernels_job *job)
{
  const size_t count = warpbound_images_count(job->images);
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  for (size_t i = next(job, 0); i < count; i = next(job, i + 1)) {
    const warpbound_image image = warpbound_images_image(job->images, i);
    warpbound_error error;
    if (image.damage[0] == '\0') {
      status = WARPBOUND_OK;
      continue;
    }
    wb_fail_at(&error, WARPBOUND_INVALID_INPUT, job->source.name, 0, 0, "%s", image.damage);
    terminal_error(&error);
  }
  return status;
}

warpbound_status command_kernels(struct arguments *arguments, warpbound_error *error)
{
  struct kernels_job job = {.architecture = arguments->value[OPTION_ARCH]};
  if (arguments->value[OPTION_NAMES] != NULL && arguments->value[OPTION_JSON] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --names and --json, found both (the object has the names)");
  warpbound_status status =
      source_input_read(arguments, "a file with GPU code", WB_INPUT_LIMIT, &job.source, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_read(job.source.name, job.source.bytes, job.source.length,
                                   &job.images, error);
  if (status == WARPBOUND_OK)
    status = check_architecture(&job, error);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    if (arguments->value[OPTION_NAMES] != NULL)
      wb_images_names(job.images, job.architecture, &text);
    else if (arguments->value[OPTION_JSON] != NULL)
      wb_images_json(job.images, job.architecture, &text);
    else
      wb_images_text(job.images, job.architecture, terminal_colour(stdout), &text);
    status = terminal_print(&text, error);
  }
  if (status == WARPBOUND_OK)
    status = report_damage(&job);
  warpbound_images_free(job.images);
  wb_input_free(&job.source);
  return status;
}
