/* The reader of launch files. */
#include "formats/launch/launch_file.h"

#include "base/memory.h"
#include "formats/flow_system/system_members.h"
#include "formats/launch/launch_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file being read. */
struct reader {
  const char *name; /* the file's, for messages */
  struct wb_launch_file *file;
  warpbound_error *error;
};

static warpbound_status wrong(const struct reader *reader, const char *place, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(reader->name, place, expected, found, reader->error);
}

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
  return json_is_array(*list) ? WARPBOUND_OK : wrong(reader, key, expected, *list);
}

/* ---- the launch ---- */

/* What resident_blocks may be as well; may be left out. */
static warpbound_status read_residents(const struct reader *reader, const json_t *list)
{
  static const char place[] = "launch, other_resident_blocks";
  struct wb_launch_file *file = reader->file;
  const size_t count = json_array_size(list);
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list))
    return wrong(reader, place, "a list of numbers of blocks", list);
  file->other_residents = wb_allocate(count, sizeof *file->other_residents);
  warpbound_status status =
      file->other_residents != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
  for (size_t r = 0; r < count && status == WARPBOUND_OK; r++) {
    uint64_t number = 0;
    status = read_number(reader, place, json_array_get(list, r), 1, UINT32_MAX, &number);
    file->other_residents[r] = (uint32_t)number;
  }
  file->claim.other_residents = file->other_residents;
  file->claim.other_resident_count = count;
  return status;
}

static warpbound_status read_shape(const struct reader *reader, const json_t *object)
{
  enum { NUMBERS = 8 };
  static const char *const keys[] = {"blocks",      "block_warps",     "sms",
                                     "partitions",  "resident_blocks", "overhead",
                                     "block_start", "dispatch",        "other_resident_blocks",
                                     NULL};
  struct wb_launch_shape *shape = &reader->file->claim.shape;
  uint64_t numbers[NUMBERS] = {0};
  const json_t *launch = json_object_get(object, "launch");
  if (!json_is_object(launch))
    return wrong(reader, "launch", "an object", launch);
  warpbound_status status = wb_json_check_keys(reader->name, launch, keys, reader->error);
  for (size_t k = 0; k < NUMBERS && status == WARPBOUND_OK; k++) {
    const json_t *value = json_object_get(launch, keys[k]);
    const bool needed = k < 5;
    char place[48];
    snprintf(place, sizeof place, "launch, %s", keys[k]);
    if (needed || value != NULL)
      status = read_number(reader, place, value, needed,
                           k == 0 || k == 5 ? (uint64_t)INT64_MAX : UINT32_MAX, &numbers[k]);
  }
  *shape = (struct wb_launch_shape){.blocks = numbers[0],
                                    .block_warps = (uint32_t)numbers[1],
                                    .sms = (uint32_t)numbers[2],
                                    .partitions = (uint32_t)numbers[3],
                                    .resident_blocks = (uint32_t)numbers[4],
                                    .overhead = numbers[5],
                                    .block_start = (uint32_t)numbers[6],
                                    .dispatch = (uint32_t)numbers[7]};
  return status == WARPBOUND_OK
             ? read_residents(reader, json_object_get(launch, "other_resident_blocks"))
             : status;
}

/* ---- nodes ---- */

static warpbound_status read_node(const struct reader *reader, size_t node, const json_t *row)
{
  struct wb_launch_file *file = reader->file;
  const size_t instructions = file->claim.code.instruction_count;
  uint64_t first = 1;
  uint64_t last = 0;
  char place[40];
  snprintf(place, sizeof place, "nodes, entry %zu", node + 1);
  const size_t count = json_array_size(row);
  if (!json_is_array(row) || (count != 0 && count != 2) || (count == 2 && instructions == 0))
    return wrong(reader, place, "its first and last instruction, or an empty list", row);
  warpbound_status status = WARPBOUND_OK;
  if (count == 2)
    status = read_number(reader, place, json_array_get(row, 0), 0, instructions - 1, &first);
  if (status == WARPBOUND_OK && count == 2)
    status = read_number(reader, place, json_array_get(row, 1), first, instructions - 1, &last);
  file->first[node] = (uint32_t)first;
  file->last[node] = (uint32_t)last;
  return status;
}

/* A list of nodes, which may be left out: *marked is NULL then. */
static warpbound_status read_marked(const struct reader *reader, const json_t *object,
                                    const char *key, bool **marked)
{
  const size_t nodes = reader->file->claim.system.node_count;
  const json_t *list = json_object_get(object, key);
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list))
    return wrong(reader, key, "a list of nodes", list);
  *marked = wb_allocate(nodes, sizeof **marked);
  warpbound_status status = *marked != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
  for (size_t i = 0; i < json_array_size(list) && status == WARPBOUND_OK; i++) {
    uint64_t node = 0;
    status = read_number(reader, key, json_array_get(list, i), 0, nodes - 1, &node);
    (*marked)[node] = true;
  }
  return status;
}

static warpbound_status read_system(const struct reader *reader, const json_t *object)
{
  struct wb_launch_file *file = reader->file;
  struct wb_check_launch_claim *claim = &file->claim;
  const json_t *nodes;
  warpbound_status status = find_list(reader, object, "nodes", "a list of nodes", &nodes);
  if (status == WARPBOUND_OK && json_array_size(nodes) > WB_LAUNCH_NODE_LIMIT)
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "nodes: expected at most %d, found %zu", WB_LAUNCH_NODE_LIMIT,
                        json_array_size(nodes));
  if (status == WARPBOUND_OK)
    status = wb_system_members_read(reader->name, object, json_array_size(nodes), &claim->system,
                                    &file->marks, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = claim->system.node_count;
  file->first = wb_allocate(count, sizeof *file->first);
  file->last = wb_allocate(count, sizeof *file->last);
  file->pending = wb_allocate(count, sizeof *file->pending);
  if (file->first == NULL || file->last == NULL || file->pending == NULL)
    return wb_out_of_memory(reader->error);
  for (size_t v = 0; v < count && status == WARPBOUND_OK; v++)
    status = read_node(reader, v, json_array_get(nodes, v));
  if (status == WARPBOUND_OK)
    status = read_marked(reader, object, "interleaved", &file->interleaved);
  return status == WARPBOUND_OK ? read_marked(reader, object, "exits", &file->ends) : status;
}

/* ---- pending ---- */

/* A list of [INDEX, NUMBER], which may be left out. */
static warpbound_status read_sparse(const struct reader *reader, const char *place,
                                    const json_t *list, size_t count, uint64_t *numbers)
{
  static const char *const expected = "lists of [INDEX, TIME]";
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list))
    return wrong(reader, place, expected, list);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < json_array_size(list) && status == WARPBOUND_OK; i++) {
    const json_t *row = json_array_get(list, i);
    uint64_t index = 0;
    if (!json_is_array(row) || json_array_size(row) != 2 || count == 0)
      return wrong(reader, place, expected, row);
    status = read_number(reader, place, json_array_get(row, 0), 0, count - 1, &index);
    if (status == WARPBOUND_OK)
      status = read_number(reader, place, json_array_get(row, 1), 0, INT64_MAX, &numbers[index]);
  }
  return status;
}

static warpbound_status read_times(const struct reader *reader, const char *place,
                                   const json_t *object, struct wb_check_launch_pending *pending)
{
  static const char *const keys[] = {"scoreboards", "services", "end", NULL};
  if (!json_is_object(object))
    return wrong(reader, place, "an object", object);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_sparse(reader, place, json_object_get(object, "scoreboards"), WB_SCOREBOARD_COUNT,
                         pending->scoreboard);
  if (status == WARPBOUND_OK)
    status = read_sparse(reader, place, json_object_get(object, "services"),
                         reader->file->claim.code.resource_count, pending->service);
  const json_t *end = json_object_get(object, "end");
  if (status == WARPBOUND_OK && end != NULL)
    status = read_number(reader, place, end, 0, INT64_MAX, &pending->end);
  return status;
}

static warpbound_status read_pending(const struct reader *reader, const json_t *object)
{
  const size_t nodes = reader->file->claim.system.node_count;
  const json_t *list;
  warpbound_status status =
      find_list(reader, object, "pending", "a list with an entry for each node", &list);
  if (status == WARPBOUND_OK && json_array_size(list) != nodes)
    status = wrong(reader, "pending", "a list with an entry for each node", list);
  for (size_t v = 0; v < nodes && status == WARPBOUND_OK; v++) {
    char place[40];
    snprintf(place, sizeof place, "pending, entry %zu", v + 1);
    status = read_times(reader, place, json_array_get(list, v), &reader->file->pending[v]);
  }
  return status;
}

/* ---- maxima ---- */

static warpbound_status read_sum(const struct reader *reader, const char *place,
                                 const json_t *value, enum wb_check_launch_sum *sum)
{
  const char *text = json_string_value(value);
  for (int s = 0; text != NULL && s < WB_CHECK_LAUNCH_SUM_COUNT; s++) {
    if (strcmp(text, wb_check_launch_sum_name((enum wb_check_launch_sum)s)) == 0) {
      *sum = (enum wb_check_launch_sum)s;
      return WARPBOUND_OK;
    }
  }
  return wrong(reader, place, "the name of a sum for of (doc/formats.md)", value);
}

static warpbound_status read_phase(const struct reader *reader, const char *place,
                                   const json_t *value, uint32_t *phase)
{
  uint64_t number = WB_CHECK_LAUNCH_ALL_PHASES;
  const char *text = json_string_value(value);
  warpbound_status status = WARPBOUND_OK;
  if (text != NULL && strcmp(text, "composite") == 0)
    number = WB_CHECK_LAUNCH_COMPOSITE;
  else if (text != NULL && strcmp(text, "stretch") == 0)
    number = WB_CHECK_LAUNCH_STRETCH;
  else if (text != NULL)
    status = wrong(reader, place, "a number, \"composite\" or \"stretch\" for phase", value);
  else if (value != NULL)
    status = read_number(reader, place, value, 0, WB_CHECK_LAUNCH_STRETCH - 1, &number);
  *phase = (uint32_t)number;
  return status;
}

static warpbound_status read_maximum(const struct reader *reader, size_t index,
                                     const json_t *object, struct wb_check_launch_maximum *maximum)
{
  static const char *const keys[] = {"of", "phase", "scale", "prices", "potentials", NULL};
  const struct wb_flow_system *system = &reader->file->claim.system;
  char place[40];
  snprintf(place, sizeof place, "maxima, entry %zu", index + 1);
  if (!json_is_object(object))
    return wrong(reader, place, "an object", object);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_sum(reader, place, json_object_get(object, "of"), &maximum->sum);
  if (status == WARPBOUND_OK)
    status = read_phase(reader, place, json_object_get(object, "phase"), &maximum->phase);
  if (status == WARPBOUND_OK)
    status = wb_json_signed(reader->name, place, json_object_get(object, "scale"), &maximum->scale,
                            reader->error);
  if (status == WARPBOUND_OK)
    status = wb_numbers_member_read(reader->name, object, "prices", system->limit_count,
                                    &maximum->price, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_numbers_member_read(reader->name, object, "potentials",
                                    system->port_count +
                                        (maximum->phase == WB_CHECK_LAUNCH_STRETCH ? 1 : 0),
                                    &maximum->potential, reader->error);
  return status;
}

static warpbound_status read_maxima(const struct reader *reader, const json_t *object)
{
  struct wb_check_launch_claim *claim = &reader->file->claim;
  const json_t *list;
  warpbound_status status = find_list(reader, object, "maxima", "a list of maxima", &list);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = json_array_size(list);
  reader->file->maxima = wb_allocate(count, sizeof *reader->file->maxima);
  if (reader->file->maxima == NULL)
    return wb_out_of_memory(reader->error);
  for (size_t m = 0; m < count && status == WARPBOUND_OK; m++) {
    claim->maximum_count = m + 1;
    status = read_maximum(reader, m, json_array_get(list, m), &reader->file->maxima[m]);
  }
  return status;
}

/* ---- the file ---- */

static warpbound_status read_file(const struct reader *reader, const json_t *object)
{
  static const char *const formats[] = {WB_LAUNCH_FORMAT, NULL};
  static const char *const keys[] = {
      "format",       "cycles",      "device", "values",  "assumptions", "launch", "resources",
      "instructions", "nodes",       "start",  "starts",  "ports",       "ends",   "edges",
      "limits",       "interleaved", "exits",  "pending", "maxima",      NULL};
  struct wb_launch_file *file = reader->file;
  struct wb_check_launch_claim *claim = &file->claim;
  warpbound_status status = wb_json_format(reader->name, object, formats, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_number(reader, "cycles", json_object_get(object, "cycles"), 0, INT64_MAX,
                         &claim->cycles);
  if (status == WARPBOUND_OK)
    status = read_shape(reader, object);
  if (status == WARPBOUND_OK)
    status = wb_launch_code_read(reader->name, object, &claim->code, reader->error);
  if (status == WARPBOUND_OK)
    status = read_system(reader, object);
  if (status == WARPBOUND_OK)
    status = read_pending(reader, object);
  if (status == WARPBOUND_OK)
    status = read_maxima(reader, object);
  if (status == WARPBOUND_OK)
    status = wb_launch_grounds_read(reader->name, object, &file->grounds, reader->error);
  claim->first = file->first;
  claim->last = file->last;
  claim->interleaved = file->interleaved;
  claim->ends = file->ends;
  claim->local = file->marks.local;
  claim->common = file->marks.common;
  claim->pending = file->pending;
  claim->maxima = file->maxima;
  return status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_launch_file *file = into;
  *file = (struct wb_launch_file){0};
  const struct reader reader = {name, file, error};
  warpbound_status status = read_file(&reader, object);
  if (status != WARPBOUND_OK)
    wb_launch_file_free(file);
  return status;
}

warpbound_status wb_launch_file_read(const char *name, const json_t *object,
                                     struct wb_launch_file *file, warpbound_error *error)
{
  return read_object(name, object, file, error);
}

warpbound_status wb_launch_file_parse(const char *name, const char *text, size_t length,
                                      struct wb_launch_file *file, warpbound_error *error)
{
  *file = (struct wb_launch_file){0};
  return wb_json_parse_as(name, text, length, read_object, file, error);
}

void wb_launch_file_free(struct wb_launch_file *file)
{
  for (size_t m = 0; m < file->claim.maximum_count; m++) {
    free((void *)file->maxima[m].price);
    free((void *)file->maxima[m].potential);
  }
  free(file->maxima);
  free(file->other_residents);
  free(file->pending);
  free(file->first);
  free(file->last);
  free(file->interleaved);
  free(file->ends);
  free(file->marks.local);
  free(file->marks.common);
  wb_timed_code_free(&file->claim.code);
  wb_flow_system_free(&file->claim.system);
  wb_launch_grounds_free(&file->grounds);
  *file = (struct wb_launch_file){0};
}
