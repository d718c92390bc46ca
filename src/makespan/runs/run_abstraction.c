#include "makespan/runs/run_abstraction.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/sm_machine.h"
#include "makespan/runs/run_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- cuts ---- */

/* Most cuts that are made: each at least doubles a table's cells. */
#define MOST_CUTS 64

bool wb_cutting_start(struct wb_cutting *cutting, const struct wb_problem *problem)
{
  size_t count = problem->string.run_count;
  *cutting = (struct wb_cutting){.problem = problem, .cut = {.count = count}};
  cutting->cut.runs = wb_allocate(count + MOST_CUTS, sizeof *cutting->cut.runs);
  if (cutting->cut.runs != NULL)
    memcpy(cutting->cut.runs, problem->string.runs, count * sizeof *cutting->cut.runs);
  return cutting->cut.runs != NULL;
}

void wb_cutting_free(struct wb_cutting *cutting)
{
  free(cutting->cut.runs);
  *cutting = (struct wb_cutting){0};
}

bool wb_cutting_refine(struct wb_cutting *cutting, const struct wb_cutting_limits *limits)
{
  /* Only runs of types that serve several warps a cycle gain by a cut; the longest, and of equals
   * the last, gains most. */
  size_t r = SIZE_MAX;
  for (size_t i = 0; i < cutting->cut.count; i++) {
    const struct wb_run *run = &cutting->cut.runs[i];
    if (run->length >= 2 && wb_problem_service(cutting->problem, run->unit) > 1 &&
        (r == SIZE_MAX || run->length >= cutting->cut.runs[r].length))
      r = i;
  }
  if (r == SIZE_MAX || cutting->cut.count >= cutting->problem->string.run_count + MOST_CUTS)
    return false;
  struct wb_run *run = &cutting->cut.runs[r];
  for (size_t first = run->length / 2; first >= 1; first /= 2) {
    uint64_t needed;
    /* Cuts the run in two, the first part `first` instructions long. */
    memmove(run + 1, run, (cutting->cut.count - r) * sizeof *run);
    run[0].length = first;
    run[1].length -= first;
    cutting->cut.count++;
    const struct wb_run_table_options options = {cutting->cut, limits->whole, limits->most};
    uint64_t states = wb_run_table_plan(cutting->problem, &options, limits->memory, &needed);
    if (states > 0 && states <= limits->states)
      return true;
    /* Joins the two again. */
    run[0].length += run[1].length;
    cutting->cut.count--;
    memmove(run + 1, run + 2, (cutting->cut.count - r - 1) * sizeof *run);
  }
  return false;
}

warpbound_status wb_cutting_prove(struct wb_cutting *cutting, uint64_t goal,
                                  const struct wb_control *control, bool *found,
                                  warpbound_error *error)
{
  enum wb_stop stop = WB_STOP_NONE;
  const struct wb_cutting_limits limits = {
      .most = goal, .memory = control->memory_limit, .states = UINT64_MAX};
  *found = false;
  do {
    struct wb_run_table table = {0};
    uint64_t needed, done;
    const struct wb_run_table_options options = {.cut = cutting->cut, .most = goal};
    warpbound_status status = WARPBOUND_OK;
    if (wb_run_table_plan(cutting->problem, &options, control->memory_limit, &needed) == 0 ||
        wb_run_table_start(&table, cutting->problem, &options, NULL) != WARPBOUND_OK)
      stop = WB_STOP_MEMORY;
    else
      status = wb_run_table_fill(&table, control, &stop, &done, error);
    *found = status == WARPBOUND_OK && stop == WB_STOP_NONE &&
             table.makespan[cutting->problem->warps] <= goal;
    wb_run_table_free(&table);
    if (status != WARPBOUND_OK)
      return status;
  } while (!*found && stop == WB_STOP_NONE && wb_cutting_refine(cutting, &limits));
  return WARPBOUND_OK;
}

/* ---- the bound and a schedule ---- */

/* A walk down the table along longest paths. The state: inside and pending; after[r][u]:
 * warps in runs of type u after run r. move is the one being tried, to the state of
 * next_inside and next_pending, chosen the longest found, to a state of `best` cycles to
 * go.
 *
 * Real warps replay the path, each in a queue at each run in order of arrival. An instruction that
 * does not leave the run goes to the first warp that has more than one left; an exit to the first
 * that has one left. Where no type serves two warps in a cycle every allowed path can be replayed
 * so (doc/makespan.md): readiness depends on counts alone. */
struct trace {
  const struct wb_run_table *table;
  bool capped;
  uint32_t *inside;
  uint64_t *pending;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  struct wb_run_move *chosen;
  uint32_t *next_inside;
  uint64_t *next_pending;
  int64_t best;
  struct wb_schedule *schedule; /* of the warps */
  uint32_t *arrivals;           /* per run, warps in order of arrival: [run * warps + k] */
  uint32_t *arrived;            /* per run, how many have come */
  uint32_t *serving;            /* per run, index of the warp that non-exits go to */
  uint32_t *leaving;            /* per run, index of the warp that exits next */
  size_t *done;                 /* per warp, instructions issued */
  size_t *run_end;              /* per run, instructions of the string up to its end */
  struct wb_arena arena;        /* of the arrays */
};

static bool start_trace(struct trace *trace, const struct wb_run_table *table,
                        struct wb_schedule *schedule)
{
  size_t runs = table->run_count;
  uint32_t warps = table->warps;
  *trace = (struct trace){
      .table = table, .schedule = schedule, .capped = wb_problem_capped(table->problem)};
  struct wb_arena *arena = &trace->arena;
  trace->inside = wb_arena_array(arena, uint32_t, runs);
  trace->pending = wb_arena_array(arena, uint64_t, runs);
  trace->after = wb_arena_allocate(arena, runs, sizeof *trace->after);
  trace->move = wb_arena_array(arena, struct wb_run_move, runs);
  trace->chosen = wb_arena_array(arena, struct wb_run_move, runs);
  trace->next_inside = wb_arena_array(arena, uint32_t, runs);
  trace->next_pending = wb_arena_array(arena, uint64_t, runs);
  trace->arrivals = wb_arena_array(arena, uint32_t, runs * warps);
  trace->arrived = wb_arena_array(arena, uint32_t, runs);
  trace->serving = wb_arena_array(arena, uint32_t, runs);
  trace->leaving = wb_arena_array(arena, uint32_t, runs);
  trace->done = wb_arena_array(arena, size_t, warps);
  trace->run_end = wb_arena_array(arena, size_t, runs);
  if (arena->failed)
    return false;
  trace->inside[0] = warps;
  trace->pending[0] = warps * (uint64_t)table->runs[0].length;
  for (uint32_t w = 0; w < warps; w++)
    trace->arrivals[w] = w;
  trace->arrived[0] = warps;
  for (size_t r = 0; r < runs; r++)
    trace->run_end[r] = (r > 0 ? trace->run_end[r - 1] : 0) + table->runs[r].length;
  return true;
}

/* Tries every allowed way to fill the quota from the runs r.., where `entering`
 * warps come into run r. */
static void try_moves(struct trace *trace, size_t r, const struct wb_quota *left, uint32_t entering)
{
  const struct wb_run_table *table = trace->table;
  if (r == table->run_count) {
    uint32_t value = wb_run_table_value(table, trace->next_inside, trace->next_pending);
    if ((int64_t)value > trace->best) {
      trace->best = value;
      memcpy(trace->chosen, trace->move, table->run_count * sizeof *trace->chosen);
    }
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = trace->inside[r];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, trace->after[r], run->unit, trace->capped);
       x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    /* The fewest and most of them that can leave. */
    uint64_t b = trace->pending[r];
    uint32_t e = n + x > b ? (uint32_t)(n + x - b) : 0, most_exits = x;
    if (run->length > 1)
      most_exits = (uint32_t)wb_minimum(x, (n * run->length - b) / (run->length - 1));
    for (; e <= most_exits; e++) {
      trace->next_inside[r] = n - e + entering;
      trace->next_pending[r] = trace->pending[r] - x + (uint64_t)entering * run->length;
      trace->move[r] = (struct wb_run_move){x, e};
      try_moves(trace, r + 1, &rest, e);
    }
  }
}

static void issue(struct trace *trace, uint32_t warp, uint32_t cycle)
{
  struct wb_schedule *schedule = trace->schedule;
  schedule->issue_cycle[warp * schedule->length + trace->done[warp]++] = cycle;
  schedule->makespan = cycle;
}

/* The chosen move of run r. */
static void replay_run(struct trace *trace, size_t r, uint32_t cycle)
{
  const uint32_t warps = trace->table->warps;
  uint32_t *arrivals = trace->arrivals + r * warps;
  for (uint32_t e = 0; e < trace->chosen[r].exits; e++) {
    /* Arrival order is also the order in which warps come to their last instruction. */
    const uint32_t warp = arrivals[trace->leaving[r]++];
    assert(trace->done[warp] + 1 == trace->run_end[r]);
    issue(trace, warp, cycle);
    if (r + 1 < trace->table->run_count)
      arrivals[warps + trace->arrived[r + 1]++] = warp;
  }
  for (uint32_t x = trace->chosen[r].exits; x < trace->chosen[r].issues; x++) {
    while (trace->serving[r] < trace->arrived[r] &&
           trace->done[arrivals[trace->serving[r]]] + 1 >= trace->run_end[r])
      trace->serving[r]++;
    assert(trace->serving[r] < trace->arrived[r]);
    issue(trace, arrivals[trace->serving[r]], cycle);
  }
}

static void replay_path(struct trace *trace, uint64_t makespan)
{
  const struct wb_run_table *table = trace->table;
  for (uint32_t cycle = 1; cycle <= makespan; cycle++) {
    /* Chooses the move to the successor with the longest path. */
    uint32_t ready[WB_UNIT_COUNT] = {0};
    for (size_t r = table->run_count; r-- > 0;) {
      memcpy(trace->after[r], ready, sizeof ready);
      ready[table->runs[r].unit] += trace->inside[r];
    }
    struct wb_quota quota = wb_cycle_quota(table->problem, ready);
    trace->best = -1;
    try_moves(trace, 0, &quota, 0);
    assert(trace->best == (int64_t)makespan - cycle);
    /* Later runs first: a warp that enters a run issues there no sooner than in the next cycle. */
    for (size_t r = table->run_count; r-- > 0;)
      replay_run(trace, r, cycle);
    uint32_t entering = 0;
    for (size_t r = 0; r < table->run_count; r++) {
      trace->inside[r] += entering - trace->chosen[r].exits;
      trace->pending[r] += entering * (uint64_t)table->runs[r].length;
      trace->pending[r] -= trace->chosen[r].issues;
      entering = trace->chosen[r].exits;
    }
  }
}

warpbound_status wb_run_abstraction_search(const struct wb_problem *problem, uint64_t most,
                                           uint64_t memory, const struct wb_control *control,
                                           struct wb_search *search, warpbound_error *error)
{
  *search = (struct wb_search){0};
  const struct wb_run_table_options options = {
      .cut = wb_run_cut_of(problem), .whole = true, .most = most};
  if (wb_run_table_plan(problem, &options, memory, &search->needed) == 0) {
    search->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct wb_run_table table;
  warpbound_status status = WARPBOUND_OK;
  if (wb_run_table_start(&table, problem, &options, NULL) != WARPBOUND_OK)
    search->stop = WB_STOP_MEMORY; /* allowed, but not to be had */
  else
    status = wb_run_table_fill(&table, control, &search->stop, &search->states, error);
  const uint32_t warps = problem->warps;
  const bool filled = status == WARPBOUND_OK && search->stop == WB_STOP_NONE;
  if (filled) {
    search->makespan = wb_allocate((size_t)warps + 1, sizeof *search->makespan);
    if (search->makespan == NULL)
      status = wb_out_of_memory(error);
    for (uint32_t w = 1; w <= warps && status == WARPBOUND_OK; w++)
      search->makespan[w] = table.makespan[w];
  }
  uint64_t entries;
  if (filled && status == WARPBOUND_OK && wb_run_abstraction_exact(problem) &&
      wb_multiply(warps, problem->string.length, &entries) && entries <= WB_SCHEDULE_LIMIT) {
    struct trace trace = {0};
    status = wb_schedule_start(&search->witness, warps, problem->string.length, error);
    if (status == WARPBOUND_OK && start_trace(&trace, &table, &search->witness))
      replay_path(&trace, search->makespan[warps]);
    else if (status == WARPBOUND_OK)
      status = wb_out_of_memory(error);
    wb_arena_free(&trace.arena);
  }
  wb_run_table_free(&table);
  if (status != WARPBOUND_OK)
    wb_search_free(search);
  return status;
}

bool wb_run_abstraction_exact(const struct wb_problem *problem)
{
  if (problem->warps == 1)
    return true;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0 && wb_problem_service(problem, (enum wb_unit)u) != 1)
      return false;
  }
  return !wb_problem_fair(problem);
}
