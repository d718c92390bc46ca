/* The WCET from measured times: a flow system with their costs, and what is said of the result. */
#include "analysis/hybrid/hybrid_result.h"

#include "analysis/hybrid/measured_points.h"
#include "analysis/hybrid/segment_costs.h"
#include "analysis/wcet/wcet.h"
#include "base/checked.h"
#include "base/memory.h"
#include "ipet/system/ipet_system.h"
#include "model/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a flow system whose costs are those of measured segments ---- */

/* Numbers of our limits, above those of cases of exclusive facts. */
#define FIRST_ORIGIN (WB_IPET_ORIGIN_CASE + (1 << 24))

/* The change of a system. */
struct change {
  const struct wb_warp_graph *graph;
  const struct wb_segment_costs *costs;
  struct wb_flow_system *system;
  size_t *first_edge; /* by block: the first edge that leaves it; and one more. Edges stand by it */
  bool *exact;        /* by block: each of its runs is left by one edge, or ends the warp */
  int64_t *least;     /* by block: what each way to leave it costs at least */
  size_t nodes;       /* that are added, each with an edge */
};

/* Costs of blocks, and how many nodes and edges those of the others need. Of an exact block's edges
 * one is taken for each run, or none where the warp ends: all edges are in one port, which says so.
 */
static bool charge_blocks(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  const struct wb_flow_system *system = change->system;
  const bool walk = wb_flow_system_is_walk(system);
  size_t port = 0;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    const size_t first = port;
    while (port < system->port_count && system->port_node[port] == b)
      port++;
    bool exact = port == first + 1 && (walk || !system->ends[first]);
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++)
      exact = exact && system->port[e] == first;
    change->exact[b] = exact;
    /* The least cost of the ways to leave an exact block, the largest of another one's. */
    bool any = change->graph->ends[b];
    int64_t own = any ? costs->end[b] : 0;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++) {
      if (!any || (costs->edge[e] < own) != !exact)
        own = costs->edge[e];
      any = true;
    }
    if (!wb_add_signed(costs->node[b], own, &system->cycles[b]))
      return false;
    change->least[b] = own;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++)
      change->nodes += exact && costs->edge[e] > own;
    change->nodes += exact && change->graph->ends[b] && costs->end[b] > own;
  }
  change->nodes += costs->start > 0;
  return true;
}

/* A new node of a cost, with a port. */
static uint32_t add_node(struct wb_flow_system *system, int64_t cycles, bool ends)
{
  const uint32_t node = (uint32_t)system->node_count++;
  system->cycles[node] = cycles;
  system->port_node[system->port_count] = node;
  system->ends[system->port_count++] = ends;
  return node;
}

static void add_edge(struct wb_flow_system *system, uint32_t from, uint32_t to, uint32_t port)
{
  system->from[system->edge_count] = from;
  system->to[system->edge_count] = to;
  system->port[system->edge_count++] = port;
}

/* A new node of a cost on the way to a node. */
static uint32_t add_node_before(struct wb_flow_system *system, uint32_t to, int64_t cycles)
{
  const uint32_t node = add_node(system, cycles, false);
  add_edge(system, node, to, (uint32_t)system->port_count - 1);
  return node;
}

/* Puts nodes of what is above the least cost on the ways that leave blocks, and on the start. */
static void charge_ways(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  struct wb_flow_system *system = change->system;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    const int64_t least = change->least[b];
    if (!change->exact[b])
      continue;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++) {
      if (costs->edge[e] > least)
        system->to[e] = add_node_before(system, system->to[e], costs->edge[e] - least);
    }
    /* The warp then ends in a node of its own; so this is for walks alone. */
    if (change->graph->ends[b] && costs->end[b] > least) {
      const uint32_t node = add_node(system, costs->end[b] - least, true);
      system->ends[b] = false;
      add_edge(system, b, node, b);
    }
  }
  if (costs->start > 0)
    system->starts[0].node = add_node_before(system, system->starts[0].node, costs->start);
}

/* Puts the costs into the system of a graph (wb_ipet_system_build), in place of its own. Costs of
 * edges, of ends and of the start are those of nodes that it adds: the edge of the graph then leads
 * to such a node, and another one from there on. Where a run of a block can be left by several
 * edges at a time, or by none, the block itself has the largest cost of its edges. Errors:
 * WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. The arena has memory for
 * its work. Linear. */
static warpbound_status put_costs(const struct wb_warp_graph *graph,
                                  const struct wb_segment_costs *costs, struct wb_arena *arena,
                                  struct wb_flow_system *system, warpbound_error *error)
{
  struct change change = {.graph = graph,
                          .costs = costs,
                          .system = system,
                          .first_edge = wb_arena_array(arena, size_t, graph->block_count + 1),
                          .exact = wb_arena_array(arena, bool, graph->block_count),
                          .least = wb_arena_array(arena, int64_t, graph->block_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < graph->edge_count; e++)
    change.first_edge[graph->edges[e].from + 1] = e + 1;
  for (size_t b = 0; b < graph->block_count; b++) {
    if (change.first_edge[b + 1] < change.first_edge[b])
      change.first_edge[b + 1] = change.first_edge[b];
  }
  if (!charge_blocks(&change))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the cycles of segments do not fit into 64 bits: %.120s", graph->function->name);
  if (!wb_flow_system_extend(change.system, change.nodes, change.nodes, change.nodes))
    return wb_out_of_memory(error);
  charge_ways(&change);
  return WARPBOUND_OK;
}

/* ---- observed counts ---- */

/* Adds the runs of a block; a run that needs no edge goes to the constant. */
static bool add_runs(const struct wb_warp_graph *graph, uint32_t block, int64_t factor,
                     struct wb_flow_system *system)
{
  if (system->failed)
    return true;
  int64_t *constant = &system->limits[system->limit_count - 1].constant;
  if (block == graph->entry_block && !wb_subtract_signed(*constant, factor, constant))
    return false;
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].to == block && !wb_flow_term_add(system, e, factor))
      return false;
  }
  return true;
}

/* Adds limits: places are passed at most as often as was observed in one run of a warp, and so are
 * transitions where the edge says which one it is; what was not observed does not happen. To be
 * called before put_costs. Errors: the same. Places times the size of the graph. */
static warpbound_status limit_counts(const struct wb_warp_graph *graph,
                                     const struct wb_measured_points *points,
                                     const struct wb_segment_costs *costs,
                                     struct wb_flow_system *system, warpbound_error *error)
{
  bool fits = true;
  uint32_t origin = FIRST_ORIGIN + (uint32_t)points->place_count;
  for (uint32_t p = 0; p < points->place_count && fits; p++) {
    if (points->most_runs[p] < 0)
      continue;
    /* The runs of the blocks of a place, each as often as it has points of it. */
    wb_flow_limit_add(system, points->most_runs[p], FIRST_ORIGIN + p);
    for (uint32_t b = 0; b < graph->block_count && fits; b++) {
      int64_t factor = 0;
      for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
        factor += points->place_of[i] == p;
      fits = factor == 0 || add_runs(graph, b, factor, system);
    }
  }
  for (size_t t = 0; t < points->transition_count && fits; t++) {
    const struct wb_transition *transition = &points->transitions[t];
    if (transition->count < 0 || transition->from == points->start)
      continue;
    /* By the edges that no other transition from its place goes over. */
    wb_flow_limit_add(system, transition->count, origin++);
    for (uint32_t e = 0; e < graph->edge_count; e++) {
      if (costs->last_place[graph->edges[e].from] == transition->from &&
          costs->only_next[e] == transition->to)
        (void)wb_flow_term_add(system, e, 1); /* a single 1 fits */
    }
  }
  /* Of groups a port says that lanes may stay, not that the warp ends. */
  const bool walk = wb_flow_system_is_walk(system);
  for (uint32_t b = 0; b < graph->block_count && walk; b++)
    system->ends[b] = system->ends[b] && !costs->never_end[b];
  for (uint32_t b = 0; b < graph->block_count && fits; b++) {
    if (!costs->never_block[b])
      continue;
    wb_flow_limit_add(system, 0, origin++);
    fits = add_runs(graph, b, 1, system);
  }
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (!costs->never_edge[e])
      continue;
    wb_flow_limit_add(system, 0, origin++);
    (void)wb_flow_term_add(system, e, 1);
  }
  if (system->failed)
    return wb_out_of_memory(error);
  return fits ? WARPBOUND_OK
              : wb_fail(error, WARPBOUND_INVALID_INPUT,
                        "the counts do not fit into 64 bits: %.120s", graph->function->name);
}

/* ---- the analysis ---- */

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
    const uint64_t expected =
        wb_function_checksum(function->part_count > 0 ? function->parts[0].function : function);
    if (wb_times_kernel_is(own->kernel, function) && own->checksum != expected &&
        own->checksum != wb_function_checksum(function))
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
    status = limit_counts(wcet->graph, &work->points, &work->costs, system, work->error);
  if (status == WARPBOUND_OK)
    status = put_costs(wcet->graph, &work->costs, &work->arena, system, work->error);
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
    wb_list_add(list,
                "no run of a warp passes a place more often than the measured run that passed "
                "it most often (--counts observed), nor takes a segment that was not "
                "measured; of different places that may be different runs");
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
  warpbound_status status = wb_wcet_link(hybrid->code, hybrid->function, &options, &hybrid->arena,
                                         &hybrid->function, work->error);
  if (status == WARPBOUND_OK)
    status = check_times(work);
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
  wb_arena_free(&hybrid->arena);
  free(hybrid->segments);
  free(hybrid->gaps);
  free(hybrid->path);
  wb_list_free(&hybrid->assumptions);
  wb_estimate_free(&hybrid->estimate);
  wb_estimate_free(&hybrid->static_estimate);
  *hybrid = (struct wb_hybrid){0};
}
