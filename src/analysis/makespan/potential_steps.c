/* Steps that make upper ends by potentials. */
#include "analysis/makespan/makespan_steps.h"

#include "base/checked.h"
#include "base/system/workers.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/potential/potential_search.h"
#include "makespan/potential/trailing_warps.h"

#include <math.h>

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
