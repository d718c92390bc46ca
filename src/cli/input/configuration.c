#include "cli/input/configuration.h"

#include "base/file.h"
#include "model/devices/device_table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool has_configuration(const struct arguments *arguments)
{
  return arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL;
}

static warpbound_status read_sm_file(const char *name, warpbound_sm **sm, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_sm_from_json(source.name, source.bytes, source.length, sm, error);
  wb_source_free(&source);
  return status;
}

/* A device, or a file. */
static warpbound_status read_sm(const char *name, warpbound_sm **sm, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  size_t row;
  if (warpbound_device_find(name, &row, NULL) == WARPBOUND_OK)
    return warpbound_sm_for_device(name, sm, error);
  if (access(name, F_OK) == 0)
    return read_sm_file(name, sm, error);
  return wb_fail(error, WARPBOUND_USAGE,
                 "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a file%s",
                 name, wb_device_hint(name, hint));
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
