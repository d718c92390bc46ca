#include "analysis/makespan/makespan_analysis.h"

#include "analysis/makespan/makespan_steps.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/runs/run_abstraction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to so many bytes the dense table is faster than the other searches. */
#define DENSE_TABLE_BYTES (UINT64_C(1) << 22)

/* Adds the literature's formulas, which never touch the bracket. */
static warpbound_status quote_literature(struct wb_makespan_analysis *analysis)
{
  const struct wb_problem *problem = analysis->problem;
  uint64_t cycles;
  warpbound_status status = wb_published_pessimistic(problem, &cycles, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_add_published(analysis, "pessimistic",
                            "ECRTS 2012, eq. 5-7; not safe where a sigma is 2 or more", cycles, 0);
  if (analysis->result->instance->sm.partitions == 1 && wb_published_fair_time(problem, &cycles))
    wb_makespan_add_published(analysis, "fair-time",
                              "work in progress on Fermi, 2011, formula FT; a conjecture, not safe",
                              cycles, 0);
  /* The next formula is about schedulers that need not be fair. */
  if (wb_makespan_is_shared(analysis) || wb_problem_fair(problem))
    return WARPBOUND_OK;
  const uint64_t one[] = {0, problem->string.length};
  wb_warp_count_table_add_exact(analysis->warp_counts, one, 1, "one warp");
  for (uint32_t y = 1; status == WARPBOUND_OK && y < problem->warps; y++) {
    const uint64_t exact = analysis->warp_counts->of[y].exact;
    if (exact == 0)
      continue;
    status = wb_published_tractable(problem, y, exact, &cycles, analysis->error);
    if (status == WARPBOUND_OK)
      wb_makespan_add_published(analysis, "tractable", "ECRTS 2012, eq. 40-41; not safe", cycles,
                                y);
  }
  return status;
}

static warpbound_status settle(struct wb_makespan_analysis *analysis)
{
  const warpbound_options *limits = &analysis->options->limits;
  const enum wb_stop stop = analysis->result->stop;
  const bool memory_was_asked = limits->method == WARPBOUND_METHOD_EXACT ||
                                limits->memory_limit > 0 || limits->method == WARPBOUND_METHOD_ILP;
  return wb_makespan_settle(analysis, stop == WB_STOP_TIME || stop == WB_STOP_INTERRUPTED ||
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
  status = wb_makespan_tighten_by_runs(analysis, wb_makespan_quick_table_memory(analysis), false);
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
    settle,
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
    settle,
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
    settle,
    NULL,
};

static wb_makespan_step *const of_whole_sm[] = {
    wb_makespan_analyse_whole_sm,
    wb_makespan_find_line,
    settle,
    NULL,
};

/* Reports progress to the caller, with the bracket so far before the phase. */
static void tell_progress(void *context, const char *phase, double fraction)
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
      .instance = instance, .simulated = options->simulate_only, .policy = options->policy};
  struct wb_makespan_analysis analysis = {.problem = &instance->problem,
                                          .analyse_part = wb_analyse_makespan,
                                          .options = options,
                                          .control = wb_control_start(&options->limits),
                                          .result = result,
                                          .error = error};
  analysis.control.context = &analysis;
  if (analysis.control.progress != NULL)
    analysis.control.progress = tell_progress;
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
