#include "formats/flow_system/system_members.h"

#include "base/memory.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <stdio.h>

/* ports: NULL for a walk. */
static void read_ends(struct wb_json_reader *reader, const json_t *object, const json_t *ports,
                      struct wb_flow_system *system)
{
  const uint64_t most_port = system->port_count > 0 ? system->port_count - 1 : 0;
  wb_json_at_file(reader);
  if (ports == NULL)
    wb_flow_system_walk(
        system, (uint32_t)wb_json_member(reader, object, "start", 0, system->node_count - 1));
  else {
    /* Starts and ports of a system that is no walk. */
    static const char expected[] = "a list of starts as [NODE, RUNS]";
    const uint64_t most = system->node_count - 1;
    const json_t *starts = wb_json_array_member(reader, object, "starts", expected);
    system->start_count = json_array_size(starts);
    if (system->start_count < 1 || system->start_count > WB_FLOW_STARTS)
      wb_json_fail(reader, "starts: expected one or two");
    wb_json_at(reader, "starts");
    for (size_t s = 0; s < system->start_count && wb_json_good(reader); s++) {
      const json_t *row = json_array_get(starts, s);
      wb_json_row(reader, row, 2, expected);
      system->starts[s].node = (uint32_t)wb_json_number(reader, json_array_get(row, 0), 0, most);
      system->starts[s].runs =
          (int64_t)wb_json_number(reader, json_array_get(row, 1), 0, UINT64_C(1) << 32);
    }
    wb_json_at(reader, "ports");
    for (size_t q = 0; q < system->port_count && wb_json_good(reader); q++)
      system->port_node[q] = (uint32_t)wb_json_number(reader, json_array_get(ports, q), 0, most);
  }
  wb_json_at_file(reader);
  const json_t *ends = wb_json_array_member(reader, object, "ends",
                                            ports == NULL ? "a list of nodes" : "a list of ports");
  wb_json_at(reader, "ends");
  for (size_t i = 0; i < json_array_size(ends) && wb_json_good(reader); i++) {
    const uint64_t port = wb_json_number(reader, json_array_get(ends, i), 0, most_port);
    if (wb_json_good(reader))
      system->ends[port] = true;
  }
}

static void read_limit(struct wb_json_reader *reader, size_t index, const json_t *limit,
                       struct wb_flow_system *system, const struct wb_limit_marks *marks)
{
  static const char expected[] = "a list of edges as [EDGE, FACTOR]";
  const json_t *edges = json_object_get(limit, "edges");
  wb_json_at(reader, "limits, entry %zu", index + 1);
  wb_json_object(reader, limit, "most edges local common");
  wb_flow_limit_add(system, wb_json_signed(reader, json_object_get(limit, "most")), 0);
  marks->local[index] = wb_json_mark(reader, limit, "local", "true or false for local");
  marks->common[index] = wb_json_mark(reader, limit, "common", "true or false for common");
  if (!json_is_array(edges)) {
    wb_json_at(reader, "edges");
    wb_json_expected(reader, expected, edges);
  }
  for (size_t t = 0; t < json_array_size(edges) && wb_json_good(reader); t++) {
    const json_t *row = json_array_get(edges, t);
    wb_json_row(reader, row, 2, expected);
    if (system->edge_count == 0)
      wb_json_expected(reader, "no edges, as there are none", row);
    const uint64_t edge = wb_json_number(reader, json_array_get(row, 0), 0, system->edge_count - 1);
    const int64_t factor = wb_json_signed(reader, json_array_get(row, 1));
    if (wb_json_good(reader) && !wb_flow_term_add(system, (uint32_t)edge, factor))
      wb_json_fail(reader, "%s: factors of one edge do not fit into 64 bits together",
                   reader->place);
  }
}

void wb_system_members_read(struct wb_json_reader *reader, const json_t *object, size_t nodes,
                            struct wb_flow_system *system, struct wb_limit_marks *marks)
{
  *system = (struct wb_flow_system){0};
  wb_json_at_file(reader);
  const json_t *ports = json_object_get(object, "ports");
  if (ports != NULL)
    wb_json_array_member(reader, object, "ports", "a list of nodes");
  const json_t *edges = wb_json_array_member(reader, object, "edges", "a list of edges");
  if (nodes < 1)
    wb_json_fail(reader, "nodes: expected one at least");
  if (!wb_json_good(reader))
    return;
  reader->status =
      wb_flow_system_make(system, nodes, json_array_size(edges),
                          ports != NULL ? json_array_size(ports) : nodes, reader->error);
  if (!wb_json_good(reader))
    return;
  const uint64_t most = system->node_count - 1;
  const uint64_t most_port = system->port_count > 0 ? system->port_count - 1 : 0;
  for (size_t e = 0; e < system->edge_count && wb_json_good(reader); e++) {
    const json_t *row = json_array_get(edges, e);
    const bool in_port = (ports != NULL) && json_array_size(row) == 3;
    wb_json_at(reader, "edges, entry %zu", e + 1);
    wb_json_row(reader, row, in_port ? 3 : 2, "a list of two nodes");
    system->from[e] = (uint32_t)wb_json_number(reader, json_array_get(row, 0), 0, most);
    system->to[e] = (uint32_t)wb_json_number(reader, json_array_get(row, 1), 0, most);
    system->port[e] = in_port
                          ? (uint32_t)wb_json_number(reader, json_array_get(row, 2), 0, most_port)
                          : WB_FLOW_NO_PORT;
  }
  read_ends(reader, object, ports, system);
  wb_json_at_file(reader);
  const json_t *limits = wb_json_array_member(reader, object, "limits", "a list of limits");
  const size_t count = json_array_size(limits);
  marks->local = wb_json_allocate(reader, count, sizeof *marks->local);
  marks->common = wb_json_allocate(reader, count, sizeof *marks->common);
  for (size_t l = 0; l < count && wb_json_good(reader); l++)
    read_limit(reader, l, json_array_get(limits, l), system, marks);
  if (wb_json_good(reader) && system->failed)
    reader->status = wb_out_of_memory(reader->error);
  wb_json_at_file(reader);
}

const int64_t *wb_numbers_member_read(struct wb_json_reader *reader, const json_t *object,
                                      const char *key, size_t count)
{
  char expected[64];
  const json_t *list = json_object_get(object, key);
  snprintf(expected, sizeof expected, "a list of %zu numbers", count);
  wb_json_at(reader, "%s", key);
  wb_json_row(reader, list, count, expected);
  int64_t *numbers = wb_json_allocate(reader, count, sizeof *numbers);
  for (size_t i = 0; i < count && wb_json_good(reader); i++)
    numbers[i] = wb_json_signed(reader, json_array_get(list, i));
  return numbers;
}

/* ---- writing ---- */

void wb_system_members_write(const struct wb_flow_system *system, const bool *local,
                             const bool *common, struct wb_text *text)
{
  const bool walk = wb_flow_system_is_walk(system);
  size_t ends = 0;
  if (walk)
    wb_text_format(text, " \"start\": %" PRIu32 ",\n \"ends\": [", system->starts[0].node);
  else {
    /* Up to the beginning of `ends`. */
    wb_text_string(text, " \"starts\": [");
    for (size_t s = 0; s < system->start_count; s++)
      wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", wb_json_comma(s), system->starts[s].node,
                     system->starts[s].runs);
    wb_text_string(text, "],\n \"ports\": [");
    for (size_t q = 0; q < system->port_count; q++)
      wb_text_format(text, "%s%" PRIu32, wb_json_comma(q), system->port_node[q]);
    wb_text_string(text, "],\n \"ends\": [");
  }
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->ends[q])
      wb_text_format(text, "%s%zu", wb_json_comma(ends++), q);
  }
  wb_text_string(text, "],\n \"edges\": [");
  for (size_t e = 0; e < system->edge_count; e++) {
    wb_text_format(text, "%s[%" PRIu32 ", %" PRIu32, wb_json_comma(e), system->from[e],
                   system->to[e]);
    if (!walk && system->port[e] != WB_FLOW_NO_PORT)
      wb_text_format(text, ", %" PRIu32, system->port[e]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "],\n");
  wb_text_string(text, " \"limits\": [");
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    wb_text_format(text, "%s\n  {\"most\": %" PRId64 ", \"edges\": [", l > 0 ? "," : "",
                   limit->constant);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", wb_json_comma(t), term->edge,
                     term->factor);
    }
    wb_text_format(text, "]%s%s}", local != NULL && local[l] ? ", \"local\": true" : "",
                   common != NULL && common[l] ? ", \"common\": true" : "");
  }
  wb_text_string(text, "],\n");
}

void wb_numbers_member_write(const char *key, const int64_t *numbers, size_t count,
                             struct wb_text *text)
{
  wb_text_format(text, ", \"%s\": [", key);
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "%s%" PRId64, wb_json_comma(i), numbers[i]);
  wb_text_string(text, "]");
}
