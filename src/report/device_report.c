#include "report/device_report.h"

#include "base/text/ascii.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "model/devices/device_table.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdio.h>

/* sigma of a type as text, '*' behind it where all partitions share the units; '-' without any. */
static void write_sigma(const struct wb_device *device, enum wb_unit unit, size_t width,
                        struct wb_text *text)
{
  struct wb_sm_configuration sm;
  wb_device_configuration(device, &sm);
  struct wb_text sigma = {0};
  if (device->units[unit].lanes > 0)
    wb_unit_capacity_write(&sm.unit[unit], &sigma);
  else
    wb_text_string(&sigma, "-");
  wb_text_string(&sigma, device->units[unit].shared ? "*" : "");
  wb_text_fill(text, ' ', sigma.length < width ? width - sigma.length : 0);
  wb_text_join(text, &sigma);
}

void wb_devices_text(bool colour, struct wb_text *text)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  wb_text_format(text, "%s%-6s %-9s %-25s %10s %6s %5s %5s %5s %5s %5s %6s%s\n",
                 wb_style(WB_STYLE_BOLD, colour), "name", "family", "example", "partitions",
                 "issue", "L", "C", "S", "D", "T", "warps", wb_style(WB_STYLE_PLAIN, colour));
  for (size_t i = 0; i < count; i++) {
    wb_text_format(text, "%-6s %-9s %-25s %10u %6u", rows[i].name, rows[i].architecture,
                   rows[i].example, rows[i].partitions, rows[i].issue_slots);
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
      write_sigma(&rows[i], (enum wb_unit)u, 6, text);
    wb_text_format(text, " %6u\n", rows[i].max_warps);
  }
  wb_text_string(text, "\nissue and L, C, S, D, T (warp instructions a cycle) are those of one "
                       "partition; * shared by all\npartitions. 'warpbound devices NAME' gives "
                       "the sources and what a row simplifies.\n");
  wb_text_format(text, "\n%sDevices for launches%s (warpbound analyze --sm NAME):\n",
                 wb_style(WB_STYLE_BOLD, colour), wb_style(WB_STYLE_PLAIN, colour));
  for (size_t d = 0; d < wb_bundled_device_count; d++)
    wb_text_format(text, "%-13s sm_%-4u %s\n", wb_bundled_devices[d].name,
                   wb_bundled_devices[d].architecture, wb_bundled_devices[d].product);
}

void wb_device_text(size_t index, struct wb_text *text)
{
  size_t count;
  const struct wb_device *device = &wb_device_rows(&count)[index];
  wb_text_format(text, "%s: %s, compute capability %u.%u, %s\n", device->name, device->architecture,
                 device->major, device->minor, device->example);
  wb_text_format(text,
                 "  partitions        %u, each issuing at most %u warp instruction%s a cycle\n",
                 device->partitions, device->issue_slots, device->issue_slots == 1 ? "" : "s");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    /* A line on the units of a type, none where there are no such units. */
    const enum wb_unit unit = (enum wb_unit)u;
    if (device->units[unit].lanes != 0) {
      wb_text_format(text, "  %c %-17s", wb_unit_letter(unit), wb_unit_name(unit));
      write_sigma(device, unit, 0, text);
      if (unit == WB_UNIT_TENSOR)
        wb_text_format(text, " (%u tensor cores on the SM)\n", device->tensor_cores);
      else
        wb_text_format(text, " (%u lanes%s)\n", device->units[unit].lanes,
                       device->units[unit].shared ? ", shared by all partitions" : "");
    }
  }
  wb_text_format(text,
                 "  resident          %u warps, %u threads, %u blocks, %u KiB shared memory\n",
                 device->max_warps, device->max_threads, device->max_blocks, device->shared_memory);
  struct wb_text launches = {0};
  wb_launch_devices_of(10u * device->major + device->minor, &launches);
  if (launches.length > 0)
    wb_text_format(text, "  for launches      %s\n", launches.data);
  text->failed = text->failed || launches.failed;
  wb_text_free(&launches);
  wb_text_format(text, "  source            %s\n", device->source);
  if (device->note != NULL)
    wb_text_format(text, "  note              %s\n", device->note);
}

void wb_devices_json(size_t first, size_t count, struct wb_text *text)
{
  size_t all;
  const struct wb_device *rows = wb_device_rows(&all);
  json_t *devices = json_array();
  for (size_t i = first; i < first + count; i++) {
    const struct wb_device *device = &rows[i];
    struct wb_sm_configuration sm;
    wb_device_configuration(device, &sm);
    json_t *units = json_object();
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      if (device->units[u].lanes == 0)
        continue;
      const char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
      wb_json_put(&units, letter,
                  json_pack("{s:o, s:I, s:b}", "capacity", wb_json_capacity(&sm.unit[u]), "lanes",
                            (json_int_t)device->units[u].lanes, "shared",
                            (int)device->units[u].shared));
    }
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:s, s:s?}", "name", device->name,
        "architecture", device->architecture, "example", device->example, "partitions",
        (json_int_t)device->partitions, "issue_slots", (json_int_t)device->issue_slots, "units",
        units, "max_warps", (json_int_t)device->max_warps, "max_threads",
        (json_int_t)device->max_threads, "max_blocks", (json_int_t)device->max_blocks,
        "shared_memory_kib", (json_int_t)device->shared_memory, "source", device->source, "note",
        device->note);
    if (device->tensor_cores > 0)
      wb_put_number(&row, "tensor_cores", device->tensor_cores);
    wb_json_push(&devices, row);
  }
  json_t *object = json_pack("{s:o}", "devices", devices);
  json_t *names = count == all ? json_array() : NULL;
  for (size_t d = 0; count == all && d < wb_bundled_device_count; d++)
    wb_json_push(&names, json_string(wb_bundled_devices[d].name));
  if (count == all)
    wb_json_put(&object, "launch_devices", names);
  wb_json_append(object, text);
}

/* ---- devices for launches ---- */

bool wb_launch_device_named(const char *name)
{
  const size_t found = wb_device_timing_bundled_find(name);
  if (found == SIZE_MAX)
    return false;
  const char *own = wb_bundled_devices[found].name;
  while (*own != '\0' && *own == wb_small_letter(*name)) {
    own++;
    name++;
  }
  return *own == *name;
}

void wb_launch_devices_of(uint32_t architecture, struct wb_text *text)
{
  const char *before = "";
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    if (wb_bundled_devices[d].architecture != architecture)
      continue;
    wb_text_format(text, "%s%s", before, wb_bundled_devices[d].name);
    before = ", ";
  }
}

/* A line for each mode: its values, and who says so. */
static void write_modes(const struct wb_device_timing *device, bool colour, struct wb_text *text)
{
  if (device->mode_count == 0)
    return;
  wb_text_format(text, "\n%sModes%s ('analyze --mode NAME'):\n", wb_style(WB_STYLE_BOLD, colour),
                 wb_style(WB_STYLE_PLAIN, colour));
  for (size_t m = 0; m < device->mode_count; m++) {
    const struct wb_device_mode *mode = &device->modes[m];
    wb_text_format(text, "%-12s", mode->name);
    for (size_t c = 0; c < mode->change_count; c++)
      wb_text_format(text, "%s%s=%" PRIu64, c > 0 ? ", " : "",
                     device->values[mode->changes[c].value].name, mode->changes[c].given);
    wb_text_format(text, "\n%-12s%s: %s\n", "", wb_value_kind_name(mode->kind), mode->source);
  }
}

/* A line for each value that the file gives, and how many are known how. */
static void write_values(const struct wb_device_timing *device, bool colour, struct wb_text *text)
{
  size_t count[WB_VALUE_KIND_COUNT] = {0};
  size_t left_out = 0;
  wb_text_format(text, "%s%-30s %10s %-11s %-10s source%s\n", wb_style(WB_STYLE_BOLD, colour),
                 "value", "", "clock", "known", wb_style(WB_STYLE_PLAIN, colour));
  for (size_t v = 0; v < device->value_count; v++) {
    const struct wb_device_value *value = &device->values[v];
    const char *clock = wb_value_clock_name(value->clock);
    left_out += value->left_out;
    if (value->left_out)
      continue;
    count[value->kind]++;
    wb_text_format(text, "%-30s %10" PRIu64 " %-11s %-10s %s\n", value->name, value->given,
                   clock != NULL    ? clock
                   : value->is_time ? "any"
                                    : "-",
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

warpbound_status wb_launch_device_write(const char *name, bool json, bool colour,
                                        struct wb_text *text, warpbound_error *error)
{
  struct wb_device_timing device;
  warpbound_status status = wb_device_timing_bundled(name, &device, error);
  if (status != WARPBOUND_OK)
    return status;
  if (json) {
    wb_json_append(wb_device_timing_json(&device), text);
  } else {
    wb_text_format(text,
                   "%s: %s, sm_%u, a device for launches; times count in the clock that is named "
                   "(doc/devices.md)\n",
                   device.name, device.product, (unsigned)device.architecture);
    if (device.memory_clients != NULL && device.memory_clients[0] != '\0')
      wb_text_format(text, "its memory is shared with %s\n", device.memory_clients);
    wb_text_format(
        text,
        "'analyze --set NAME=NUMBER' changes a value; 'devices %s --json' prints the file, "
        "which\n'analyze --sm FILE' takes (doc/devices.md)\n\n",
        device.name);
    write_values(&device, colour, text);
    write_modes(&device, colour, text);
  }
  wb_device_timing_free(&device);
  return WARPBOUND_OK;
}
