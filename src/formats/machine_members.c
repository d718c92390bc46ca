#include "formats/machine_members.h"

#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>

warpbound_status wb_machine_string_read(const char *name, const char *place, const json_t *value,
                                        char **letters, size_t *length, warpbound_error *error)
{
  if (!json_is_string(value))
    return wb_json_wrong(name, place, "a kernel instruction string", value, error);
  struct wb_kernel_string string;
  warpbound_error cause;
  warpbound_status status =
      wb_kernel_string_parse(json_string_value(value), place, &string, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail_at(error, status, name, 0, 0, "%s", cause.message);
  uint8_t *types = wb_kernel_string_expand(&string);
  for (size_t i = 0; types != NULL && i < string.length; i++)
    types[i] = (uint8_t)wb_unit_letter((enum wb_unit)types[i]);
  *letters = (char *)types;
  *length = string.length;
  wb_kernel_string_free(&string);
  return types != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

static warpbound_status read_units(const char *name, const json_t *object,
                                   struct wb_machine_members *machine, warpbound_error *error)
{
  static const char *const keys[] = {"L", "C", "S", "D", NULL};
  const json_t *units = json_object_get(object, "units");
  if (!json_is_object(units))
    return wb_json_wrong(name, "units", "an object as {\"L\": 1, \"C\": 4}", units, error);
  warpbound_status status = wb_json_check_keys(name, units, keys, error);
  for (size_t u = 0; status == WARPBOUND_OK && keys[u] != NULL; u++) {
    const json_t *value = json_object_get(units, keys[u]);
    char place[16];
    snprintf(place, sizeof place, "units, %s", keys[u]);
    if (value != NULL)
      status =
          wb_json_number(name, place, value, 1, WB_CAPACITY_LIMIT, &machine->capacity[u], error);
  }
  return status;
}

warpbound_status wb_machine_units_read(const char *name, const json_t *object,
                                       struct wb_machine_members *machine, warpbound_error *error)
{
  const json_t *slots = json_object_get(object, "issue_slots");
  warpbound_status status = read_units(name, object, machine, error);
  if (status == WARPBOUND_OK && slots != NULL)
    status = wb_json_number(name, "issue_slots", slots, 0, WB_CAPACITY_LIMIT, &machine->issue_slots,
                            error);
  return status;
}

warpbound_status wb_machine_members_read(const char *name, const json_t *object,
                                         struct wb_machine_members *machine, warpbound_error *error)
{
  *machine = (struct wb_machine_members){0};
  warpbound_status status =
      wb_machine_string_read(name, "string", json_object_get(object, "string"), &machine->letters,
                             &machine->length, error);
  if (status == WARPBOUND_OK)
    status = wb_machine_units_read(name, object, machine, error);
  if (status != WARPBOUND_OK) {
    free(machine->letters);
    machine->letters = NULL;
  }
  return status;
}
