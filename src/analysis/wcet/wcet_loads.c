/* What loads give, as the user assumes. */
#include "analysis/wcet/wcet_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "flow/definitions/address_base.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is said of one load: by the claims on it that are the narrowest. */
struct load {
  bool claimed;   /* a range */
  bool unchanged; /* nothing writes what it reads */
  bool has_least, has_most;
  int64_t least, most;
  const struct wb_flow_fact *fact; /* the latest */
  const char *file;                /* of that; NULL: of an option */
  struct wb_text said;             /* all, for people */
};

/* Whether a load's address is based on a parameter, in all contexts that reach it. */
enum base { BASE_NOT_REACHED, BASE_IT, BASE_OTHER };

/* All borrowed but the definitions. */
struct search {
  struct wb_wcet_analysis *analysis;
  const struct wb_function *function;
  struct wb_definitions definitions; /* made where a parameter is named */
  struct load *loads;                /* by instruction */
  uint8_t *based;                    /* by instruction, for the parameter at hand: enum base */
  const char *file;                  /* of the claim at hand; NULL: of an option */
  const struct wb_fact_scope *scope; /* of the claim at hand */
  const struct wb_flow_fact *fact;
  const struct wb_place *place;
};

/* Fails at the claim: an option by its text, a fact by its line. */
static warpbound_status refuse(const struct search *search, const struct wb_flow_fact *fact,
                               const char *file, const char *why)
{
  if (file == NULL)
    return wb_fail(search->analysis->error, WARPBOUND_USAGE, "%.160s: %s", fact->said, why);
  return wb_fail_at(search->analysis->error, WARPBOUND_INVALID_INPUT, file, fact->line,
                    fact->column, "%s", why);
}

/* ---- places ---- */

static void claim(struct search *search, uint32_t instruction)
{
  struct load *load = &search->loads[instruction];
  const struct wb_flow_fact *fact = search->fact;
  if (fact->has_least && (!load->has_least || fact->least > load->least))
    load->least = fact->least;
  if (fact->has_most && (!load->has_most || fact->most < load->most))
    load->most = fact->most;
  load->has_least |= fact->has_least;
  load->has_most |= fact->has_most;
  load->unchanged |= fact->unchanged;
  load->claimed |= !fact->unchanged;
  load->fact = fact;
  load->file = search->file;
  wb_text_string(&load->said, load->said.length > 0 ? ", " : "");
  if (search->file != NULL)
    wb_text_format(&load->said, "%.150s:%" PRIu32, search->file, fact->line);
  else
    wb_text_format(&load->said, "%.150s", fact->said);
}

static warpbound_status find_address(struct search *search)
{
  char why[400];
  const uint32_t address = search->place->address;
  const size_t at = wb_fact_scope_at(search->scope, address);
  if (at != SIZE_MAX && wb_instruction_loads(&search->function->instructions[at])) {
    claim(search, (uint32_t)at);
    return WARPBOUND_OK;
  }
  snprintf(why, sizeof why,
           "expected a load of global, shared or local memory at 0x%04" PRIx32
           " of %.120s, found %.60s",
           address, search->scope->function->name,
           at != SIZE_MAX ? search->function->instructions[at].opcode : "no instruction");
  return refuse(search, search->fact, search->file, why);
}

static void find_based(struct search *search, uint32_t offset)
{
  const struct wb_warp_graph *graph = search->analysis->wcet->graph;
  memset(search->based, BASE_NOT_REACHED, search->function->instruction_count);
  for (uint32_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      if (search->based[i] != BASE_OTHER &&
          wb_instruction_loads(&search->function->instructions[i]))
        search->based[i] =
            wb_address_base(&search->definitions, NULL, b, i) == offset ? BASE_IT : BASE_OTHER;
    }
  }
}

/* The load at an address, the loads of a line, or all whose address is based on a parameter. */
static warpbound_status find_loads(struct search *search)
{
  const struct wb_wcet *wcet = search->analysis->wcet;
  const struct wb_function *function = search->function;
  const struct wb_place *place = search->place;
  uint32_t offset = place->parameter;
  bool some = false;
  char why[400];
  if (place->has_address)
    return find_address(search);
  for (size_t p = 0; p < function->parameter_count && place->is_parameter && !place->is_offset; p++)
    offset = function->parameters[p].ordinal == place->parameter ? function->parameters[p].offset
                                                                 : offset;
  const bool numbered = place->is_parameter && !place->is_offset;
  if (numbered && place->parameter >= function->parameter_count) {
    snprintf(
        why, sizeof why,
        "expected one of the %zu parameters that the listing gives %.120s, found param_%" PRIu32
        " (param:OFFSET names one by its bytes)",
        function->parameter_count, function->name, place->parameter);
    return refuse(search, search->fact, search->file, why);
  }
  if (place->is_parameter && search->definitions.graph == NULL &&
      !wb_definitions_make(wcet->graph, &search->definitions))
    return wb_out_of_memory(search->analysis->error);
  if (place->is_parameter)
    find_based(search, offset);
  for (uint32_t i = search->scope->first; i < search->scope->end; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (place->is_parameter ? search->based[i] != BASE_IT
                            : !wb_instruction_loads(instruction) ||
                                  !wb_place_is_line_of(wcet->code, instruction, place))
      continue;
    claim(search, i);
    some = true;
  }
  if (some)
    return WARPBOUND_OK;
  if (place->is_parameter)
    snprintf(
        why, sizeof why,
        "expected a pointer that loads of %.120s are based on, found none for the parameter at "
        "0x%" PRIx32,
        function->name, offset);
  else
    snprintf(why, sizeof why,
             "expected the line of a load of %.120s, found none at %.100s:%" PRIu32, function->name,
             place->file != NULL ? place->file : place->label, place->source_line);
  return refuse(search, search->fact, search->file, why);
}

/* The claims of a scope; file: NULL of options. */
static warpbound_status find_claims(struct search *search, const struct wb_fact_scope *scope,
                                    const char *file)
{
  const struct wb_kernel_facts *facts = scope->facts;
  warpbound_status status = WARPBOUND_OK;
  search->scope = scope;
  search->file = file;
  for (size_t f = 0; facts != NULL && f < facts->fact_count && status == WARPBOUND_OK; f++) {
    search->fact = &facts->facts[f];
    if (search->fact->kind != WB_FACT_LOAD)
      continue;
    search->place = &facts->places[search->fact->first_place];
    status = find_loads(search);
  }
  return status;
}

/* ---- ranges ---- */

/* Completes what is said of a load by what its width allows, and states it. */
static warpbound_status take_range(struct search *search, uint32_t index, struct load *load)
{
  const struct wb_instruction *instruction = &search->function->instructions[index];
  const struct wb_wcet *wcet = search->analysis->wcet;
  const unsigned bytes = wb_access_bytes(instruction);
  const bool extended = bytes < 4 && (wb_instruction_has(instruction, WB_MODIFIER_S8) ||
                                      wb_instruction_has(instruction, WB_MODIFIER_S16));
  char why[400];
  if (bytes > 8) {
    snprintf(why, sizeof why,
             "expected a load of 1, 2, 4 or 8 bytes, found %.60s of %u at 0x%04" PRIx32,
             instruction->opcode, bytes, instruction->address);
    return refuse(search, load->fact, load->file, why);
  }
  const int64_t half = (int64_t)1 << (8 * (bytes < 8 ? bytes : 1) - 1);
  /* Four and eight bytes are a number with a sign or without. */
  const int64_t low = bytes == 8 ? INT64_MIN : bytes == 4 || extended ? -half : 0;
  const int64_t high = bytes == 8 ? INT64_MAX : extended ? half - 1 : 2 * half - 1;
  if (!load->has_least)
    load->least = low;
  if (!load->has_most)
    load->most = bytes == 4 && load->least < 0 ? half - 1 : high;
  if (load->least < low || load->most > high ||
      (bytes == 4 && load->least < 0 && load->most >= half)) {
    snprintf(why, sizeof why,
             "expected a range of %u byte%s, from %" PRId64 " to %" PRId64
             "%s, for %.60s at 0x%04" PRIx32 ", found %" PRId64 " to %" PRId64,
             bytes, bytes == 1 ? "" : "s", low, high,
             bytes == 4 ? " (to 2147483647 where it begins below 0)" : "", instruction->opcode,
             instruction->address, load->least, load->most);
    return refuse(search, load->fact, load->file, why);
  }
  if (load->least > load->most) {
    snprintf(why, sizeof why,
             "expected a range that has a number in common with the others of %.60s at 0x%04" PRIx32
             ", found none: from %" PRId64 " to %" PRId64,
             instruction->opcode, instruction->address, load->least, load->most);
    return refuse(search, load->fact, load->file, why);
  }
  char *place = wb_code_place(wcet->code, instruction->opcode, instruction->address, instruction);
  if (place == NULL || load->said.failed) {
    free(place);
    return wb_out_of_memory(search->analysis->error);
  }
  wb_list_add(&search->analysis->wcet->assumptions,
              "what %.200s loads (%u byte%s) is from %" PRId64 " to %" PRId64 " (%.300s) declared",
              place, bytes, bytes == 1 ? "" : "s", load->least, load->most, load->said.data);
  free(place);
  return WARPBOUND_OK;
}

/* Notes that nothing writes what a load reads, and states it. */
static warpbound_status take_unchanged(struct search *search, uint32_t index, struct load *load)
{
  const struct wb_instruction *instruction = &search->function->instructions[index];
  struct wb_wcet *wcet = search->analysis->wcet;
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)instruction->number);
  char why[400];
  if (kind->action != WB_ACTION_LOAD || kind->space != WB_SPACE_GLOBAL) {
    snprintf(why, sizeof why, "expected a load of global memory, found %.60s at 0x%04" PRIx32,
             instruction->opcode, instruction->address);
    return refuse(search, load->fact, load->file, why);
  }
  char *place = wb_code_place(wcet->code, instruction->opcode, instruction->address, instruction);
  if (place == NULL || load->said.failed) {
    free(place);
    return wb_out_of_memory(search->analysis->error);
  }
  wb_list_add(&wcet->assumptions,
              "nothing writes what %.200s loads while the kernel runs, so that threads which load "
              "from one address get one value (%.300s) declared",
              place, load->said.data);
  free(place);
  wcet->unchanged[index] = true;
  return WARPBOUND_OK;
}

struct wb_load_range wb_wcet_load_range(const struct wb_function *function, uint32_t instruction,
                                        int64_t least, int64_t most)
{
  const struct wb_instruction *load = &function->instructions[instruction];
  return (struct wb_load_range){.instruction = instruction,
                                .number = wb_load_register(function, load),
                                .bytes = wb_access_bytes(load),
                                .least = least,
                                .most = most};
}

warpbound_status wb_wcet_find_loads(struct wb_wcet_analysis *analysis)
{
  const struct wb_wcet_options *options = analysis->options;
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->function->instruction_count;
  const struct wb_fact_scope option = {
      .facts = options->assumed, .function = wcet->function, .end = (uint32_t)count};
  if (options->facts == NULL && options->assumed == NULL)
    return WARPBOUND_OK;
  struct search search = {.analysis = analysis,
                          .function = wcet->function,
                          .loads = wb_arena_array(&wcet->arena, struct load, count),
                          .based = wb_arena_array(&wcet->arena, uint8_t, count)};
  struct wb_load_range *ranges = wb_arena_array(&wcet->arena, struct wb_load_range, count);
  wcet->unchanged = wb_arena_array(&wcet->arena, bool, count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < analysis->scopes.count && status == WARPBOUND_OK && !wcet->facts.moved;
       s++)
    status = find_claims(&search, &analysis->scopes.items[s],
                         options->facts != NULL ? options->facts->name : NULL);
  if (status == WARPBOUND_OK)
    status = find_claims(&search, &option, NULL);
  wb_definitions_free(&search.definitions);
  analysis->launch.loads = ranges;
  for (uint32_t i = 0; i < count; i++) {
    struct load *load = &search.loads[i];
    if (status == WARPBOUND_OK && load->unchanged)
      status = take_unchanged(&search, i, load);
    if (status == WARPBOUND_OK && load->claimed)
      status = take_range(&search, i, load);
    wb_text_free(&load->said);
    if (status != WARPBOUND_OK || !load->claimed)
      continue;
    ranges[analysis->launch.load_count] =
        wb_wcet_load_range(wcet->function, i, load->least, load->most);
    analysis->launch.load_count += ranges[analysis->launch.load_count].number != WB_NO_REGISTER;
  }
  return status;
}
