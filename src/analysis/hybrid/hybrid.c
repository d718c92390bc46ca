#include "analysis/hybrid/hybrid.h"

#include "analysis/hybrid/measured_points.h"
#include "analysis/hybrid/measured_system.h"
#include "analysis/hybrid/segment_costs.h"
#include "analysis/wcet/wcet.h"
#include "base/checked.h"
#include "base/memory.h"
#include "model/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The analysis under way. */
struct work {
  const struct wb_hybrid_options *options;
  const struct wb_control *control;
  struct wb_control necessary; /* the same for work without which there is no number */
  struct wb_hybrid *hybrid;
  struct wb_measured_points points;
  struct wb_segment_costs costs;
  struct wb_arena arena; /* of these and of work on the system */
  bool made;             /* points and costs are there */
  warpbound_error *error;
};

/* ---- before the analysis ---- */

/* Whether the times are of this code, there are rows of it, and the counts that are asked for. */
static warpbound_status check_times(const struct work *work)
{
  const struct wb_times *times = work->options->times;
  const struct wb_function *function = work->hybrid->function;
  for (size_t c = 0; c < times->checksum_count; c++) {
    const struct wb_times_checksum *own = &times->checksums[c];
    const uint64_t expected = wb_function_checksum(function);
    if (wb_times_kernel_is(own->kernel, function) && own->checksum != expected)
      return wb_fail_at(work->error, WARPBOUND_INVALID_INPUT, times->name, own->line, 0,
                        "expected times of the code of %.120s, whose checksum is 0x%016" PRIx64
                        ", found those of other code",
                        function->name, expected);
  }
  for (size_t r = 0; r < times->row_count; r++) {
    const struct wb_times_row *row = &times->rows[r];
    if (work->options->observed_counts && row->count < 0 && row->from.end == WB_TIMES_PLACE &&
        wb_times_kernel_is(row->kernel, function))
      return wb_fail_at(work->error, WARPBOUND_FACTS_MISSING, times->name, row->line, 0,
                        "observed counts are asked for, and the row has none: give the times a "
                        "column 'count'");
  }
  return wb_times_rows_of(times, function) > 0
             ? WARPBOUND_OK
             : wb_fail_at(work->error, WARPBOUND_FACTS_MISSING, times->name, 0, 0,
                          "no row is of the kernel %.200s", function->name);
}

/* ---- costs ---- */

static void name_instruction(const struct work *work, uint32_t instruction, const char *nowhere,
                             char *name, size_t size)
{
  const struct wb_hybrid *hybrid = work->hybrid;
  if (instruction == WB_HYBRID_NOWHERE) {
    snprintf(name, size, "%s", nowhere);
    return;
  }
  const struct wb_instruction *at = &hybrid->function->instructions[instruction];
  if (at->source_file > 0)
    snprintf(name, size, "0x%04" PRIx32 " (%.60s:%" PRIu32 ")", at->address,
             hybrid->code->files[at->source_file - 1], at->source_line);
  else
    snprintf(name, size, "0x%04" PRIx32, at->address);
}

/* The points, the costs, and the code without a row. */
static warpbound_status measure(struct work *work, const struct wb_wcet *wcet)
{
  const struct wb_hybrid_options *options = work->options;
  const size_t count = wcet->function->instruction_count;
  const bool refused = options->unmeasured == WB_UNMEASURED_REFUSED;
  warpbound_status status =
      wb_measured_points_make(wcet->code, &wcet->flow.united, options->times, &work->necessary,
                              &work->arena, &work->points, work->error);
  if (status != WARPBOUND_OK)
    return status;
  int64_t *cycles = wb_arena_array(&work->arena, int64_t, count);
  for (size_t i = 0; cycles != NULL && i < count; i++)
    cycles[i] =
        options->unmeasured == WB_UNMEASURED_CYCLES ? options->unmeasured_cycles : wcet->cycles[i];
  const struct wb_segment_input input = {.graph = wcet->graph,
                                         .points = &work->points,
                                         .cycles = cycles,
                                         .observed = options->observed_counts && refused,
                                         .control = &work->necessary};
  status = cycles != NULL ? wb_segment_costs_make(&input, &work->arena, work->hybrid, &work->costs,
                                                  work->error)
                          : wb_out_of_memory(work->error);
  const struct wb_hybrid *hybrid = work->hybrid;
  work->made = status == WARPBOUND_OK;
  if (!work->made || !refused || hybrid->gap_count == 0)
    return status;
  const struct wb_hybrid_gap *gap = &hybrid->gaps[0];
  const bool one = hybrid->gap_count == 1;
  char first[96], last[96];
  name_instruction(work, gap->first, "the start", first, sizeof first);
  name_instruction(work, gap->last, "the end", last, sizeof last);
  return wb_fail_at(work->error, WARPBOUND_FACTS_MISSING, options->times->name, 0, 0,
                    "%.120s: %zu part%s of the code %s not measured, the first %s%s to %s: measure "
                    "more, or say with --unmeasured what such code costs",
                    hybrid->function->name, hybrid->gap_count, one ? "" : "s", one ? "is" : "are",
                    gap->segment ? "from " : "", first, last);
}

static warpbound_status refine(void *context, const struct wb_wcet *wcet,
                               struct wb_flow_system *system, warpbound_error *error)
{
  struct work *work = context;
  warpbound_status status = work->made ? WARPBOUND_OK : measure(work, wcet);
  if (status == WARPBOUND_OK && work->options->observed_counts)
    status =
        wb_measured_system_counts(wcet->graph, &work->points, &work->costs, system, work->error);
  if (status == WARPBOUND_OK)
    status = wb_measured_system_costs(wcet->graph, &work->costs, &work->arena, system, work->error);
  if (status != WARPBOUND_OK && error != work->error)
    *error = *work->error;
  return status;
}

/* ---- after the analysis ---- */

static warpbound_status list_segments(struct work *work)
{
  const struct wb_measured_points *points = &work->points;
  struct wb_hybrid *hybrid = work->hybrid;
  hybrid->segments = wb_allocate(points->transition_count, sizeof *hybrid->segments);
  if (hybrid->segments == NULL)
    return wb_out_of_memory(work->error);
  for (size_t t = 0; t < points->transition_count; t++) {
    const struct wb_transition *transition = &points->transitions[t];
    const struct wb_times_row *row = &work->options->times->rows[transition->first_row];
    if (transition->from == points->start && transition->to == points->stop && !transition->used)
      continue; /* whole runs: no way of the code is without a point */
    hybrid->segments[hybrid->segment_count++] =
        (struct wb_hybrid_segment){.from = row->from,
                                   .to = row->to,
                                   .cycles = transition->cycles,
                                   .count = transition->count,
                                   .rows = transition->rows,
                                   .used = transition->used};
  }
  return WARPBOUND_OK;
}

/* Adds a product; a sum that does not fit is the largest number. */
static void add_product(int64_t *sum, int64_t count, int64_t cycles)
{
  int64_t product;
  if (!wb_multiply_signed(count, cycles, &product) || !wb_add_signed(*sum, product, sum))
    *sum = INT64_MAX;
}

/* The blocks on the worst path. What the nodes that were added cost there counts for the block of
 * the edge to them. */
static warpbound_status list_path(struct work *work)
{
  struct wb_hybrid *hybrid = work->hybrid;
  const struct wb_wcet *wcet = &hybrid->wcet;
  const struct wb_flow_system *system = &wcet->system;
  if (wcet->ipet.taken == NULL)
    return WARPBOUND_OK;
  const size_t blocks = wcet->graph->block_count;
  int64_t *cycles = wb_arena_array(&work->arena, int64_t, blocks);
  int64_t *unmeasured = wb_arena_array(&work->arena, int64_t, blocks);
  int64_t *ends = wb_arena_array(&work->arena, int64_t, blocks); /* runs that no edge leaves */
  hybrid->path = wb_allocate(blocks, sizeof *hybrid->path);
  if (work->arena.failed || hybrid->path == NULL)
    return wb_out_of_memory(work->error);
  memcpy(ends, wcet->runs, blocks * sizeof *ends);
  for (size_t e = 0; e < system->edge_count; e++) {
    const int64_t taken = wcet->ipet.taken[e];
    const uint32_t from = system->from[e];
    if (from < blocks && system->to[e] >= system->start_count * blocks)
      add_product(&cycles[from], taken, system->cycles[system->to[e]]);
    if (e < wcet->graph->edge_count) {
      add_product(&unmeasured[from], taken, work->costs.edge_unmeasured[e]);
      ends[from] -= taken;
    }
  }
  for (uint32_t b = 0; b < blocks; b++) {
    const int64_t runs = wcet->runs[b];
    add_product(&unmeasured[b], ends[b] > 0 ? ends[b] : 0, work->costs.end_unmeasured[b]);
    add_product(&cycles[b], runs, system->cycles[b]);
    add_product(&unmeasured[b], runs, work->costs.node_unmeasured[b]);
    unmeasured[b] = unmeasured[b] < cycles[b] ? unmeasured[b] : cycles[b];
    hybrid->unmeasured += unmeasured[b];
    if (runs > 0)
      hybrid->path[hybrid->path_count++] = (struct wb_hybrid_block){
          .block = b, .runs = runs, .cycles = cycles[b], .unmeasured = unmeasured[b]};
  }
  hybrid->before = work->costs.start;
  return WARPBOUND_OK;
}

static void state_assumptions(struct work *work)
{
  /* Measured segments that the code has no way for, though their blocks have no rows of their own:
   * what was measured is not what the graph has. */
  const struct wb_measured_points *points = &work->points;
  size_t strays = 0;
  for (size_t t = 0; t < points->transition_count; t++) {
    const struct wb_transition *transition = &points->transitions[t];
    const bool whole_run = transition->from == points->start && transition->to == points->stop;
    const bool superseded =
        transition->to == points->block ||
        (transition->from < points->place_count && points->whole[transition->from]);
    strays += !transition->used && !whole_run && !superseded;
  }
  struct wb_hybrid *hybrid = work->hybrid;
  struct wb_list *list = &hybrid->assumptions;
  wb_list_add(list, "the longest measured time of each segment is the longest that there is, also "
                    "for inputs, caches and neighbours that were not measured");
  wb_list_add(list, "what other warps and blocks delayed is in the measured times, and only that");
  if (work->options->times->checksum_count == 0)
    wb_list_add(list, "the code that was measured is this one: the times have no checksum");
  if (work->points.left_out > 0)
    wb_list_add(list,
                "the assembler removed what cannot run: %zu source line%s that no run came to %s "
                "not in the code",
                work->points.left_out, work->points.left_out == 1 ? "" : "s",
                work->points.left_out == 1 ? "is" : "are");
  if (strays > 0)
    wb_list_add(list,
                "the points are where the rows say, though the code has no way for %zu measured "
                "segment%s, whose time is not used: is there a point that only some lanes pass, or "
                "is it other code?",
                strays, strays == 1 ? "" : "s");
  if (work->options->observed_counts)
    wb_list_add(list, "no run of a warp takes a segment more often than some measured run did "
                      "(--counts observed), nor one that was not measured");
  if (hybrid->gap_count > 0 && work->options->unmeasured == WB_UNMEASURED_CYCLES)
    wb_list_add(list,
                "code that was not measured takes %" PRId64 " cycles an instruction "
                "(--unmeasured)",
                work->options->unmeasured_cycles);
  if (hybrid->gap_count > 0 && work->options->unmeasured == WB_UNMEASURED_STATIC)
    wb_list_add(list, "code that was not measured takes its static cost (--unmeasured static)");
  if (hybrid->wcet.graph->groups)
    wb_list_add(list, "a time is that of the lanes that go the segment, with all that other lanes "
                      "of their warp do meanwhile");
  wb_list_add_all(list, &hybrid->wcet.assumptions);
}

/* Why the result is an estimate. A default bound that observed counts gave is no option's. */
static void state_reasons(struct work *work)
{
  const struct wb_hybrid *hybrid = work->hybrid;
  struct wb_estimate *estimate = &work->hybrid->estimate;
  const char *name = work->options->times->name;
  const char *file = name != NULL ? name : "times"; /* filled in by hand, of no file */
  bool has_default = false;
  for (size_t l = 0; l < hybrid->wcet.forest.loop_count; l++)
    has_default |= hybrid->wcet.loops[l].source == WB_BOUND_DEFAULT;
  wb_estimate_because(estimate, "measured-times", file,
                      "take static costs: warpbound wcet for one warp, warpbound analyze for a "
                      "launch",
                      "costs are the longest times that were measured, which are no bounds");
  if (work->options->observed_counts)
    wb_estimate_because(estimate, "observed-counts", file,
                        "leave --counts observed out, and give loop bounds with --flow-facts",
                        "counts are the largest that were observed, which are no bounds");
  if (work->options->wcet.default_bound != UINT64_MAX || !has_default)
    wb_estimate_add_all(estimate, &hybrid->wcet.estimate, NULL);
}

/* The purely static number stands beside the result; that there is none is no error. */
static warpbound_status find_static(struct work *work)
{
  struct wb_hybrid *hybrid = work->hybrid;
  struct wb_wcet_options options = work->options->wcet;
  struct wb_wcet wcet;
  warpbound_error error = {0};
  options.file = NULL;
  options.no_template = true;
  const warpbound_status status =
      wb_wcet_analyse(hybrid->code, hybrid->function, &options, work->control, &wcet, &error);
  hybrid->has_static = status == WARPBOUND_OK;
  if (hybrid->has_static) {
    hybrid->static_cycles = wcet.ipet.proof.bound;
    hybrid->static_kind = wb_wcet_bound_kind(&wcet);
    wb_estimate_add_all(&hybrid->static_estimate, &wcet.estimate, NULL);
  } else {
    snprintf(hybrid->static_refusal, sizeof hybrid->static_refusal, "%.250s", error.message);
  }
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&wcet);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(work->error, &error) : WARPBOUND_OK;
}

static warpbound_status analyse(struct work *work)
{
  struct wb_hybrid *hybrid = work->hybrid;
  const struct wb_wcet_refinement refinement = {
      .context = work,
      .refine = refine,
      .limits = work->options->observed_counts ? "the counts that were observed" : NULL};
  struct wb_wcet_options options = work->options->wcet;
  warpbound_status status = check_times(work);
  options.refinement = &refinement;
  options.no_template = true;
  /* Where counts are those observed, a loop of which nothing is known goes round at most as often
   * as a warp passed points. */
  if (status == WARPBOUND_OK && work->options->observed_counts &&
      options.default_bound == UINT64_MAX) {
    int64_t count = 0;
    status = wb_times_longest_walk(work->options->times, hybrid->function, &count, work->error);
    options.default_bound = (uint64_t)count;
  }
  if (status != WARPBOUND_OK)
    return status;
  status = wb_wcet_analyse(hybrid->code, hybrid->function, &options, work->control, &hybrid->wcet,
                           work->error);
  if (status != WARPBOUND_OK)
    return status;
  hybrid->rows = work->points.rows;
  hybrid->high_water = work->points.high_water;
  hybrid->below =
      hybrid->high_water.count > 0 && hybrid->wcet.ipet.proof.bound < hybrid->high_water.cycles;
  status = list_segments(work);
  if (status == WARPBOUND_OK)
    status = list_path(work);
  if (status == WARPBOUND_OK)
    status = find_static(work);
  if (status == WARPBOUND_OK)
    state_assumptions(work);
  state_reasons(work);
  if (status == WARPBOUND_OK &&
      (hybrid->assumptions.failed || hybrid->estimate.failed || hybrid->static_estimate.failed))
    status = wb_out_of_memory(work->error);
  return status;
}

warpbound_status wb_hybrid_analyse(const struct wb_code *code, const struct wb_function *function,
                                   const struct wb_hybrid_options *options,
                                   const struct wb_control *control, struct wb_hybrid *hybrid,
                                   warpbound_error *error)
{
  *hybrid = (struct wb_hybrid){.code = code, .function = function, .times = options->times};
  struct work work = {.options = options,
                      .control = control,
                      .necessary = wb_control_without_deadline(control),
                      .hybrid = hybrid,
                      .error = error};
  const warpbound_status status = analyse(&work);
  wb_arena_free(&work.arena);
  if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING)
    wb_hybrid_free(hybrid);
  return status;
}

void wb_hybrid_free(struct wb_hybrid *hybrid)
{
  wb_wcet_free(&hybrid->wcet);
  free(hybrid->segments);
  free(hybrid->gaps);
  free(hybrid->path);
  wb_list_free(&hybrid->assumptions);
  wb_estimate_free(&hybrid->estimate);
  wb_estimate_free(&hybrid->static_estimate);
  *hybrid = (struct wb_hybrid){0};
}
