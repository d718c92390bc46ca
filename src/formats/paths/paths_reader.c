/* The reader of paths files. */
#include "formats/paths/paths_file.h"

#include "base/memory.h"
#include "base/text/choice.h"
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

static warpbound_status make_system(const struct reader *reader, const json_t *nodes,
                                    const json_t *edges, const json_t *ports)
{
  const size_t node_count = json_array_size(nodes);
  if (node_count < 1)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "nodes: expected one at least");
  warpbound_status status =
      wb_flow_system_make(reader->system, node_count, json_array_size(edges),
                          ports != NULL ? json_array_size(ports) : node_count, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  reader->file->letters = wb_allocate(node_count, sizeof *reader->file->letters);
  reader->file->claim.letters = (const uint64_t(*)[WB_UNIT_COUNT])reader->file->letters;
  return reader->file->letters != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

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

static warpbound_status read_edges(const struct reader *reader, const json_t *edges, bool ported)
{
  const uint64_t most = reader->system->node_count - 1;
  warpbound_status status = WARPBOUND_OK;
  for (size_t e = 0; e < reader->system->edge_count && status == WARPBOUND_OK; e++) {
    const json_t *row = json_array_get(edges, e);
    uint64_t from = 0;
    uint64_t to = 0;
    char place[40];
    snprintf(place, sizeof place, "edges, entry %zu", e + 1);
    const bool in_port = ported && json_array_size(row) == 3;
    uint64_t port = 0;
    status = check_entry(reader, place, row, in_port ? 3 : 2, "a list of two nodes");
    if (status == WARPBOUND_OK)
      status = read_number(reader, place, json_array_get(row, 0), 0, most, &from);
    if (status == WARPBOUND_OK)
      status = read_number(reader, place, json_array_get(row, 1), 0, most, &to);
    if (status == WARPBOUND_OK && in_port)
      status =
          read_number(reader, place, json_array_get(row, 2), 0,
                      reader->system->port_count > 0 ? reader->system->port_count - 1 : 0, &port);
    reader->system->port[e] = in_port ? (uint32_t)port : WB_FLOW_NO_PORT;
    reader->system->from[e] = (uint32_t)from;
    reader->system->to[e] = (uint32_t)to;
  }
  return status;
}

/* Starts and ports of a system that is no walk. */
static warpbound_status read_ports(const struct reader *reader, const json_t *object,
                                   const json_t *ports)
{
  struct wb_flow_system *system = reader->system;
  const json_t *starts;
  warpbound_status status =
      find_list(reader, object, "starts", "a list of starts as [NODE, RUNS]", &starts);
  if (status != WARPBOUND_OK)
    return status;
  system->start_count = json_array_size(starts);
  if (system->start_count < 1 || system->start_count > WB_FLOW_STARTS)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "starts: expected one or two");
  for (size_t s = 0; s < system->start_count && status == WARPBOUND_OK; s++) {
    const json_t *row = json_array_get(starts, s);
    uint64_t node = 0;
    uint64_t runs = 0;
    status = check_entry(reader, "starts", row, 2, "a list of starts as [NODE, RUNS]");
    if (status == WARPBOUND_OK)
      status =
          read_number(reader, "starts", json_array_get(row, 0), 0, system->node_count - 1, &node);
    if (status == WARPBOUND_OK)
      status = read_number(reader, "starts", json_array_get(row, 1), 0, UINT64_C(1) << 32, &runs);
    system->starts[s] = (struct wb_flow_start){(uint32_t)node, (int64_t)runs};
  }
  for (size_t q = 0; q < system->port_count && status == WARPBOUND_OK; q++) {
    uint64_t node = 0;
    status =
        read_number(reader, "ports", json_array_get(ports, q), 0, system->node_count - 1, &node);
    system->port_node[q] = (uint32_t)node;
  }
  return status;
}

/* ports: NULL for a walk. */
static warpbound_status read_ends(const struct reader *reader, const json_t *object,
                                  const json_t *ports)
{
  const json_t *ends;
  uint64_t node = 0;
  warpbound_status status = WARPBOUND_OK;
  if (ports == NULL) {
    status = read_number(reader, "start", json_object_get(object, "start"), 0,
                         reader->system->node_count - 1, &node);
    wb_flow_system_walk(reader->system, (uint32_t)node);
  } else {
    status = read_ports(reader, object, ports);
  }
  if (status == WARPBOUND_OK)
    status = find_list(reader, object, "ends",
                       ports == NULL ? "a list of nodes" : "a list of ports", &ends);
  for (size_t i = 0; status == WARPBOUND_OK && i < json_array_size(ends); i++) {
    status =
        read_number(reader, "ends", json_array_get(ends, i), 0,
                    reader->system->port_count > 0 ? reader->system->port_count - 1 : 0, &node);
    if (status == WARPBOUND_OK)
      reader->system->ends[node] = true;
  }
  return status;
}

static warpbound_status read_term(const struct reader *reader, const char *place, const json_t *row)
{
  uint64_t edge = 0;
  int64_t factor = 0;
  warpbound_status status = check_entry(reader, place, row, 2, "a list of edges as [EDGE, FACTOR]");
  if (status == WARPBOUND_OK && reader->system->edge_count == 0)
    status = wb_json_wrong(reader->name, place, "no edges, as there are none", row, reader->error);
  if (status == WARPBOUND_OK)
    status = read_number(reader, place, json_array_get(row, 0), 0, reader->system->edge_count - 1,
                         &edge);
  if (status == WARPBOUND_OK)
    status = wb_json_signed(reader->name, place, json_array_get(row, 1), &factor, reader->error);
  if (status == WARPBOUND_OK && !wb_flow_term_add(reader->system, (uint32_t)edge, factor))
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "%s: factors of one edge do not fit into 64 bits together", place);
  return status;
}

static warpbound_status read_limits(const struct reader *reader, const json_t *object)
{
  static const char *const keys[] = {"most", "edges", "local", NULL};
  const json_t *limits;
  warpbound_status status = find_list(reader, object, "limits", "a list of limits", &limits);
  if (status == WARPBOUND_OK) {
    reader->file->local = wb_allocate(json_array_size(limits), sizeof *reader->file->local);
    reader->file->claim.local = reader->file->local;
    if (reader->file->local == NULL)
      status = wb_out_of_memory(reader->error);
  }
  for (size_t l = 0; status == WARPBOUND_OK && l < json_array_size(limits); l++) {
    const json_t *limit = json_array_get(limits, l);
    const json_t *edges = NULL;
    int64_t most = 0;
    char place[40];
    snprintf(place, sizeof place, "limits, entry %zu", l + 1);
    if (!json_is_object(limit))
      return wb_json_wrong(reader->name, place, "an object", limit, reader->error);
    status = wb_json_check_keys(reader->name, limit, keys, reader->error);
    if (status == WARPBOUND_OK)
      status =
          wb_json_signed(reader->name, place, json_object_get(limit, "most"), &most, reader->error);
    const json_t *local = json_object_get(limit, "local");
    if (status == WARPBOUND_OK && local != NULL && !json_is_boolean(local))
      status = wb_json_wrong(reader->name, place, "true or false for local", local, reader->error);
    reader->file->local[l] = json_is_true(local);
    if (status == WARPBOUND_OK)
      status = find_list(reader, limit, "edges", "a list of edges as [EDGE, FACTOR]", &edges);
    wb_flow_limit_add(reader->system, most, 0);
    for (size_t t = 0; status == WARPBOUND_OK && t < json_array_size(edges); t++)
      status = read_term(reader, place, json_array_get(edges, t));
  }
  return status == WARPBOUND_OK && reader->system->failed ? wb_out_of_memory(reader->error)
                                                          : status;
}

static warpbound_status read_system(const struct reader *reader, const json_t *object)
{
  const json_t *nodes;
  const json_t *edges;
  const json_t *ports = json_object_get(object, "ports");
  warpbound_status status = find_list(reader, object, "nodes", "a list of nodes", &nodes);
  if (status == WARPBOUND_OK && ports != NULL)
    status = find_list(reader, object, "ports", "a list of nodes", &ports);
  if (status == WARPBOUND_OK)
    status = find_list(reader, object, "edges", "a list of edges", &edges);
  if (status == WARPBOUND_OK)
    status = make_system(reader, nodes, edges, ports);
  if (status == WARPBOUND_OK)
    status = read_nodes(reader, nodes);
  if (status == WARPBOUND_OK)
    status = read_edges(reader, edges, ports != NULL);
  if (status == WARPBOUND_OK)
    status = read_ends(reader, object, ports);
  return status == WARPBOUND_OK ? read_limits(reader, object) : status;
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

static warpbound_status read_numbers(const struct reader *reader, const json_t *object,
                                     const char *key, size_t count, const int64_t **numbers)
{
  char expected[64];
  const json_t *list = json_object_get(object, key);
  snprintf(expected, sizeof expected, "a list of %zu numbers", count);
  if (!json_is_array(list) || json_array_size(list) != count)
    return wb_json_wrong(reader->name, key, expected, list, reader->error);
  int64_t *read = wb_allocate(count, sizeof *read);
  *numbers = read;
  warpbound_status status = read != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++)
    status = wb_json_signed(reader->name, key, json_array_get(list, i), &read[i], reader->error);
  return status;
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
    status = read_numbers(reader, object, "prices", reader->system->limit_count, &maximum->price);
  if (status == WARPBOUND_OK)
    status =
        read_numbers(reader, object, "potentials", reader->system->port_count, &maximum->potential);
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
  free(file->local);
  free(file->letters);
  wb_flow_system_free(&file->claim.system);
  *file = (struct wb_paths_file){0};
}
