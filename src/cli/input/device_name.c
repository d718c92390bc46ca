#include "cli/input/device_name.h"

#include "base/status.h"
#include "base/text/ascii.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool same_ignoring_case(const char *a, const char *b)
{
  while (*a != '\0' && wb_small_letter(*a) == wb_small_letter(*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

static size_t bundled_named(const char *name)
{
  const size_t count = warpbound_gpu_count();
  for (size_t d = 0; d < count; d++) {
    if (same_ignoring_case(warpbound_gpu_bundled_name(d), name))
      return d;
  }
  return SIZE_MAX;
}

size_t device_row_of(uint32_t architecture)
{
  char name[32];
  size_t row;
  snprintf(name, sizeof name, "sm_%" PRIu32, architecture);
  return warpbound_device_find(name, &row, NULL) == WARPBOUND_OK ? row : SIZE_MAX;
}

/* The device for launches of any of its names; the row is that of its architecture. */
static struct device_name find_bundled(const char *name)
{
  struct device_name found = {SIZE_MAX, SIZE_MAX, false};
  warpbound_gpu *gpu;
  if (warpbound_gpu_bundled(name, &gpu, NULL) != WARPBOUND_OK)
    return found;
  found.bundled = bundled_named(warpbound_gpu_name(gpu));
  found.row = device_row_of(warpbound_gpu_architecture(gpu));
  warpbound_gpu_free(gpu);
  return found;
}

warpbound_status device_name_find(const char *name, struct device_name *found,
                                  warpbound_error *error)
{
  size_t row;
  *found = find_bundled(name);
  found->single = found->bundled != SIZE_MAX && found->bundled == bundled_named(name);
  if (found->single || warpbound_device_find(name, &row, NULL) != WARPBOUND_OK)
    return WARPBOUND_OK;
  if (found->bundled != SIZE_MAX && found->row != row)
    return wb_fail(error, WARPBOUND_USAGE,
                   "'%.60s' may mean %s (%s) or %s: expected one of these names", name,
                   warpbound_device_row(row).name, warpbound_device_row(row).example,
                   warpbound_gpu_bundled_name(found->bundled));
  found->row = row;
  return WARPBOUND_OK;
}

const char *device_name_hint(const char *name, char buffer[WB_HINT_SIZE])
{
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t i = 0; i < warpbound_device_count(); i++) {
    wb_nearest_offer(&nearest, warpbound_device_row(i).name);
    wb_nearest_offer(&nearest, warpbound_device_row(i).architecture);
  }
  for (size_t d = 0; d < warpbound_gpu_count(); d++)
    wb_nearest_offer(&nearest, warpbound_gpu_bundled_name(d));
  return wb_nearest_hint(&nearest, "", buffer);
}
