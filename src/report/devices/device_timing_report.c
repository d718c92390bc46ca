#include "report/devices/device_timing_report.h"

#include "base/text/ascii.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdlib.h>

bool wb_launch_device_named(const char *name)
{
  const size_t found = wb_device_timing_bundled_find(name);
  if (found == SIZE_MAX)
    return false;
  const char *own = wb_device_timing_bundled_name(found);
  while (*own != '\0' && *own == wb_small_letter(*name)) {
    own++;
    name++;
  }
  return *own == *name;
}

void wb_launch_devices_text(bool colour, struct wb_text *text)
{
  wb_text_format(text, "\n%sDevices for launches%s (warpbound analyze --sm NAME):\n",
                 wb_style(WB_STYLE_BOLD, colour), wb_style(WB_STYLE_PLAIN, colour));
  for (size_t d = 0; d < wb_device_timing_bundled_count(); d++)
    wb_text_format(text, "%-10s sm_%-4u %s\n", wb_device_timing_bundled_name(d),
                   wb_device_timing_bundled_architecture(d), wb_device_timing_bundled_product(d));
}

void wb_launch_devices_of(uint32_t architecture, struct wb_text *text)
{
  const char *before = "";
  for (size_t d = 0; d < wb_device_timing_bundled_count(); d++) {
    if (wb_device_timing_bundled_architecture(d) != architecture)
      continue;
    wb_text_format(text, "%s%s", before, wb_device_timing_bundled_name(d));
    before = ", ";
  }
}

static void write_values(const struct wb_device_timing *device, bool colour, struct wb_text *text)
{
  wb_text_format(text, "%s%-30s %10s %-10s source%s\n", wb_style(WB_STYLE_BOLD, colour), "value",
                 "", "known", wb_style(WB_STYLE_PLAIN, colour));
  size_t count[WB_VALUE_KIND_COUNT] = {0};
  size_t left_out = 0;
  for (size_t v = 0; v < device->value_count; v++) {
    const struct wb_device_value *value = &device->values[v];
    left_out += value->left_out;
    if (value->left_out)
      continue;
    count[value->kind]++;
    wb_text_format(text, "%-30s %10" PRIu64 " %-10s %s\n", value->name, value->value,
                   wb_value_kind_name(value->kind), value->source);
  }
  wb_text_format(text, "\n%zu documented, %zu measured, %zu declared, %zu assumed\n",
                 count[WB_VALUE_DOCUMENTED], count[WB_VALUE_MEASURED], count[WB_VALUE_DECLARED],
                 count[WB_VALUE_ASSUMED]);
  if (left_out > 0)
    wb_text_format(
        text, "%zu more are not given: 0 is assumed, 'analyze' lists those that a bound rests on\n",
        left_out);
}

static void write_text(const struct wb_device_timing *device, bool colour, struct wb_text *text)
{
  wb_text_format(text, "%s: %s, sm_%u, a device for launches; times are cycles of the SM's clock\n",
                 device->name, device->product, (unsigned)device->architecture);
  if (device->memory_clients != NULL && device->memory_clients[0] != '\0')
    wb_text_format(text, "its memory is shared with %s\n", device->memory_clients);
  wb_text_format(
      text,
      "'analyze --set NAME=NUMBER' changes a value; 'devices %s --json' prints the file, "
      "which\n'analyze --sm FILE' takes (doc/devices.md)\n\n",
      device->name);
  write_values(device, colour, text);
}

warpbound_status wb_launch_device_write(const char *name, bool json, bool colour,
                                        struct wb_text *text, warpbound_error *error)
{
  struct wb_device_timing device;
  warpbound_status status = wb_device_timing_bundled(name, &device, error);
  if (status != WARPBOUND_OK)
    return status;
  if (!json) {
    write_text(&device, colour, text);
  } else {
    char *file = wb_json_text(wb_device_timing_json(&device));
    if (file != NULL)
      wb_text_string(text, file);
    else
      text->failed = true;
    free(file);
  }
  wb_device_timing_free(&device);
  return WARPBOUND_OK;
}
