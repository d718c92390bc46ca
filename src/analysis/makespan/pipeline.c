/* The pipeline from an instance to its bracket. */
#include "analysis/makespan/whole.h"
#include "analysis/makespan/work.h"

#include "analysis/paths/path_bounds.h"
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
static warpbound_status quote_literature(struct wb_work *a)
{
  uint64_t cycles;
  warpbound_status status = wb_published_pessimistic(a->problem, &cycles, a->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_published(a, "pessimistic",
                                   "ECRTS 2012, eq. 5-7; not safe where a sigma is 2 or "
                                   "more",
                                   cycles, 0);
  if (status == WARPBOUND_OK && a->result->instance->sm.partitions == 1 &&
      wb_published_fair_time(a->problem, &cycles))
    status = wb_work_add_published(a, "fair-time",
                                   "work in progress on Fermi, 2011, formula FT; a conjecture, not "
                                   "safe",
                                   cycles, 0);
  /* The next formula is about schedulers that need not be fair. */
  if (status != WARPBOUND_OK || wb_work_is_shared(a) || wb_problem_fair(a->problem))
    return status;
  const uint64_t one[] = {0, a->problem->string.length};
  wb_known_exact(a->known, one, 1, "one warp");
  for (uint32_t y = 1; status == WARPBOUND_OK && y < a->problem->warps; y++) {
    if (a->known->of[y].exact == 0)
      continue;
    status = wb_published_tractable(a->problem, y, a->known->of[y].exact, &cycles, a->error);
    if (status == WARPBOUND_OK)
      status = wb_work_add_published(a, "tractable", "ECRTS 2012, eq. 40-41; not safe", cycles, y);
  }
  return status;
}

void wb_work_settle_kinds(struct warpbound_result *result)
{
  bool closed = result->lower.cycles == result->upper.cycles;
  result->exact = closed && !result->instance->estimate;
  if (result->exact)
    result->lower.kind = result->upper.kind = WARPBOUND_EXACT;
  if (!result->instance->estimate)
    return;
  result->lower.kind = result->upper.kind = WARPBOUND_ESTIMATE;
  for (size_t i = 0; i < result->bounds.count; i++)
    result->bounds.items[i].bound.kind = WARPBOUND_ESTIMATE;
}

static warpbound_status settle(struct wb_work *a)
{
  struct warpbound_result *result = a->result;
  warpbound_status status = wb_work_find_line(a);
  if (status != WARPBOUND_OK)
    return status;
  result->search.seconds = wb_clock() - a->control.start;
  if (result->lower.cycles > result->upper.cycles)
    return wb_fail(a->error, WARPBOUND_INTERNAL,
                   "the lower end %llu (%s) is above the upper end %llu (%s) (please report this)",
                   (unsigned long long)result->lower.cycles, result->lower.name,
                   (unsigned long long)result->upper.cycles, result->upper.name);
  wb_work_settle_kinds(result);
  if (result->assumptions.failed || result->notes.failed)
    return wb_out_of_memory(a->error);
  if (result->lower.cycles == result->upper.cycles)
    return WARPBOUND_OK;
  bool asked = a->options->limits.method == WARPBOUND_METHOD_EXACT ||
               a->options->limits.memory_limit > 0 ||
               a->options->limits.method == WARPBOUND_METHOD_ILP;
  bool limit = result->stop == WB_STOP_TIME || result->stop == WB_STOP_INTERRUPTED ||
               (result->stop == WB_STOP_MEMORY && asked);
  return limit ? WARPBOUND_LIMIT : WARPBOUND_OK;
}

/* The pipeline with an integer program in place of the searches. One schedule is simulated,
 * for a solver may find none in its time. */
static warpbound_status run_integer_program(struct wb_work *a)
{
  warpbound_status status = wb_work_bound_by_formulas(a);
  if (status == WARPBOUND_OK)
    status = wb_work_recall(a);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_runs(a, wb_work_run_table_memory(a), true);
  if (status == WARPBOUND_OK && wb_work_can_simulate(a))
    status = wb_work_simulate(a, wb_policy_find("greedy-then-oldest"));
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_potentials(a);
  if (status == WARPBOUND_OK)
    status = wb_work_solve_integer_program(a);
  if (status == WARPBOUND_OK)
    status = wb_work_certify(a);
  if (status == WARPBOUND_OK)
    status = quote_literature(a);
  if (status == WARPBOUND_OK)
    status = settle(a);
  return status;
}

/* The pipeline where the scheduler is fair between blocks. What bounds all work-conserving
 * schedules from above bounds the fair ones; from below only fair ones count, which rules out
 * the other searches. */
static warpbound_status run_fair(struct wb_work *a)
{
  warpbound_status status = wb_work_bound_by_formulas(a);
  if (status == WARPBOUND_OK)
    status = wb_work_recall(a);
  if (status == WARPBOUND_OK)
    status = wb_work_find_schedules(a);
  uint64_t small = wb_minimum(a->control.memory_limit, SMALL_TABLE_BYTES);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_runs(a, small, false);
  if (status == WARPBOUND_OK)
    status = wb_work_search_forward(a);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_potentials(a);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_runs(a, wb_work_run_table_memory(a), true);
  if (status == WARPBOUND_OK)
    status = wb_work_anneal(a);
  if (status == WARPBOUND_OK)
    status = quote_literature(a);
  if (status == WARPBOUND_OK)
    status = settle(a);
  return status;
}

/* Whether a search is to come that a time limit may end. */
static bool is_limited_search(const struct wb_work *a)
{
  warpbound_method method = a->options->limits.method;
  return a->control.deadline > 0 &&
         (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT);
}

/* Before a search that a time limit may end comes all that the method `bounds` does, as it does it:
 * then the answer is never worse than its. (The beams of a row whose table was made for more warps
 * are left out: beams under that table have been at it.) Says so where there is not the time for
 * it. Simulations beyond its means come after it. */
static warpbound_status secure_bounds(struct wb_work *a)
{
  warpbound_status status = WARPBOUND_OK;
  if (!is_limited_search(a))
    return status;
  status = wb_work_tighten_by_runs(a, wb_work_quick_table_memory(a), false);
  if (status == WARPBOUND_OK && !a->recalled_runs)
    status = wb_work_search_beams_quick(a);
  if (wb_work_is_open(a) && (a->cut_short || a->result->stop == WB_STOP_TIME))
    wb_list_add(&a->result->notes, "the time limit is less than what the method 'bounds' takes, "
                                   "whose ends may be closer");
  if (status == WARPBOUND_OK && !wb_work_simulates_quickly(a))
    status = wb_work_find_schedules(a);
  return status;
}

/* The makespan pipeline, in order. */
static warpbound_status run(struct wb_work *a)
{
  warpbound_status status = wb_work_bound_by_formulas(a);
  if (status == WARPBOUND_OK)
    status = wb_work_recall(a);
  if (status == WARPBOUND_OK && (!is_limited_search(a) || wb_work_simulates_quickly(a)))
    status = wb_work_find_schedules(a);
  uint64_t small = wb_minimum(a->control.memory_limit, SMALL_TABLE_BYTES);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_runs(a, small, false);
  if (status == WARPBOUND_OK)
    status = wb_work_search_dense(a, small);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_by_potentials(a);
  if (status == WARPBOUND_OK)
    status = secure_bounds(a);
  if (status == WARPBOUND_OK && (wb_run_abstraction_exact(a->problem) || !wb_work_will_guide(a)))
    status = wb_work_tighten_by_runs(a, wb_work_run_table_memory(a), true);
  if (status == WARPBOUND_OK)
    status = wb_work_search_dense(a, wb_minimum(a->control.memory_limit, DENSE_TABLE_BYTES));
  if (status == WARPBOUND_OK)
    status = wb_work_search_beams_early(a);
  if (status == WARPBOUND_OK)
    status = wb_work_search_guided(a);
  if (status == WARPBOUND_OK)
    status = wb_work_search_dense(a, a->control.memory_limit);
  if (status == WARPBOUND_OK)
    status = wb_work_tighten_to_the_end(a);
  if (status == WARPBOUND_OK)
    status = wb_work_certify(a);
  if (status == WARPBOUND_OK)
    status = wb_work_anneal(a);
  if (status == WARPBOUND_OK)
    status = wb_work_search_fewer_warps(a);
  if (status == WARPBOUND_OK)
    status = quote_literature(a);
  if (status == WARPBOUND_OK)
    status = settle(a);
  return status;
}

/* The pipeline that the question and the method ask for. */
static warpbound_status choose(struct wb_work *a)
{
  if (wb_work_is_whole(a)) {
    warpbound_status status = wb_work_run_whole(a);
    return status == WARPBOUND_OK ? settle(a) : status;
  }
  bool fair = wb_problem_fair(a->problem);
  if (a->options->limits.method != WARPBOUND_METHOD_ILP)
    return fair ? run_fair(a) : run(a);
  if (!fair)
    return run_integer_program(a);
  return wb_fail(a->error, WARPBOUND_USAGE,
                 "--fair-blocks: the integer program cannot say it; expected another method");
}

/* Progress as the caller hears it: the bracket so far stands before the phase. */
static void tell_progress(void *context, const char *phase, double fraction)
{
  const struct wb_work *a = context;
  const warpbound_options *limits = &a->options->limits;
  char text[96];
  snprintf(text, sizeof text, "%" PRIu64 "..%" PRIu64 " cycles, %s", a->result->lower.cycles,
           a->result->upper.cycles, phase);
  limits->progress(limits->context, a->result->upper.name != NULL ? text : phase, fraction);
}

static bool ask_caller(void *context)
{
  const struct wb_work *a = context;
  return a->options->limits.interrupted(a->options->limits.context);
}

static void listen_to_caller(struct wb_work *a)
{
  a->control.context = a;
  if (a->control.progress != NULL)
    a->control.progress = tell_progress;
  if (a->control.interrupted != NULL)
    a->control.interrupted = ask_caller;
}

warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error)
{
  *result = (struct warpbound_result){
      .instance = instance, .simulated = options->simulate_only, .policy = options->policy};
  struct wb_work a = {.problem = &instance->problem,
                      .options = options,
                      .control = wb_control_start(&options->limits),
                      .result = result,
                      .error = error};
  listen_to_caller(&a);
  struct wb_known own = {0};
  warpbound_status status = WARPBOUND_OK;
  if (options->known == NULL)
    status = wb_known_start(&own, instance->problem.warps, error);
  a.known = options->known != NULL ? options->known : &own;
  if (status == WARPBOUND_OK)
    status = choose(&a);
  wb_known_free(&own);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_result_clear(result);
  return status;
}

uint64_t wb_result_witness(const struct warpbound_result *result)
{
  return result->whole_witness.issue_cycle != NULL ? result->whole_witness.makespan
                                                   : result->witness.makespan;
}

static void free_phase(struct wb_phase *phase)
{
  wb_kernel_string_free(&phase->kernel);
  wb_result_clear(&phase->result);
  wb_instance_clear(&phase->instance);
}

bool wb_phase_ends(const struct wb_phase *phase, uint64_t *lower, uint64_t *upper)
{
  return wb_add(phase->result.lower.cycles, phase->tail, lower) &&
         wb_add(phase->result.upper.cycles, phase->tail, upper);
}

void wb_result_drop_phases(struct warpbound_result *result)
{
  for (size_t p = 0; p < result->phase_count; p++)
    free_phase(&result->phases[p]);
  free(result->phases);
  result->phases = NULL;
  result->phase_count = 0;
}

void wb_result_clear(struct warpbound_result *result)
{
  free(result->bounds.items);
  free(result->published.items);
  wb_schedule_free(&result->witness);
  wb_sm_schedule_free(&result->whole_witness);
  wb_result_drop_phases(result);
  wb_potential_proof_free(&result->potential);
  free(result->cut);
  wb_list_free(&result->notes);
  wb_annealing_result_free(&result->annealing);
  wb_list_free(&result->assumptions);
  wb_integer_result_free(&result->integer);
  if (result->certificate != NULL)
    wb_path_certificate_free(result->certificate);
  free(result->certificate);
  if (result->owned_instance != NULL)
    wb_instance_clear(result->owned_instance);
  free(result->owned_instance);
  *result = (struct warpbound_result){0};
}
