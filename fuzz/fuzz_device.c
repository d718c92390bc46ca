/* Device files: the reader takes any bytes; what it takes holds the invariants, is written and read
 * again, and can be changed by any text. */
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is written must be read, and then written as the same text. */
static void check_written(const struct wb_device_timing *device)
{
  char *first = wb_json_text(wb_device_timing_json(device));
  struct wb_device_timing again;
  if (first == NULL ||
      wb_device_timing_read("fuzz", first, strlen(first), &again, NULL) != WARPBOUND_OK)
    abort();
  char *second = wb_json_text(wb_device_timing_json(&again));
  if (second == NULL || strcmp(first, second) != 0)
    abort();
  wb_device_timing_free(&again);
  free(first);
  free(second);
}

/* The last line of the input as a change. */
static void check_change(struct wb_device_timing *device, const uint8_t *data, size_t size)
{
  size_t start = size;
  while (start > 0 && data[start - 1] != '\n')
    start--;
  char change[128] = {0};
  memcpy(change, data + start, size - start < sizeof change ? size - start : sizeof change - 1);
  warpbound_error error = {0};
  if (wb_device_timing_set(device, change, &error) != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  if (wb_device_timing_verify(device, &error) != WARPBOUND_OK)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_device_timing device;
  warpbound_error error = {0};
  warpbound_status status =
      wb_device_timing_read("fuzz", (const char *)data, size, &device, &error);
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  if (status != WARPBOUND_OK)
    return 0;
  if (wb_device_timing_verify(&device, &error) != WARPBOUND_OK)
    abort();
  check_written(&device);
  check_change(&device, data, size);
  wb_device_timing_free(&device);
  return 0;
}
