#include "cli/input/configuration.h"

#include "base/file.h"
#include "formats/sm_file.h"
#include "frontend/file_kind.h"
#include "model/device_table.h"

#include <unistd.h>

bool has_configuration(const struct arguments *arguments)
{
  return arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL;
}

static warpbound_status read_sm(const char *name, struct wb_sm_configuration *sm,
                                warpbound_error *error)
{
  const struct wb_device *device = wb_device_find(name);
  if (device != NULL) {
    wb_device_configuration(device, sm);
    return WARPBOUND_OK;
  }
  char hint[WB_HINT_SIZE];
  if (access(name, F_OK) != 0)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a file%s", name,
        wb_device_hint(name, hint));
  struct wb_source source;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_sm_file_parse(source.name, source.bytes, source.length, sm, error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(source.name, source.bytes, source.length, WB_FILE_JSON, error);
  wb_source_free(&source);
  return status;
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

warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  const char *units = arguments->value[OPTION_UNITS];
  if ((name == NULL) == (units == NULL))
    return no_single_source(arguments, error);
  warpbound_status status = WARPBOUND_OK;
  wb_sm_configuration_start(sm, "the units given");
  if (name != NULL)
    status = read_sm(name, sm, error);
  sm->origin = name != NULL ? "--sm" : "--units";
  uint64_t slots, partitions;
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_ISSUE_SLOTS, 0, WB_CAPACITY_LIMIT, sm->issue_slots,
                              &slots, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_PARTITIONS, 1, WB_PARTITION_LIMIT, sm->partitions,
                              &partitions, error);
  if (status == WARPBOUND_OK) {
    sm->issue_slots = (uint32_t)slots;
    sm->partitions = (uint32_t)partitions;
    if (name == NULL)
      status = wb_sm_configuration_parse_units(sm, units, error);
  }
  return status;
}
