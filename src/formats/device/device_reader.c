/* The reader of device files. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "formats/device/device_file.h"
#include "formats/device/device_members.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_NAME 100
#define LONGEST_CLIENTS 300
#define LARGEST_ARCHITECTURE 9999

static const char *const formats[] = {WB_DEVICE_FORMAT, NULL};
static const char *const file_keys[] = {"format",
                                        "name",
                                        "product",
                                        "memory_clients",
                                        "architecture",
                                        "sms",
                                        "partitions",
                                        "clock",
                                        "launch_overhead",
                                        "block_start",
                                        "dispatch",
                                        "yield",
                                        "drain",
                                        "constant_operand",
                                        "residency",
                                        "resources",
                                        "classes",
                                        "values",
                                        NULL};
static const char *const residency_keys[] = {"max_blocks",
                                             "max_warps",
                                             "max_threads_per_block",
                                             "registers",
                                             "registers_per_block",
                                             "registers_per_thread",
                                             "register_unit",
                                             "shared_memory",
                                             "shared_per_block",
                                             "shared_unit",
                                             "shared_reserved",
                                             "barriers",
                                             "shared_carveouts",
                                             NULL};

static warpbound_status copy_text(struct wb_device_reader *reader, const char *text, char **copy)
{
  *copy = wb_copy_text(text, strlen(text));
  return *copy != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

/* The name of the file without its folder and ".json". */
static warpbound_status name_of_file(struct wb_device_reader *reader, char **name)
{
  const char *slash = strrchr(reader->name, '/');
  const char *start = slash != NULL ? slash + 1 : reader->name;
  const size_t length = strlen(start);
  const bool json = length > 5 && strcmp(start + length - 5, ".json") == 0;
  *name = wb_copy_text(start, json ? length - 5 : length);
  return *name != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

/* A text that may be left out: empty then. */
static warpbound_status read_optional(struct wb_device_reader *reader, const json_t *object,
                                      const char *key, size_t most, char **text)
{
  const json_t *found = json_object_get(object, key);
  return found != NULL ? wb_device_read_text(reader, key, found, most, text)
                       : copy_text(reader, "", text);
}

static warpbound_status read_names(struct wb_device_reader *reader, const json_t *object)
{
  struct wb_device_timing *device = reader->device;
  warpbound_status status = copy_text(reader, reader->name, &device->file);
  const json_t *name = json_object_get(object, "name");
  if (status == WARPBOUND_OK)
    status = name != NULL ? wb_device_read_text(reader, "name", name, LONGEST_NAME, &device->name)
                          : name_of_file(reader, &device->name);
  if (status == WARPBOUND_OK)
    status = read_optional(reader, object, "product", LONGEST_NAME, &device->product);
  if (status == WARPBOUND_OK)
    status =
        read_optional(reader, object, "memory_clients", LONGEST_CLIENTS, &device->memory_clients);
  uint64_t architecture = 0;
  if (status == WARPBOUND_OK)
    status = wb_device_read_plain(reader, "architecture", json_object_get(object, "architecture"),
                                  LARGEST_ARCHITECTURE, &architecture);
  device->architecture = (uint32_t)architecture;
  return status;
}

static warpbound_status read_members(struct wb_device_reader *reader, const json_t *object,
                                     const char *before, const struct wb_device_member *members)
{
  warpbound_status status = WARPBOUND_OK;
  for (; members->key != NULL && status == WARPBOUND_OK; members++) {
    char place[WB_DEVICE_PLACE_SIZE];
    snprintf(place, sizeof place, "%s%s", before, members->key);
    status = wb_device_read_number(reader, place, json_object_get(object, members->key),
                                   members->optional, wb_device_member_of(reader->device, members));
  }
  return status;
}

/* The sizes that shared memory can be set to; a file may leave them out. */
static warpbound_status read_carveouts(struct wb_device_reader *reader, const json_t *list)
{
  static const char member[] = "residency.shared_carveouts";
  struct wb_residency_rules *rules = &reader->device->residency;
  warpbound_status status = WARPBOUND_OK;
  const size_t count = json_array_size(list);
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list))
    return wb_json_wrong(reader->name, member, "a list of sizes", list, reader->error);
  if (count == 0 || count > WB_CARVEOUT_LIMIT)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "%s: expected from 1 to %d sizes, found %zu", member, WB_CARVEOUT_LIMIT,
                      count);
  for (size_t c = 0; c < count && status == WARPBOUND_OK; c++) {
    char place[WB_DEVICE_PLACE_SIZE];
    snprintf(place, sizeof place, "%s.%zu", member, c + 1);
    status =
        wb_device_read_number(reader, place, json_array_get(list, c), false, &rules->carveouts[c]);
    rules->carveout_count = c + 1;
  }
  return status;
}

static warpbound_status read_residency(struct wb_device_reader *reader, const json_t *object)
{
  if (!json_is_object(object))
    return wb_json_wrong(reader->name, "residency", "an object", object, reader->error);
  warpbound_status status = wb_json_check_keys(reader->name, object, residency_keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_members(reader, object, "residency.", wb_residency_members);
  return status == WARPBOUND_OK
             ? read_carveouts(reader, json_object_get(object, "shared_carveouts"))
             : status;
}

static warpbound_status read_device(struct wb_device_reader *reader, const json_t *object)
{
  warpbound_status status = wb_json_format(reader->name, object, formats, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(reader->name, object, file_keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_names(reader, object);
  if (status == WARPBOUND_OK)
    status = wb_device_read_values(reader, json_object_get(object, "values"));
  if (status == WARPBOUND_OK)
    status = read_members(reader, object, "", wb_device_members);
  if (status == WARPBOUND_OK)
    status = read_residency(reader, json_object_get(object, "residency"));
  if (status == WARPBOUND_OK)
    status = wb_device_read_resources(reader, json_object_get(object, "resources"));
  if (status == WARPBOUND_OK)
    status = wb_device_read_classes(reader, json_object_get(object, "classes"));
  return status == WARPBOUND_OK ? wb_device_timing_verify(reader->device, reader->error) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_device_reader reader = {.name = name, .device = into, .error = error};
  return read_device(&reader, object);
}

warpbound_status wb_device_timing_read(const char *name, const char *text, size_t length,
                                       struct wb_device_timing *device, warpbound_error *error)
{
  memset(device, 0, sizeof *device);
  warpbound_status status = wb_json_parse_as(name, text, length, read_object, device, error);
  if (status != WARPBOUND_OK)
    wb_device_timing_free(device);
  return status;
}
