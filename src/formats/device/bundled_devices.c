/* Bundled devices by name, and changes of a device's values by the user. */
#include "formats/device/device_file.h"

#include "base/checked.h"
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

/* ---- changes: NAME=NUMBER ---- */

/* Room for the names of all values of one resource. */
#define HINT_SIZE 512

/* The value before '='. */
static warpbound_status find_value(const struct wb_device_timing *device, const char *text,
                                   const char *equals, size_t *value, warpbound_error *error)
{
  char *name = wb_copy_text(text, (size_t)(equals - text));
  if (name == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  *value = wb_device_value_find(device, name);
  if (*value == SIZE_MAX) {
    char hint[HINT_SIZE];
    /* What may be meant: the values with the same beginning, as l2.delay where l2.latency is asked
     * for; where there are none, a value with a similar name. */
    const char *dot = strrchr(name, '.');
    const size_t common = dot != NULL ? (size_t)(dot - name) + 1 : 0;
    struct wb_nearest nearest = wb_nearest_start(name);
    char near[WB_HINT_SIZE];
    size_t length = 0;
    hint[0] = '\0';
    for (size_t v = 0; v < device->value_count; v++) {
      const char *known = device->values[v].name;
      const bool related = common > 0 && strncmp(known, name, common) == 0;
      if (related && length + strlen(known) + sizeof " (there are )" < HINT_SIZE)
        length += (size_t)snprintf(hint + length, HINT_SIZE - length, "%s%s",
                                   length > 0 ? ", " : " (there are ", known);
      wb_nearest_offer(&nearest, known);
    }
    if (length > 0)
      snprintf(hint + length, HINT_SIZE - length, ")");
    else
      snprintf(hint, HINT_SIZE, "%s", wb_nearest_hint(&nearest, "", near));
    status = wb_fail(error, WARPBOUND_USAGE,
                     "device '%.60s' has no value '%.100s'%s; 'warpbound devices %.60s' lists them",
                     device->name, name, hint, device->name);
  }
  free(name);
  return status;
}

warpbound_status wb_device_timing_set(struct wb_device_timing *device, const char *text,
                                      warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  uint64_t number = 0;
  bool good = equals != NULL && equals[1] != '\0';
  for (const char *at = equals + 1; good && *at != '\0'; at++)
    good = wb_is_digit(*at) && wb_multiply(number, 10, &number) &&
           wb_add(number, (uint64_t)(*at - '0'), &number);
  if (!good || number > INT64_MAX)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected a change as NAME=NUMBER with a whole number, found '%.120s'", text);
  size_t value;
  warpbound_status status = find_value(device, text, equals, &value, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_device_value *changed = &device->values[value];
  const uint64_t before = changed->value;
  changed->value = number;
  warpbound_error cause;
  status = wb_device_timing_verify(device, &cause);
  if (status != WARPBOUND_OK) {
    changed->value = before;
    return wb_fail(error, WARPBOUND_USAGE, "%s", cause.message);
  }
  changed->source = "set by the user";
  changed->kind = WB_VALUE_DECLARED;
  changed->left_out = false;
  return WARPBOUND_OK;
}

/* Marks the values of the stages at the memory. */
static void mark_memory(const struct wb_timing_class *class, size_t memory, bool *marked)
{
  for (size_t s = 0; s < class->stage_count; s++) {
    const struct wb_class_stage *stage = &class->stages[s];
    if (stage->resource == memory)
      marked[stage->delay] = marked[stage->service] = true;
  }
}

warpbound_status wb_device_timing_slow_memory(struct wb_device_timing *device, uint32_t thousandths,
                                              warpbound_error *error)
{
  const size_t memory = wb_device_memory(device);
  if (memory == SIZE_MAX)
    return wb_fail(error, WARPBOUND_USAGE,
                   "device %.60s has no resource of the GPU that is named '" WB_MEMORY_RESOURCE
                   "', whose times could be made longer",
                   device->name);
  uint64_t *before = wb_allocate(device->value_count, sizeof *before);
  bool *scaled = wb_allocate(device->value_count, sizeof *scaled);
  warpbound_status status =
      before != NULL && scaled != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t v = 0; status == WARPBOUND_OK && v < device->value_count; v++)
    before[v] = device->values[v].value;
  for (size_t c = 0; status == WARPBOUND_OK && c < device->class_count; c++)
    mark_memory(&device->classes[c], memory, scaled);
  if (status == WARPBOUND_OK && device->has_caches) {
    mark_memory(&device->caches.fetch, memory, scaled);
    mark_memory(&device->caches.walk, memory, scaled);
  }
  for (size_t v = 0; status == WARPBOUND_OK && v < device->value_count; v++) {
    /* Times are at most 10^9. */
    if (scaled[v])
      device->values[v].value = wb_divide_up(before[v] * thousandths, 1000);
  }
  warpbound_error cause;
  if (status == WARPBOUND_OK && wb_device_timing_verify(device, &cause) != WARPBOUND_OK) {
    for (size_t v = 0; v < device->value_count; v++)
      device->values[v].value = before[v];
    status = wb_fail(error, WARPBOUND_USAGE, "%s", cause.message);
  }
  for (size_t v = 0; status == WARPBOUND_OK && v < device->value_count; v++) {
    if (!scaled[v] || device->values[v].left_out)
      continue;
    device->values[v].source = "of an idle device, times what the user says of other clients";
    device->values[v].kind = WB_VALUE_DECLARED;
  }
  if (status == WARPBOUND_OK)
    device->memory_factor = thousandths;
  free(before);
  free(scaled);
  return status;
}
