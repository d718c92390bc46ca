/* `warpbound devices`: the tables of devices, one device, and devices beside measured points. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/points_input.h"
#include "cli/output/outputs.h"
#include "report/device_report.h"
#include "report/points_report.h"

/* ---- --check FILE ---- */

static warpbound_status print_points(const struct arguments *arguments,
                                     const struct measured_points *points, warpbound_error *error)
{
  struct wb_text text = {0};
  size_t above = 0;
  for (size_t p = 0; p < points->count; p++)
    above += wb_point_is_above(&points->items[p]);
  if (arguments->value[OPTION_JSON] != NULL)
    wb_points_json(points->items, points->count, points->left_out, &text);
  else
    wb_points_text(points->items, points->count, points->left_out, &text);
  const warpbound_status status = terminal_print(&text, error);
  if (status != WARPBOUND_OK || above == 0)
    return status;
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "%zu of %zu points are above their upper ends",
                 above, points->count);
}

static warpbound_status check_points(const struct arguments *arguments, warpbound_error *error)
{
  struct measured_points points = {0};
  warpbound_status status = measured_points_read(arguments, &points, error);
  if (status == WARPBOUND_OK)
    status = print_points(arguments, &points, error);
  measured_points_free(&points);
  return status;
}

/* ---- devices ---- */

warpbound_status command_devices(struct arguments *arguments, warpbound_error *error)
{
  const bool one = arguments->input != NULL;
  const bool json = arguments->value[OPTION_JSON] != NULL;
  struct wb_text text = {0};
  if (arguments->value[OPTION_CHECK] != NULL)
    return check_points(arguments, error);
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
