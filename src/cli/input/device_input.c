#include "cli/input/device_input.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "model/sm_configuration.h"
#include "report/device_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

static size_t bundled_named(const char *name)
{
  const size_t count = warpbound_gpu_count();
  for (size_t d = 0; d < count; d++) {
    if (strcasecmp(warpbound_gpu_bundled_name(d), name) == 0)
      return d;
  }
  return SIZE_MAX;
}

/* The row of sm_NN; SIZE_MAX where the table lacks it. */
static size_t device_row_of(uint32_t architecture)
{
  char name[32];
  size_t row;
  snprintf(name, sizeof name, "sm_%" PRIu32, architecture);
  return warpbound_device_find(name, &row, NULL) == WARPBOUND_OK ? row : SIZE_MAX;
}

warpbound_status device_name_find(const char *name, struct device_name *found,
                                  warpbound_error *error)
{
  size_t row;
  warpbound_gpu *gpu;
  *found = (struct device_name){SIZE_MAX, SIZE_MAX, false};
  /* A device for launches, of any of its names; the row is that of its architecture. */
  if (warpbound_gpu_bundled(name, &gpu, NULL) == WARPBOUND_OK) {
    found->bundled = bundled_named(warpbound_gpu_name(gpu));
    found->row = device_row_of(warpbound_gpu_architecture(gpu));
    warpbound_gpu_free(gpu);
  }
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

/* ---- configurations of SMs ---- */

/* Whether a file is one of a device for launches: an SM configuration has no format. */
static bool is_device_file(const struct wb_input *source)
{
  return strstr(source->bytes, "\"warpbound-device-1\"") != NULL;
}

/* A device for launches, one of the table, or a file. */
static warpbound_status read_sm(const char *name, warpbound_sm **sm, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct device_name found;
  struct wb_input source;
  warpbound_gpu *gpu = NULL;
  warpbound_error refusal = {0};
  warpbound_status status = device_name_find(name, &found, &refusal);
  if (status != WARPBOUND_OK)
    return wb_fail(error, status, "--sm: %.400s", refusal.message);
  if (found.single) {
    status = warpbound_gpu_bundled(name, &gpu, error);
    if (status == WARPBOUND_OK)
      status = warpbound_sm_for_gpu(gpu, sm, error);
    warpbound_gpu_free(gpu);
    return status;
  }
  if (found.row != SIZE_MAX)
    return warpbound_sm_for_device(warpbound_device_row(found.row).name, sm, error);
  if (access(name, F_OK) != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a "
                   "file%s",
                   name, device_name_hint(name, hint));
  status = wb_input_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  if (!is_device_file(&source))
    status = warpbound_sm_from_json(source.name, source.bytes, source.length, sm, error);
  else
    status = warpbound_gpu_from_json(source.name, source.bytes, source.length, &gpu, error);
  if (status == WARPBOUND_OK && gpu != NULL)
    status = warpbound_sm_for_gpu(gpu, sm, error);
  warpbound_gpu_free(gpu);
  wb_input_free(&source);
  return status;
}

const char *configuration_architecture(const struct arguments *arguments)
{
  const char *name = arguments->value[OPTION_SM];
  struct device_name found = {SIZE_MAX, SIZE_MAX, false};
  struct stat file;
  struct wb_input source;
  if (name == NULL || device_name_find(name, &found, NULL) != WARPBOUND_OK)
    return NULL;
  /* The row for a device file. Pipes are left alone: they can be read once only. */
  if (found.row == SIZE_MAX && stat(name, &file) == 0 && S_ISREG(file.st_mode) &&
      wb_input_read(name, &source, NULL) == WARPBOUND_OK) {
    warpbound_gpu *gpu = NULL;
    if (is_device_file(&source))
      (void)warpbound_gpu_from_json(source.name, source.bytes, source.length, &gpu, NULL);
    if (gpu != NULL)
      found.row = device_row_of(warpbound_gpu_architecture(gpu));
    warpbound_gpu_free(gpu);
    wb_input_free(&source);
  }
  return found.row != SIZE_MAX ? warpbound_device_row(found.row).name : NULL;
}

bool configuration_is_named(const struct arguments *arguments)
{
  const char *name = arguments->value[OPTION_SM];
  struct device_name found;
  return name != NULL &&
         (device_name_find(name, &found, NULL) != WARPBOUND_OK || found.row != SIZE_MAX);
}

warpbound_status configuration_read(const struct arguments *arguments, warpbound_sm **sm,
                                    warpbound_error *error)
{
  /* --issue-slots and --partitions, of the units given or in place of those of --sm. */
  struct shape {
    uint32_t slots, partitions;
  } shape = {0, 1};
  static const struct option_member members[] = {
      {OPTION_ISSUE_SLOTS, VALUE_WHOLE, OPTION_MEMBER(struct shape, slots),
       .most = WB_CAPACITY_LIMIT},
      {OPTION_PARTITIONS, VALUE_WHOLE, OPTION_MEMBER(struct shape, partitions), .least = 1,
       .most = WB_PARTITION_LIMIT},
  };
  const char *name = arguments->value[OPTION_SM];
  const char *units = arguments->value[OPTION_UNITS];
  *sm = NULL;
  /* Neither or both of --sm and --units, in the words of where they were given. */
  if (name == NULL && units == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected --units (as L=1,C=4) or --sm NAME|FILE");
  if (name != NULL && units != NULL)
    return arguments->key[OPTION_SM] != NULL
               ? wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                            "expected one of 'units' and 'sm', found both")
               : wb_fail(error, WARPBOUND_USAGE, "expected one of --units and --sm, found both");
  warpbound_status status = name != NULL ? read_sm(name, sm, error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && name != NULL)
    shape = (struct shape){warpbound_sm_issue_slots(*sm), warpbound_sm_partitions(*sm)};
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, &shape, error);
  if (status == WARPBOUND_OK && name == NULL)
    status = warpbound_sm_create(units, shape.slots, shape.partitions, sm, error);
  const size_t length = strlen(error->message);
  if (status == WARPBOUND_USAGE && strncmp(error->message, "units", strlen("units")) == 0 &&
      length + 3 <= sizeof error->message) {
    /* Messages about an option begin with its name; the library has that of its argument. */
    memmove(error->message + 2, error->message, length + 1);
    memcpy(error->message, "--", 2);
  }
  if (status == WARPBOUND_OK)
    status = warpbound_sm_set_origin(*sm, name != NULL ? "--sm" : "--units", error);
  if (status == WARPBOUND_OK)
    status = warpbound_sm_set_issue_slots(*sm, shape.slots, error);
  if (status == WARPBOUND_OK)
    status = warpbound_sm_set_partitions(*sm, shape.partitions, error);
  if (status != WARPBOUND_OK) {
    warpbound_sm_free(*sm);
    *sm = NULL;
  }
  return status;
}

/* ---- devices for launches ---- */

bool measured_number(const char *text, const struct unit_scale *units, double *value)
{
  char *end;
  if (*text < '0' || *text > '9')
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

static warpbound_status read_gpu_file(const char *name, warpbound_gpu **gpu, warpbound_error *error)
{
  struct wb_input source;
  warpbound_sm *sm = NULL;
  warpbound_status status = wb_input_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_gpu_from_json(source.name, source.bytes, source.length, gpu, error);
  /* The other commands take such a file for --sm. */
  if (status == WARPBOUND_INVALID_INPUT &&
      warpbound_sm_from_json(source.name, source.bytes, source.length, &sm, NULL) == WARPBOUND_OK)
    status = wb_fail_at(error, status, source.name, 0, 0,
                        "expected a device file ('warpbound devices NAME --json' prints one), "
                        "found an SM configuration, as 'warpbound makespan' takes it");
  warpbound_sm_free(sm);
  wb_input_free(&source);
  return status;
}

/* A file has a slash or a dot in its name, as no device has, or is there and is no device. */
static warpbound_status read_device(const char *name, warpbound_gpu **gpu, warpbound_error *error)
{
  warpbound_error unknown = {0};
  struct device_name found;
  if (strchr(name, '/') != NULL || strstr(name, ".json") != NULL)
    return read_gpu_file(name, gpu, error);
  warpbound_status status = device_name_find(name, &found, &unknown);
  if (status == WARPBOUND_OK)
    status = warpbound_gpu_bundled(name, gpu, &unknown);
  if (status == WARPBOUND_USAGE && access(name, F_OK) == 0)
    return read_gpu_file(name, gpu, error);
  if (status == WARPBOUND_USAGE && found.bundled == SIZE_MAX && found.row != SIZE_MAX) {
    /* A name of the table of SM configurations that no device for launches has. */
    const warpbound_device device = warpbound_device_row(found.row);
    struct wb_text names = {0};
    wb_launch_devices_of(10 * device.major + device.minor, &names);
    if (!names.failed && names.length == 0)
      wb_text_string(&names, "none is bundled ('warpbound devices' lists those that are)");
    status = names.failed
                 ? wb_out_of_memory(error)
                 : wb_fail(error, WARPBOUND_USAGE,
                           "--sm: '%.60s' is the SM configuration %s, not a device for launches; "
                           "of its architecture: %s",
                           name, device.name, names.data);
    wb_text_free(&names);
    return status;
  }
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

/* What --foreign-factor says. */
static warpbound_status slow_memory(const struct arguments *arguments, warpbound_gpu *gpu,
                                    warpbound_error *error)
{
  static const struct unit_scale times[] = {{"", 1000}, {NULL, 0}};
  const char *factor = arguments->value[OPTION_FOREIGN_FACTOR];
  double thousandths = 0;
  warpbound_error refusal = {0};
  if (factor == NULL)
    return WARPBOUND_OK;
  if (!measured_number(factor, times, &thousandths) || thousandths < 1000 || thousandths > 1000000)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--foreign-factor: expected a number from 1 to 1000 as 3 or 1.5, found '%.60s'",
                   factor);
  const warpbound_status status =
      warpbound_gpu_slow_memory(gpu, (uint32_t)ceil(thousandths - 1e-6), &refusal);
  return status == WARPBOUND_OK
             ? WARPBOUND_OK
             : wb_fail(error, status, "--foreign-factor: %.400s", refusal.message);
}

/* What --clock says. */
static warpbound_status set_clock(const struct arguments *arguments, warpbound_gpu *gpu,
                                  warpbound_error *error)
{
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  double hertz;
  char clock[64];
  const warpbound_status status = clock_read(arguments, &hertz, error);
  if (status != WARPBOUND_OK || arguments->value[OPTION_CLOCK] == NULL)
    return status;
  snprintf(clock, sizeof clock, "clock=%.0f", hertz);
  for (size_t s = 0; s < settings->count; s++) {
    if (values_compare(PLACES_NAMED, settings->items[s], clock) == VALUES_DIFFER)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--clock %.60s and --set %.60s: expected one clock, found two",
                     arguments->value[OPTION_CLOCK], settings->items[s]);
  }
  return warpbound_gpu_set(gpu, clock, error);
}

/* Sets what --mode, --set and --clock say. */
static warpbound_status adjust_gpu(const struct arguments *arguments, warpbound_gpu *gpu,
                                   warpbound_error *error)
{
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  const char *mode = arguments->value[OPTION_MODE];
  warpbound_error refusal = {0};
  warpbound_status status =
      mode != NULL ? warpbound_gpu_set_mode(gpu, mode, &refusal) : WARPBOUND_OK;
  if (status != WARPBOUND_OK)
    return wb_fail(error, status, "--mode: %.400s", refusal.message);
  for (size_t s = 0; s < settings->count; s++) {
    status = warpbound_gpu_set(gpu, settings->items[s], &refusal);
    if (status != WARPBOUND_OK)
      return wb_fail(error, status, "--set: %.400s", refusal.message);
  }
  status = slow_memory(arguments, gpu, error);
  return status == WARPBOUND_OK ? set_clock(arguments, gpu, error) : status;
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
    status = adjust_gpu(arguments, *gpu, error);
  if (status != WARPBOUND_OK) {
    warpbound_gpu_free(*gpu);
    *gpu = NULL;
  }
  return status;
}
