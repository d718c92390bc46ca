/* `warpbound devices`. */
#include "cli/commands/commands.h"

#include "cli/output/terminal.h"
#include "report/devices/device_report.h"
#include "report/devices/device_timing_report.h"

#include <stdio.h>
#include <string.h>

/* The row that is asked for; the message about one that is not there says where to look. */
static warpbound_status find_row(const char *name, size_t *row, warpbound_error *error)
{
  warpbound_status status = warpbound_device_find(name, row, error);
  const size_t length = strlen(error->message);
  if (status == WARPBOUND_USAGE)
    snprintf(error->message + length, sizeof error->message - length,
             "; 'warpbound devices' lists it");
  return status;
}

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
    warpbound_status status = find_row(arguments->input, &first, error);
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
