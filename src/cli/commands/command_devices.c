/* `warpbound devices`. */
#include "cli/commands/commands.h"

#include "cli/terminal.h"
#include "report/device_report.h"

static warpbound_status no_device(const char *name, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  return wb_fail(error, WARPBOUND_USAGE,
                 "there is no device '%.60s' in the table%s; 'warpbound devices' lists it", name,
                 wb_device_hint(name, hint));
}

warpbound_status command_devices(struct arguments *arguments, warpbound_error *error)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  bool one = arguments->input != NULL;
  if (one) {
    rows = wb_device_find(arguments->input);
    count = 1;
  }
  if (rows == NULL)
    return no_device(arguments->input, error);
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_devices_json(rows, count, &text);
  else if (one)
    wb_device_text(rows, &text);
  else
    wb_devices_text(rows, count, terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}
