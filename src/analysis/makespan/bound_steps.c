/* Steps that make upper ends: formulas, the run abstraction, potentials, an integer program. */
#include "analysis/makespan/makespan_steps.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/system/process.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/potential/potential_line.h"
#include "makespan/potential/potential_search.h"
#include "makespan/potential/trailing_warps.h"
#include "makespan/runs/run_abstraction.h"
#include "makespan/runs/run_cutting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- formulas, and the run abstraction ---- */

warpbound_status wb_makespan_bound_by_formulas(struct wb_makespan_analysis *analysis)
{
  const struct wb_problem *problem = analysis->problem;
  const bool shared = wb_makespan_is_shared(analysis);
  uint64_t serial = 0;
  uint64_t volume = 0;
  warpbound_status status = WARPBOUND_OK;
  analysis->alone = UINT64_MAX;
  if (shared) {
    /* A schedule of one partition by itself is a lower end only, and never above the bounds of that
     * partition by itself. */
    uint64_t closed_form = 0;
    struct wb_problem alone = *problem;
    memset(alone.shared, 0, sizeof alone.shared);
    alone.outside_warps = 0;
    status = wb_bound_closed_form(&alone, &closed_form, analysis->error);
    if (status == WARPBOUND_OK)
      status = wb_bound_serial(&alone, &serial, analysis->error);
    if (status == WARPBOUND_OK)
      analysis->alone = wb_minimum(closed_form, serial);
  }
  if (status == WARPBOUND_OK)
    status = wb_bound_closed_form(problem, &analysis->closed_form, analysis->error);
  if (status == WARPBOUND_OK && !shared)
    status = wb_bound_serial(problem, &serial, analysis->error);
  if (status == WARPBOUND_OK)
    status = wb_bound_volume(problem, &volume, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_add_bound(analysis, "closed-form", "after Graham 1966 and Jaffe 1980; " OUR_PROOF,
                        WARPBOUND_UPPER, analysis->closed_form);
  if (!shared)
    wb_makespan_add_bound(analysis, "serial", "W * I: some warp issues in every cycle",
                          WARPBOUND_UPPER, serial);
  wb_makespan_add_bound(analysis, "volume", "work over capacity: every schedule takes it",
                        WARPBOUND_LOWER, volume);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_use_table(struct wb_makespan_analysis *analysis)
{
  const struct wb_warp_count_row *known = &analysis->warp_counts->of[analysis->problem->warps];
  if (wb_makespan_is_shared(analysis) || analysis->options->simulate_only)
    return WARPBOUND_OK;
  analysis->recalled_runs = known->runs;
  if (known->exact != 0)
    wb_makespan_add_bound(analysis, known->exact_by, "found with the table of more warps",
                          WARPBOUND_EXACT, known->exact);
  else if (known->upper != 0 && known->upper < analysis->result->upper.cycles)
    wb_makespan_add_bound(analysis, known->upper_by, "found with more warps", WARPBOUND_UPPER,
                          known->upper);
  if (known->lower > analysis->result->lower.cycles)
    wb_makespan_add_bound(analysis, known->lower_by, "a schedule found with more warps",
                          WARPBOUND_LOWER, known->lower);
  return WARPBOUND_OK;
}

void wb_makespan_keep_cut(struct wb_makespan_analysis *analysis, uint32_t *lengths, size_t count,
                          uint64_t cycles)
{
  struct warpbound_result *result = analysis->result;
  if (lengths == NULL || (result->cut != NULL && result->cut_cycles <= cycles)) {
    free(lengths);
    return;
  }
  free(result->cut);
  result->cut = lengths;
  result->cut_count = count;
  result->cut_cycles = cycles;
}

warpbound_status wb_makespan_keep_plain_cut(struct wb_makespan_analysis *analysis, bool single,
                                            uint64_t cycles)
{
  const struct wb_kernel_string *string = &analysis->problem->string;
  size_t count = single ? string->length : string->run_count;
  uint32_t *lengths = wb_allocate(count, sizeof *lengths);
  if (lengths == NULL)
    return wb_out_of_memory(analysis->error);
  for (size_t r = 0; r < count; r++)
    lengths[r] = single ? 1 : (uint32_t)string->runs[r].length;
  wb_makespan_keep_cut(analysis, lengths, count, cycles);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_tighten_by_runs(struct wb_makespan_analysis *analysis, uint64_t memory,
                                             bool final)
{
  if (wb_makespan_is_shared(analysis) || analysis->options->simulate_only ||
      !wb_makespan_is_open(analysis) || analysis->warp_counts->of[analysis->problem->warps].runs ||
      !wb_makespan_may_go_on(analysis, "run abstraction"))
    return WARPBOUND_OK;
  struct wb_search search;
  warpbound_status status =
      wb_run_abstraction_search(analysis->problem, analysis->result->upper.cycles, memory,
                                &analysis->control, &search, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  if (search.stop != WB_STOP_MEMORY || final) {
    wb_makespan_count_table(analysis, &search);
    wb_makespan_note_stop(analysis, "run abstraction", &search, memory);
  }
  if (search.stop == WB_STOP_NONE) {
    const uint32_t warps = analysis->problem->warps;
    const uint64_t cycles = search.makespan[warps];
    const bool exact = wb_run_abstraction_exact(analysis->problem);
    if (cycles != UINT64_MAX)
      wb_makespan_add_bound(analysis, "run-abstraction", "longest path over runs; " OUR_PROOF,
                            exact ? WARPBOUND_EXACT : WARPBOUND_UPPER, cycles);
    if (exact)
      wb_warp_count_table_add_exact(analysis->warp_counts, search.makespan, warps,
                                    "run-abstraction");
    for (uint32_t y = 1; y <= warps && !exact; y++)
      wb_warp_count_table_add_run_bound(analysis->warp_counts, y, search.makespan[y],
                                        "run-abstraction");
    if (search.witness.issue_cycle != NULL)
      status = wb_makespan_offer_witness(analysis, &search.witness, "run-abstraction", NULL);
    if (status == WARPBOUND_OK)
      status = wb_makespan_keep_plain_cut(analysis, false, cycles);
  }
  wb_search_free(&search);
  return status;
}

warpbound_status wb_makespan_certify(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  uint64_t upper = result->upper.cycles;
  bool certified = (result->potential.cycles > 0 && result->potential.cycles <= upper) ||
                   (result->cut != NULL && result->cut_cycles <= upper);
  if (!analysis->options->certify || wb_makespan_is_shared(analysis) || certified ||
      !wb_makespan_may_go_on(analysis, "certificate"))
    return WARPBOUND_OK;
  struct wb_cutting cutting;
  bool found = false;
  uint32_t *lengths = NULL;
  if (!wb_cutting_start(&cutting, analysis->problem))
    return wb_out_of_memory(analysis->error);
  warpbound_status status =
      wb_cutting_prove(&cutting, upper, &analysis->control, &found, analysis->error);
  if (status == WARPBOUND_OK && found) {
    lengths = wb_allocate(cutting.count, sizeof *lengths);
    if (lengths == NULL)
      status = wb_out_of_memory(analysis->error);
    for (size_t r = 0; lengths != NULL && r < cutting.count; r++)
      lengths[r] = (uint32_t)cutting.runs[r].length;
    wb_makespan_keep_cut(analysis, lengths, cutting.count, upper);
  }
  wb_cutting_free(&cutting);
  return status;
}

/* ---- potentials ---- */

#define SOURCE "linear program over pools of runs; proof in doc/potentials/potentials.md"

/* Shares of the time that a time limit leaves. */
#define QUICK_SHARE 0.6   /* quick potentials, at least */
#define QUICK_RESERVE 1.5 /* seconds for the steps after quick potentials, at most */
#define ALONE_SHARE 0.7   /* better potentials, where the beams wait for them */
#define BESIDE_SHARE 0.97 /* better potentials, beside the beams */

/* Most moves for following more trailing warps of the best potential: some seconds. */
#define TRAILING_STEPS UINT64_C(1000000000)

/* A search for better potentials. Owns what it has found; borrows the rest. */
struct job {
  const struct wb_problem *problem;
  struct wb_potential_search_options options;
  struct wb_control control;
  struct wb_potential_search_result found;
  struct wb_potential_proof
      *known;         /* the best one so far, whose trailing warps may be followed on */
  uint64_t memory;    /* bytes for following them */
  bool better;        /* `known` was improved so */
  atomic_bool closed; /* it proved the makespan of a schedule */
  atomic_bool over;   /* a schedule that closes the bracket was found: to stop */
  warpbound_status status;
  warpbound_error error;
};

static bool wants_potentials(struct wb_makespan_analysis *analysis)
{
  return !analysis->options->simulate_only && wb_makespan_is_open(analysis) &&
         analysis->problem->warps >= 2 && wb_pools_suit(analysis->problem) &&
         wb_makespan_may_go_on(analysis, "potentials");
}

static struct job make_job(const struct wb_makespan_analysis *analysis,
                           enum wb_potential_depth depth, double share)
{
  struct warpbound_result *result = analysis->result;
  struct job job = {.problem = analysis->problem,
                    .control = wb_control_limit_share(&analysis->control, share),
                    .known = &result->potential,
                    .memory = analysis->control.memory_limit / 4};
  job.options = (struct wb_potential_search_options){
      .below = result->upper.cycles,
      .enough = result->lower.cycles,
      .depth = depth,
      .coarser = result->potential.cycles > 0 ? &result->potential : NULL,
      .settled = analysis->settled_potentials};
  return job;
}

static void search_potentials(struct job *job)
{
  job->status =
      wb_potential_search(job->problem, &job->options, &job->control, &job->found, &job->error);
}

/* Takes the potentials of the job over. */
static warpbound_status use_potentials(struct wb_makespan_analysis *analysis, struct job *job)
{
  struct warpbound_result *result = analysis->result;
  if (job->status != WARPBOUND_OK) {
    wb_potential_proof_free(&job->found.proof);
    return wb_fail_with(analysis->error, &job->error);
  }
  analysis->settled_potentials = job->options.settled;
  if (wb_makespan_is_open(analysis))
    (void)wb_makespan_may_go_on(analysis, "potentials"); /* notes where the whole time is over */
  if (!job->found.found && !job->better)
    return WARPBOUND_OK;
  if (job->found.found) {
    wb_potential_proof_free(&result->potential);
    result->potential = job->found.proof;
  }
  wb_warp_count_table_add_line(analysis->warp_counts, &result->potential, "potential");
  if (result->upper.cycles >= result->potential.cycles)
    wb_makespan_add_bound(analysis, "potential", SOURCE, WARPBOUND_UPPER, result->potential.cycles);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_tighten_by_potentials(struct wb_makespan_analysis *analysis)
{
  if (!wants_potentials(analysis))
    return WARPBOUND_OK;
  double left = analysis->control.deadline > 0 ? analysis->control.deadline - wb_clock() : 0;
  double share = left > 0 ? fmax(QUICK_SHARE, 1 - QUICK_RESERVE / left) : 1;
  struct job job = make_job(analysis, WB_POTENTIAL_QUICK, share);
  search_potentials(&job);
  analysis->cut_short = analysis->cut_short || job.found.stop == WB_STOP_TIME;
  return use_potentials(analysis, &job);
}

static void *improve_potentials(void *argument)
{
  struct job *job = argument;
  search_potentials(job);
  struct wb_potential_proof *best = job->found.found ? &job->found.proof : job->known;
  const uint64_t before = best->cycles;
  if (job->status == WARPBOUND_OK && before > 0 && before > job->options.enough) {
    /* Follows more trailing warps of the best potential. */
    struct wb_trailing_effort effort = {TRAILING_STEPS, job->memory};
    enum wb_stop stop;
    job->status = wb_potential_follow_more(best, &effort, &job->control, &stop, &job->error);
    job->better = best->cycles < before;
  }
  if (best->cycles > 0 && best->cycles <= job->options.enough)
    atomic_store(&job->closed, true);
  return NULL;
}

/* Solves the linear programs, then searches with beams. */
static warpbound_status search_after(struct wb_makespan_analysis *analysis)
{
  struct job job = make_job(analysis, WB_POTENTIAL_FULL, ALONE_SHARE);
  improve_potentials(&job);
  warpbound_status status = use_potentials(analysis, &job);
  return status == WARPBOUND_OK ? wb_makespan_search_beams_late(analysis) : status;
}

/* Searches with beams while another thread solves the linear programs, where a second thread is
 * wanted and can be had. */
warpbound_status wb_makespan_tighten_to_the_end(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_wants_search(analysis) || !wants_potentials(analysis))
    return wb_makespan_search_beams_late(analysis);
  if (analysis->control.deadline <= 0 || analysis->control.threads < 2)
    return search_after(analysis);
  struct job job = make_job(analysis, WB_POTENTIAL_FULL, BESIDE_SHARE);
  struct wb_workers workers;
  job.control.progress = NULL;
  job.control.over = &job.over;
  wb_workers_start(&workers, improve_potentials, &job, 2, 0);
  if (workers.started <= 1)
    return search_after(analysis);
  analysis->control.threads--;
  analysis->closed = &job.closed;
  const warpbound_status status = wb_makespan_search_beams_late(analysis);
  analysis->closed = NULL;
  analysis->control.threads++;
  if (status != WARPBOUND_OK || !wb_makespan_is_open(analysis))
    atomic_store(&job.over, true);
  wb_workers_join(&workers);
  if (status == WARPBOUND_OK)
    return use_potentials(analysis, &job);
  wb_potential_proof_free(&job.found.proof);
  return status;
}

warpbound_status wb_makespan_find_line(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  if (analysis->options->warp_counts == NULL || analysis->warp_counts->line_sought ||
      analysis->options->simulate_only || !wb_pools_suit(analysis->problem) ||
      wb_control_stopped(&analysis->control) != WB_STOP_NONE)
    return WARPBOUND_OK;
  analysis->warp_counts->line_sought = true;
  result->line = wb_potential_read_line(&result->potential);
  if (result->line.divisor > 0)
    return WARPBOUND_OK;
  /* Looks for a line for the instance's W, or for the fewest warps that a line may begin with;
   * there the volume is the lower end. */
  struct wb_problem problem = *analysis->problem;
  struct wb_potential_proof proof;
  uint64_t enough = result->lower.cycles;
  bool found = false;
  problem.warps = (uint32_t)wb_maximum(problem.warps, wb_potential_line_warps(&problem));
  if (problem.warps > analysis->problem->warps &&
      wb_bound_volume(&problem, &enough, NULL) != WARPBOUND_OK)
    return WARPBOUND_OK; /* beyond 64 bits */
  const warpbound_status status =
      wb_potential_find_line(&problem, enough, &analysis->control, &proof, &found, analysis->error);
  if (status != WARPBOUND_OK || !found)
    return status;
  result->line = wb_potential_read_line(&proof);
  wb_warp_count_table_add_line(analysis->warp_counts, &proof, "potential");
  wb_potential_proof_free(&proof);
  return WARPBOUND_OK;
}

/* ---- the integer program, in place of the searches ---- */

/* Tolerance of a solver's bound, in cycles. */
#define SOLVER_TOLERANCE 1e-6

/* Plans the program for the horizon asked for, by default the proven upper end. *fits: false where
 * it needs more memory than is allowed. */
static warpbound_status plan_integer_program(struct wb_makespan_analysis *analysis, bool *fits)
{
  const struct wb_integer_options *options = &analysis->options->integer;
  const warpbound_bound *proven = &analysis->result->upper;
  struct wb_integer_result *integer = &analysis->result->integer;
  uint64_t horizon = options->horizon > 0 ? options->horizon : proven->cycles;
  size_t length = analysis->problem->string.length;
  if (horizon < length)
    return wb_fail(analysis->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %zu, the instructions of a warp, found '%" PRIu64
                   "'",
                   length, horizon);
  if (horizon < proven->cycles && !options->allow_short)
    return wb_fail(analysis->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %" PRIu64 ", which is proven (%s), found '%" PRIu64
                   "'; a "
                   "shorter one may cut the worst case off (--allow-short-horizon)",
                   proven->cycles, proven->name, horizon);
  integer->short_horizon = horizon < proven->cycles;
  integer->horizon_name = options->horizon > 0 ? "given" : proven->name;
  *fits = horizon <= WB_LINEAR_LIMIT;
  if (*fits)
    wb_integer_plan_make(analysis->problem, options->form, (uint32_t)horizon, &integer->plan);
  *fits = *fits && integer->plan.bytes <= analysis->control.memory_limit;
  if (*fits)
    return WARPBOUND_OK;
  uint64_t needed = integer->plan.bytes;
  analysis->result->stop = WB_STOP_MEMORY;
  if (needed == 0 || needed == UINT64_MAX)
    wb_list_add(&analysis->result->notes,
                "integer program: left out, it is far beyond the %" PRIu64 " bytes "
                "allowed",
                analysis->control.memory_limit);
  else
    wb_list_add(&analysis->result->notes,
                "integer program: left out, it needs %" PRIu64 " bytes, %" PRIu64 " are allowed",
                needed, analysis->control.memory_limit);
  return WARPBOUND_OK;
}

static warpbound_status refuted(struct wb_makespan_analysis *analysis, const char *claim,
                                double number)
{
  const struct warpbound_result *result = analysis->result;
  return wb_fail(analysis->error, WARPBOUND_CHECK_FAILED,
                 "the solver is wrong: it says %s %.17g, but the worst case is %" PRIu64
                 " to %" PRIu64 " cycles",
                 claim, number, result->lower.cycles, result->upper.cycles);
}

/* Records the solver's upper bound as an estimate: it computes in floating point and gives no proof
 * that could be checked. The bound is one on T(W) only where no schedule is longer than the horizon
 * and no other partition uses the units. */
static warpbound_status use_solver_bound(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  const struct wb_integer_result *integer = &result->integer;
  if (integer->status == WB_LINEAR_INFEASIBLE && !integer->short_horizon)
    return refuted(analysis, "that every schedule takes more than", integer->plan.horizon);
  if (integer->status == WB_LINEAR_INFEASIBLE)
    wb_list_add(&result->notes,
                "the solver says that no work-conserving schedule ends within %u "
                "cycles",
                integer->plan.horizon);
  if (integer->status == WB_LINEAR_UNBOUNDED)
    return refuted(analysis, "that the makespan has no bound but", integer->bound);
  if (integer->short_horizon || wb_makespan_is_shared(analysis) ||
      !(integer->bound < WB_LINEAR_LIMIT))
    return WARPBOUND_OK;
  double cycles = floor(integer->bound + SOLVER_TOLERANCE);
  if (cycles < (double)result->lower.cycles)
    return refuted(analysis, "that no schedule takes more than", integer->bound);
  wb_makespan_add_bound(analysis, "integer-program",
                        "the solver's bound, in floating point: no proof", WARPBOUND_ESTIMATE,
                        (uint64_t)cycles);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_solve_integer_program(struct wb_makespan_analysis *analysis)
{
  bool fits = false;
  warpbound_status status = plan_integer_program(analysis, &fits);
  if (status != WARPBOUND_OK || !fits || !wb_makespan_may_go_on(analysis, "integer program"))
    return status;
  status = wb_integer_analyse(analysis->problem, &analysis->options->integer, &analysis->control,
                              &analysis->result->integer, analysis->error);
  if (status != WARPBOUND_OK || !analysis->options->integer.solve)
    return status;
  struct warpbound_result *result = analysis->result;
  struct wb_schedule *schedule = &result->integer.schedule;
  wb_makespan_note_early_end(analysis, result->integer.stop, "integer program");
  result->search.memory_bytes = result->integer.plan.bytes;
  if (schedule->issue_cycle != NULL) {
    /* The solver's schedule counts once the checker accepts it. It replaces others of the same
     * length: the user asked for it. */
    const uint64_t makespan = schedule->makespan;
    warpbound_error refusal = {0};
    status = wb_judge_schedule(analysis->problem, schedule, &refusal);
    if (status == WARPBOUND_CHECK_FAILED)
      return wb_fail(analysis->error, status,
                     "the solver's solution is not a valid schedule: %.300s", refusal.message);
    if (makespan == result->witness.makespan)
      wb_schedule_free(&result->witness);
    if (status == WARPBOUND_OK)
      status = wb_makespan_offer_witness(analysis, schedule, "integer-program",
                                         "schedule of the solver's solution");
    if (status == WARPBOUND_OK && makespan == result->lower.cycles)
      result->lower = (warpbound_bound){.name = "integer-program",
                                        .source = "schedule of the solver's solution",
                                        .cycles = makespan,
                                        .kind = WARPBOUND_LOWER};
  }
  return status == WARPBOUND_OK ? use_solver_bound(analysis) : status;
}
