#include "formats/paths/paths_file.h"

#include "base/text/nearest.h"
#include "formats/json/json_output.h"
#include "formats/machine/problem_members.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <string.h>

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

static void read_bound(struct wb_json_reader *reader, const json_t *value,
                       enum wb_check_paths_bound *bound)
{
  const char *text = json_string_value(value);
  struct wb_choice bounds[WB_CHECK_PATHS_BOUND_COUNT + 1] = {{NULL, 0}};
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++)
    bounds[b] = (struct wb_choice){wb_check_paths_bound_name((enum wb_check_paths_bound)b), b};
  const struct wb_choice *choice = text != NULL ? wb_choice_find(bounds, text) : NULL;
  if (choice != NULL) {
    *bound = (enum wb_check_paths_bound)choice->value;
    return;
  }
  struct wb_text list = {0};
  wb_choice_list(&list, bounds, "\"");
  if (wb_json_good(reader) && list.failed)
    reader->status = wb_out_of_memory(reader->error);
  wb_json_fail(reader, "bound: expected %s", list.data);
  wb_text_free(&list);
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
  read_bound(&reader, json_object_get(object, "bound"), &claim->bound);
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
