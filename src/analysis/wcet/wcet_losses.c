/* Loops without a bound: where their number is lost, what may bound them, and what is declared of
 * those that wait. */
#include "analysis/wcet/wcet_steps.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "isa/integer_results.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* "loop kernel.cu:14 bound N", or by its address: as in a file of facts. */
static void write_loop_fact(const struct wb_wcet *wcet, size_t loop, struct wb_text *text)
{
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, loop);
  if (line->source_line > 0 && line->source_file > 0) {
    const char *path = wcet->code->files[line->source_file - 1];
    const char *slash = strrchr(path, '/');
    wb_text_format(text, "loop %.100s:%" PRIu32 " bound N", slash != NULL ? slash + 1 : path,
                   line->source_line);
  } else {
    wb_text_format(text, "loop 0x%04" PRIx32 " bound N",
                   wb_wcet_block_start(wcet, wcet->forest.loops[loop].header)->address);
  }
}

/* Whether the loop's number is lost at a load before it, or at what writes an integer, of which a
 * range may be assumed. */
static bool is_of_range(const struct wb_wcet *wcet, const struct wb_loop_loss *loss)
{
  const struct wb_instruction *lost = &wcet->function->instructions[loss->instruction];
  struct wb_integer_result result;
  if (loss->spins != 0 || loss->kind < WB_LOSS_LOAD || loss->kind > WB_LOSS_OPCODE)
    return false;
  if (wb_instruction_loads(lost))
    return loss->kind == WB_LOSS_LOAD && !loss->inside && wb_access_bytes(lost) <= 8;
  return wb_instruction_gives_integer(wcet->function, lost, &result);
}

/* Whether an edge enters or leaves a call of which an earlier one is under way. */
static bool is_recursive(const struct wb_warp_graph *graph, const struct wb_warp_edge *edge)
{
  const struct wb_warp_block *from = &graph->blocks[edge->from], *to = &graph->blocks[edge->to];
  const struct wb_warp_context *entered = &graph->contexts[to->context];
  const struct wb_warp_context *left = &graph->contexts[from->context];
  return (edge->kind == WB_EDGE_CALL &&
          (entered->caller != from->context || entered->site != from->last)) ||
         (edge->kind == WB_EDGE_RETURN && left->caller != to->context);
}

static bool is_in_loop(const struct wb_wcet *wcet, size_t index, uint32_t block)
{
  const struct wb_loop *loop = &wcet->forest.loops[index];
  for (size_t n = loop->first_node; n < loop->first_node + loop->node_count; n++)
    if (wcet->forest.nodes[n] == block)
      return true;
  return false;
}

/* The name of the function that calls itself in a loop, as a source has it; NULL where none does.
 */
static const char *recursive_function(const struct wb_wcet *wcet, size_t index)
{
  const struct wb_warp_graph *graph = wcet->graph;
  const char *name = NULL;
  for (size_t e = 0; e < graph->edge_count && name == NULL; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (!is_recursive(graph, edge) || !is_in_loop(wcet, index, edge->from) ||
        !is_in_loop(wcet, index, edge->to))
      continue;
    const uint32_t inside = graph->blocks[edge->kind == WB_EDGE_CALL ? edge->to : edge->from].first;
    for (size_t s = 0; s < wcet->function->symbol_count; s++) {
      const struct wb_label *symbol = &wcet->function->symbols[s];
      const char *last = strrchr(symbol->name, '$'); /* $kernel$_Z3fibi */
      if (symbol->index > 0 && symbol->index <= inside)
        name = last != NULL ? last + 1 : symbol->name;
    }
  }
  return name;
}

/* The cheapest option or fact that may bound the loop. helped: a range of what the load or
 * instruction gives does. */
static void write_fact(const struct wb_wcet *wcet, const struct wb_launch *launch, size_t index,
                       bool helped, struct wb_text *text)
{
  const struct wb_loop_loss *loss = &wcet->loops[index].loss;
  const struct wb_instruction *lost = &wcet->function->instructions[loss->instruction];
  char option[WB_LAUNCH_OPTION_SIZE];
  uint32_t offset;
  /* Other words of bank 0 are the driver's, as where the stack begins. */
  const bool given =
      loss->place >> 16 != 0 || wb_launch_parameter(wcet->function, loss->place, &offset);
  wb_launch_option(launch, wcet->function, loss->place, loss->wide, option);
  const char *recursive = recursive_function(wcet, index);
  if (recursive != NULL)
    wb_text_format(text, "depth %.200s <= N", recursive);
  else if (loss->kind == WB_LOSS_CONSTANT && given)
    wb_text_string(text, option);
  else if (loss->kind == WB_LOSS_SIZE)
    wb_text_string(text, "--grid X,Y,Z --block X,Y,Z");
  else if (loss->spins != 0)
    wb_text_string(text, "--spin-bound N");
  else if (helped)
    wb_text_format(text, "--assume-%s 0x%04" PRIx32 "=0..N",
                   wb_instruction_loads(lost) ? "load" : "value", lost->address);
  else
    write_loop_fact(wcet, index, text);
}

/* Whether an access is of the word behind the one that its address names. */
static bool is_second_word(const struct wb_function *function, const struct wb_instruction *access)
{
  bool second = false;
  for (uint32_t o = 0; o < access->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, access, o);
    second |= operand->kind == WB_OPERAND_ADDRESS && operand->value == 4;
  }
  return second;
}

/* Whether a loop that waits for a load looks as the one of a grid's barrier (grid_group::sync of
 * cooperative groups): it compares the loaded word by XOR with what an atomic on the word left, the
 * second word of the driver's work space. For messages alone. */
static bool waits_for_grid(const struct wb_function *function, const struct wb_loop_loss *loss)
{
  const struct wb_instruction *spin = &function->instructions[loss->spin];
  bool compared = false, added = false;
  if (loss->spins != WB_SPIN_LOAD || !is_second_word(function, spin))
    return false;
  for (uint32_t i = loss->spin; i < loss->test; i++) {
    const struct wb_instruction *at = &function->instructions[i];
    for (uint32_t o = 0; at->number == WB_OPCODE_LOP3 && o < at->operand_count; o++) {
      const struct wb_operand *table = wb_operand_of(function, at, o);
      compared |= table->kind == WB_OPERAND_NUMBER && table->value == 0x3c; /* a ^ b */
    }
  }
  for (uint32_t i = 0; i < loss->spin && compared; i++) {
    const struct wb_instruction *at = &function->instructions[i];
    added |= wb_access_kind_of((enum wb_opcode)at->number)->action == WB_ACTION_ATOMIC &&
             is_second_word(function, at);
  }
  return added;
}

/* "ISETP.GE.AND at 0x0148, kernel.cu:12 depends on what LDG.E at 0x0100, kernel.cu:9 loads". */
static void write_loss(const struct wb_wcet *wcet, const struct wb_loop_loss *loss,
                       struct wb_text *text)
{
  static const struct {
    const char *before, *after;
  } words[] = {
      [WB_LOSS_CONSTANT] = {"depends on a number that is not given: ", ""},
      [WB_LOSS_SIZE] = {"depends on the size of block or grid: ", ""},
      [WB_LOSS_LOAD] = {"depends on what ", " loads"},
      [WB_LOSS_ATOMIC] = {"depends on what ", " returns"},
      [WB_LOSS_CLOCK] = {"depends on the clock: ", ""},
      [WB_LOSS_CALL] = {"depends on what code outside leaves: ", ""},
      [WB_LOSS_OPCODE] = {"depends on what ", " writes, of which no range is known"},
      [WB_LOSS_JOIN] = {"depends on what ", " writes, of which the loop shows no range"},
      [WB_LOSS_TEST] = {"ends the loop: nothing shows how often it does not (", ")"},
      [WB_LOSS_NONE] = {"", ""},
  };
  const struct wb_instruction *test = &wcet->function->instructions[loss->test];
  const struct wb_instruction *lost =
      &wcet->function->instructions[loss->spins != 0 ? loss->spin : loss->instruction];
  char *of_test = wb_code_place(wcet->code, test->opcode, test->address, NULL);
  char *of_lost = wb_code_place(wcet->code, lost->opcode, lost->address, lost);
  text->failed |= of_test == NULL || of_lost == NULL;
  if (!text->failed && loss->spins != 0)
    wb_text_format(text, "%s waits for what %s returns", of_test, of_lost);
  else if (!text->failed)
    wb_text_format(text, "%s %s%s%s", of_test, words[loss->kind].before, of_lost,
                   words[loss->kind].after);
  free(of_test);
  free(of_lost);
}

/* ---- losses ---- */

/* A range that is tried: small, and more than what following each iteration would end with. */
#define TRIED_MOST 4095
#define TRIED_OF_BYTE 127

/* Whether an instruction converts to a number of 8 bits, or takes one from constant memory. */
static bool is_of_byte(const struct wb_instruction *instruction)
{
  return wb_instruction_has(instruction, WB_MODIFIER_U8) ||
         wb_instruction_has(instruction, WB_MODIFIER_S8);
}

/* Which loops that lose their number at a load, or at what writes an integer, have a bound where
 * all these give small numbers: helped, by loop, all false. */
static warpbound_status try_ranges(const struct wb_wcet_analysis *analysis, bool *helped)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->function->instruction_count;
  bool *tried = wb_arena_array(&wcet->arena, bool, count);
  bool some = false;
  if (analysis->options->free_reactivations || analysis->options->no_found_bounds)
    return WARPBOUND_OK;
  if (tried == NULL)
    return wb_out_of_memory(analysis->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    if (loop->source != WB_BOUND_UNKNOWN || !is_of_range(wcet, &loop->loss))
      continue;
    some = tried[loop->loss.instruction] = true;
  }
  if (!some)
    return WARPBOUND_OK;
  struct wb_launch launch = analysis->launch;
  struct wb_load_range *ranges = wb_arena_array(&wcet->arena, struct wb_load_range, count);
  struct wb_found_bound *found = wb_allocate(wcet->forest.loop_count, sizeof *found);
  warpbound_status status = WARPBOUND_OK;
  if (ranges == NULL || found == NULL)
    status = wb_out_of_memory(analysis->error);
  launch.loads = ranges;
  launch.load_count = 0;
  for (uint32_t i = 0, given = 0; i < count && status == WARPBOUND_OK; i++) {
    const struct wb_load_range *last =
        given < analysis->launch.load_count ? &analysis->launch.loads[given] : NULL;
    struct wb_load_range range = wb_wcet_load_range(wcet->function, i, 0, TRIED_MOST);
    if (range.bytes == 1 || is_of_byte(&wcet->function->instructions[i]))
      range.most = TRIED_OF_BYTE;
    if (last != NULL && last->instruction == i) {
      ranges[launch.load_count++] = *last;
      given++;
    } else if (tried[i] && range.number != WB_NO_REGISTER) {
      ranges[launch.load_count++] = range;
    }
  }
  if (status == WARPBOUND_OK)
    status = wb_loop_bounds_find(wcet->graph, &wcet->forest, &launch, found, analysis->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++)
    helped[l] = is_of_range(wcet, &wcet->loops[l].loss) && found[l].found && !found[l].by_width;
  wb_found_bounds_free(found, wcet->forest.loop_count);
  return status;
}

static warpbound_status tell_loss(struct wb_wcet_analysis *analysis, size_t index, bool helped)
{
  const struct wb_wcet *wcet = analysis->wcet;
  struct wb_wcet_loop *loop = &wcet->loops[index];
  struct wb_text fact = {0};
  struct wb_text hint = {0};
  write_fact(wcet, analysis->options->launch, index, helped, &fact);
  /* Less to give than what its counter lacks, or what that alone does not bound. */
  if (loop->loss.spins != 0 || recursive_function(wcet, index) != NULL) {
    free(loop->hint);
    loop->hint = NULL;
  }
  if (loop->hint == NULL && !fact.failed) {
    const bool option = fact.data[0] == '-';
    const bool grid = waits_for_grid(wcet->function, &loop->loss);
    write_loss(wcet, &loop->loss, &hint);
    wb_text_format(&hint,
                   grid     ? ", as grid.sync() does for all blocks: no bound is known, for warps "
                              "that wait may hold up those they wait for; make two launches of "
                              "it, or assume a bound by %s"
                   : option ? ": %s may bound it"
                            : ": a flow fact has to bound it (%s)",
                   fact.data);
    loop->hint = wb_text_take(&hint);
  }
  loop->fact = wb_text_take(&fact);
  return loop->hint != NULL && loop->fact != NULL ? WARPBOUND_OK
                                                  : wb_out_of_memory(analysis->error);
}

warpbound_status wb_wcet_find_losses(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_definitions definitions = {0};
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
    if (wcet->loops[l].source != WB_BOUND_UNKNOWN)
      continue;
    const bool made = definitions.graph != NULL || wb_definitions_make(wcet->graph, &definitions);
    if (!made ||
        !wb_loop_loss_find(&definitions, &wcet->forest, l, &analysis->launch, &wcet->loops[l].loss))
      status = wb_out_of_memory(analysis->error);
  }
  wb_definitions_free(&definitions);
  bool *helped = wb_arena_array(&wcet->arena, bool, wcet->forest.loop_count);
  if (status == WARPBOUND_OK)
    status = helped != NULL ? try_ranges(analysis, helped) : wb_out_of_memory(analysis->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++)
    if (wcet->loops[l].source == WB_BOUND_UNKNOWN)
      status = tell_loss(analysis, l, helped[l]);
  return status;
}

/* ---- what is declared of loops that wait ---- */

/* Takes a claim where it bounds the warp to less than the one before. */
static bool take_less(const struct wb_wcet_loop *loop, const struct wb_wcet_claim *claim,
                      uint64_t *least, struct wb_wcet_claim *best)
{
  uint64_t warp;
  if (!wb_warp_bound(claim->bound, claim->per_warp, loop->balanced, WB_IPET_LANES, &warp) ||
      warp >= *least)
    return false;
  *least = warp;
  *best = *claim;
  return true;
}

/* What the facts of a scope declare of a loop that waits; true where it is less than before. */
static bool declared_of(const struct wb_wcet_analysis *analysis, size_t index,
                        const struct wb_kernel_facts *facts, uint64_t *least,
                        struct wb_wcet_claim *claim)
{
  const struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  bool found = false;
  for (size_t f = 0; f < facts->fact_count; f++) {
    const struct wb_flow_fact *fact = &facts->facts[f];
    const struct wb_wcet_claim declared = {.file = analysis->options->facts->name,
                                           .line = fact->line,
                                           .column = fact->column,
                                           .source = WB_BOUND_FACT,
                                           .bound = fact->number,
                                           .per_warp = fact->per_warp};
    if (fact->kind == WB_FACT_LOOPS && (fact->waits & loop->loss.spins) != 0)
      found |= take_less(loop, &declared, least, claim);
  }
  return found;
}

bool wb_wcet_spin_claim(const struct wb_wcet_analysis *analysis, size_t index,
                        struct wb_wcet_claim *claim)
{
  const struct wb_wcet_options *options = analysis->options;
  const struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  const uint32_t header =
      analysis->wcet->graph->blocks[analysis->wcet->forest.loops[index].header].first;
  uint64_t least = UINT64_MAX;
  bool found = false;
  if (loop->loss.spins == 0)
    return false;
  for (size_t s = 0; s < analysis->scopes.count; s++) {
    const struct wb_fact_scope *scope = &analysis->scopes.items[s];
    if (scope->facts != NULL && header >= scope->first && header < scope->end)
      found |= declared_of(analysis, index, scope->facts, &least, claim);
  }
  const struct wb_wcet_claim option = {.source = WB_BOUND_SPIN, .bound = options->spin_bound};
  if (options->spin_bound > 0)
    found |= take_less(loop, &option, &least, claim);
  return found;
}
