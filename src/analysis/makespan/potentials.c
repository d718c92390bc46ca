/* Bounds from above by potentials, quick ones and, beside the last beams, better ones. */
#include "analysis/makespan/work.h"

#include "base/checked.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/potential/potential_line.h"
#include "makespan/potential/trailing_warps.h"

#include <math.h>
#include <pthread.h>

#define SOURCE "linear program over pools of runs; proof in doc/potentials.md"

/* Shares of what a time limit leaves: for quick potentials at least, which leave no more seconds
 * than the steps behind them take; for better ones where beams wait for them, and where they do
 * not. */
#define QUICK_SHARE 0.6
#define QUICK_RESERVE 1.5
#define ALONE_SHARE 0.7
#define BESIDE_SHARE 0.97

/* Moves looked at when more of the rear of the best potential are followed: some seconds. */
#define TRAILING_STEPS UINT64_C(1000000000)

/* A search for better potentials. known: the best so far, whose rear may be followed further;
 * better: it was. closed: it proved what a schedule reaches; over: a schedule that does is found.
 */
struct job {
  const struct wb_problem *problem;
  struct wb_potential_search_options options;
  struct wb_control control;
  struct wb_potential_search_result found;
  struct wb_potential_proof *known;
  uint64_t memory;
  bool better;
  atomic_bool closed;
  atomic_bool over;
  warpbound_status status;
  warpbound_error error;
};

static bool wants_potentials(struct wb_work *work)
{
  return !work->options->simulate_only && wb_work_is_open(work) && work->problem->warps >= 2 &&
         wb_pools_suit(work->problem) && wb_work_may_go_on(work, "potentials");
}

static struct job make_job(const struct wb_work *work, enum wb_potential_depth depth, double share)
{
  struct warpbound_result *result = work->result;
  struct job job = {.problem = work->problem,
                    .control = wb_control_limit_share(&work->control, share),
                    .known = &result->potential,
                    .memory = work->control.memory_limit / 4};
  job.options = (struct wb_potential_search_options){
      .below = result->upper.cycles,
      .enough = result->lower.cycles,
      .depth = depth,
      .coarser = result->potential.cycles > 0 ? &result->potential : NULL,
      .settled = work->settled_potentials};
  return job;
}

static void search(struct job *job)
{
  job->status =
      wb_potential_search(job->problem, &job->options, &job->control, &job->found, &job->error);
}

/* Follows more of the rear of the best potential. */
static void follow(struct job *job)
{
  struct wb_potential_proof *proof = job->found.found ? &job->found.proof : job->known;
  struct wb_trailing_effort effort = {TRAILING_STEPS, job->memory};
  enum wb_stop stop;
  uint64_t before = proof->cycles;
  if (job->status != WARPBOUND_OK || proof->cycles == 0 || proof->cycles <= job->options.enough)
    return;
  job->status = wb_potential_follow_more(proof, &effort, &job->control, &stop, &job->error);
  job->better = proof->cycles < before;
}

/* Takes over what the job has found. */
static warpbound_status use(struct wb_work *work, struct job *job)
{
  struct warpbound_result *result = work->result;
  if (job->status != WARPBOUND_OK) {
    wb_potential_proof_free(&job->found.proof);
    if (work->error != NULL)
      *work->error = job->error;
    return job->status;
  }
  work->settled_potentials = job->options.settled;
  if (wb_work_is_open(work))
    (void)wb_work_may_go_on(work, "potentials"); /* notes where the whole time is over */
  if (!job->found.found && !job->better)
    return WARPBOUND_OK;
  if (job->found.found) {
    wb_potential_proof_free(&result->potential);
    result->potential = job->found.proof;
  }
  wb_known_line(work->known, &result->potential, "potential");
  if (result->upper.cycles < result->potential.cycles)
    return WARPBOUND_OK;
  return wb_work_add_bound(work, "potential", SOURCE, WARPBOUND_UPPER, result->potential.cycles);
}

warpbound_status wb_work_tighten_by_potentials(struct wb_work *work)
{
  if (!wants_potentials(work))
    return WARPBOUND_OK;
  double left = work->control.deadline > 0 ? work->control.deadline - wb_clock() : 0;
  double share = left > 0 ? fmax(QUICK_SHARE, 1 - QUICK_RESERVE / left) : 1;
  struct job job = make_job(work, WB_POTENTIAL_QUICK, share);
  search(&job);
  work->cut_short = work->cut_short || job.found.stop == WB_STOP_TIME;
  return use(work, &job);
}

static void *improve_potentials(void *argument)
{
  struct job *job = argument;
  search(job);
  follow(job);
  const struct wb_potential_proof *best = job->found.found ? &job->found.proof : job->known;
  if (best->cycles > 0 && best->cycles <= job->options.enough)
    atomic_store(&job->closed, true);
  return NULL;
}

/* The programs are solved on one thread. Where a time limit ends the beams anyway, these go on
 * beside them on the others. */
static warpbound_status work_beside_beams(struct wb_work *work, struct job *job)
{
  pthread_t thread;
  job->control.progress = NULL;
  job->control.over = &job->over;
  if (pthread_create(&thread, NULL, improve_potentials, job) != 0)
    return wb_out_of_memory(work->error);
  work->control.threads--;
  work->closed = &job->closed;
  warpbound_status status = wb_work_search_beams_late(work);
  work->closed = NULL;
  work->control.threads++;
  if (status != WARPBOUND_OK || !wb_work_is_open(work))
    atomic_store(&job->over, true);
  pthread_join(thread, NULL);
  if (status == WARPBOUND_OK)
    return use(work, job);
  wb_potential_proof_free(&job->found.proof);
  return status;
}

warpbound_status wb_work_tighten_to_the_end(struct wb_work *work)
{
  if (!wb_work_wants_search(work) || !wants_potentials(work))
    return wb_work_search_beams_late(work);
  bool beside = work->control.deadline > 0 && work->control.threads > 1;
  struct job job = make_job(work, WB_POTENTIAL_FULL, beside ? BESIDE_SHARE : ALONE_SHARE);
  if (beside)
    return work_beside_beams(work, &job);
  improve_potentials(&job);
  warpbound_status status = use(work, &job);
  return status == WARPBOUND_OK ? wb_work_search_beams_late(work) : status;
}

static bool wants_line(struct wb_work *work)
{
  return work->options->known != NULL && !work->known->line_sought &&
         !work->options->simulate_only && wb_pools_suit(work->problem);
}

/* Looks for a line for the instance's W, or for the fewest that some line begins with, where the
 * volume says what is enough. */
static warpbound_status seek_line(struct wb_work *work)
{
  struct wb_problem problem = *work->problem;
  struct wb_potential_proof proof;
  uint64_t enough = work->result->lower.cycles;
  bool found = false;
  problem.warps = (uint32_t)wb_maximum(problem.warps, wb_potential_line_warps(&problem));
  if (problem.warps > work->problem->warps &&
      wb_bound_volume(&problem, &enough, NULL) != WARPBOUND_OK)
    return WARPBOUND_OK; /* beyond 64 bits */
  warpbound_status status =
      wb_potential_find_line(&problem, enough, &work->control, &proof, &found, work->error);
  if (status != WARPBOUND_OK || !found)
    return status;
  work->result->line = wb_potential_read_line(&proof);
  wb_known_line(work->known, &proof, "potential");
  wb_potential_proof_free(&proof);
  return WARPBOUND_OK;
}

warpbound_status wb_work_find_line(struct wb_work *work)
{
  if (!wants_line(work) || wb_control_stopped(&work->control) != WB_STOP_NONE)
    return WARPBOUND_OK;
  work->known->line_sought = true;
  work->result->line = wb_potential_read_line(&work->result->potential);
  return work->result->line.divisor > 0 ? WARPBOUND_OK : seek_line(work);
}
