/* `warpbound devices`. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/output/terminal.h"
#include "report/device_report.h"

#include <stdint.h>

warpbound_status command_devices(struct arguments *arguments, warpbound_error *error)
{
  const bool one = arguments->input != NULL;
  const bool json = arguments->value[OPTION_JSON] != NULL;
  struct wb_text text = {0};
  if (one && wb_launch_device_named(arguments->input)) {
    warpbound_status status =
        wb_launch_device_write(arguments->input, json, terminal_colour(stdout), &text, error);
    return status == WARPBOUND_OK ? terminal_print(&text, error) : status;
  }
  size_t first = 0;
  if (one) {
    /* The row of a name that is no device for launches alone. */
    char hint[WB_HINT_SIZE];
    struct device_name found;
    const warpbound_status status = device_name_find(arguments->input, &found, error);
    if (status == WARPBOUND_OK && found.row == SIZE_MAX)
      return wb_fail(error, WARPBOUND_USAGE,
                     "there is no device '%.60s'%s; 'warpbound devices' lists them",
                     arguments->input, device_name_hint(arguments->input, hint));
    first = found.row;
    if (status != WARPBOUND_OK)
      return status;
  }
  if (json)
    wb_devices_json(first, one ? 1 : warpbound_device_count(), &text);
  else if (one)
    wb_device_text(first, &text);
  else
    wb_devices_text(terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}
