/* The writer of paths files. */
#include "formats/paths/paths_file.h"

#include "formats/machine/problem_members.h"

#include <inttypes.h>

static const char *comma(size_t index)
{
  return index > 0 ? ", " : "";
}

static void write_machine(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  const struct wb_check_path_machine *machine = &claim->machine;
  size_t shared = 0;
  wb_text_string(text, " ");
  wb_units_member_write(machine->capacity, text);
  wb_text_string(text, ",\n \"shared\": [");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (machine->shared[u])
      wb_text_format(text, "%s\"%c\"", comma(shared++), wb_unit_letter((enum wb_unit)u));
  }
  wb_text_string(text, "],\n ");
  wb_issue_slots_member_write(machine->issue_slots, text);
  wb_text_format(
      text,
      ",\n \"partitions\": %" PRIu32 ",\n \"blocks\": %" PRIu32 ",\n \"warps\": %" PRIu64 ",\n",
      machine->partitions, machine->blocks, (uint64_t)machine->blocks * machine->block_warps);
}

/* Whether some node has letters of tensor cores. */
static bool uses_tensor_cores(const struct wb_check_paths_claim *claim)
{
  bool used = false;
  for (size_t v = 0; v < claim->system.node_count; v++)
    used = used || claim->letters[v][WB_UNIT_TENSOR] > 0;
  return used;
}

/* The letters of a node, those of tensor cores only where asked for. */
static void write_letters(const uint64_t letters[WB_UNIT_COUNT], bool tensor, struct wb_text *text)
{
  wb_text_string(text, "  [");
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (u != WB_UNIT_TENSOR || tensor)
      wb_text_format(text, "%s%" PRIu64, comma(u), letters[u]);
  }
  wb_text_string(text, "]");
}

/* Up to the beginning of `ends`. */
static void write_ports(const struct wb_flow_system *system, struct wb_text *text)
{
  wb_text_string(text, " ],\n \"starts\": [");
  for (size_t s = 0; s < system->start_count; s++)
    wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", comma(s), system->starts[s].node,
                   system->starts[s].runs);
  wb_text_string(text, "],\n \"ports\": [");
  for (size_t q = 0; q < system->port_count; q++)
    wb_text_format(text, "%s%" PRIu32, comma(q), system->port_node[q]);
  wb_text_string(text, "],\n \"ends\": [");
}

static void write_graph(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  const struct wb_flow_system *system = &claim->system;
  const bool tensor = uses_tensor_cores(claim);
  const bool walk = wb_flow_system_is_walk(system);
  size_t ends = 0;
  wb_text_string(text, " \"nodes\": [\n");
  for (size_t v = 0; v < system->node_count; v++) {
    write_letters(claim->letters[v], tensor, text);
    wb_text_string(text, v + 1 < system->node_count ? ",\n" : "\n");
  }
  if (walk)
    wb_text_format(text, " ],\n \"start\": %" PRIu32 ",\n \"ends\": [", system->starts[0].node);
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

static void write_limits(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  const struct wb_flow_system *system = &claim->system;
  wb_text_string(text, " \"limits\": [");
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    wb_text_format(text, "%s\n  {\"most\": %" PRId64 ", \"edges\": [", l > 0 ? "," : "",
                   limit->constant);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      wb_text_format(text, "%s[%" PRIu32 ", %" PRId64 "]", comma(t), term->edge, term->factor);
    }
    wb_text_format(text, "]%s}",
                   claim->local != NULL && claim->local[l] ? ", \"local\": true" : "");
  }
  wb_text_string(text, "],\n");
}

static void write_numbers(const char *key, const int64_t *numbers, size_t count,
                          struct wb_text *text)
{
  wb_text_format(text, ", \"%s\": [", key);
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "%s%" PRId64, comma(i), numbers[i]);
  wb_text_string(text, "]");
}

static void write_maximum(const struct wb_check_paths_claim *claim,
                          const struct wb_check_path_maximum *maximum, struct wb_text *text)
{
  if (maximum->quantity == WB_CHECK_PATH_TYPE)
    wb_text_format(text, "\n  {\"of\": \"%c\"", wb_unit_letter(maximum->unit));
  else
    wb_text_format(text, "\n  {\"of\": \"%s\"", wb_check_path_quantity_name(maximum->quantity));
  if (maximum->phase != WB_CHECK_ALL_PHASES)
    wb_text_format(text, ", \"phase\": %" PRIu32, maximum->phase);
  wb_text_format(text, ", \"scale\": %" PRId64, maximum->scale);
  write_numbers("prices", maximum->price, claim->system.limit_count, text);
  write_numbers("potentials", maximum->potential, claim->system.port_count, text);
  wb_text_string(text, "}");
}

void wb_paths_file_write(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  wb_text_format(text,
                 "{\"format\": \"" WB_PATHS_FORMAT "\",\n \"bound\": \"%s\",\n \"cycles\": %" PRIu64
                 ",\n \"denominator\": %" PRIu64 ",\n",
                 wb_check_paths_bound_name(claim->bound), claim->cycles, claim->denominator);
  write_machine(claim, text);
  write_graph(claim, text);
  write_limits(claim, text);
  wb_text_string(text, " \"maxima\": [");
  for (size_t m = 0; m < claim->maximum_count; m++) {
    wb_text_string(text, m > 0 ? "," : "");
    write_maximum(claim, &claim->maxima[m], text);
  }
  wb_text_string(text, "]}\n");
}
