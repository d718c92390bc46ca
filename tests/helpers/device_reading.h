/* Device files in tests: reading that fails the test, and values by name. */
#ifndef WB_TESTS_DEVICE_READING_H
#define WB_TESTS_DEVICE_READING_H

#include "formats/device/device_file.h"
#include "unit.h"

/* Reads a device that is valid; free with wb_device_timing_free. */
static inline void read_or_fail(const char *text, struct wb_device_timing *device)
{
  warpbound_error error = {0};
  if (wb_device_timing_read("f", text, strlen(text), device, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
}

/* The value that the device has by that name. */
static inline uint64_t number_named(const struct wb_device_timing *device, const char *name)
{
  const size_t value = wb_device_value_find(device, name);
  assert_true(value != SIZE_MAX);
  return device->values[value].value;
}

#endif
