/* The writer of paths files. */
#include "formats/paths/paths_file.h"

#include "formats/flow_system/system_members.h"
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

static void write_nodes(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  const bool tensor = uses_tensor_cores(claim);
  wb_text_string(text, " \"nodes\": [\n");
  for (size_t v = 0; v < claim->system.node_count; v++) {
    write_letters(claim->letters[v], tensor, text);
    wb_text_string(text, v + 1 < claim->system.node_count ? ",\n" : "\n");
  }
  wb_text_string(text, " ],\n");
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
  wb_numbers_member_write("prices", maximum->price, claim->system.limit_count, text);
  wb_numbers_member_write("potentials", maximum->potential, claim->system.port_count, text);
  wb_text_string(text, "}");
}

void wb_paths_file_write(const struct wb_check_paths_claim *claim, struct wb_text *text)
{
  wb_text_format(text,
                 "{\"format\": \"" WB_PATHS_FORMAT "\",\n \"bound\": \"%s\",\n \"cycles\": %" PRIu64
                 ",\n \"denominator\": %" PRIu64 ",\n",
                 wb_check_paths_bound_name(claim->bound), claim->cycles, claim->denominator);
  write_machine(claim, text);
  write_nodes(claim, text);
  wb_system_members_write(&claim->system, claim->local, claim->common, text);
  wb_text_string(text, " \"maxima\": [");
  for (size_t m = 0; m < claim->maximum_count; m++) {
    wb_text_string(text, m > 0 ? "," : "");
    write_maximum(claim, &claim->maxima[m], text);
  }
  wb_text_string(text, "]}\n");
}
