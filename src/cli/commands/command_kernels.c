/* `warpbound kernels`. */
#include "cli/commands/commands.h"

#include "cli/input/source_input.h"
#include "cli/output/terminal.h"
#include "report/images/images_report.h"

#include <stdio.h>
#include <string.h>

/* Whether an image is for the architecture of --arch, and if none is, which ones there are. */
static warpbound_status check_architecture(const warpbound_images *images, const char *name,
                                           const char *architecture, warpbound_error *error)
{
  const size_t count = warpbound_images_count(images);
  if (warpbound_images_find(images, architecture, 0) < count)
    return WARPBOUND_OK;
  struct wb_list found = {0};
  struct wb_text names = {0};
  for (size_t i = 0; i < count; i++) {
    const warpbound_image image = warpbound_images_image(images, i);
    if (image.architecture[0] != '\0')
      wb_list_add(&found, "%s", image.architecture);
  }
  for (size_t i = 0; i < found.count; i++)
    wb_text_format(&names, "%s%s", i > 0 ? ", " : "", found.items[i]);
  wb_fail_at(error, WARPBOUND_USAGE, name, 0, 0, "--arch: expected one of %.300s, found '%.40s'",
             names.data != NULL ? names.data : "none", architecture);
  wb_text_free(&names);
  wb_list_free(&found);
  return WARPBOUND_USAGE;
}

/* Says what is damaged. Errors: WARPBOUND_INVALID_INPUT where everything that was asked for is. */
static warpbound_status report_damage(const warpbound_images *images, const char *name,
                                      const char *architecture)
{
  const size_t count = warpbound_images_count(images);
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  for (size_t i = warpbound_images_find(images, architecture, 0); i < count;
       i = warpbound_images_find(images, architecture, i + 1)) {
    const warpbound_image image = warpbound_images_image(images, i);
    warpbound_error error;
    if (image.damage[0] == '\0') {
      status = WARPBOUND_OK;
      continue;
    }
    wb_fail_at(&error, WARPBOUND_INVALID_INPUT, name, 0, 0, "%s", image.damage);
    terminal_error(&error);
  }
  return status;
}

static warpbound_status print(const struct arguments *arguments, const warpbound_images *images,
                              warpbound_error *error)
{
  struct wb_text text = {0};
  const char *architecture = arguments->value[OPTION_ARCH];
  if (arguments->value[OPTION_JSON] != NULL)
    wb_images_json(images, architecture, &text);
  else
    wb_images_text(images, architecture, terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}

warpbound_status command_kernels(struct arguments *arguments, warpbound_error *error)
{
  struct wb_source source;
  warpbound_images *images = NULL;
  const char *architecture = arguments->value[OPTION_ARCH];
  warpbound_status status = source_input_read(arguments, "a file with GPU code", &source, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_read(source.name, source.bytes, source.length, &images, error);
  if (status == WARPBOUND_OK)
    status = check_architecture(images, source.name, architecture, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, images, error);
  if (status == WARPBOUND_OK)
    status = report_damage(images, source.name, architecture);
  warpbound_images_free(images);
  wb_source_free(&source);
  return status;
}
