#include "analysis/wcet/wcet.h"

#include "analysis/wcet/wcet_calls.h"
#include "analysis/wcet/wcet_work.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "ipet/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Lanes of a warp. */
#define LANES 32

const struct wb_machine_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block)
{
  return &wcet->function->instructions[wcet->graph->blocks[block].first];
}

/* ---- loops ---- */

/* body, headers: scratch by block, all false. */
static void ask_balance(struct wb_wcet *wcet, uint32_t index, bool *body, bool *headers)
{
  const struct wb_loop *loop = &wcet->forest.loops[index];
  for (size_t i = 0; i < loop->node_count; i++)
    body[wcet->forest.nodes[loop->first_node + i]] = true;
  wb_ipet_loop_headers(wcet->graph, &wcet->forest, index, body, headers);
  wcet->loops[index].balanced = wb_simt_loop_balanced(wcet->flow.analysis, headers, body);
  for (size_t i = 0; i < loop->node_count; i++) {
    const uint32_t block = wcet->forest.nodes[loop->first_node + i];
    body[block] = headers[block] = false;
  }
}

static warpbound_status find_loops(struct wb_wcet_work *w)
{
  struct wb_wcet *wcet = w->wcet;
  warpbound_status status =
      wb_ipet_loops(wcet->graph, w->options->free_reactivations, &wcet->forest, w->error);
  if (status != WARPBOUND_OK)
    return status;
  bool *body = wb_allocate(wcet->graph->block_count, sizeof *body);
  bool *headers = wb_allocate(wcet->graph->block_count, sizeof *headers);
  wcet->loops = wb_allocate(wcet->forest.loop_count, sizeof *wcet->loops);
  if (body == NULL || headers == NULL || wcet->loops == NULL)
    status = wb_out_of_memory(w->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++)
    ask_balance(wcet, l, body, headers);
  free(body);
  free(headers);
  return status;
}

static warpbound_status resolve_facts(struct wb_wcet_work *w)
{
  struct wb_wcet *wcet = w->wcet;
  const struct wb_flow_facts *facts = w->options->facts;
  bool *balanced = wb_allocate(wcet->forest.loop_count, sizeof *balanced);
  if (balanced == NULL)
    return wb_out_of_memory(w->error);
  for (size_t l = 0; l < wcet->forest.loop_count; l++)
    balanced[l] = wcet->loops[l].balanced;
  struct wb_fact_context context = {.code = wcet->code,
                                    .function = wcet->function,
                                    .graph = wcet->graph,
                                    .forest = &wcet->forest,
                                    .balanced = balanced,
                                    .name = facts != NULL ? facts->name : NULL,
                                    .lanes = LANES,
                                    .move = w->options->move_facts};
  const struct wb_kernel_facts *kernel =
      facts != NULL ? wb_flow_facts_find(facts, wcet->function->name) : NULL;
  warpbound_status status = wb_facts_resolve(&context, kernel, &wcet->facts, w->error);
  free(balanced);
  return status;
}

/* Takes a bound where it is the least for the warp so far. */
static warpbound_status take_bound(struct wb_wcet_work *w, struct wb_wcet_loop *loop,
                                   enum wb_bound_source source, uint64_t bound, bool per_warp)
{
  uint64_t warp_bound;
  if (!wb_warp_bound(bound, per_warp, loop->balanced, LANES, &warp_bound))
    return wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                   "%.120s: a loop bound does not fit into 64 bits for the warp",
                   w->wcet->function->name);
  if (loop->source != WB_BOUND_UNKNOWN && loop->warp_bound <= warp_bound)
    return WARPBOUND_OK;
  free(loop->reason);
  loop->reason = NULL;
  loop->source = source;
  loop->bound = bound;
  loop->warp_bound = warp_bound;
  loop->per_warp = per_warp;
  return WARPBOUND_OK;
}

/* Takes over what was found of a loop. */
static warpbound_status take_one(struct wb_wcet_work *w, struct wb_wcet_loop *loop,
                                 struct wb_found_bound *found)
{
  warpbound_status status = WARPBOUND_OK;
  loop->hint = found->hint;
  found->hint = NULL;
  if (found->found && found->by_width) {
    loop->width_bound = found->bound;
    loop->width_reason = found->reason;
    found->reason = NULL;
  } else if (found->found) {
    status = take_bound(w, loop, WB_BOUND_FOUND, found->bound, false);
  }
  if (loop->source == WB_BOUND_FOUND) {
    loop->reason = found->reason;
    found->reason = NULL;
  }
  return status;
}

/* What the code shows; loops of all edges (free_reactivations) are not those of threads. */
static warpbound_status take_found(struct wb_wcet_work *w)
{
  struct wb_wcet *wcet = w->wcet;
  const size_t count = wcet->forest.loop_count;
  for (size_t l = 0; l < count; l++)
    wcet->loops[l].width_bound = UINT64_MAX;
  if (w->options->free_reactivations || w->options->no_found_bounds)
    return WARPBOUND_OK;
  struct wb_found_bound *found = wb_allocate(count, sizeof *found);
  if (found == NULL)
    return wb_out_of_memory(w->error);
  warpbound_status status =
      wb_loop_bounds_find(wcet->graph, &wcet->forest, w->options->launch, found, w->error);
  for (size_t l = 0; l < count && status == WARPBOUND_OK; l++)
    status = take_one(w, &wcet->loops[l], &found[l]);
  wb_found_bounds_free(found, count);
  return status;
}

/* What the width of a register allows counts where something else allows more. */
static warpbound_status take_width(struct wb_wcet_work *w, struct wb_wcet_loop *loop)
{
  const enum wb_bound_source before = loop->source;
  if (before == WB_BOUND_UNKNOWN || loop->width_bound == UINT64_MAX)
    return WARPBOUND_OK;
  warpbound_status status = take_bound(w, loop, WB_BOUND_FOUND, loop->width_bound, false);
  if (status == WARPBOUND_OK && loop->source != before) {
    loop->reason = loop->width_reason;
    loop->width_reason = NULL;
  }
  return status;
}

static warpbound_status take_fact(struct wb_wcet_work *w, size_t index)
{
  const struct wb_loop_fact *fact = &w->wcet->facts.loops[index];
  struct wb_wcet_loop *loop = &w->wcet->loops[index];
  loop->fact_line = fact->line;
  return fact->line > 0 ? take_bound(w, loop, WB_BOUND_FACT, fact->bound, fact->per_warp)
                        : WARPBOUND_OK;
}

/* The source line that takes all back edges of a loop; NULL where there are several. */
static const struct wb_machine_instruction *line_of_back_edges(const struct wb_wcet *wcet,
                                                               size_t index)
{
  const struct wb_machine_instruction *first = wb_wcet_loop_line(wcet, index);
  const struct wb_loop *loop = &wcet->forest.loops[index];
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[loop->first_back_edge + i]].from;
    const struct wb_machine_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line != first->source_line || branch->source_file != first->source_file)
      return NULL;
  }
  return loop->irreducible ? NULL : first;
}

/* A bound beside the loop in its source, where one line takes all back edges of one loop. */
static warpbound_status take_comment(struct wb_wcet_work *w, size_t index)
{
  struct wb_wcet *wcet = w->wcet;
  const struct wb_machine_instruction *line = line_of_back_edges(wcet, index);
  if (w->options->sources == NULL || line == NULL || line->source_file == 0)
    return WARPBOUND_OK;
  const struct wb_source_bound *bound =
      wb_source_bounds_find(&w->options->sources[line->source_file - 1], line->source_line);
  if (bound == NULL)
    return WARPBOUND_OK;
  wb_list_add(&wcet->assumptions,
              "a compiled loop takes no more back edges than the loop of the source whose line its "
              "back edges come from");
  return take_bound(w, &wcet->loops[index], WB_BOUND_COMMENT, bound->bound, false);
}

static void take_default(struct wb_wcet_work *w, struct wb_wcet_loop *loop)
{
  if (loop->source != WB_BOUND_UNKNOWN || w->options->default_bound == UINT64_MAX)
    return;
  loop->source = WB_BOUND_DEFAULT;
  loop->bound = loop->warp_bound = w->options->default_bound;
  loop->per_warp = true;
}

static warpbound_status missing_bound(struct wb_wcet_work *w, size_t index, size_t missing)
{
  const struct wb_wcet *wcet = w->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  const struct wb_machine_instruction *header =
      wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  char by_width[96] = "";
  if (loop->width_bound != UINT64_MAX)
    snprintf(by_width, sizeof by_width,
             ", which only the width of a register bounds, to %" PRIu64 " back edges",
             loop->width_bound);
  return wb_fail_at(
      w->error, WARPBOUND_FACTS_MISSING, wcet->code->name, header->line, header->column,
      "%.120s: %zu loop%s without a bound, the first at 0x%04" PRIx32
      "%s%s%.190s%s: write the facts that are missing to a file with --template FILE, "
      "fill it in and give it with --flow-facts FILE, or take one bound for all of "
      "them with --default-loop-bound N",
      wcet->function->name, missing, missing == 1 ? " is" : "s are", header->address, by_width,
      loop->hint != NULL ? " (" : "", loop->hint != NULL ? loop->hint : "",
      loop->hint != NULL ? ")" : "");
}

static warpbound_status bound_loops(struct wb_wcet_work *w)
{
  size_t missing = 0;
  size_t first = 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < w->wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
    status = take_fact(w, l);
    if (status == WARPBOUND_OK)
      status = take_comment(w, l);
  }
  for (size_t l = w->wcet->forest.loop_count; l-- > 0 && status == WARPBOUND_OK;) {
    struct wb_wcet_loop *loop = &w->wcet->loops[l];
    take_default(w, loop);
    status = take_width(w, loop);
    w->wcet->estimate |= loop->source == WB_BOUND_DEFAULT;
    if (loop->source == WB_BOUND_UNKNOWN) {
      missing++;
      first = l;
    }
  }
  if (status != WARPBOUND_OK)
    return status;
  if (w->wcet->estimate)
    wb_list_add(&w->wcet->assumptions,
                "loops take their back edges at most %" PRIu64
                " times per entry (--default-loop-bound): not proven",
                w->options->default_bound);
  return missing > 0 ? missing_bound(w, first, missing) : WARPBOUND_OK;
}

/* ---- costs ---- */

static warpbound_status cost_blocks(struct wb_wcet_work *w)
{
  static const struct wb_costs unit = {.kind = WB_COST_UNIT};
  struct wb_wcet *wcet = w->wcet;
  wcet->cycles = wb_allocate(wcet->function->instruction_count, sizeof *wcet->cycles);
  wcet->block_cycles = wb_allocate(wcet->graph->block_count, sizeof *wcet->block_cycles);
  if (wcet->cycles == NULL || wcet->block_cycles == NULL)
    return wb_out_of_memory(w->error);
  warpbound_status status =
      wb_costs_apply(w->options->costs != NULL ? w->options->costs : &unit, wcet->function,
                     wcet->cycles, &wcet->assumptions, w->error);
  if (status == WARPBOUND_OK)
    status = wb_wcet_count_calls(w);
  for (size_t b = 0; b < wcet->graph->block_count && status == WARPBOUND_OK; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      if (!wb_add_signed(wcet->block_cycles[b], wcet->cycles[i], &wcet->block_cycles[b]))
        status = wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                         "the cycles of a block do not fit into 64 bits");
    }
  }
  return status;
}

/* What the limit on an indexed branch that is done anew rests on. */
static void note_indexed(struct wb_wcet_work *w)
{
  const struct wb_warp_graph *graph = w->wcet->graph;
  bool anew = false;
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_block *block = &graph->blocks[graph->pushes[p].block];
    anew |= graph->pushes[p].divergent &&
            w->wcet->function->instructions[block->last].transfer == WB_TRANSFER_INDEXED_BRANCH;
  }
  if (anew)
    wb_list_add(&w->wcet->assumptions,
                "of lanes that an indexed branch sends to several places, those of one place go "
                "there together");
}

static warpbound_status count_runs(struct wb_wcet_work *w)
{
  struct wb_wcet *wcet = w->wcet;
  if (wcet->ipet.doubted)
    wb_list_add(
        &wcet->assumptions,
        "%s finds no path that satisfies all facts: they may contradict each other, which is "
        "not proven; the bound holds for every path that does",
        wcet->ipet.solver);
  if (wcet->ipet.taken == NULL)
    return WARPBOUND_OK;
  const struct wb_warp_graph *graph = wcet->graph;
  wcet->runs = wb_allocate(graph->block_count, sizeof *wcet->runs);
  wcet->instruction_runs =
      wb_allocate(wcet->function->instruction_count, sizeof *wcet->instruction_runs);
  if (wcet->runs == NULL || wcet->instruction_runs == NULL)
    return wb_out_of_memory(w->error);
  wcet->runs[graph->entry_block] = 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    wcet->runs[graph->edges[e].to] += wcet->ipet.taken[e]; /* the checker has found that it fits */
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      int64_t *sum = &wcet->instruction_runs[i];
      if (!wb_add_signed(*sum, wcet->runs[b], sum))
        return wb_fail(w->error, WARPBOUND_INVALID_INPUT,
                       "the runs of an instruction do not fit into 64 bits");
    }
  }
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_analyse_within(const struct wb_machine_function *function,
                                        const struct wb_wcet_options *options,
                                        const struct wb_control *control,
                                        struct wb_callees *callees, struct wb_wcet *wcet,
                                        warpbound_error *error)
{
  *wcet = (struct wb_wcet){.code = callees->code, .function = function};
  struct wb_wcet_work w = {
      .wcet = wcet, .options = options, .control = control, .callees = callees, .error = error};
  warpbound_status status =
      wb_control_flow_analyse(callees->code, function, &options->simt, control, &wcet->flow, error);
  if (status == WARPBOUND_OK && wcet->flow.graph == NULL) {
    *error = wcet->flow.refusal;
    status = error->status;
  }
  if (status == WARPBOUND_OK) {
    wcet->graph = wcet->flow.graph;
    wb_list_add_all(&wcet->assumptions, &wcet->graph->assumptions);
    status = find_loops(&w);
  }
  if (status == WARPBOUND_OK)
    status = resolve_facts(&w);
  if (status == WARPBOUND_OK)
    status = take_found(&w);
  if (status == WARPBOUND_OK && wcet->facts.moved)
    status = wb_fail(error, WARPBOUND_FACTS_MISSING,
                     "%.120s: its facts were written for other code; they were moved by their "
                     "source lines into the new file: check it",
                     function->name);
  if (status == WARPBOUND_OK)
    status = bound_loops(&w);
  bool missing = status == WARPBOUND_FACTS_MISSING;
  if (status == WARPBOUND_OK) {
    status = cost_blocks(&w);
    note_indexed(&w);
  }
  if (status == WARPBOUND_OK)
    status = wb_wcet_solve(&w);
  if (status == WARPBOUND_OK)
    status = count_runs(&w);
  if (status == WARPBOUND_OK && wcet->assumptions.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK && !missing)
    wb_wcet_free(wcet);
  return status;
}

warpbound_status wb_wcet_analyse(const struct wb_machine_code *code,
                                 const struct wb_machine_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error)
{
  struct wb_callees callees;
  *wcet = (struct wb_wcet){.code = code, .function = function};
  warpbound_status status = wb_callees_make(&callees, code, error);
  /* A call of the function itself, from what it calls, is recursion. */
  for (size_t f = 0; status == WARPBOUND_OK && f < code->function_count; f++) {
    if (&code->functions[f] == function)
      callees.callees[f].state = WB_CALLEE_PENDING;
  }
  if (status == WARPBOUND_OK)
    status = wb_wcet_analyse_within(function, options, control, &callees, wcet, error);
  wb_callees_free(&callees);
  return status;
}

const struct wb_machine_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop)
{
  const struct wb_loop *it = &wcet->forest.loops[loop];
  if (it->back_edge_count > 0) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[it->first_back_edge]].from;
    const struct wb_machine_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line > 0)
      return branch;
  }
  return wb_wcet_block_start(wcet, it->header);
}

warpbound_status wb_wcet_path(const struct wb_wcet *wcet, size_t longest, uint32_t **instructions,
                              size_t *count, warpbound_error *error)
{
  if (wcet->ipet.taken == NULL)
    return wb_fail(error, WARPBOUND_FACTS_MISSING, "%.120s: no worst path is known",
                   wcet->function->name);
  uint32_t *blocks;
  size_t block_count;
  warpbound_status status =
      wb_ipet_walk(&wcet->system, wcet->ipet.taken, longest, &blocks, &block_count, error);
  if (status != WARPBOUND_OK)
    return status;
  size_t length = 0;
  for (size_t i = 0; i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    length += (size_t)(block->last - block->first) + 1;
  }
  if (length > longest)
    status = wb_fail(error, WARPBOUND_LIMIT, "the worst path has %zu instructions, above %zu",
                     length, longest);
  *instructions = status == WARPBOUND_OK ? wb_allocate(length, sizeof **instructions) : NULL;
  if (status == WARPBOUND_OK && *instructions == NULL)
    status = wb_out_of_memory(error);
  *count = 0;
  for (size_t i = 0; status == WARPBOUND_OK && i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    for (uint32_t n = block->first; n <= block->last; n++)
      (*instructions)[(*count)++] = n;
  }
  free(blocks);
  return status;
}

warpbound_kind wb_wcet_bound_kind(const struct wb_wcet *wcet)
{
  return wcet->estimate ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
}

void wb_wcet_free(struct wb_wcet *wcet)
{
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++) {
    free(wcet->loops[l].reason);
    free(wcet->loops[l].width_reason);
    free(wcet->loops[l].hint);
  }
  free(wcet->loops);
  free(wcet->cycles);
  free(wcet->block_cycles);
  free(wcet->runs);
  free(wcet->instruction_runs);
  wb_resolved_facts_free(&wcet->facts);
  wb_flow_system_free(&wcet->system);
  wb_ipet_result_free(&wcet->ipet);
  wb_list_free(&wcet->assumptions);
  wb_loop_forest_free(&wcet->forest);
  wb_control_flow_free(&wcet->flow);
  *wcet = (struct wb_wcet){0};
}
