/* `warpbound kernels`. */
#include "cli/commands/commands.h"

#include "cli/input/images_input.h"
#include "cli/output/terminal.h"
#include "report/images/images_report.h"

#include <stdio.h>

/* Says what is damaged. Errors: WARPBOUND_INVALID_INPUT where everything that was asked for is. */
static warpbound_status report_damage(const struct images_input *input)
{
  const size_t count = warpbound_images_count(input->images);
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  for (size_t i = images_input_next(input, 0); i < count; i = images_input_next(input, i + 1)) {
    const warpbound_image image = warpbound_images_image(input->images, i);
    warpbound_error error;
    if (image.damage[0] == '\0') {
      status = WARPBOUND_OK;
      continue;
    }
    wb_fail_at(&error, WARPBOUND_INVALID_INPUT, input->source.name, 0, 0, "%s", image.damage);
    terminal_error(&error);
  }
  return status;
}

static warpbound_status print(const struct arguments *arguments, const struct images_input *input,
                              warpbound_error *error)
{
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_images_json(input->images, input->architecture, &text);
  else
    wb_images_text(input->images, input->architecture, terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}

warpbound_status command_kernels(struct arguments *arguments, warpbound_error *error)
{
  struct images_input input = {0};
  warpbound_status status = images_input_read(arguments, &input, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, &input, error);
  if (status == WARPBOUND_OK)
    status = report_damage(&input);
  images_input_free(&input);
  return status;
}
