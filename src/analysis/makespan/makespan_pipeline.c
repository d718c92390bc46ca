/* The pipelines of makespan analyses, and what their steps share: the bracket, the budget, and what
 * is known of other numbers of warps. */
#include "analysis/makespan/makespan_analysis.h"
#include "analysis/makespan/makespan_steps.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/runs/run_abstraction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the bracket and the budget ---- */

/* The table of the run abstraction within the method `bounds`. */
#define QUICK_TABLE_BYTES (UINT64_C(1) << 24)

bool wb_makespan_is_open(const struct wb_makespan_analysis *analysis)
{
  return analysis->result->lower.cycles < analysis->result->upper.cycles;
}

bool wb_makespan_may_rise(const struct wb_makespan_analysis *analysis)
{
  return wb_makespan_is_open(analysis) && analysis->result->lower.cycles < analysis->alone;
}

void wb_makespan_note_early_end(struct wb_makespan_analysis *analysis, enum wb_stop stop,
                                const char *what)
{
  if (stop != WB_STOP_NONE)
    analysis->result->stop = stop;
  if (stop == WB_STOP_TIME)
    wb_list_add(&analysis->result->notes, "%s: stopped by the time limit", what);
  else if (stop == WB_STOP_INTERRUPTED)
    wb_list_add(&analysis->result->notes, "%s: interrupted", what);
}

bool wb_makespan_may_go_on(struct wb_makespan_analysis *analysis, const char *next)
{
  if (analysis->result->stop == WB_STOP_TIME || analysis->result->stop == WB_STOP_INTERRUPTED)
    return false;
  enum wb_stop stop = wb_control_stopped(&analysis->control);
  if (stop != WB_STOP_NONE)
    wb_makespan_note_early_end(analysis, stop, next);
  return stop == WB_STOP_NONE;
}

static void append_bound(struct wb_bound_list *list, warpbound_bound bound, uint32_t y)
{
  if (wb_grow(list->items, &list->capacity, list->count + 1))
    list->items[list->count++] = (struct wb_named_bound){bound, y};
  else
    list->failed = true;
}

void wb_makespan_add_bound(struct wb_makespan_analysis *analysis, const char *name,
                           const char *source, warpbound_kind kind, uint64_t cycles)
{
  const warpbound_bound bound = {.name = name, .source = source, .cycles = cycles, .kind = kind};
  struct warpbound_result *result = analysis->result;
  bool from_below = kind == WARPBOUND_LOWER || kind == WARPBOUND_EXACT;
  bool from_above = kind == WARPBOUND_UPPER || kind == WARPBOUND_EXACT;
  if (from_below && (result->lower.name == NULL || cycles > result->lower.cycles))
    result->lower = bound;
  if (from_above && (result->upper.name == NULL || cycles < result->upper.cycles))
    result->upper = bound;
  append_bound(&result->bounds, bound, 0);
}

void wb_makespan_count_search(struct wb_makespan_analysis *analysis, uint64_t states, uint64_t peak,
                              uint64_t bytes)
{
  struct wb_search_cost *cost = &analysis->result->search;
  cost->states += states;
  cost->peak_states = wb_maximum(cost->peak_states, peak);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, bytes);
}

void wb_makespan_note_stop(struct wb_makespan_analysis *analysis, const char *what,
                           const struct wb_search *search, uint64_t memory)
{
  if (search->stop == WB_STOP_NONE)
    return;
  wb_makespan_note_early_end(analysis, search->stop, what);
  if (search->stop != WB_STOP_MEMORY)
    return;
  if (search->needed <= memory)
    wb_list_add(&analysis->result->notes,
                "%s: left out, there is no memory for its table of %" PRIu64 " bytes", what,
                search->needed);
  else if (search->needed == UINT64_MAX)
    wb_list_add(&analysis->result->notes,
                "%s: left out, its table is far beyond the %" PRIu64 " bytes allowed", what,
                memory);
  else
    wb_list_add(&analysis->result->notes,
                "%s: left out, its table needs %" PRIu64 " bytes, %" PRIu64 " are allowed", what,
                search->needed, memory);
}

uint64_t wb_makespan_run_table_memory(const struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  if (method == WARPBOUND_METHOD_ILP)
    return wb_minimum(QUICK_TABLE_BYTES, analysis->control.memory_limit);
  bool quick = (method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ANNEAL) &&
               analysis->options->limits.memory_limit == 0;
  return quick ? QUICK_TABLE_BYTES : analysis->control.memory_limit;
}

bool wb_makespan_wants_search(struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  return (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT) &&
         wb_makespan_may_go_on(analysis, "exact search");
}

warpbound_status wb_makespan_finish(struct wb_makespan_analysis *analysis, bool limited)
{
  struct warpbound_result *result = analysis->result;
  result->search.seconds = wb_clock() - analysis->control.start;
  if (result->lower.cycles > result->upper.cycles)
    return wb_fail(analysis->error, WARPBOUND_INTERNAL,
                   "the lower end %" PRIu64 " (%s) is above the upper end %" PRIu64
                   " (%s) (please report this)",
                   result->lower.cycles, result->lower.name, result->upper.cycles,
                   result->upper.name);
  const bool estimate = wb_is_estimate(&result->instance->estimate);
  result->exact = result->lower.cycles == result->upper.cycles && !estimate;
  if (result->exact)
    result->lower.kind = result->upper.kind = WARPBOUND_EXACT;
  if (estimate)
    result->lower.kind = result->upper.kind = WARPBOUND_ESTIMATE;
  for (size_t i = 0; i < result->bounds.count && estimate; i++)
    result->bounds.items[i].bound.kind = WARPBOUND_ESTIMATE;
  if (result->assumptions.failed || result->notes.failed || result->bounds.failed ||
      result->published.failed)
    return wb_out_of_memory(analysis->error);
  return limited && result->lower.cycles < result->upper.cycles ? WARPBOUND_LIMIT : WARPBOUND_OK;
}

warpbound_status wb_makespan_run_steps(struct wb_makespan_analysis *analysis,
                                       wb_makespan_step *const *steps)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; steps[s] != NULL && status == WARPBOUND_OK; s++)
    status = steps[s](analysis);
  return status;
}

/* ---- bounds by the number of warps ---- */

warpbound_status wb_warp_count_table_make(struct wb_warp_count_table *table, uint32_t most,
                                          warpbound_error *error)
{
  *table = (struct wb_warp_count_table){.most = most};
  table->of = wb_allocate((size_t)most + 1, sizeof *table->of);
  return table->of != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_warp_count_table_free(struct wb_warp_count_table *table)
{
  free(table->of);
  *table = (struct wb_warp_count_table){0};
}

void wb_warp_count_table_add_exact(struct wb_warp_count_table *table, const uint64_t *makespan,
                                   uint32_t warps, const char *by)
{
  for (uint32_t y = 1; y <= warps && y <= table->most; y++) {
    table->of[y].exact = makespan[y];
    table->of[y].exact_by = by;
  }
}

static void note_upper(struct wb_warp_count_row *bound, uint64_t upper, const char *by)
{
  if (bound->upper != 0 && bound->upper <= upper)
    return;
  bound->upper = upper;
  bound->upper_by = by;
}

void wb_warp_count_table_add_run_bound(struct wb_warp_count_table *table, uint32_t warps,
                                       uint64_t upper, const char *by)
{
  if (warps > table->most)
    return;
  note_upper(&table->of[warps], upper, by);
  table->of[warps].runs = true;
}

void wb_warp_count_table_add_line(struct wb_warp_count_table *table,
                                  const struct wb_potential_proof *proof, const char *by)
{
  for (uint64_t y = proof->steady_from; proof->has_line && y <= table->most; y++) {
    uint64_t cycles;
    if (wb_potential_line_at(proof, (uint32_t)y, &cycles))
      note_upper(&table->of[y], cycles, by);
  }
}

/* ---- steps of the pipelines ---- */

/* Up to so many bytes the dense table is faster than the other searches. */
#define DENSE_TABLE_BYTES (UINT64_C(1) << 22)

/* Records a formula of the literature. y: wb_named_bound.y. */
static void add_published(struct wb_makespan_analysis *analysis, const char *name,
                          const char *source, uint64_t cycles, uint32_t y)
{
  const warpbound_bound bound = {
      .name = name, .source = source, .cycles = cycles, .kind = WARPBOUND_PUBLISHED};
  append_bound(&analysis->result->published, bound, y);
}

/* Adds the literature's formulas, which never touch the bracket. */
static warpbound_status quote_literature(struct wb_makespan_analysis *analysis)
{
  const struct wb_problem *problem = analysis->problem;
  uint64_t cycles;
  warpbound_status status = wb_published_pessimistic(problem, &cycles, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  add_published(analysis, "pessimistic", "ECRTS 2012, eq. 5-7; not safe where a sigma is 2 or more",
                cycles, 0);
  if (analysis->result->instance->sm.partitions == 1 && wb_published_fair_time(problem, &cycles))
    add_published(analysis, "fair-time",
                  "work in progress on Fermi, 2011, formula FT; a conjecture, not safe", cycles, 0);
  /* The next formula is about schedulers that need not be fair. */
  if (wb_problem_has_shared(analysis->problem) || wb_problem_fair(problem))
    return WARPBOUND_OK;
  const uint64_t one[] = {0, problem->string.length};
  wb_warp_count_table_add_exact(analysis->warp_counts, one, 1, "one warp");
  for (uint32_t y = 1; status == WARPBOUND_OK && y < problem->warps; y++) {
    const uint64_t exact = analysis->warp_counts->of[y].exact;
    if (exact == 0)
      continue;
    status = wb_published_tractable(problem, y, exact, &cycles, analysis->error);
    if (status == WARPBOUND_OK)
      add_published(analysis, "tractable", "ECRTS 2012, eq. 40-41; not safe", cycles, y);
  }
  return status;
}

static warpbound_status finish(struct wb_makespan_analysis *analysis)
{
  const warpbound_options *limits = &analysis->options->limits;
  const enum wb_stop stop = analysis->result->stop;
  const bool memory_was_asked = limits->method == WARPBOUND_METHOD_EXACT ||
                                limits->memory_limit > 0 || limits->method == WARPBOUND_METHOD_ILP;
  return wb_makespan_finish(analysis, stop == WB_STOP_TIME || stop == WB_STOP_INTERRUPTED ||
                                          (stop == WB_STOP_MEMORY && memory_was_asked));
}

/* ---- steps with their memory ---- */

static warpbound_status tighten_by_small_run_table(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_tighten_by_runs(
      analysis, wb_minimum(analysis->control.memory_limit, SMALL_TABLE_BYTES), false);
}

static warpbound_status tighten_by_full_run_table(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_tighten_by_runs(analysis, wb_makespan_run_table_memory(analysis), true);
}

/* The guided search begins with the table of the runs itself, where that table alone cannot be
 * exact. */
static warpbound_status tighten_by_run_table_unless_guided(struct wb_makespan_analysis *analysis)
{
  return wb_run_abstraction_exact(analysis->problem) || !wb_makespan_will_guide(analysis)
             ? tighten_by_full_run_table(analysis)
             : WARPBOUND_OK;
}

static warpbound_status search_dense_small(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_search_dense(analysis,
                                  wb_minimum(analysis->control.memory_limit, SMALL_TABLE_BYTES));
}

static warpbound_status search_dense_medium(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_search_dense(analysis,
                                  wb_minimum(analysis->control.memory_limit, DENSE_TABLE_BYTES));
}

static warpbound_status search_dense_full(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_search_dense(analysis, analysis->control.memory_limit);
}

/* Simulates one policy: a solver may find no schedule in its time. */
static warpbound_status simulate_one_policy(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_can_simulate(analysis)
             ? wb_makespan_simulate(analysis, wb_policy_find("greedy-then-oldest"))
             : WARPBOUND_OK;
}

/* Whether a search is to come that a time limit may end. */
static bool is_limited_search(const struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  return analysis->control.deadline > 0 &&
         (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT);
}

/* Runs all steps of the method `bounds` before a search that a time limit may end: then the answer
 * is never worse than that method's. Notes where there is not enough time for them. (Beams are left
 * out where the analysis of more warps has already searched by beams.) Simulations beyond the
 * budget of that method come after them. */
static warpbound_status secure_bounds(struct wb_makespan_analysis *analysis)
{
  warpbound_status status = WARPBOUND_OK;
  if (!is_limited_search(analysis))
    return status;
  status = wb_makespan_tighten_by_runs(
      analysis, wb_minimum(QUICK_TABLE_BYTES, analysis->control.memory_limit), false);
  if (status == WARPBOUND_OK && !analysis->recalled_runs)
    status = wb_makespan_search_beams_quick(analysis);
  if (wb_makespan_is_open(analysis) &&
      (analysis->cut_short || analysis->result->stop == WB_STOP_TIME))
    wb_list_add(&analysis->result->notes,
                "the time limit is less than what the method 'bounds' takes, "
                "whose ends may be closer");
  if (status == WARPBOUND_OK && !wb_makespan_simulates_quickly(analysis))
    status = wb_makespan_find_schedules(analysis);
  return status;
}

static warpbound_status find_schedules_first(struct wb_makespan_analysis *analysis)
{
  return !is_limited_search(analysis) || wb_makespan_simulates_quickly(analysis)
             ? wb_makespan_find_schedules(analysis)
             : WARPBOUND_OK;
}

/* ---- pipelines: steps in order ---- */

static wb_makespan_step *const with_searches[] = {
    wb_makespan_bound_by_formulas,
    wb_makespan_use_table,
    find_schedules_first,
    tighten_by_small_run_table,
    search_dense_small,
    wb_makespan_tighten_by_potentials,
    secure_bounds,
    tighten_by_run_table_unless_guided,
    search_dense_medium,
    wb_makespan_search_beams_early,
    wb_makespan_search_guided,
    search_dense_full,
    wb_makespan_tighten_to_the_end,
    wb_makespan_certify,
    wb_makespan_anneal,
    wb_makespan_search_fewer_warps,
    quote_literature,
    wb_makespan_find_line,
    finish,
    NULL,
};

/* An integer program in place of the searches. */
static wb_makespan_step *const with_integer_program[] = {
    wb_makespan_bound_by_formulas,
    wb_makespan_use_table,
    tighten_by_full_run_table,
    simulate_one_policy,
    wb_makespan_tighten_by_potentials,
    wb_makespan_solve_integer_program,
    wb_makespan_certify,
    quote_literature,
    wb_makespan_find_line,
    finish,
    NULL,
};

/* Schedulers that are fair between blocks. An upper bound on all work-conserving schedules bounds
 * the fair ones too; a lower bound needs a fair schedule, which the other searches do not give. */
static wb_makespan_step *const with_fair_schedulers[] = {
    wb_makespan_bound_by_formulas,
    wb_makespan_use_table,
    wb_makespan_find_schedules,
    tighten_by_small_run_table,
    wb_makespan_search_forward,
    wb_makespan_tighten_by_potentials,
    tighten_by_full_run_table,
    wb_makespan_anneal,
    quote_literature,
    wb_makespan_find_line,
    finish,
    NULL,
};

static wb_makespan_step *const of_whole_sm[] = {
    wb_makespan_analyse_whole_sm,
    wb_makespan_find_line,
    finish,
    NULL,
};

/* Reports progress to the caller, with the bracket so far before the phase. */
static void report_progress(void *context, const char *phase, double fraction)
{
  const struct wb_makespan_analysis *analysis = context;
  const warpbound_options *limits = &analysis->options->limits;
  char text[96];
  snprintf(text, sizeof text, "%" PRIu64 "..%" PRIu64 " cycles, %s", analysis->result->lower.cycles,
           analysis->result->upper.cycles, phase);
  limits->progress(limits->context, analysis->result->upper.name != NULL ? text : phase, fraction);
}

static bool ask_caller(void *context)
{
  const struct wb_makespan_analysis *analysis = context;
  return analysis->options->limits.interrupted(analysis->options->limits.context);
}

warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error)
{
  *result = (struct warpbound_result){
      .instance = instance, .simulated = options->limits.policies_only, .policy = options->policy};
  struct wb_makespan_analysis analysis = {.problem = &instance->problem,
                                          .options = options,
                                          .control = wb_control_start(&options->limits),
                                          .result = result,
                                          .error = error};
  analysis.control.context = &analysis;
  if (analysis.control.progress != NULL)
    analysis.control.progress = report_progress;
  if (analysis.control.interrupted != NULL)
    analysis.control.interrupted = ask_caller;
  const bool fair = wb_problem_fair(analysis.problem);
  const bool integer = options->limits.method == WARPBOUND_METHOD_ILP;
  wb_makespan_step *const *steps = fair ? with_fair_schedulers : with_searches;
  if (wb_makespan_is_whole_sm(&analysis))
    steps = of_whole_sm;
  else if (integer && fair) {
    wb_result_clear(result);
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fair-blocks: the integer program cannot say it; expected another method");
  } else if (integer)
    steps = with_integer_program;
  struct wb_warp_count_table own = {0};
  warpbound_status status = WARPBOUND_OK;
  if (options->warp_counts == NULL)
    status = wb_warp_count_table_make(&own, instance->problem.warps, error);
  analysis.warp_counts = options->warp_counts != NULL ? options->warp_counts : &own;
  if (status == WARPBOUND_OK)
    status = wb_makespan_run_steps(&analysis, steps);
  wb_warp_count_table_free(&own);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_result_clear(result);
  return status;
}

/* ---- results ---- */

uint64_t wb_result_witness(const struct warpbound_result *result)
{
  return result->whole_witness.issue_cycle != NULL ? result->whole_witness.makespan
                                                   : result->witness.makespan;
}

bool wb_phase_ends(const struct wb_phase *phase, uint64_t *lower, uint64_t *upper)
{
  return wb_add(phase->result.lower.cycles, phase->tail, lower) &&
         wb_add(phase->result.upper.cycles, phase->tail, upper);
}

void wb_result_drop_phases(struct warpbound_result *result)
{
  for (size_t p = 0; p < result->phase_count; p++) {
    wb_kernel_string_free(&result->phases[p].kernel);
    wb_result_clear(&result->phases[p].result);
    wb_instance_clear(&result->phases[p].instance);
  }
  free(result->phases);
  result->phases = NULL;
  result->phase_count = 0;
}

void wb_result_clear(struct warpbound_result *result)
{
  free(result->bounds.items);
  free(result->published.items);
  wb_schedule_free(&result->witness);
  wb_schedule_free(&result->whole_witness);
  wb_result_drop_phases(result);
  wb_potential_proof_free(&result->potential);
  free(result->cut);
  wb_list_free(&result->notes);
  wb_annealing_result_free(&result->annealing);
  wb_list_free(&result->assumptions);
  wb_schedule_free(&result->integer.schedule);
  if (result->certificate != NULL)
    wb_arena_free(&result->certificate->arena);
  free(result->certificate);
  if (result->owned_instance != NULL)
    wb_instance_clear(result->owned_instance);
  free(result->owned_instance);
  *result = (struct warpbound_result){0};
}
