/* What loads give, and other instructions of which no analysis knows the result, as the user
 * assumes. */
#include "analysis/wcet/wcet_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "flow/definitions/address_base.h"
#include "isa/integer_results.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is said of one load or other instruction: by the claims on it that are the narrowest. */
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

/* Whether the claim at hand may be of an instruction. */
static bool is_claimable(const struct search *search, size_t instruction)
{
  const struct wb_instruction *it = &search->function->instructions[instruction];
  struct wb_integer_result result;
  return search->fact->kind == WB_FACT_VALUE
             ? wb_instruction_gives_integer(search->function, it, &result)
             : wb_instruction_loads(it);
}

static warpbound_status find_address(struct search *search)
{
  char why[500];
  const uint32_t address = search->place->address;
  const size_t at = wb_fact_scope_at(search->scope, address);
  const bool value = search->fact->kind == WB_FACT_VALUE;
  if (at != SIZE_MAX && is_claimable(search, at)) {
    claim(search, (uint32_t)at);
    return WARPBOUND_OK;
  }
  const struct wb_instruction *found = at != SIZE_MAX ? &search->function->instructions[at] : NULL;
  snprintf(why, sizeof why, "expected %s at 0x%04" PRIx32 " of %.120s, found %.60s%s",
           value ? "an instruction that writes an integer of which the code tells no range (a "
                   "conversion of floats, an atomic, a shuffle, a clock)"
                 : "a load of global, shared or local memory",
           address, search->scope->function->name, found != NULL ? found->opcode : "no instruction",
           value && found != NULL && wb_instruction_loads(found) ? ", of which --assume-load speaks"
                                                                 : "");
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

/* The instructions of a line, of one opcode: a line may have several numbers, and the claim is of
 * one. */
static warpbound_status find_line(struct search *search)
{
  const struct wb_function *function = search->function;
  const struct wb_place *place = search->place;
  const bool value = search->fact->kind == WB_FACT_VALUE;
  const struct wb_instruction *first = NULL;
  char why[500];
  for (uint32_t i = search->scope->first; i < search->scope->end; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (!is_claimable(search, i) ||
        !wb_place_is_line_of(search->analysis->wcet->code, instruction, place))
      continue;
    if (value && first != NULL && first->number != instruction->number) {
      snprintf(why, sizeof why,
               "expected instructions of one opcode at %.100s:%" PRIu32
               " of %.120s, found %.40s at "
               "0x%04" PRIx32 " and %.40s at 0x%04" PRIx32 ": give the address of one",
               place->file, place->source_line, function->name, first->opcode, first->address,
               instruction->opcode, instruction->address);
      return refuse(search, search->fact, search->file, why);
    }
    first = first != NULL ? first : instruction;
    claim(search, i);
  }
  if (first != NULL)
    return WARPBOUND_OK;
  snprintf(why, sizeof why, "expected the line of %s of %.120s, found none at %.100s:%" PRIu32,
           value ? "an instruction that writes an integer of which the code tells no range"
                 : "a load",
           function->name, place->file != NULL ? place->file : place->label, place->source_line);
  return refuse(search, search->fact, search->file, why);
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
  if (!place->is_parameter)
    return find_line(search);
  for (size_t p = 0; p < function->parameter_count && !place->is_offset; p++)
    offset = function->parameters[p].ordinal == place->parameter ? function->parameters[p].offset
                                                                 : offset;
  if (!place->is_offset && place->parameter >= function->parameter_count) {
    snprintf(
        why, sizeof why,
        "expected one of the %zu parameters that the listing gives %.120s, found param_%" PRIu32
        " (param:OFFSET names one by its bytes)",
        function->parameter_count, function->name, place->parameter);
    return refuse(search, search->fact, search->file, why);
  }
  if (search->definitions.graph == NULL && !wb_definitions_make(wcet->graph, &search->definitions))
    return wb_out_of_memory(search->analysis->error);
  find_based(search, offset);
  for (uint32_t i = search->scope->first; i < search->scope->end; i++) {
    if (search->based[i] != BASE_IT)
      continue;
    claim(search, i);
    some = true;
  }
  if (some)
    return WARPBOUND_OK;
  snprintf(why, sizeof why,
           "expected a pointer that loads of %.120s are based on, found none for the parameter at "
           "0x%" PRIx32,
           function->name, offset);
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
    if (search->fact->kind != WB_FACT_LOAD && search->fact->kind != WB_FACT_VALUE)
      continue;
    search->place = &facts->places[search->fact->first_place];
    status = find_loads(search);
  }
  return status;
}

/* ---- ranges ---- */

/* The numbers that the width of a load has. Four and eight bytes are a number with a sign or
 * without. */
static void range_of_load(const struct wb_instruction *instruction, struct wb_integer_result *type)
{
  const unsigned bytes = type->bytes;
  const bool extended = bytes < 4 && (wb_instruction_has(instruction, WB_MODIFIER_S8) ||
                                      wb_instruction_has(instruction, WB_MODIFIER_S16));
  const int64_t half = (int64_t)1 << (8 * (bytes < 8 ? bytes : 1) - 1);
  type->least = bytes == 8 ? INT64_MIN : bytes == 4 || extended ? -half : 0;
  type->most = bytes == 8 ? INT64_MAX : extended ? half - 1 : 2 * half - 1;
}

/* Completes what is said of a load or value by what its width allows; false where it is no range of
 * that, said in `why`. */
static bool complete_range(const struct wb_instruction *instruction,
                           const struct wb_integer_result *type, struct load *load, char why[400])
{
  const unsigned bytes = type->bytes;
  const int64_t half = (int64_t)1 << 31;
  const bool either = bytes == 4 && type->least < 0 && type->most >= half;
  if (!load->has_least)
    load->least = type->least;
  if (!load->has_most)
    load->most = either && load->least < 0 ? half - 1 : type->most;
  if (load->least < type->least || load->most > type->most ||
      (either && load->least < 0 && load->most >= half)) {
    snprintf(why, 400,
             "expected a range of %u byte%s, from %" PRId64 " to %" PRId64
             "%s, for %.60s at 0x%04" PRIx32 ", found %" PRId64 " to %" PRId64,
             bytes, bytes == 1 ? "" : "s", type->least, type->most,
             either ? " (to 2147483647 where it begins below 0)" : "", instruction->opcode,
             instruction->address, load->least, load->most);
    return false;
  }
  if (load->least > load->most) {
    snprintf(why, 400,
             "expected a range that has a number in common with the others of %.60s at 0x%04" PRIx32
             ", found none: from %" PRId64 " to %" PRId64,
             instruction->opcode, instruction->address, load->least, load->most);
    return false;
  }
  return true;
}

/* Completes what is said of a load or value, and states it. */
static warpbound_status take_range(struct search *search, uint32_t index, struct load *load)
{
  const struct wb_instruction *instruction = &search->function->instructions[index];
  const struct wb_wcet *wcet = search->analysis->wcet;
  const bool loads = wb_instruction_loads(instruction);
  struct wb_integer_result type = {.bytes = loads ? wb_access_bytes(instruction) : 0};
  char why[400];
  if (type.bytes > 8) {
    snprintf(why, sizeof why,
             "expected a load of 1, 2, 4 or 8 bytes, found %.60s of %u at 0x%04" PRIx32,
             instruction->opcode, type.bytes, instruction->address);
    return refuse(search, load->fact, load->file, why);
  }
  if (loads)
    range_of_load(instruction, &type);
  else
    (void)wb_instruction_gives_integer(search->function, instruction, &type);
  if (!complete_range(instruction, &type, load, why))
    return refuse(search, load->fact, load->file, why);
  char *place = wb_code_place(wcet->code, instruction->opcode, instruction->address, instruction);
  if (place == NULL || load->said.failed) {
    free(place);
    return wb_out_of_memory(search->analysis->error);
  }
  wb_list_add(&search->analysis->wcet->assumptions,
              "what %.200s %s (%u byte%s) is from %" PRId64 " to %" PRId64 " (%.300s) declared",
              place, loads ? "loads" : "writes", type.bytes, type.bytes == 1 ? "" : "s",
              load->least, load->most, load->said.data);
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
  const struct wb_instruction *it = &function->instructions[instruction];
  struct wb_integer_result result = {.number = WB_NO_REGISTER};
  if (wb_instruction_loads(it)) {
    result.number = wb_load_register(function, it);
    result.bytes = wb_access_bytes(it);
  } else {
    (void)wb_instruction_gives_integer(function, it, &result);
  }
  return (struct wb_load_range){.instruction = instruction,
                                .number = result.number,
                                .bytes = result.bytes,
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
