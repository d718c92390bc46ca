#include "cli/input/configuration.h"

#include "base/file.h"
#include "base/status.h"
#include "cli/input/device_name.h"
#include "model/sm_configuration.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool has_configuration(const struct arguments *arguments)
{
  return arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL;
}

/* Whether a file is one of a device for launches: an SM configuration has no format. */
static bool is_device_file(const struct wb_source *source)
{
  return strstr(source->bytes, "\"warpbound-device-1\"") != NULL;
}

/* The configuration of a device, which is freed. */
static warpbound_status configure(warpbound_status status, warpbound_gpu *gpu, warpbound_sm **sm,
                                  warpbound_error *error)
{
  if (status == WARPBOUND_OK)
    status = warpbound_sm_for_gpu(gpu, sm, error);
  warpbound_gpu_free(gpu);
  return status;
}

/* A file of an SM configuration, or of a device for launches. */
static warpbound_status read_sm_file(const char *name, warpbound_sm **sm, warpbound_error *error)
{
  struct wb_source source;
  warpbound_gpu *gpu = NULL;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  if (is_device_file(&source)) {
    status = warpbound_gpu_from_json(source.name, source.bytes, source.length, &gpu, error);
    status = configure(status, gpu, sm, error);
  } else {
    status = warpbound_sm_from_json(source.name, source.bytes, source.length, sm, error);
  }
  wb_source_free(&source);
  return status;
}

/* A device for launches, one of the table, or a file. */
static warpbound_status read_sm(const char *name, warpbound_sm **sm, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct device_name found;
  warpbound_gpu *gpu = NULL;
  warpbound_error refusal = {0};
  warpbound_status status = device_name_find(name, &found, &refusal);
  if (status != WARPBOUND_OK)
    return wb_fail(error, status, "--sm: %.400s", refusal.message);
  if (found.single) {
    status = warpbound_gpu_bundled(name, &gpu, error);
    return configure(status, gpu, sm, error);
  }
  if (found.row != SIZE_MAX)
    return warpbound_sm_for_device(warpbound_device_row(found.row).name, sm, error);
  if (access(name, F_OK) == 0)
    return read_sm_file(name, sm, error);
  return wb_fail(error, WARPBOUND_USAGE,
                 "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a file%s",
                 name, device_name_hint(name, hint));
}

/* The row of a device file's architecture; SIZE_MAX where it is none. Pipes are left alone: they
 * can be read once only. */
static size_t row_of_file(const char *name)
{
  struct stat file;
  struct wb_source source;
  warpbound_gpu *gpu = NULL;
  if (stat(name, &file) != 0 || !S_ISREG(file.st_mode) ||
      wb_source_read(name, &source, NULL) != WARPBOUND_OK)
    return SIZE_MAX;
  if (is_device_file(&source))
    (void)warpbound_gpu_from_json(source.name, source.bytes, source.length, &gpu, NULL);
  wb_source_free(&source);
  const size_t row = gpu != NULL ? device_row_of(warpbound_gpu_architecture(gpu)) : SIZE_MAX;
  warpbound_gpu_free(gpu);
  return row;
}

const char *configuration_architecture(const struct arguments *arguments)
{
  const char *name = arguments->value[OPTION_SM];
  struct device_name found = {SIZE_MAX, SIZE_MAX, false};
  if (name == NULL || device_name_find(name, &found, NULL) != WARPBOUND_OK)
    return NULL;
  if (found.row == SIZE_MAX)
    found.row = row_of_file(name);
  return found.row != SIZE_MAX ? warpbound_device_row(found.row).name : NULL;
}

bool configuration_is_named(const struct arguments *arguments)
{
  const char *name = arguments->value[OPTION_SM];
  struct device_name found;
  return name != NULL &&
         (device_name_find(name, &found, NULL) != WARPBOUND_OK || found.row != SIZE_MAX);
}

/* --issue-slots and --partitions beside --sm replace its own. */
static warpbound_status adjust(const struct arguments *arguments, warpbound_sm *sm,
                               warpbound_error *error)
{
  uint64_t slots, partitions;
  warpbound_status status = arguments_number(arguments, OPTION_ISSUE_SLOTS, 0, WB_CAPACITY_LIMIT,
                                             warpbound_sm_issue_slots(sm), &slots, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_PARTITIONS, 1, WB_PARTITION_LIMIT,
                              warpbound_sm_partitions(sm), &partitions, error);
  if (status == WARPBOUND_OK)
    status = warpbound_sm_set_issue_slots(sm, (uint32_t)slots, error);
  return status == WARPBOUND_OK ? warpbound_sm_set_partitions(sm, (uint32_t)partitions, error)
                                : status;
}

static warpbound_status read_units(const struct arguments *arguments, const char *units,
                                   warpbound_sm **sm, warpbound_error *error)
{
  uint64_t slots = 0;
  uint64_t partitions = 1;
  warpbound_status status =
      arguments_number(arguments, OPTION_ISSUE_SLOTS, 0, WB_CAPACITY_LIMIT, 0, &slots, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_PARTITIONS, 1, WB_PARTITION_LIMIT, 1, &partitions,
                              error);
  return status == WARPBOUND_OK
             ? warpbound_sm_create(units, (uint32_t)slots, (uint32_t)partitions, sm, error)
             : status;
}

/* Neither or both of --sm and --units, in the words of where they were given. */
static warpbound_status no_single_source(const struct arguments *arguments, warpbound_error *error)
{
  if (arguments->value[OPTION_SM] == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected --units (as L=1,C=4) or --sm NAME|FILE");
  if (arguments->key[OPTION_SM] != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "expected one of 'units' and 'sm', found both");
  return wb_fail(error, WARPBOUND_USAGE, "expected one of --units and --sm, found both");
}

/* Messages about an option begin with its name; the library has that of its argument. */
static warpbound_status name_option(warpbound_error *error)
{
  static const char argument[] = "units";
  char message[sizeof error->message];
  if (strncmp(error->message, argument, sizeof argument - 1) == 0) {
    snprintf(message, sizeof message, "--%.500s", error->message);
    memcpy(error->message, message, sizeof message);
  }
  return error->status;
}

warpbound_status configuration_read(const struct arguments *arguments, warpbound_sm **sm,
                                    warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  const char *units = arguments->value[OPTION_UNITS];
  *sm = NULL;
  if ((name == NULL) == (units == NULL))
    return no_single_source(arguments, error);
  warpbound_status status =
      name != NULL ? read_sm(name, sm, error) : read_units(arguments, units, sm, error);
  if (status == WARPBOUND_USAGE && units != NULL)
    status = name_option(error);
  if (status == WARPBOUND_OK)
    status = warpbound_sm_set_origin(*sm, name != NULL ? "--sm" : "--units", error);
  if (status == WARPBOUND_OK && name != NULL)
    status = adjust(arguments, *sm, error);
  if (status != WARPBOUND_OK) {
    warpbound_sm_free(*sm);
    *sm = NULL;
  }
  return status;
}
