/* The reader of paths files. */
#include "formats/paths/paths_file.h"

#include "base/memory.h"
#include "base/text/choice.h"
#include "formats/flow_system/system_members.h"
#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file being read. */
struct reader {
  /* The file's, for messages. */
  const char *name;
  struct wb_paths_file *file;
  /* The claim's. */
  struct wb_flow_system *system;
  warpbound_error *error;
};

static warpbound_status read_number(const struct reader *reader, const char *place,
                                    const json_t *value, uint64_t least, uint64_t most,
                                    uint64_t *number)
{
  return wb_json_number(reader->name, place, value, least, most, number, reader->error);
}

/* A member that is a list. */
static warpbound_status find_list(const struct reader *reader, const json_t *object,
                                  const char *key, const char *expected, const json_t **list)
{
  *list = json_object_get(object, key);
  return json_is_array(*list) ? WARPBOUND_OK
                              : wb_json_wrong(reader->name, key, expected, *list, reader->error);
}

/* An entry that is a list of `count` values. */
static warpbound_status check_entry(const struct reader *reader, const char *place,
                                    const json_t *value, size_t count, const char *expected)
{
  return json_is_array(value) && json_array_size(value) == count
             ? WARPBOUND_OK
             : wb_json_wrong(reader->name, place, expected, value, reader->error);
}

/* ---- the machine ---- */

static warpbound_status read_units(const struct reader *reader, const json_t *object)
{
  struct wb_check_path_machine *machine = &reader->file->claim.machine;
  uint64_t capacity[WB_CHECK_UNIT_TYPES] = {0};
  warpbound_status status = wb_units_member_read(reader->name, object, capacity, reader->error);
  for (size_t u = 0; u < WB_CHECK_UNIT_TYPES; u++)
    machine->capacity[u] = (uint32_t)capacity[u];
  machine->capacity[WB_UNIT_NONE] = machine->capacity[WB_UNIT_BARRIER] = WB_UNLIMITED;
  return status;
}

static enum wb_unit unit_of(const json_t *value)
{
  const char *text = json_string_value(value);
  return text != NULL && text[0] != '\0' && text[1] == '\0' ? wb_unit_from_letter(text[0])
                                                            : WB_UNIT_COUNT;
}

static warpbound_status read_shared(const struct reader *reader, const json_t *object)
{
  const json_t *list;
  warpbound_status status =
      find_list(reader, object, "shared", "a list of unit types as [\"D\"]", &list);
  for (size_t i = 0; status == WARPBOUND_OK && i < json_array_size(list); i++) {
    const enum wb_unit unit = unit_of(json_array_get(list, i));
    if ((unsigned)unit >= WB_REAL_UNIT_COUNT)
      status = wb_json_wrong(reader->name, "shared", "one of \"L\", \"C\", \"S\", \"D\" and \"T\"",
                             json_array_get(list, i), reader->error);
    else
      reader->file->claim.machine.shared[unit] = true;
  }
  return status;
}

static warpbound_status read_machine(const struct reader *reader, const json_t *object)
{
  struct wb_check_path_machine *machine = &reader->file->claim.machine;
  uint64_t slots = 0;
  uint64_t partitions = 1;
  uint64_t blocks = 1;
  uint64_t warps = 1;
  warpbound_status status = read_units(reader, object);
  if (status == WARPBOUND_OK)
    status = read_shared(reader, object);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "issue_slots", json_object_get(object, "issue_slots"), 0,
                         WB_CAPACITY_LIMIT, &slots);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "partitions", json_object_get(object, "partitions"), 1,
                         WB_PARTITION_LIMIT, &partitions);
  if (status == WARPBOUND_OK)
    status =
        read_number(reader, "warps", json_object_get(object, "warps"), 1, WB_WARP_LIMIT, &warps);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "blocks", json_object_get(object, "blocks"), 1, warps, &blocks);
  if (status == WARPBOUND_OK && warps % blocks != 0)
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "blocks: expected a number that divides the warps");
  machine->issue_slots = slots > 0 ? (uint32_t)slots : WB_UNLIMITED;
  machine->partitions = (uint32_t)partitions;
  machine->blocks = (uint32_t)blocks;
  machine->block_warps = (uint32_t)(warps / blocks);
  return status;
}

/* ---- the system ---- */

/* The lists of all nodes have a number of T, or none has. */
static warpbound_status read_nodes(const struct reader *reader, const json_t *nodes)
{
  const bool tensor = json_array_size(json_array_get(nodes, 0)) == WB_UNIT_COUNT;
  const size_t count = tensor ? WB_UNIT_COUNT : WB_UNIT_COUNT - 1;
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; v < reader->system->node_count && status == WARPBOUND_OK; v++) {
    const json_t *row = json_array_get(nodes, v);
    char place[40];
    snprintf(place, sizeof place, "nodes, entry %zu", v + 1);
    status = check_entry(reader, place, row, count,
                         tensor ? "a list of the numbers of L, C, S, D, T, N and B"
                                : "a list of the numbers of L, C, S, D, N and B");
    for (size_t u = 0, i = 0; u < WB_UNIT_COUNT && status == WARPBOUND_OK; u++) {
      if (u != WB_UNIT_TENSOR || tensor)
        status = read_number(reader, place, json_array_get(row, i++), 0, INT64_MAX,
                             &reader->file->letters[v][u]);
    }
  }
  return status;
}

static warpbound_status read_system(const struct reader *reader, const json_t *object)
{
  struct wb_paths_file *file = reader->file;
  const json_t *nodes;
  warpbound_status status = find_list(reader, object, "nodes", "a list of nodes", &nodes);
  if (status == WARPBOUND_OK)
    status = wb_system_members_read(reader->name, object, json_array_size(nodes), reader->system,
                                    &file->marks, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  file->letters = wb_allocate(json_array_size(nodes), sizeof *file->letters);
  file->claim.letters = (const uint64_t(*)[WB_UNIT_COUNT])file->letters;
  file->claim.local = file->marks.local;
  file->claim.common = file->marks.common;
  return file->letters != NULL ? read_nodes(reader, nodes) : wb_out_of_memory(reader->error);
}

/* ---- maxima ---- */

static warpbound_status read_quantity(const struct reader *reader, const char *place,
                                      const json_t *value, struct wb_check_path_maximum *maximum)
{
  const char *text = json_string_value(value);
  maximum->unit = unit_of(value);
  maximum->quantity = WB_CHECK_PATH_TYPE;
  for (int q = 0; text != NULL && q < WB_CHECK_PATH_TYPE; q++) {
    if (strcmp(text, wb_check_path_quantity_name((enum wb_check_path_quantity)q)) == 0)
      maximum->quantity = (enum wb_check_path_quantity)q;
  }
  if (maximum->quantity != WB_CHECK_PATH_TYPE || maximum->unit != WB_UNIT_COUNT)
    return WARPBOUND_OK;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s, of: expected \"letters\", \"weights\", \"outside\", \"shared\", "
                    "\"spare\" or a unit type",
                    place);
}

static warpbound_status read_maximum(const struct reader *reader, size_t index,
                                     const json_t *object, struct wb_check_path_maximum *maximum)
{
  static const char *const keys[] = {"of", "phase", "scale", "prices", "potentials", NULL};
  char place[40];
  uint64_t phase = WB_CHECK_ALL_PHASES;
  snprintf(place, sizeof place, "maxima, entry %zu", index + 1);
  if (!json_is_object(object))
    return wb_json_wrong(reader->name, place, "an object", object, reader->error);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_quantity(reader, place, json_object_get(object, "of"), maximum);
  if (status == WARPBOUND_OK && json_object_get(object, "phase") != NULL)
    status = read_number(reader, place, json_object_get(object, "phase"), 0,
                         WB_CHECK_ALL_PHASES - 1, &phase);
  maximum->phase = (uint32_t)phase;
  if (status == WARPBOUND_OK)
    status = wb_json_signed(reader->name, place, json_object_get(object, "scale"), &maximum->scale,
                            reader->error);
  if (status == WARPBOUND_OK)
    status = wb_numbers_member_read(reader->name, object, "prices", reader->system->limit_count,
                                    &maximum->price, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_numbers_member_read(reader->name, object, "potentials", reader->system->port_count,
                                    &maximum->potential, reader->error);
  return status;
}

static warpbound_status read_maxima(const struct reader *reader, const json_t *object)
{
  struct wb_check_paths_claim *claim = &reader->file->claim;
  const json_t *list;
  warpbound_status status = find_list(reader, object, "maxima", "a list of maxima", &list);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = json_array_size(list);
  reader->file->maxima = wb_allocate(count, sizeof *reader->file->maxima);
  claim->maxima = reader->file->maxima;
  if (reader->file->maxima == NULL)
    return wb_out_of_memory(reader->error);
  for (size_t m = 0; m < count && status == WARPBOUND_OK; m++) {
    claim->maximum_count = m + 1;
    status = read_maximum(reader, m, json_array_get(list, m), &reader->file->maxima[m]);
  }
  return status;
}

/* ---- the file ---- */

static warpbound_status read_bound(const struct reader *reader, const json_t *object)
{
  const char *text = json_string_value(json_object_get(object, "bound"));
  struct wb_choice bounds[WB_CHECK_PATHS_BOUND_COUNT + 1] = {{NULL, 0}};
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++)
    bounds[b] = (struct wb_choice){wb_check_paths_bound_name((enum wb_check_paths_bound)b), b};
  const struct wb_choice *choice = text != NULL ? wb_choice_find(bounds, text) : NULL;
  if (choice != NULL) {
    reader->file->claim.bound = (enum wb_check_paths_bound)choice->value;
    return WARPBOUND_OK;
  }
  struct wb_text list = {0};
  wb_choice_list(&list, bounds, "\"");
  warpbound_status status = list.failed
                                ? wb_out_of_memory(reader->error)
                                : wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name,
                                             0, 0, "bound: expected %s", list.data);
  wb_text_free(&list);
  return status;
}

static warpbound_status read_file(const struct reader *reader, const json_t *object)
{
  static const char *const formats[] = {WB_PATHS_FORMAT, NULL};
  static const char *const keys[] = {"format", "bound",       "cycles",     "denominator", "units",
                                     "shared", "issue_slots", "partitions", "blocks",      "warps",
                                     "nodes",  "start",       "starts",     "ports",       "ends",
                                     "edges",  "limits",      "maxima",     NULL};
  struct wb_check_paths_claim *claim = &reader->file->claim;
  warpbound_status status = wb_json_format(reader->name, object, formats, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_bound(reader, object);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "cycles", json_object_get(object, "cycles"), 0, INT64_MAX,
                         &claim->cycles);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "denominator", json_object_get(object, "denominator"), 1,
                         INT64_MAX, &claim->denominator);
  if (status == WARPBOUND_OK)
    status = read_machine(reader, object);
  if (status == WARPBOUND_OK)
    status = read_system(reader, object);
  return status == WARPBOUND_OK ? read_maxima(reader, object) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_paths_file *file = into;
  *file = (struct wb_paths_file){0};
  const struct reader reader = {name, file, &file->claim.system, error};
  warpbound_status status = read_file(&reader, object);
  if (status != WARPBOUND_OK)
    wb_paths_file_free(file);
  return status;
}

warpbound_status wb_paths_file_read(const char *name, const json_t *object,
                                    struct wb_paths_file *file, warpbound_error *error)
{
  return read_object(name, object, file, error);
}

warpbound_status wb_paths_file_parse(const char *name, const char *text, size_t length,
                                     struct wb_paths_file *file, warpbound_error *error)
{
  *file = (struct wb_paths_file){0};
  return wb_json_parse_as(name, text, length, read_object, file, error);
}

void wb_paths_file_free(struct wb_paths_file *file)
{
  for (size_t m = 0; m < file->claim.maximum_count; m++) {
    free((void *)file->maxima[m].price);
    free((void *)file->maxima[m].potential);
  }
  free(file->maxima);
  free(file->marks.local);
  free(file->marks.common);
  free(file->letters);
  wb_flow_system_free(&file->claim.system);
  *file = (struct wb_paths_file){0};
}
