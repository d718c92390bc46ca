#include "cli/input/gpu_input.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/device_name.h"
#include "report/devices/device_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool measured_number(const char *text, const struct unit_scale *units, double *value)
{
  char *end;
  if (text[strspn(text, "0123456789.")] == '\0' || *text < '0' || *text > '9')
    return false;
  errno = 0;
  *value = strtod(text, &end);
  for (; units->name != NULL; units++) {
    if (strcmp(end, units->name) == 0) {
      *value *= units->scale;
      return errno == 0 && isfinite(*value) && *value > 0;
    }
  }
  return false;
}

/* A file that the other commands take for --sm. */
static bool is_sm_configuration(const struct wb_source *source)
{
  warpbound_sm *sm = NULL;
  const warpbound_status status =
      warpbound_sm_from_json(source->name, source->bytes, source->length, &sm, NULL);
  warpbound_sm_free(sm);
  return status == WARPBOUND_OK;
}

static warpbound_status read_file(const char *name, warpbound_gpu **gpu, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_gpu_from_json(source.name, source.bytes, source.length, gpu, error);
  if (status == WARPBOUND_INVALID_INPUT && is_sm_configuration(&source))
    status = wb_fail_at(error, status, source.name, 0, 0,
                        "expected a device file ('warpbound devices NAME --json' prints one), "
                        "found an SM configuration, as 'warpbound makespan' takes it");
  wb_source_free(&source);
  return status;
}

/* A name of the table of SM configurations that no device for launches has. */
static warpbound_status refuse_row(const char *name, size_t row, warpbound_error *error)
{
  const warpbound_device device = warpbound_device_row(row);
  struct wb_text names = {0};
  wb_launch_devices_of(10 * device.major + device.minor, &names);
  if (!names.failed && names.length == 0)
    wb_text_string(&names, "none is bundled ('warpbound devices' lists those that are)");
  const warpbound_status status =
      names.failed ? wb_out_of_memory(error)
                   : wb_fail(error, WARPBOUND_USAGE,
                             "--sm: '%.60s' is the SM configuration %s, not a device for launches; "
                             "of its architecture: %s",
                             name, device.name, names.data);
  wb_text_free(&names);
  return status;
}

/* A file has a slash or a dot in its name, as no device has, or is there and is no device. */
static warpbound_status read_device(const char *name, warpbound_gpu **gpu, warpbound_error *error)
{
  warpbound_error unknown = {0};
  struct device_name found;
  if (strchr(name, '/') != NULL || strstr(name, ".json") != NULL)
    return read_file(name, gpu, error);
  warpbound_status status = device_name_find(name, &found, &unknown);
  if (status == WARPBOUND_OK)
    status = warpbound_gpu_bundled(name, gpu, &unknown);
  if (status == WARPBOUND_USAGE && access(name, F_OK) == 0)
    return read_file(name, gpu, error);
  if (status == WARPBOUND_USAGE && found.bundled == SIZE_MAX && found.row != SIZE_MAX)
    return refuse_row(name, found.row, error);
  return status == WARPBOUND_OK ? status : wb_fail(error, status, "--sm: %.400s", unknown.message);
}

warpbound_status clock_read(const struct arguments *arguments, double *hertz,
                            warpbound_error *error)
{
  static const struct unit_scale units[] = {
      {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}, {NULL, 0}};
  const char *text = arguments->value[OPTION_CLOCK];
  *hertz = 0;
  if (text == NULL || (measured_number(text, units, hertz) && *hertz >= 1 && *hertz <= 1e11))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--clock: expected a frequency as 1.3GHz or 930MHz, found '%.60s'", text);
}

static warpbound_status set_clock(const struct arguments *arguments, warpbound_gpu *gpu,
                                  warpbound_error *error)
{
  double hertz;
  char setting[64];
  const warpbound_status status = clock_read(arguments, &hertz, error);
  if (status != WARPBOUND_OK)
    return status;
  snprintf(setting, sizeof setting, "clock=%.0f", hertz);
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  for (size_t s = 0; s < settings->count; s++) {
    if (values_compare(PLACES_NAMED, settings->items[s], setting) == VALUES_DIFFER)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--clock %.60s and --set %.60s: expected one clock, found two",
                     arguments->value[OPTION_CLOCK], settings->items[s]);
  }
  return warpbound_gpu_set(gpu, setting, error);
}

static warpbound_status adjust(const struct arguments *arguments, warpbound_gpu *gpu,
                               warpbound_error *error)
{
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  warpbound_error refusal = {0};
  for (size_t s = 0; s < settings->count; s++) {
    const warpbound_status status = warpbound_gpu_set(gpu, settings->items[s], &refusal);
    if (status != WARPBOUND_OK)
      return wb_fail(error, status, "--set: %.400s", refusal.message);
  }
  return arguments->value[OPTION_CLOCK] != NULL ? set_clock(arguments, gpu, error) : WARPBOUND_OK;
}

warpbound_status gpu_input_read(const struct arguments *arguments, warpbound_gpu **gpu,
                                warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  *gpu = NULL;
  if (name == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected --sm NAME|FILE, the device ('warpbound devices' lists them)");
  warpbound_status status = read_device(name, gpu, error);
  if (status == WARPBOUND_OK)
    status = adjust(arguments, *gpu, error);
  if (status != WARPBOUND_OK) {
    warpbound_gpu_free(*gpu);
    *gpu = NULL;
  }
  return status;
}
