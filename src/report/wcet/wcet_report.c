#include "report/wcet/wcet_report.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/json/json_output.h"
#include "model/code.h"
#include "report/line_cycles.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the worst path in the united graph ---- */

/* Edges are sorted by where they begin, where they end, and kind. */
static bool is_edge_before(const void *items, size_t index, const void *key)
{
  const struct wb_warp_edge *edge = (const struct wb_warp_edge *)items + index;
  const struct wb_warp_edge *sought = key;
  if (edge->from != sought->from)
    return edge->from < sought->from;
  return edge->to != sought->to ? edge->to < sought->to : edge->kind < sought->kind;
}

/* The cycles of the worst path in each block of the united graph; the arrays are the arena's. False
 * where memory is out, now or before. No path: all 0. */
static bool find_heat(const struct wb_wcet *wcet, struct wb_arena *arena, struct wb_cfg_heat *heat)
{
  const struct wb_warp_graph *united = &wcet->flow.united;
  *heat = (struct wb_cfg_heat){.runs = wb_arena_array(arena, int64_t, united->block_count),
                               .cycles = wb_arena_array(arena, int64_t, united->block_count),
                               .taken = wb_arena_array(arena, int64_t, united->edge_count),
                               .wcet = wcet->ipet.proof.bound,
                               .kind = warpbound_kind_name(wb_wcet_bound_kind(wcet))};
  uint32_t *block_of = wb_arena_array(arena, uint32_t, wcet->function->instruction_count);
  if (arena->failed)
    return false;
  for (uint32_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++) {
      block_of[i] = b;
      if (wcet->instruction_runs != NULL)
        heat->cycles[b] += wcet->instruction_runs[i] * wcet->cycles[i];
    }
    if (wcet->instruction_runs != NULL)
      heat->runs[b] = wcet->instruction_runs[united->blocks[b].first];
    heat->total += heat->cycles[b];
  }
  /* The edges that a worst path takes, those of all calling contexts together. An edge from one
   * context to another inside a united block is no edge of the united graph. */
  const struct wb_warp_graph *graph = wcet->graph;
  for (size_t e = 0; wcet->ipet.taken != NULL && e < graph->edge_count; e++) {
    struct wb_warp_edge edge = graph->edges[e];
    edge.from = block_of[graph->blocks[edge.from].last];
    edge.to = block_of[graph->blocks[edge.to].first];
    const size_t place = wb_lower_bound(united->edges, united->edge_count, is_edge_before, &edge);
    const struct wb_warp_edge *found = &united->edges[place];
    if (place < united->edge_count && found->from == edge.from && found->to == edge.to &&
        found->kind == edge.kind)
      heat->taken[place] += wcet->ipet.taken[e];
  }
  return true;
}

bool wb_wcet_graphs_make(const struct warpbound_wcet *const *results, size_t count,
                         struct wb_wcet_graphs *graphs)
{
  *graphs = (struct wb_wcet_graphs){0};
  struct wb_control_flow *flows = wb_arena_array(&graphs->arena, struct wb_control_flow, count);
  struct wb_cfg_heat *heat = wb_arena_array(&graphs->arena, struct wb_cfg_heat, count);
  for (size_t k = 0; !graphs->arena.failed && k < count; k++) {
    flows[k] = results[k]->wcet.flow;
    find_heat(&results[k]->wcet, &graphs->arena, &heat[k]);
  }
  graphs->report = (struct wb_cfg_report){.code = results[0]->wcet.code,
                                          .options = &results[0]->options,
                                          .flows = flows,
                                          .count = count,
                                          .heat = heat};
  return !graphs->arena.failed;
}

void wb_wcet_graphs_free(struct wb_wcet_graphs *graphs)
{
  wb_arena_free(&graphs->arena);
}

/* ---- source lines ---- */

/* The lines that cost anything, the most expensive first, to be freed; none where no path is
 * known. NULL where memory is out. */
static struct wb_line_cycles *lines_of(const struct wb_wcet *wcet, size_t *count)
{
  const size_t instructions = wcet->function->instruction_count;
  struct wb_line_cycles *lines = wb_allocate(instructions, sizeof *lines);
  size_t runs = 0;
  *count = 0;
  if (lines == NULL)
    return NULL;
  for (size_t i = 0; wcet->instruction_runs != NULL && i < instructions; i++) {
    const struct wb_instruction *instruction = &wcet->function->instructions[i];
    if (wcet->instruction_runs[i] > 0)
      lines[runs++] = wb_line_cycles_of(instruction, wcet->instruction_runs[i] * wcet->cycles[i]);
  }
  *count = wb_line_cycles_unite(lines, runs);
  return lines;
}

/* ---- for people ---- */

/* Lines and blocks that the text shows; the rest is in the JSON. */
#define MOST_ROWS 12

static double share(int64_t part, int64_t whole)
{
  return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

const char *wb_wcet_source_name(enum wb_bound_source source)
{
  static const char *const names[] = {"unknown", "default", "fact", "spin", "comment", "found"};
  return names[source];
}

void wb_wcet_loops_text(const struct wb_wcet *wcet, struct wb_text *text)
{
  if (wcet->forest.loop_count == 0)
    return;
  wb_text_string(text, "  loops, back edges for each entry\n");
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[l].header];
    const struct wb_instruction *first = &wcet->function->instructions[header->first];
    wb_text_format(text, "    0x%04" PRIx32 "  ", first->address);
    if (loop->source == WB_BOUND_UNKNOWN)
      wb_text_string(text, "no bound");
    else if (wcet->graph->groups && !loop->per_warp)
      wb_text_format(text,
                     loop->balanced ? "%s per thread, balanced" : "%s per thread, %s in groups",
                     WB_COUNT(loop->bound), WB_COUNT(loop->warp_bound));
    else if (loop->per_warp || loop->warp_bound == loop->bound)
      wb_text_format(text, "%s per %s", WB_COUNT(loop->bound), loop->per_warp ? "warp" : "thread");
    else
      wb_text_format(text, "%s per thread, %s for the warp", WB_COUNT(loop->bound),
                     WB_COUNT(loop->warp_bound));
    wb_text_format(text, ", %s", wb_wcet_source_name(loop->source));
    if (header->context > 0)
      wb_text_format(text, ", calling context %" PRIu32, header->context);
    wb_source_line_write(wcet->code, wb_wcet_loop_line(wcet, l), "  ", text);
    if (loop->reason != NULL) {
      wb_text_string(text, "\n            ");
      wb_text_clean(text, loop->reason);
    }
    wb_text_string(text, "\n");
  }
}

static int by_cycles(const void *a, const void *b)
{
  const struct wb_wcet_block *x = a;
  const struct wb_wcet_block *y = b;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

void wb_wcet_blocks_text(const struct wb_wcet *wcet, struct wb_wcet_block *blocks, size_t count,
                         bool measured, struct wb_text *text)
{
  const struct wb_instruction *code = wcet->function->instructions;
  qsort(blocks, count, sizeof *blocks, by_cycles);
  wb_text_format(text,
                 "  most of the worst %s, by block\n"
                 "    first   last      runs     cycles   share%s\n",
                 wcet->graph->groups ? "run" : "path", measured ? "  measured" : "");
  for (size_t b = 0; b < count && b < MOST_ROWS; b++) {
    const struct wb_wcet_block *block = &blocks[b];
    wb_text_format(text, "    0x%04" PRIx32 "  0x%04" PRIx32 "  %8s %10s  %5.1f%%",
                   code[block->first].address, code[block->last].address,
                   WB_COUNT((uint64_t)block->runs), WB_COUNT((uint64_t)block->cycles),
                   share(block->cycles, wcet->ipet.cycles));
    if (measured)
      wb_text_format(text, "  %7.1f%%", 100.0 - share(block->unmeasured, block->cycles));
    wb_source_line_write(wcet->code, &code[block->first], "  ", text);
    wb_text_string(text, "\n");
  }
  if (count > MOST_ROWS)
    wb_text_format(text, "    and %zu blocks more (--json)\n", count - MOST_ROWS);
}

static void write_blocks(const struct wb_wcet *wcet, struct wb_text *text)
{
  const struct wb_warp_graph *united = &wcet->flow.united;
  struct wb_arena arena = {0};
  struct wb_cfg_heat heat;
  struct wb_wcet_block *blocks = wb_arena_array(&arena, struct wb_wcet_block, united->block_count);
  size_t count = 0;
  if (!find_heat(wcet, &arena, &heat)) {
    text->failed = true;
    wb_arena_free(&arena);
    return;
  }
  for (uint32_t b = 0; b < united->block_count; b++) {
    if (heat.runs[b] > 0)
      blocks[count++] = (struct wb_wcet_block){.id = b,
                                               .first = united->blocks[b].first,
                                               .last = united->blocks[b].last,
                                               .runs = heat.runs[b],
                                               .cycles = heat.cycles[b]};
  }
  wb_wcet_blocks_text(wcet, blocks, count, false, text);
  wb_arena_free(&arena);
}

static void write_lines(const struct wb_wcet *wcet, struct wb_text *text)
{
  size_t count;
  struct wb_line_cycles *lines = lines_of(wcet, &count);
  text->failed = text->failed || lines == NULL;
  const bool known = lines != NULL && (count > 1 || (count == 1 && lines[0].line > 0));
  if (known)
    wb_text_format(text, "  most of the worst %s, by source line\n",
                   wcet->graph->groups ? "run" : "path");
  for (size_t i = 0; known && i < count && i < MOST_ROWS; i++) {
    wb_text_format(text, "    %10s  %5.1f%%  ", WB_COUNT((uint64_t)lines[i].cycles),
                   share(lines[i].cycles, wcet->ipet.cycles));
    if (lines[i].line == 0)
      wb_text_string(text, "line not known\n");
    else
      wb_text_format(text, "%s:%" PRIu32 "\n",
                     lines[i].file > 0 ? wcet->code->files[lines[i].file - 1] : "", lines[i].line);
  }
  if (known && count > MOST_ROWS)
    wb_text_format(text, "    and %zu lines more (--json)\n", count - MOST_ROWS);
  free(lines);
}

static void write_answer(const struct wb_wcet *wcet, bool colour, struct wb_text *text)
{
  const warpbound_kind kind = wb_wcet_bound_kind(wcet);
  wb_kernel_name_write(wcet->function->name, text);
  wb_text_format(text, ": %s%s, %s%s", wb_kind_style(kind, colour),
                 WB_COUNT_OF((uint64_t)wcet->ipet.proof.bound, "cycle"), warpbound_kind_name(kind),
                 wb_style(WB_STYLE_PLAIN, colour));
  if (wcet->instruction_runs != NULL) {
    /* The block that the worst path spends most in, with its place. */
    struct wb_arena arena = {0};
    struct wb_cfg_heat heat;
    uint32_t most = 0;
    if (!find_heat(wcet, &arena, &heat)) {
      text->failed = true;
    } else {
      for (uint32_t b = 1; b < wcet->flow.united.block_count; b++)
        most = heat.cycles[b] > heat.cycles[most] ? b : most;
      const struct wb_instruction *first =
          &wcet->function->instructions[wcet->flow.united.blocks[most].first];
      wb_text_format(text, ": limited by the block at 0x%04" PRIx32, first->address);
      wb_source_line_write(wcet->code, first, ", ", text);
      wb_text_format(text, " (%s of %s)", WB_COUNT((uint64_t)heat.cycles[most]),
                     WB_COUNT((uint64_t)wcet->ipet.cycles));
    }
    wb_arena_free(&arena);
  }
  wb_text_string(text, "\n");
  wb_estimate_text(&wcet->estimate, "estimate", colour, text);
}

void wb_wcet_doubts(const struct warpbound_wcet *result, struct wb_text *text)
{
  if (!wb_is_estimate(&result->wcet.estimate))
    return;
  wb_kernel_name_write(result->wcet.function->name, text);
  wb_text_string(text, ", ");
  wb_estimate_summary(&result->wcet.estimate, text);
}

void wb_wcet_text(const struct warpbound_wcet *const *results, size_t count, bool quiet,
                  bool colour, struct wb_text *text)
{
  for (size_t k = 0; k < count; k++)
    write_answer(&results[k]->wcet, colour, text);
  for (size_t k = 0; k < count && !quiet; k++) {
    const struct wb_wcet *wcet = &results[k]->wcet;
    wb_kernel_title(text, wcet->function->name, colour);
    wb_text_string(text, "\n  question             WCET of one warp that runs alone\n");
    if (wcet->ipet.taken != NULL && wcet->ipet.cycles == wcet->ipet.proof.bound) {
      /* What the most expensive execution is called: where one group of lanes runs at a time it is
       * a path of the graph. */
      wb_text_format(text, "  %s           reaches it: the optimum of the integer program\n",
                     wcet->graph->groups ? "worst run " : "worst path");
    } else if (wcet->ipet.taken != NULL) {
      wb_text_string(text,
                     wcet->graph->groups ? "  worst run found      " : "  worst path found     ");
      wb_text_format(text, "%s\n", WB_COUNT_OF((uint64_t)wcet->ipet.cycles, "cycle"));
    } else if (wcet->ipet.stop == WB_STOP_NONE && !wcet->ipet.doubted) {
      wb_text_string(text, "  worst path           none found: the search in a program of this "
                           "size is cut off, the bound holds\n");
    }
    wb_text_format(
        text,
        "  integer program      %s, %s, solved by %s; the bound's dual proof was checked "
        "in integers\n",
        WB_COUNT_OF(wcet->columns, "column"), WB_COUNT_OF(wcet->rows, "row"), wcet->ipet.solver);
    if (wcet->ipet.proof.coarse)
      wb_text_string(text,
                     "                       a coarse bound: the solver's prices proved none, "
                     "and were raised until they did\n");
    wb_wcet_loops_text(wcet, text);
    if (wcet->instruction_runs != NULL) {
      write_blocks(wcet, text);
      write_lines(wcet, text);
    }
  }
  if (!quiet) {
    struct wb_kernel_list *lists = wb_allocate(count, sizeof *lists);
    for (size_t k = 0; lists != NULL && k < count; k++)
      lists[k] =
          (struct wb_kernel_list){results[k]->wcet.function->name, &results[k]->wcet.assumptions};
    wb_assumptions_write(lists, count, colour, text);
  }
}

/* ---- for scripts ---- */

/* Blocks are sorted by address. */
static bool is_block_before(const void *items, size_t index, const void *key)
{
  return ((const struct wb_warp_block *)items)[index].last < *(const uint32_t *)key;
}

/* Where the number of a loop's iterations is lost. */
static json_t *loss_json(const struct wb_wcet *wcet, const struct wb_wcet_loop *loop)
{
  static const char *const kinds[] = {
      [WB_LOSS_CONSTANT] = "constant", [WB_LOSS_SIZE] = "size",   [WB_LOSS_LOAD] = "load",
      [WB_LOSS_ATOMIC] = "atomic",     [WB_LOSS_CLOCK] = "clock", [WB_LOSS_CALL] = "call",
      [WB_LOSS_OPCODE] = "opcode",     [WB_LOSS_JOIN] = "join",   [WB_LOSS_TEST] = "test",
  };
  const struct wb_instruction *lost = &wcet->function->instructions[loop->loss.instruction];
  const struct wb_instruction *spin = &wcet->function->instructions[loop->loss.spin];
  json_t *object =
      json_pack("{s:s, s:I, s:s, s:b, s:I}", "kind", kinds[loop->loss.kind], "address",
                (json_int_t)lost->address, "opcode", lost->opcode, "inside", loop->loss.inside,
                "test", (json_int_t)wcet->function->instructions[loop->loss.test].address);
  if (lost->source_line > 0)
    wb_json_put(&object, "line", json_integer(lost->source_line));
  if (lost->source_line > 0 && lost->source_file > 0)
    wb_json_put(&object, "file", wb_json_clean(wcet->code->files[lost->source_file - 1]));
  if (loop->loss.spins != 0)
    wb_json_put(&object, "waits_for", json_integer(spin->address));
  wb_json_put(&object, "fact", wb_json_clean(loop->fact));
  return object;
}

/* One loop; a bound that is not known is null. */
static json_t *loop_json(const struct wb_wcet *wcet, size_t l)
{
  const struct wb_wcet_loop *loop = &wcet->loops[l];
  const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[l].header];
  const struct wb_instruction *first = &wcet->function->instructions[header->first];
  const size_t block = wb_lower_bound(wcet->flow.united.blocks, wcet->flow.united.block_count,
                                      is_block_before, &header->first);
  const bool known = loop->source != WB_BOUND_UNKNOWN;
  json_t *object =
      json_pack("{s:I, s:I, s:s, s:b, s:s, s:I, s:o, s:o}", "header", (json_int_t)block, "address",
                (json_int_t)first->address, "per", loop->per_warp ? "warp" : "thread", "balanced",
                loop->balanced, "source", wb_wcet_source_name(loop->source), "context",
                (json_int_t)header->context, "bound",
                known ? json_integer((json_int_t)loop->bound) : json_null(), "warp_bound",
                known ? json_integer((json_int_t)loop->warp_bound) : json_null());
  if (loop->least > 0)
    wb_json_put(&object, "least", json_integer((json_int_t)loop->least));
  if (loop->reason != NULL)
    wb_json_put(&object, "reason", wb_json_clean(loop->reason));
  if (loop->loss.kind != WB_LOSS_NONE)
    wb_json_put(&object, "lost", loss_json(wcet, loop));
  const struct wb_instruction *named = wb_wcet_loop_line(wcet, l);
  if (named->source_line > 0)
    wb_json_put(&object, "line", json_integer(named->source_line));
  if (named->source_line > 0 && named->source_file > 0)
    wb_json_put(&object, "file", wb_json_clean(wcet->code->files[named->source_file - 1]));
  if (loop->source == WB_BOUND_FACT)
    wb_json_put(&object, "fact_line", json_integer(loop->fact_line));
  return object;
}

json_t *wb_wcet_loops_json(const struct wb_wcet *wcet)
{
  json_t *loops = json_array();
  for (size_t l = 0; l < wcet->forest.loop_count; l++)
    wb_json_push(&loops, loop_json(wcet, l));
  return loops;
}

json_t *wb_wcet_missing_json(const struct wb_wcet *wcet)
{
  json_t *loops = json_array();
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    if (loop->source != WB_BOUND_UNKNOWN)
      continue;
    json_t *object = loop_json(wcet, l);
    if (loop->hint != NULL)
      wb_json_put(&object, "hint", wb_json_clean(loop->hint));
    wb_json_push(&loops, object);
  }
  json_t *object = json_object();
  wb_json_put(&object, "name", wb_json_clean(wcet->function->name));
  wb_json_put(&object, "loops", loops);
  wb_kernel_name_json(object, wcet->function->name);
  return object;
}

json_t *wb_wcet_json(const struct warpbound_wcet *result)
{
  const struct wb_wcet *wcet = &result->wcet;
  const struct wb_ipet_result *ipet = &wcet->ipet;
  json_t *bound = json_pack("{s:I, s:s, s:s}", "cycles", (json_int_t)ipet->proof.bound, "kind",
                            warpbound_kind_name(wb_wcet_bound_kind(wcet)), "method", "ipet");
  wb_estimate_put(&bound, &wcet->estimate);
  /* Every block that the worst path runs, by address. */
  struct wb_arena arena = {0};
  struct wb_cfg_heat heat;
  json_t *path = find_heat(wcet, &arena, &heat) ? json_array() : NULL;
  for (size_t b = 0; path != NULL && b < wcet->flow.united.block_count; b++) {
    const struct wb_warp_block *block = &wcet->flow.united.blocks[b];
    if (heat.runs[b] > 0)
      wb_json_push(&path,
                   json_pack("{s:I, s:I, s:I, s:I, s:I}", "block", (json_int_t)b, "first",
                             (json_int_t)wcet->function->instructions[block->first].address, "last",
                             (json_int_t)wcet->function->instructions[block->last].address, "count",
                             (json_int_t)heat.runs[b], "cycles", (json_int_t)heat.cycles[b]));
  }
  wb_arena_free(&arena);
  size_t count;
  struct wb_line_cycles *lines = lines_of(wcet, &count);
  json_t *line_rows = lines != NULL ? json_array() : NULL;
  for (size_t i = 0; i < count; i++)
    wb_json_push(&line_rows, wb_line_cycles_json(wcet->code, &lines[i],
                                                 json_integer((json_int_t)lines[i].cycles)));
  free(lines);
  json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:{s:s, s:I, s:I, s:f, s:b}, s:o}", "name",
                             wcet->function->name, "wcet", bound, "path", path, "loops",
                             wb_wcet_loops_json(wcet), "lines", line_rows, "program", "solver",
                             ipet->solver, "columns", (json_int_t)wcet->columns, "rows",
                             (json_int_t)wcet->rows, "seconds", ipet->seconds, "coarse",
                             ipet->proof.coarse, "assumptions", wb_json_list(&wcet->assumptions));
  wb_kernel_name_json(object, wcet->function->name);
  if (ipet->taken != NULL)
    wb_json_put(&object, "path_cycles", json_integer((json_int_t)ipet->cycles));
  if (wcet->graph->groups)
    wb_barrier_options_put(&object, &result->options);
  return object;
}

void wb_wcet_list_json(const struct warpbound_wcet *const *results, size_t count,
                       const struct warpbound_wcet *const *missing, size_t missing_count,
                       struct wb_text *text)
{
  json_t *kernels = json_array();
  json_t *functions = json_array();
  json_t *lacking = json_array();
  for (size_t k = 0; k < count; k++)
    wb_json_push(results[k]->wcet.function->kernel ? &kernels : &functions,
                 wb_wcet_json(results[k]));
  for (size_t k = 0; k < missing_count; k++)
    wb_json_push(&lacking, wb_wcet_missing_json(&missing[k]->wcet));
  json_t *object = json_pack("{s:o, s:o}", "kernels", kernels, "functions", functions);
  if (missing_count > 0)
    wb_json_put(&object, "missing", lacking);
  else
    json_decref(lacking);
  wb_json_append(object, text);
}

/* ---- facts ---- */

/* The address of an instruction, with the line of another, where it is known. */
static struct wb_place place_of(const struct wb_wcet *wcet, const struct wb_instruction *at,
                                const struct wb_instruction *named)
{
  struct wb_place place = {.has_address = true, .address = at->address};
  if (named->source_line > 0 && named->source_file > 0) {
    place.file = wcet->code->files[named->source_file - 1];
    place.source_line = named->source_line;
  }
  return place;
}

static struct wb_place instruction_place(const struct wb_wcet *wcet, uint32_t index)
{
  const struct wb_instruction *at = &wcet->function->instructions[index];
  return place_of(wcet, at, at);
}

/* A loop's place: the address of its header's first instruction, and the line that names it best.
 */
static struct wb_place loop_place(const struct wb_wcet *wcet, uint32_t header)
{
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    if (wcet->graph->blocks[wcet->forest.loops[l].header].first == header)
      return place_of(wcet, &wcet->function->instructions[header], wb_wcet_loop_line(wcet, l));
  }
  return instruction_place(wcet, header);
}

static void write_fact(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                       const struct wb_flow_fact *fact, struct wb_text *text)
{
  const bool counted = fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS;
  bool all_found = true;
  struct wb_place *places = wb_allocate(fact->place_count, sizeof *places);
  if (places == NULL) {
    text->failed = true;
    return;
  }
  for (size_t p = 0; p < fact->place_count; p++) {
    const struct wb_place *old = &kernel->places[fact->first_place + p];
    const uint32_t found = wcet->facts.found[fact->first_place + p];
    const bool of_loop = p > 0 ? counted : fact->kind == WB_FACT_LOOP;
    all_found = all_found && (found != UINT32_MAX ||
                              ((fact->kind == WB_FACT_LOAD || fact->kind == WB_FACT_VALUE) &&
                               !wb_place_is_fragile(old)));
    /* As it stood in the file where it was not found or names a line alone, as it does in any code.
     */
    if (found == UINT32_MAX || !wb_place_is_fragile(old))
      places[p] = *old;
    else
      places[p] = of_loop ? loop_place(wcet, found) : instruction_place(wcet, found);
  }
  if (!all_found)
    wb_text_string(text, "# not found in this code: ");
  wb_flow_facts_write_fact(fact, places, text);
  free(places);
}

/* Whether a loop before has the same header, in another context. */
static bool is_met_before(const struct wb_wcet *wcet, size_t l)
{
  const uint32_t first = wcet->graph->blocks[wcet->forest.loops[l].header].first;
  size_t k = 0;
  while (k < l && wcet->graph->blocks[wcet->forest.loops[k].header].first != first)
    k++;
  return k < l;
}

/* A line with a '?' for a loop of which nothing is known, with a comment on where it is. */
static void write_open_loop(const struct wb_wcet *wcet, size_t l, struct wb_text *text)
{
  const struct wb_loop *loop = &wcet->forest.loops[l];
  const struct wb_wcet_loop *bound = &wcet->loops[l];
  const uint32_t first = wcet->graph->blocks[loop->header].first;
  wb_text_format(text, "\n# %s, depth %" PRIu32 ", %zu back edge%s",
                 loop->irreducible ? "an irreducible region, entered at several places" : "a loop",
                 loop->depth, loop->back_edge_count, loop->back_edge_count == 1 ? "" : "s");
  for (size_t i = 0; i < loop->back_edge_count && i < 4; i++) {
    const uint32_t edge = wcet->forest.back_edges[loop->first_back_edge + i];
    const struct wb_place from =
        instruction_place(wcet, wcet->graph->blocks[wcet->graph->edges[edge].from].last);
    wb_text_string(text, i == 0 ? ": from " : ", ");
    wb_flow_facts_write_place(&from, text);
  }
  if (!bound->balanced)
    wb_text_format(text, "\n# Its lanes may take their iterations %s: a bound per thread counts %s",
                   wcet->graph->groups ? "in several groups" : "one group after the other",
                   wcet->graph->groups ? "up to 32 times." : "32 times.");
  if (bound->width_bound != UINT64_MAX)
    wb_text_format(
        text, "\n# Only the width of a register bounds it: %" PRIu64 " back edges of a thread.",
        bound->width_bound);
  if (bound->hint != NULL)
    wb_text_format(text, "\n# %s.", bound->hint);
  wb_text_string(text, "\n");
  const struct wb_place place = loop_place(wcet, first);
  wb_flow_facts_write_open_loop(&place, text);
}

/* Whether a fact is missing for a loop. */
static bool is_open(const struct wb_wcet *wcet, size_t l)
{
  return wcet->loops[l].source == WB_BOUND_UNKNOWN && wcet->facts.loops[l].thread.line == 0 &&
         wcet->facts.loops[l].warp.line == 0;
}

/* The part of a linked function that an instruction is of; NULL: its own. */
static const struct wb_part *called_part(const struct wb_function *function, uint32_t instruction)
{
  size_t p = function->part_count;
  while (p > 1 && function->parts[p - 1].first > instruction)
    p--;
  return p > 1 ? &function->parts[p - 1] : NULL;
}

/* Whether a fact for a loop of a function that is called is asked for under the name of that one,
 * which is among the results. */
static bool is_asked_of_callee(const struct warpbound_wcet *const *results, size_t count,
                               const struct wb_wcet *wcet, uint32_t header)
{
  const struct wb_part *part = called_part(wcet->function, header);
  for (size_t k = 0; part != NULL && k < count; k++) {
    const struct wb_wcet *callee = &results[k]->wcet;
    if (strcmp(callee->function->name, part->function->name) != 0 || callee->facts.loops == NULL ||
        callee->ipet.proof.price != NULL)
      continue;
    for (size_t l = 0; l < callee->forest.loop_count; l++)
      if (is_open(callee, l) &&
          callee->graph->blocks[callee->forest.loops[l].header].first == header - part->first)
        return true;
  }
  return false;
}

void wb_facts_template(const struct warpbound_module *module,
                       const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text)
{
  wb_text_format(text,
                 "# Flow facts of %s.\n"
                 "# Replace each ? by a number: the most back edges that a thread takes for each "
                 "time that it\n"
                 "# enters the loop (iterations less one, where the test stands at the end); "
                 "'per warp' after\n"
                 "# it if you know it of the warp. The manual page and doc/flow-facts.md have the "
                 "rest.\n",
                 module->code.name);
  const size_t head = text->length;
  for (size_t k = 0; k < count; k++) {
    /* Functions that lack nothing stand in the file too where they have facts: it is then one to go
     * on with. */
    const struct wb_wcet *wcet = &results[k]->wcet;
    const struct warpbound_annotations *annotations = results[k]->annotations;
    const struct wb_kernel_facts *kernel =
        annotations != NULL ? wb_flow_facts_find(&annotations->facts, wcet->function->name) : NULL;
    if (wcet->facts.loops == NULL || (kernel == NULL && wcet->ipet.proof.price != NULL))
      continue;
    wb_flow_facts_write_kernel(wcet->function->name, wb_function_checksum(wcet->function), text);
    for (size_t f = 0; kernel != NULL && f < kernel->fact_count; f++)
      write_fact(wcet, kernel, &kernel->facts[f], text);
    for (size_t l = 0; l < wcet->forest.loop_count; l++) {
      const uint32_t header = wcet->graph->blocks[wcet->forest.loops[l].header].first;
      if (!is_open(wcet, l) || is_met_before(wcet, l))
        continue;
      if (is_asked_of_callee(results, count, wcet, header))
        wb_text_format(text, "\n# The loop at 0x%04" PRIx32 " is asked for under %s.\n",
                       wcet->function->instructions[header].address,
                       called_part(wcet->function, header)->function->name);
      else
        write_open_loop(wcet, l, text);
    }
  }
  if (text->length == head)
    wb_text_string(text, "\n# No fact is missing.\n");
}
