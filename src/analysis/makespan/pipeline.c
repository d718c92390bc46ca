/* The pipeline from an instance to its bracket. */
#include "analysis/makespan/whole.h"
#include "analysis/makespan/work.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/bounds/fair_time.h"
#include "makespan/runs/run_abstraction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to this size the dense table is the faster search. */
#define DENSE_TABLE_BYTES (UINT64_C(1) << 22)

/* The literature's numbers beside ours; they never touch the bracket. */
static warpbound_status quote_literature(struct wb_work *work)
{
  uint64_t cycles;
  warpbound_status status = wb_published_pessimistic(work->problem, &cycles, work->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_published(work, "pessimistic",
                                   "ECRTS 2012, eq. 5-7; not safe where a sigma is 2 or "
                                   "more",
                                   cycles, 0);
  if (status == WARPBOUND_OK && work->result->instance->sm.partitions == 1 &&
      wb_published_fair_time(work->problem, &cycles))
    status = wb_work_add_published(work, "fair-time",
                                   "work in progress on Fermi, 2011, formula FT; a conjecture, not "
                                   "safe",
                                   cycles, 0);
  /* The next formula is about schedulers that need not be fair. */
  if (status != WARPBOUND_OK || wb_work_is_shared(work) || wb_problem_fair(work->problem))
    return status;
  const uint64_t one[] = {0, work->problem->string.length};
  wb_known_exact(work->known, one, 1, "one warp");
  for (uint32_t y = 1; status == WARPBOUND_OK && y < work->problem->warps; y++) {
    if (work->known->of[y].exact == 0)
      continue;
    status =
        wb_published_tractable(work->problem, y, work->known->of[y].exact, &cycles, work->error);
    if (status == WARPBOUND_OK)
      status =
          wb_work_add_published(work, "tractable", "ECRTS 2012, eq. 40-41; not safe", cycles, y);
  }
  return status;
}

static bool limit_was_asked(const struct wb_work *work)
{
  const warpbound_options *limits = &work->options->limits;
  return limits->method == WARPBOUND_METHOD_EXACT || limits->memory_limit > 0 ||
         limits->method == WARPBOUND_METHOD_ILP;
}

static warpbound_status settle(struct wb_work *work)
{
  const enum wb_stop stop = work->result->stop;
  return wb_work_settle(work, stop == WB_STOP_TIME || stop == WB_STOP_INTERRUPTED ||
                                  (stop == WB_STOP_MEMORY && limit_was_asked(work)));
}

/* ---- steps with the memory that they may take ---- */

static warpbound_status tighten_by_small_run_table(struct wb_work *work)
{
  return wb_work_tighten_by_runs(work, wb_minimum(work->control.memory_limit, SMALL_TABLE_BYTES),
                                 false);
}

static warpbound_status tighten_by_full_run_table(struct wb_work *work)
{
  return wb_work_tighten_by_runs(work, wb_work_run_table_memory(work), true);
}

/* The guided search begins with that table itself, where the table alone cannot be exact. */
static warpbound_status tighten_by_run_table_unless_guided(struct wb_work *work)
{
  return wb_run_abstraction_exact(work->problem) || !wb_work_will_guide(work)
             ? tighten_by_full_run_table(work)
             : WARPBOUND_OK;
}

static warpbound_status search_dense_small(struct wb_work *work)
{
  return wb_work_search_dense(work, wb_minimum(work->control.memory_limit, SMALL_TABLE_BYTES));
}

static warpbound_status search_dense_medium(struct wb_work *work)
{
  return wb_work_search_dense(work, wb_minimum(work->control.memory_limit, DENSE_TABLE_BYTES));
}

static warpbound_status search_dense_full(struct wb_work *work)
{
  return wb_work_search_dense(work, work->control.memory_limit);
}

/* One schedule, for a solver may find none in its time. */
static warpbound_status simulate_one_policy(struct wb_work *work)
{
  return wb_work_can_simulate(work) ? wb_work_simulate(work, wb_policy_find("greedy-then-oldest"))
                                    : WARPBOUND_OK;
}

/* Whether a search is to come that a time limit may end. */
static bool is_limited_search(const struct wb_work *work)
{
  warpbound_method method = work->options->limits.method;
  return work->control.deadline > 0 &&
         (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT);
}

/* Before a search that a time limit may end comes all that the method `bounds` does, as it does it:
 * then the answer is never worse than its. (The beams of a row whose table was made for more warps
 * are left out: beams under that table have been at it.) Says so where there is not the time for
 * it. Simulations beyond its means come after it. */
static warpbound_status secure_bounds(struct wb_work *work)
{
  warpbound_status status = WARPBOUND_OK;
  if (!is_limited_search(work))
    return status;
  status = wb_work_tighten_by_runs(work, wb_work_quick_table_memory(work), false);
  if (status == WARPBOUND_OK && !work->recalled_runs)
    status = wb_work_search_beams_quick(work);
  if (wb_work_is_open(work) && (work->cut_short || work->result->stop == WB_STOP_TIME))
    wb_list_add(&work->result->notes, "the time limit is less than what the method 'bounds' takes, "
                                      "whose ends may be closer");
  if (status == WARPBOUND_OK && !wb_work_simulates_quickly(work))
    status = wb_work_find_schedules(work);
  return status;
}

static warpbound_status find_schedules_first(struct wb_work *work)
{
  return !is_limited_search(work) || wb_work_simulates_quickly(work) ? wb_work_find_schedules(work)
                                                                     : WARPBOUND_OK;
}

/* ---- pipelines: steps in order ---- */

static wb_work_step *const with_searches[] = {
    wb_work_bound_by_formulas,
    wb_work_recall,
    find_schedules_first,
    tighten_by_small_run_table,
    search_dense_small,
    wb_work_tighten_by_potentials,
    secure_bounds,
    tighten_by_run_table_unless_guided,
    search_dense_medium,
    wb_work_search_beams_early,
    wb_work_search_guided,
    search_dense_full,
    wb_work_tighten_to_the_end,
    wb_work_certify,
    wb_work_anneal,
    wb_work_search_fewer_warps,
    quote_literature,
    wb_work_find_line,
    settle,
    NULL,
};

/* An integer program in place of the searches. */
static wb_work_step *const with_integer_program[] = {
    wb_work_bound_by_formulas,
    wb_work_recall,
    tighten_by_full_run_table,
    simulate_one_policy,
    wb_work_tighten_by_potentials,
    wb_work_solve_integer_program,
    wb_work_certify,
    quote_literature,
    wb_work_find_line,
    settle,
    NULL,
};

/* Schedulers that are fair between blocks. An upper bound on all work-conserving schedules bounds
 * the fair ones; a lower bound needs a fair schedule, which rules out the other searches. */
static wb_work_step *const with_fair_schedulers[] = {
    wb_work_bound_by_formulas,
    wb_work_recall,
    wb_work_find_schedules,
    tighten_by_small_run_table,
    wb_work_search_forward,
    wb_work_tighten_by_potentials,
    tighten_by_full_run_table,
    wb_work_anneal,
    quote_literature,
    wb_work_find_line,
    settle,
    NULL,
};

static wb_work_step *const of_whole_sm[] = {
    wb_work_run_whole,
    wb_work_find_line,
    settle,
    NULL,
};

static wb_work_step *const *choose_pipeline(const struct wb_work *work)
{
  const bool fair = wb_problem_fair(work->problem);
  if (wb_work_is_whole(work))
    return of_whole_sm;
  if (work->options->limits.method == WARPBOUND_METHOD_ILP)
    return fair ? NULL : with_integer_program;
  return fair ? with_fair_schedulers : with_searches;
}

static warpbound_status run(struct wb_work *work)
{
  wb_work_step *const *steps = choose_pipeline(work);
  return steps != NULL ? wb_work_run(work, steps)
                       : wb_fail(work->error, WARPBOUND_USAGE,
                                 "--fair-blocks: the integer program cannot say it; expected "
                                 "another method");
}

/* Progress as the caller hears it: the bracket so far stands before the phase. */
static void tell_progress(void *context, const char *phase, double fraction)
{
  const struct wb_work *work = context;
  const warpbound_options *limits = &work->options->limits;
  char text[96];
  snprintf(text, sizeof text, "%" PRIu64 "..%" PRIu64 " cycles, %s", work->result->lower.cycles,
           work->result->upper.cycles, phase);
  limits->progress(limits->context, work->result->upper.name != NULL ? text : phase, fraction);
}

static bool ask_caller(void *context)
{
  const struct wb_work *work = context;
  return work->options->limits.interrupted(work->options->limits.context);
}

static void listen_to_caller(struct wb_work *work)
{
  work->control.context = work;
  if (work->control.progress != NULL)
    work->control.progress = tell_progress;
  if (work->control.interrupted != NULL)
    work->control.interrupted = ask_caller;
}

warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error)
{
  *result = (struct warpbound_result){
      .instance = instance, .simulated = options->simulate_only, .policy = options->policy};
  struct wb_work work = {.problem = &instance->problem,
                         .options = options,
                         .control = wb_control_start(&options->limits),
                         .result = result,
                         .error = error};
  listen_to_caller(&work);
  struct wb_known own = {0};
  warpbound_status status = WARPBOUND_OK;
  if (options->known == NULL)
    status = wb_known_start(&own, instance->problem.warps, error);
  work.known = options->known != NULL ? options->known : &own;
  if (status == WARPBOUND_OK)
    status = run(&work);
  wb_known_free(&own);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_result_clear(result);
  return status;
}
