#include "formats/paths/paths_file.h"

#include "base/memory.h"
#include "base/text/nearest.h"
#include "formats/json/json_output.h"
#include "formats/makespan/makespan_files.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- flow systems ---- */

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

/* ---- paths ---- */

/* ---- reading ---- */

static enum wb_unit unit_of(const json_t *value)
{
  const char *text = json_string_value(value);
  return text != NULL && text[0] != '\0' && text[1] == '\0' ? wb_unit_from_letter(text[0])
                                                            : WB_UNIT_COUNT;
}

static void read_machine(struct wb_json_reader *reader, const json_t *object,
                         struct wb_check_path_machine *machine)
{
  uint64_t capacity[WB_CHECK_UNIT_TYPES];
  wb_units_member_read(reader, object, capacity);
  for (size_t u = 0; u < WB_CHECK_UNIT_TYPES; u++)
    machine->capacity[u] = (uint32_t)capacity[u];
  machine->capacity[WB_UNIT_NONE] = machine->capacity[WB_UNIT_BARRIER] = WB_UNLIMITED;
  const json_t *shared =
      wb_json_array_member(reader, object, "shared", "a list of unit types as [\"D\"]");
  wb_json_at(reader, "shared");
  for (size_t i = 0; i < json_array_size(shared); i++) {
    const enum wb_unit unit = unit_of(json_array_get(shared, i));
    if ((unsigned)unit < WB_REAL_UNIT_COUNT)
      machine->shared[unit] = true;
    else
      wb_json_expected(reader, "one of \"L\", \"C\", \"S\", \"D\" and \"T\"",
                       json_array_get(shared, i));
  }
  wb_json_at_file(reader);
  const uint64_t slots = wb_json_member(reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT);
  machine->partitions =
      (uint32_t)wb_json_member(reader, object, "partitions", 1, WB_PARTITION_LIMIT);
  const uint64_t warps = wb_json_member(reader, object, "warps", 1, WB_WARP_LIMIT);
  const uint64_t blocks = wb_json_member(reader, object, "blocks", 1, warps);
  if (!wb_json_good(reader))
    return;
  if (warps % blocks != 0)
    wb_json_fail(reader, "blocks: expected a number that divides the warps");
  machine->issue_slots = slots > 0 ? (uint32_t)slots : WB_UNLIMITED;
  machine->blocks = (uint32_t)blocks;
  machine->block_warps = (uint32_t)(warps / blocks);
}

static void read_maxima(struct wb_json_reader *reader, const json_t *object,
                        struct wb_check_paths_claim *claim)
{
  const json_t *list = wb_json_array_member(reader, object, "maxima", "a list of maxima");
  const size_t count = json_array_size(list);
  struct wb_check_path_maximum *maxima = wb_json_allocate(reader, count, sizeof *maxima);
  for (size_t m = 0; m < count && wb_json_good(reader); m++) {
    const json_t *entry = json_array_get(list, m);
    const json_t *phase = json_object_get(entry, "phase");
    wb_json_at(reader, "maxima, entry %zu", m + 1);
    wb_json_object(reader, entry, "of phase scale prices potentials");
    const json_t *value = json_object_get(entry, "of");
    const char *text = json_string_value(value);
    maxima[m].unit = unit_of(value);
    maxima[m].quantity = WB_CHECK_PATH_TYPE;
    for (int q = 0; text != NULL && q < WB_CHECK_PATH_TYPE; q++) {
      if (strcmp(text, wb_check_path_quantity_name((enum wb_check_path_quantity)q)) == 0)
        maxima[m].quantity = (enum wb_check_path_quantity)q;
    }
    if (maxima[m].quantity == WB_CHECK_PATH_TYPE && maxima[m].unit == WB_UNIT_COUNT)
      wb_json_fail(reader,
                   "%s, of: expected \"letters\", \"weights\", \"outside\", \"shared\", "
                   "\"spare\" or a unit type",
                   reader->place);
    maxima[m].phase = phase != NULL
                          ? (uint32_t)wb_json_number(reader, phase, 0, WB_CHECK_ALL_PHASES - 1)
                          : WB_CHECK_ALL_PHASES;
    maxima[m].scale = wb_json_signed(reader, json_object_get(entry, "scale"));
    maxima[m].price = wb_numbers_member_read(reader, entry, "prices", claim->system.limit_count);
    maxima[m].potential =
        wb_numbers_member_read(reader, entry, "potentials", claim->system.port_count);
  }
  claim->maxima = maxima;
  claim->maximum_count = count;
}

warpbound_status wb_paths_file_read(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_paths_file *file = into;
  struct wb_check_paths_claim *claim = &file->claim;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_paths_file){0};
  wb_json_file(&reader, object, WB_PATHS_FORMAT,
               "format bound cycles denominator units shared issue_slots partitions blocks warps "
               "nodes start starts ports ends edges limits early_ends maxima");
  struct wb_text bounds = {0};
  const json_t *bound = json_object_get(object, "bound");
  const char *text = json_is_string(bound) ? json_string_value(bound) : "";
  while (claim->bound < WB_CHECK_PATHS_BOUND_COUNT &&
         strcmp(text, wb_check_paths_bound_name(claim->bound)) != 0) {
    const bool last = claim->bound + 1 == WB_CHECK_PATHS_BOUND_COUNT;
    wb_text_format(&bounds, "%s\"%s\"",
                   claim->bound == 0 ? ""
                   : last            ? " or "
                                     : ", ",
                   wb_check_paths_bound_name(claim->bound));
    claim->bound++;
  }
  if (bounds.failed && wb_json_good(&reader))
    reader.status = wb_out_of_memory(error);
  if (claim->bound == WB_CHECK_PATHS_BOUND_COUNT)
    wb_json_fail(&reader, "bound: expected %s", bounds.data);
  wb_text_free(&bounds);
  claim->cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  claim->denominator = wb_json_member(&reader, object, "denominator", 1, INT64_MAX);
  read_machine(&reader, object, &claim->machine);
  /* The lists of all nodes have a number of T, or none has. */
  struct wb_limit_marks marks = {0};
  const json_t *nodes = wb_json_array_member(&reader, object, "nodes", "a list of nodes");
  const bool tensor = json_array_size(json_array_get(nodes, 0)) == WB_UNIT_COUNT;
  const size_t count = json_array_size(nodes);
  wb_system_members_read(&reader, object, count, &file->claim.system, &marks);
  uint64_t(*letters)[WB_UNIT_COUNT] = wb_json_allocate(&reader, count, sizeof *letters);
  for (size_t v = 0; v < count && wb_json_good(&reader); v++) {
    const json_t *row = json_array_get(nodes, v);
    wb_json_at(&reader, "nodes, entry %zu", v + 1);
    wb_json_row(&reader, row, tensor ? WB_UNIT_COUNT : WB_UNIT_COUNT - 1,
                tensor ? "a list of the numbers of L, C, S, D, T, N and B"
                       : "a list of the numbers of L, C, S, D, N and B");
    for (size_t u = 0, i = 0; u < WB_UNIT_COUNT; u++) {
      if (u != WB_UNIT_TENSOR || tensor)
        letters[v][u] = wb_json_number(&reader, json_array_get(row, i++), 0, INT64_MAX);
    }
  }
  file->claim.letters = (const uint64_t(*)[WB_UNIT_COUNT])letters;
  file->claim.local = marks.local;
  file->claim.common = marks.common;
  file->claim.early_ends =
      wb_json_mark(&reader, object, "early_ends", "true or false for early_ends");
  wb_json_at_file(&reader);
  read_maxima(&reader, object, claim);
  if (!wb_json_good(&reader))
    wb_paths_file_free(file);
  return reader.status;
}

void wb_paths_file_free(struct wb_paths_file *file)
{
  wb_flow_system_free(&file->claim.system);
  wb_arena_free(&file->arena);
}

/* ---- writing ---- */

void wb_paths_file_write(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  wb_text_format(text,
                 "{\"format\": \"" WB_PATHS_FORMAT "\",\n \"bound\": \"%s\",\n \"cycles\": %" PRIu64
                 ",\n \"denominator\": %" PRIu64 ",\n",
                 wb_check_paths_bound_name(claim->bound), claim->cycles, claim->denominator);
  const struct wb_check_path_machine *machine = &claim->machine;
  size_t shared = 0;
  wb_text_string(text, " ");
  wb_units_member_write(machine->capacity, text);
  wb_text_string(text, ",\n \"shared\": [");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (machine->shared[u])
      wb_text_format(text, "%s\"%c\"", wb_json_comma(shared++), wb_unit_letter((enum wb_unit)u));
  }
  wb_text_string(text, "],\n ");
  wb_issue_slots_member_write(machine->issue_slots, text);
  wb_text_format(
      text,
      ",\n \"partitions\": %" PRIu32 ",\n \"blocks\": %" PRIu32 ",\n \"warps\": %" PRIu64 ",\n",
      machine->partitions, machine->blocks, (uint64_t)machine->blocks * machine->block_warps);
  bool tensor = false;
  for (size_t v = 0; v < claim->system.node_count; v++)
    tensor = tensor || claim->letters[v][WB_UNIT_TENSOR] > 0;
  wb_text_string(text, " \"nodes\": [\n");
  for (size_t v = 0; v < claim->system.node_count; v++) {
    /* The letters of a node, those of tensor cores only where asked for. */
    wb_text_string(text, "  [");
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (u != WB_UNIT_TENSOR || tensor)
        wb_text_format(text, "%s%" PRIu64, wb_json_comma(u), claim->letters[v][u]);
    }
    wb_text_string(text, "]");
    wb_text_string(text, v + 1 < claim->system.node_count ? ",\n" : "\n");
  }
  wb_text_string(text, " ],\n");
  wb_system_members_write(&claim->system, claim->local, claim->common, text);
  wb_text_string(text, claim->early_ends ? " \"early_ends\": true,\n" : "");
  wb_text_string(text, " \"maxima\": [");
  for (size_t m = 0; m < claim->maximum_count; m++) {
    const struct wb_check_path_maximum *maximum = &claim->maxima[m];
    wb_text_string(text, m > 0 ? "," : "");
    if (maximum->quantity == WB_CHECK_PATH_TYPE)
      wb_text_format(text, "\n  {\"of\": \"%c\"", wb_unit_letter(maximum->unit));
    else
      wb_text_format(text, "\n  {\"of\": \"%s\"", wb_check_path_quantity_name(maximum->quantity));
    if (maximum->phase != WB_CHECK_ALL_PHASES)
      wb_text_format(text, ", \"phase\": %" PRIu32, maximum->phase);
    wb_text_format(text, ", \"scale\": %" PRId64, maximum->scale);
    wb_numbers_member_write("prices", maximum->price, claim->system.limit_count, text);
    wb_numbers_member_write("potentials", maximum->potential, claim->system.port_count, text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "]}\n");
}
