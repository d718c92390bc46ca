/* Bundled devices by name. */
#include "formats/device/bundled_devices.h"

#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"
#include "model/devices/device_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t wb_device_timing_bundled_count(void)
{
  return wb_bundled_device_count;
}

const char *wb_device_timing_bundled_name(size_t index)
{
  return wb_bundled_devices[index].name;
}

const char *wb_device_timing_bundled_product(size_t index)
{
  return wb_bundled_devices[index].product;
}

unsigned wb_device_timing_bundled_architecture(size_t index)
{
  return wb_bundled_devices[index].architecture;
}

static bool same_ignoring_case(const char *a, const char *b)
{
  while (*a != '\0' && wb_small_letter(*a) == wb_small_letter(*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

size_t wb_device_timing_bundled_find(const char *name)
{
  const struct wb_bundled_device *devices = wb_bundled_devices;
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    if (same_ignoring_case(devices[d].name, name))
      return d;
  }
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    char text[32];
    snprintf(text, sizeof text, "sm_%u", devices[d].architecture);
    if (same_ignoring_case(text, name))
      return d;
    snprintf(text, sizeof text, "%u.%u", devices[d].architecture / 10,
             devices[d].architecture % 10);
    if (strcmp(text, name) == 0)
      return d;
  }
  for (size_t d = 0; d < wb_bundled_device_count && name[0] != '\0'; d++) {
    /* Whether `name` is one of the words of a text, in any case. */
    const size_t length = strlen(name);
    for (const char *at = devices[d].product; *at != '\0'; at++) {
      const bool starts = at == devices[d].product || !wb_is_alphanumeric(at[-1]);
      size_t same = 0;
      while (same < length && wb_small_letter(at[same]) == wb_small_letter(name[same]))
        same++;
      if (starts && same == length && !wb_is_alphanumeric(at[length]))
        return d;
    }
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
