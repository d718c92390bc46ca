#include "formats/flow_system/system_members.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Members being read. */
struct reader {
  const char *name; /* the file's, for messages */
  struct wb_flow_system *system;
  struct wb_limit_marks *marks;
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

/* A member that says something of the limit, true or false; left out: false. */
static warpbound_status read_mark(const struct reader *reader, const char *place,
                                  const json_t *limit, const char *key, bool *mark)
{
  const json_t *value = json_object_get(limit, key);
  char expected[40];
  snprintf(expected, sizeof expected, "true or false for %s", key);
  *mark = json_is_true(value);
  return value == NULL || json_is_boolean(value)
             ? WARPBOUND_OK
             : wb_json_wrong(reader->name, place, expected, value, reader->error);
}

static warpbound_status read_limit(const struct reader *reader, size_t index, const json_t *limit)
{
  static const char *const keys[] = {"most", "edges", "local", "common", NULL};
  const json_t *edges = NULL;
  int64_t most = 0;
  char place[40];
  snprintf(place, sizeof place, "limits, entry %zu", index + 1);
  if (!json_is_object(limit))
    return wb_json_wrong(reader->name, place, "an object", limit, reader->error);
  warpbound_status status = wb_json_check_keys(reader->name, limit, keys, reader->error);
  if (status == WARPBOUND_OK)
    status =
        wb_json_signed(reader->name, place, json_object_get(limit, "most"), &most, reader->error);
  if (status == WARPBOUND_OK)
    status = read_mark(reader, place, limit, "local", &reader->marks->local[index]);
  if (status == WARPBOUND_OK)
    status = read_mark(reader, place, limit, "common", &reader->marks->common[index]);
  if (status == WARPBOUND_OK)
    status = find_list(reader, limit, "edges", "a list of edges as [EDGE, FACTOR]", &edges);
  wb_flow_limit_add(reader->system, most, 0);
  for (size_t t = 0; status == WARPBOUND_OK && t < json_array_size(edges); t++)
    status = read_term(reader, place, json_array_get(edges, t));
  return status;
}

static warpbound_status read_limits(const struct reader *reader, const json_t *object)
{
  const json_t *limits;
  warpbound_status status = find_list(reader, object, "limits", "a list of limits", &limits);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = json_array_size(limits);
  reader->marks->local = wb_allocate(count, sizeof *reader->marks->local);
  reader->marks->common = wb_allocate(count, sizeof *reader->marks->common);
  if (reader->marks->local == NULL || reader->marks->common == NULL)
    return wb_out_of_memory(reader->error);
  for (size_t l = 0; status == WARPBOUND_OK && l < count; l++)
    status = read_limit(reader, l, json_array_get(limits, l));
  return status == WARPBOUND_OK && reader->system->failed ? wb_out_of_memory(reader->error)
                                                          : status;
}

static warpbound_status make_system(const struct reader *reader, size_t nodes, const json_t *edges,
                                    const json_t *ports)
{
  if (nodes < 1)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "nodes: expected one at least");
  return wb_flow_system_make(reader->system, nodes, json_array_size(edges),
                             ports != NULL ? json_array_size(ports) : nodes, reader->error);
}

static warpbound_status read_members(const struct reader *reader, const json_t *object,
                                     size_t nodes)
{
  const json_t *edges = NULL;
  const json_t *ports = json_object_get(object, "ports");
  warpbound_status status = WARPBOUND_OK;
  if (ports != NULL)
    status = find_list(reader, object, "ports", "a list of nodes", &ports);
  if (status == WARPBOUND_OK)
    status = find_list(reader, object, "edges", "a list of edges", &edges);
  if (status == WARPBOUND_OK)
    status = make_system(reader, nodes, edges, ports);
  if (status == WARPBOUND_OK)
    status = read_edges(reader, edges, ports != NULL);
  if (status == WARPBOUND_OK)
    status = read_ends(reader, object, ports);
  return status == WARPBOUND_OK ? read_limits(reader, object) : status;
}

warpbound_status wb_system_members_read(const char *name, const json_t *object, size_t nodes,
                                        struct wb_flow_system *system, struct wb_limit_marks *marks,
                                        warpbound_error *error)
{
  *system = (struct wb_flow_system){0};
  *marks = (struct wb_limit_marks){0};
  const struct reader reader = {.name = name, .system = system, .marks = marks, .error = error};
  return read_members(&reader, object, nodes);
}

warpbound_status wb_numbers_member_read(const char *name, const json_t *object, const char *key,
                                        size_t count, const int64_t **numbers,
                                        warpbound_error *error)
{
  char expected[64];
  const json_t *list = json_object_get(object, key);
  snprintf(expected, sizeof expected, "a list of %zu numbers", count);
  if (!json_is_array(list) || json_array_size(list) != count)
    return wb_json_wrong(name, key, expected, list, error);
  int64_t *read = wb_allocate(count, sizeof *read);
  *numbers = read;
  warpbound_status status = read != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++)
    status = wb_json_signed(name, key, json_array_get(list, i), &read[i], error);
  return status;
}

/* ---- writing ---- */

static const char *comma(size_t index)
{
  return index > 0 ? ", " : "";
}

/* Up to the beginning of `ends`. */
static void write_ports(const struct wb_flow_system *system, struct wb_text *text)
{
  wb_text_string(text, " \"starts\": [");
  for (size_t s = 0; s < system->start_count; s++)
    wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", comma(s), system->starts[s].node,
                   system->starts[s].runs);
  wb_text_string(text, "],\n \"ports\": [");
  for (size_t q = 0; q < system->port_count; q++)
    wb_text_format(text, "%s%" PRIu32, comma(q), system->port_node[q]);
  wb_text_string(text, "],\n \"ends\": [");
}

static void write_graph(const struct wb_flow_system *system, struct wb_text *text)
{
  const bool walk = wb_flow_system_is_walk(system);
  size_t ends = 0;
  if (walk)
    wb_text_format(text, " \"start\": %" PRIu32 ",\n \"ends\": [", system->starts[0].node);
  else
    write_ports(system, text);
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->ends[q])
      wb_text_format(text, "%s%zu", comma(ends++), q);
  }
  wb_text_string(text, "],\n \"edges\": [");
  for (size_t e = 0; e < system->edge_count; e++) {
    wb_text_format(text, "%s[%" PRIu32 ", %" PRIu32, comma(e), system->from[e], system->to[e]);
    if (!walk && system->port[e] != WB_FLOW_NO_PORT)
      wb_text_format(text, ", %" PRIu32, system->port[e]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "],\n");
}

static void write_limits(const struct wb_flow_system *system, const bool *local, const bool *common,
                         struct wb_text *text)
{
  wb_text_string(text, " \"limits\": [");
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    wb_text_format(text, "%s\n  {\"most\": %" PRId64 ", \"edges\": [", l > 0 ? "," : "",
                   limit->constant);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", comma(t), term->edge, term->factor);
    }
    wb_text_format(text, "]%s%s}", local != NULL && local[l] ? ", \"local\": true" : "",
                   common != NULL && common[l] ? ", \"common\": true" : "");
  }
  wb_text_string(text, "],\n");
}

void wb_system_members_write(const struct wb_flow_system *system, const bool *local,
                             const bool *common, struct wb_text *text)
{
  write_graph(system, text);
  write_limits(system, local, common, text);
}

void wb_numbers_member_write(const char *key, const int64_t *numbers, size_t count,
                             struct wb_text *text)
{
  wb_text_format(text, ", \"%s\": [", key);
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "%s%" PRId64, comma(i), numbers[i]);
  wb_text_string(text, "]");
}
