/* Changes of a device's values by the user: numbers, modes, and what other clients of the memory
 * take. */
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- changes that are undone where they break the device ---- */

/* The values as they are, which end_change frees; NULL where memory is out. */
static struct wb_device_value *start_change(const struct wb_device_timing *device)
{
  struct wb_device_value *before = wb_allocate(device->value_count, sizeof *before);
  if (before != NULL)
    memcpy(before, device->values, device->value_count * sizeof *before);
  return before;
}

/* Makes the cycles of the changed device; one that is not right becomes what it was before. */
static warpbound_status end_change(struct wb_device_timing *device, struct wb_device_value *before,
                                   warpbound_error *error)
{
  warpbound_error cause;
  wb_device_clocks_apply(device);
  warpbound_status status = wb_device_timing_verify(device, &cause);
  if (status != WARPBOUND_OK) {
    memcpy(device->values, before, device->value_count * sizeof *before);
    status = wb_fail(error, WARPBOUND_USAGE, "%s", cause.message);
  }
  free(before);
  return status;
}

/* ---- NAME=NUMBER ---- */

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

/* A number with a unit of time or none behind it: picoseconds then. */
static bool read_number(const char *text, uint64_t *number, bool *is_time)
{
  const char *at = text;
  *number = 0;
  for (; wb_is_digit(*at); at++) {
    if (!wb_multiply(*number, 10, number) || !wb_add(*number, (uint64_t)(*at - '0'), number))
      return false;
  }
  const bool nanoseconds = strcmp(at, "ns") == 0;
  *is_time = nanoseconds || strcmp(at, "ps") == 0;
  if (at == text || (*at != '\0' && !*is_time))
    return false;
  return (!nanoseconds || wb_multiply(*number, 1000, number)) && *number <= INT64_MAX;
}

/* Whether a value may be set so: a time of the clock, or a number of what is known. */
static warpbound_status check_setting(const struct wb_device_timing *device, size_t value,
                                      bool is_time, warpbound_error *error)
{
  const struct wb_device_value *changed = &device->values[value];
  if (is_time && !changed->is_time)
    return wb_fail(error, WARPBOUND_USAGE, "'%.60s' is no time: expected a number without a unit",
                   changed->name);
  if (value == device->memory_clock && device->file_memory_clock == 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "device '%.60s' does not say for which clock of the memory its numbers are",
                   device->name);
  return WARPBOUND_OK;
}

warpbound_status wb_device_timing_set(struct wb_device_timing *device, const char *text,
                                      warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  uint64_t number;
  bool is_time;
  size_t value;
  if (equals == NULL || !read_number(equals + 1, &number, &is_time))
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected a change as NAME=NUMBER with a whole number, found '%.120s'", text);
  warpbound_status status = find_value(device, text, equals, &value, error);
  if (status == WARPBOUND_OK)
    status = check_setting(device, value, is_time, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_device_value *before = start_change(device);
  if (before == NULL)
    return wb_out_of_memory(error);
  struct wb_device_value *changed = &device->values[value];
  changed->given = number;
  if (changed->is_time)
    changed->clock = is_time ? WB_CLOCK_PICOSECONDS : WB_CLOCK_SM;
  changed->source = "set by the user";
  changed->kind = WB_VALUE_DECLARED;
  changed->left_out = false;
  return end_change(device, before, error);
}

/* ---- modes ---- */

static const struct wb_device_mode *find_mode(const struct wb_device_timing *device,
                                              const char *name)
{
  for (size_t m = 0; m < device->mode_count; m++) {
    if (wb_same_ignoring_case(device->modes[m].name, name))
      return &device->modes[m];
  }
  return NULL;
}

static warpbound_status no_mode(const struct wb_device_timing *device, const char *name,
                                warpbound_error *error)
{
  struct wb_nearest nearest = wb_nearest_start(name);
  struct wb_text names = {0};
  char hint[WB_HINT_SIZE];
  if (device->mode_count == 0)
    return wb_fail(error, WARPBOUND_USAGE, "device '%.60s' has no modes, found '%.60s'",
                   device->name, name);
  for (size_t m = 0; m < device->mode_count; m++) {
    wb_nearest_offer(&nearest, device->modes[m].name);
    wb_text_format(&names, "%s%s", m > 0 ? ", " : "", device->modes[m].name);
  }
  char *list = wb_text_take(&names);
  const warpbound_status status =
      list == NULL
          ? wb_out_of_memory(error)
          : wb_fail(error, WARPBOUND_USAGE, "device '%.60s' has no mode '%.60s'%s; there are %s",
                    device->name, name, wb_nearest_hint(&nearest, "", hint), list);
  free(list);
  return status;
}

warpbound_status wb_device_timing_mode(struct wb_device_timing *device, const char *name,
                                       warpbound_error *error)
{
  const struct wb_device_mode *mode = find_mode(device, name);
  if (mode == NULL)
    return no_mode(device, name, error);
  struct wb_device_value *before = start_change(device);
  if (before == NULL)
    return wb_out_of_memory(error);
  for (size_t c = 0; c < mode->change_count; c++) {
    struct wb_device_value *changed = &device->values[mode->changes[c].value];
    changed->given = mode->changes[c].given;
    changed->kind = mode->kind;
    changed->source = mode->applied;
  }
  return end_change(device, before, error);
}

/* ---- other clients of the memory ---- */

/* A time, times thousandths / 1000 and rounded up, which the user declares. What a file leaves out
 * is 0 and stays so. */
static void slow_down(struct wb_device_value *value, uint32_t thousandths)
{
  uint64_t given;
  if (value->left_out)
    return;
  value->given =
      wb_multiply_divide_up(value->given, thousandths, 1000, &given) ? given : UINT64_MAX;
  value->source = "of an idle device, times what the user says of other clients";
  value->kind = WB_VALUE_DECLARED;
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
  struct wb_device_value *before = start_change(device);
  bool *scaled = wb_allocate(device->value_count, sizeof *scaled);
  if (before == NULL || scaled == NULL) {
    free(before);
    free(scaled);
    return wb_out_of_memory(error);
  }
  for (size_t c = 0; c < device->class_count; c++) {
    for (size_t s = 0; s < device->classes[c].stage_count; s++) {
      const struct wb_class_stage *stage = &device->classes[c].stages[s];
      if (stage->resource == memory)
        scaled[stage->delay] = scaled[stage->service] = true;
    }
  }
  for (size_t v = 0; v < device->value_count; v++) {
    if (scaled[v])
      slow_down(&device->values[v], thousandths);
  }
  free(scaled);
  const warpbound_status status = end_change(device, before, error);
  if (status == WARPBOUND_OK)
    device->memory_factor = thousandths;
  return status;
}
