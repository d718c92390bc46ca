/* Bundled devices by name. */
#include "formats/device/device_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "model/devices/device_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bundled devices ---- */

size_t wb_device_timing_bundled_find(const char *name)
{
  const struct wb_bundled_device *devices = wb_bundled_devices;
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    if (wb_same_ignoring_case(devices[d].name, name))
      return d;
  }
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    char architecture[32], capability[32];
    snprintf(architecture, sizeof architecture, "sm_%u", devices[d].architecture);
    snprintf(capability, sizeof capability, "%u.%u", devices[d].architecture / 10,
             devices[d].architecture % 10);
    if (wb_same_ignoring_case(architecture, name) || strcmp(capability, name) == 0)
      return d;
  }
  for (size_t d = 0; d < wb_bundled_device_count && name[0] != '\0'; d++) {
    if (wb_has_word(devices[d].product, name))
      return d;
  }
  return SIZE_MAX;
}

void wb_device_timing_bundled_running(uint32_t sm, struct wb_text *text)
{
  const char *before = "";
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    if (!wb_architecture_runs(wb_bundled_devices[d].architecture, sm))
      continue;
    wb_text_format(text, "%s%s", before, wb_bundled_devices[d].name);
    before = ", ";
  }
}

warpbound_status wb_device_timing_bundled(const char *name, struct wb_device_timing *device,
                                          warpbound_error *error)
{
  const size_t found = wb_device_timing_bundled_find(name);
  if (found == SIZE_MAX) {
    struct wb_nearest nearest = wb_nearest_start(name);
    struct wb_text names = {0};
    for (size_t d = 0; d < wb_bundled_device_count; d++) {
      wb_nearest_offer(&nearest, wb_bundled_devices[d].name);
      wb_text_format(&names, "%s%s", d > 0 ? ", " : "", wb_bundled_devices[d].name);
    }
    char hint[WB_HINT_SIZE];
    char *list = wb_text_take(&names);
    warpbound_status status =
        list == NULL
            ? wb_out_of_memory(error)
            : wb_fail(error, WARPBOUND_USAGE, "no bundled device is named '%.80s'%s; there are %s",
                      name, wb_nearest_hint(&nearest, "", hint), list);
    free(list);
    return status;
  }
  const struct wb_bundled_device *bundled = &wb_bundled_devices[found];
  return wb_device_timing_read(bundled->name, bundled->text, bundled->length, device, error);
}
