#include "analysis/wcet/wcet_steps.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "ipet/solve/euler_walk.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- costs ---- */

static warpbound_status cost_blocks(struct wb_wcet_analysis *analysis)
{
  static const struct wb_costs unit = {.kind = WB_COST_UNIT};
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_list unsaid = {0}; /* a refinement has costs of its own */
  const size_t count = wcet->function->instruction_count;
  wcet->cycles = wb_arena_array(&wcet->arena, int64_t, count);
  wcet->block_cycles = wb_arena_array(&wcet->arena, int64_t, wcet->graph->block_count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = wb_costs_apply(
      analysis->options->costs != NULL ? analysis->options->costs : &unit, wcet->function,
      wcet->cycles, analysis->options->refinement == NULL ? &wcet->assumptions : &unsaid,
      analysis->error);
  wb_list_free(&unsaid);
  if (status == WARPBOUND_OK)
    status = wb_wcet_count_calls(analysis);
  for (size_t b = 0; b < wcet->graph->block_count && status == WARPBOUND_OK; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last; i++) {
      if (!wb_add_signed(wcet->block_cycles[b], wcet->cycles[i], &wcet->block_cycles[b]))
        status = wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                         "the cycles of a block do not fit into 64 bits");
    }
  }
  return status;
}

/* States the assumption of the limits on indexed branches that are repeated. */
static warpbound_status note_indexed(struct wb_wcet_analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->wcet->graph;
  bool repeated = false;
  for (size_t p = 0; p < graph->push_count && !repeated; p++) {
    const struct wb_warp_block *block = &graph->blocks[graph->pushes[p].block];
    const struct wb_instruction *last = &analysis->wcet->function->instructions[block->last];
    repeated = graph->pushes[p].divergent && last->transfer == WB_TRANSFER_INDEXED_BRANCH;
  }
  if (repeated)
    wb_list_add(&analysis->wcet->assumptions,
                "of lanes that an indexed branch sends to several places, those of one place go "
                "there together");
  return WARPBOUND_OK;
}

static warpbound_status count_runs(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (wcet->ipet.doubted)
    wb_list_add(
        &wcet->assumptions,
        "%s finds no path that satisfies all facts: they may contradict each other, which is "
        "not proven; the bound holds for every path that does",
        wcet->ipet.solver);
  if (wcet->ipet.taken == NULL)
    return WARPBOUND_OK;
  const struct wb_warp_graph *graph = wcet->graph;
  wcet->runs = wb_arena_array(&wcet->arena, int64_t, graph->block_count);
  wcet->instruction_runs = wb_arena_array(&wcet->arena, int64_t, wcet->function->instruction_count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  wcet->runs[graph->entry_block] = 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    wcet->runs[graph->edges[e].to] += wcet->ipet.taken[e]; /* the checker has found that it fits */
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      int64_t *sum = &wcet->instruction_runs[i];
      if (!wb_add_signed(*sum, wcet->runs[b], sum))
        return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                       "the runs of an instruction do not fit into 64 bits");
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status analyse_control_flow(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  /* Every bound begins with it. */
  const struct wb_control control = wb_control_without_deadline(analysis->control);
  struct wb_simt_options simt = analysis->options->simt;
  warpbound_status status = wb_wcet_find_depths(analysis, &simt);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_control_flow_analyse(wcet->code, wcet->function, &simt, &control, &wcet->flow,
                                   analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  if (wcet->flow.graph == NULL)
    return wb_fail_with(analysis->error, &wcet->flow.refusal);
  wcet->graph = wcet->flow.graph;
  wb_list_add_all(&wcet->assumptions, &wcet->graph->assumptions);
  return WARPBOUND_OK;
}

/* Values of parameters that were given by the names of a source. */
static warpbound_status note_names(struct wb_wcet_analysis *analysis)
{
  const struct wb_launch *launch = analysis->options->launch;
  for (size_t n = 0; launch != NULL && n < launch->name_count; n++) {
    const struct wb_parameter_name *name = &launch->names[n];
    if (name->used && strcmp(name->kernel, analysis->wcet->function->name) == 0)
      wb_parameter_name_assume(name, &analysis->wcet->assumptions);
  }
  return WARPBOUND_OK;
}

/* A person has to check moved facts first. */
static warpbound_status stop_at_moved_facts(struct wb_wcet_analysis *analysis)
{
  if (!analysis->wcet->facts.moved)
    return WARPBOUND_OK;
  return wb_fail(analysis->error, WARPBOUND_FACTS_MISSING,
                 "%.120s: its facts were written for other code; they were moved by their "
                 "source lines into the new file: check it",
                 analysis->wcet->function->name);
}

/* A step of the analysis, in the order of the table. */
typedef warpbound_status wcet_step(struct wb_wcet_analysis *analysis);

static wcet_step *const steps[] = {
    wb_wcet_leave_out_calls,
    wb_wcet_copy_barriers,
    analyse_control_flow,
    note_names,
    wb_wcet_find_loops,
    wb_wcet_resolve_facts,
    wb_wcet_find_loads,
    wb_wcet_find_bounds,
    wb_wcet_find_losses,
    stop_at_moved_facts,
    wb_wcet_bound_loops,
    /* The loops are bounded; where facts are missing the result is valid as far as here. */
    wb_wcet_find_dead,
    wb_wcet_note_failing,
    wb_wcet_count_barriers,
    cost_blocks,
    note_indexed,
    wb_wcet_solve,
    count_runs,
};

enum { STEPS = sizeof steps / sizeof *steps, STEPS_TO_LOOP_BOUNDS = 11 };

warpbound_status wb_wcet_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error)
{
  *wcet = (struct wb_wcet){.code = code};
  struct wb_wcet_analysis analysis = {
      .wcet = wcet, .options = options, .control = control, .error = error};
  if (options->launch != NULL)
    analysis.launch = *options->launch;
  warpbound_status status =
      wb_wcet_link(code, function, options, &wcet->arena, &wcet->function, error);
  const size_t count = options->loops_alone ? STEPS_TO_LOOP_BOUNDS : STEPS;
  for (size_t s = 0; s < count && status == WARPBOUND_OK; s++) {
    status = steps[s](&analysis);
    if (status == WARPBOUND_FACTS_MISSING && s < STEPS_TO_LOOP_BOUNDS)
      return status;
  }
  if (status == WARPBOUND_OK && (wcet->assumptions.failed || wcet->estimate.failed))
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_wcet_free(wcet);
  return status;
}

warpbound_status wb_wcet_check_end(const struct wb_wcet *wcet, warpbound_error *error)
{
  if (wcet->ipet.stop == WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_LIMIT,
                 "%.120s: a limit was reached, or an interruption came, before the search for a "
                 "path that reaches the bound was at its end",
                 wcet->function->name);
}

/* Longest path that a message shows whole. */
#define LONGEST_PATH 60

const struct wb_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block)
{
  return &wcet->function->instructions[wcet->graph->blocks[block].first];
}

const struct wb_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop)
{
  const struct wb_loop *it = &wcet->forest.loops[loop];
  if (it->back_edge_count > 0) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[it->first_back_edge]].from;
    const struct wb_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line > 0)
      return branch;
  }
  return wb_wcet_block_start(wcet, it->header);
}

void wb_wcet_write_loop(const struct wb_wcet *wcet, size_t index, char text[WB_WCET_PLACE_SIZE])
{
  const struct wb_instruction *first = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  const struct wb_instruction *named = wb_wcet_loop_line(wcet, index);
  if (named->source_line > 0 && named->source_file > 0) {
    /* The end of a path, by whole names where that is enough. */
    const char *path = wcet->code->files[named->source_file - 1];
    while (strlen(path) > LONGEST_PATH && strchr(path, '/') != NULL)
      path = strchr(path, '/') + 1;
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32 ", %.100s:%" PRIu32, first->address, path,
             named->source_line);
  } else
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32, first->address);
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
      wb_euler_walk(&wcet->system, wcet->ipet.taken, longest, &blocks, &block_count, error);
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
  return wb_is_estimate(&wcet->estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
}

void wb_wcet_free(struct wb_wcet *wcet)
{
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++) {
    free(wcet->loops[l].reason);
    free(wcet->loops[l].width_reason);
    free(wcet->loops[l].hint);
    free(wcet->loops[l].fact);
  }
  wb_arena_free(&wcet->arena);
  wb_resolved_facts_free(&wcet->facts);
  wb_flow_system_free(&wcet->system);
  wb_ipet_result_free(&wcet->ipet);
  wb_list_free(&wcet->assumptions);
  wb_estimate_free(&wcet->estimate);
  wb_loop_forest_free(&wcet->forest);
  wb_control_flow_free(&wcet->flow);
  *wcet = (struct wb_wcet){0};
}
