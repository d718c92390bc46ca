#include "makespan/beam/beam_portfolio.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/beam/value_plan.h"
#include "makespan/beam/wide_beam.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Beams of a generation: a fixed number, so that nothing depends on the threads. */
#define GENERATION 8
#define FIRST_WIDTH ((size_t)8)
/* The first generation takes at most this share of the work allowed, where narrower beams
 * can keep it so. */
#define FIRST_SHARE 4
/* About the steps of a second, to see how wide the first beams of a time limit can be. */
#define STEPS_PER_SECOND 2e7
#define MOST_WIDTH ((size_t)1 << 17)
/* Moves of a state that are tried: half the width, within these. */
#define LEAST_BRANCH ((size_t)8)
#define MOST_BRANCH ((size_t)64)
/* Generations without a longer schedule after which beams get wider. */
#define PATIENCE 4
/* First plans that are tried again in wider beams. */
#define RETURNING 3

/* One beam to run: under which plan, and what came of it. */
struct job {
  struct wb_value_plan plan;
  struct wb_state_value value;
  struct wb_beam_result result;
  warpbound_status status;
  warpbound_error error;
};

/* best: the plan that changes start from, and the length it gave at the present width.
 * stale: generations since that grew. */
struct portfolio {
  const struct wb_problem *problem;
  const struct wb_portfolio_options *options;
  const struct wb_control *control;
  struct wb_portfolio_result *result;
  struct wb_random random;
  struct job jobs[GENERATION];
  struct wb_value_plan best;
  uint64_t best_length;
  size_t width;
  unsigned stale;
  unsigned returning; /* which of the first plans is tried next */
};

/* What the threads of a generation share. */
struct shift {
  struct portfolio *portfolio;
  pthread_mutex_t gate;
  unsigned next;
};

static size_t branch_of(size_t width)
{
  return (size_t)wb_minimum(wb_maximum(width / 2, LEAST_BRANCH), MOST_BRANCH);
}

static void run_job(struct portfolio *p, struct job *job)
{
  struct wb_beam_options options = {.width = p->width,
                                    .branch = branch_of(p->width),
                                    .longer_than = p->result->longest,
                                    .memory = p->control->memory_limit / GENERATION};
  uint64_t work = p->options->work;
  options.work = work > p->result->work ? (work - p->result->work) / GENERATION + 1 : 0;
  wb_value_plan_apply(&job->plan, &job->value);
  job->status =
      wb_wide_beam_search(p->problem, &job->value, &options, p->control, &job->result, &job->error);
}

static void *work_through(void *context)
{
  struct shift *shift = context;
  for (;;) {
    pthread_mutex_lock(&shift->gate);
    unsigned mine = shift->next++;
    pthread_mutex_unlock(&shift->gate);
    if (mine >= GENERATION)
      return NULL;
    run_job(shift->portfolio, &shift->portfolio->jobs[mine]);
  }
}

/* Runs all jobs, on as many threads as can be had. */
static void run_jobs(struct portfolio *p)
{
  pthread_t threads[GENERATION];
  struct shift shift = {.portfolio = p};
  pthread_mutex_init(&shift.gate, NULL);
  unsigned started = 0;
  while (started + 1 < p->control->threads && started + 1 < GENERATION &&
         pthread_create(&threads[started], NULL, work_through, &shift) == 0)
    started++;
  work_through(&shift);
  while (started > 0)
    pthread_join(threads[--started], NULL);
  pthread_mutex_destroy(&shift.gate);
}

/* Takes the results of a generation over, in the order of the jobs. *first: the best. */
static warpbound_status take_results(struct portfolio *p, unsigned *first, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  struct wb_portfolio_result *result = p->result;
  uint64_t bytes = 0;
  *first = 0;
  for (unsigned i = 0; i < GENERATION; i++) {
    struct job *job = &p->jobs[i];
    if (job->status != WARPBOUND_OK) {
      status = job->status;
      *error = job->error;
    }
    result->beams++;
    result->work += job->result.work;
    result->states += job->result.states;
    bytes += job->result.bytes;
    result->complete = result->complete || job->result.complete;
    if (job->result.stop != WB_STOP_NONE)
      result->stop = job->result.stop;
    if (job->result.longest > result->longest && job->result.witness.issue_cycle != NULL) {
      result->longest = job->result.longest;
      wb_schedule_swap(&result->witness, &job->result.witness);
    }
    wb_schedule_free(&job->result.witness);
    if (job->result.longest > p->jobs[*first].result.longest)
      *first = i;
  }
  result->bytes = wb_maximum(result->bytes, bytes);
  result->peak = wb_maximum(result->peak, p->width * GENERATION);
  return status;
}

static warpbound_status run_generation(struct portfolio *p, warpbound_error *error)
{
  unsigned first;
  run_jobs(p);
  warpbound_status status = take_results(p, &first, error);
  uint64_t length = p->jobs[first].result.longest;
  p->stale = length > p->best_length ? 0 : p->stale + 1;
  if (length >= p->best_length) {
    p->best_length = length;
    wb_value_plan_copy(&p->best, &p->jobs[first].plan);
  }
  return status;
}

/* How far the work is, as far as a limit says. */
static double fraction_done(const struct portfolio *p)
{
  const struct wb_control *control = p->control;
  if (p->options->work > 0)
    return (double)wb_minimum(p->result->work, p->options->work) / (double)p->options->work;
  if (control->deadline <= control->start)
    return 0;
  double done = (wb_clock() - control->start) / (control->deadline - control->start);
  return done < 1 ? done : 1;
}

static bool goes_on(struct portfolio *p)
{
  if (p->result->stop == WB_STOP_NONE)
    p->result->stop = wb_control_poll(p->control, "wide beam", fraction_done(p));
  return p->result->stop == WB_STOP_NONE && !p->result->complete &&
         p->result->longest < p->options->upper &&
         (p->options->work == 0 || p->result->work < p->options->work);
}

/* Twice the width; what was best is run again at it. */
static void widen(struct portfolio *p)
{
  p->stale = 0;
  if (p->width < MOST_WIDTH)
    p->width *= 2;
  p->best_length = 0;
}

/* Steps that there are for all beams, about, where a limit says. */
static double steps_allowed(const struct portfolio *p)
{
  double steps = p->options->work > 0 ? (double)p->options->work : 1e18;
  if (p->control->deadline > 0) {
    double left = (p->control->deadline - wb_clock()) * STEPS_PER_SECOND;
    steps = left < steps ? left : steps;
  }
  return steps;
}

/* As wide as lets a generation end in its share of the steps, FIRST_WIDTH at most. */
static size_t first_width(const struct portfolio *p)
{
  double occupied = (double)wb_minimum(p->problem->warps, p->problem->string.length);
  double of_state = 8 + occupied + 2 * (double)LEAST_BRANCH;
  double generation = GENERATION * (double)p->options->lower * of_state;
  double width = steps_allowed(p) / FIRST_SHARE / (generation + 1);
  return width >= FIRST_WIDTH ? FIRST_WIDTH : width >= 1 ? (size_t)width : 1;
}

/* The plans of the next generation: changes of the best. Where beams have become wider it
 * is run again, and so are some of the first plans, which may do better in them. */
static void breed(struct portfolio *p, bool widened)
{
  for (unsigned i = 0; i < GENERATION; i++) {
    struct wb_value_plan *plan = &p->jobs[i].plan;
    if (widened && i > 0 && i <= RETURNING) {
      wb_value_plan_begin(plan, p->problem, p->returning++);
      continue;
    }
    wb_value_plan_copy(plan, &p->best);
    if (i > 0 || !widened)
      wb_value_plan_change(plan, &p->random);
  }
}

static warpbound_status evolve(struct portfolio *p, warpbound_error *error)
{
  p->width = first_width(p);
  warpbound_status status = run_generation(p, error);
  while (status == WARPBOUND_OK && goes_on(p)) {
    bool widened = p->stale >= PATIENCE;
    if (widened)
      widen(p);
    breed(p, widened);
    status = run_generation(p, error);
  }
  return status;
}

static warpbound_status start(struct portfolio *p, warpbound_error *error)
{
  const struct wb_state_value *given = p->options->value;
  uint32_t ready = given != NULL && given->ready_limit > WB_PLAN_READY_LIMIT ? given->ready_limit
                                                                             : WB_PLAN_READY_LIMIT;
  warpbound_status status = wb_value_plan_start(&p->best, p->problem, ready, 0, error);
  for (unsigned i = 0; status == WARPBOUND_OK && i < GENERATION; i++) {
    struct job *job = &p->jobs[i];
    status = wb_value_plan_start(&job->plan, p->problem, ready, i, error);
    if (status == WARPBOUND_OK)
      status = wb_state_value_start(&job->value, p->problem, ready, error);
  }
  if (status == WARPBOUND_OK && given != NULL)
    wb_value_plan_read(&p->jobs[0].plan, given);
  return status;
}

warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error)
{
  struct portfolio p = {.problem = problem,
                        .options = options,
                        .control = control,
                        .result = result,
                        .random = {UINT64_C(0x6265616d)}};
  *result = (struct wb_portfolio_result){.longest = options->lower};
  warpbound_status status = start(&p, error);
  if (status == WARPBOUND_OK)
    status = evolve(&p, error);
  wb_value_plan_free(&p.best);
  for (unsigned i = 0; i < GENERATION; i++) {
    wb_value_plan_free(&p.jobs[i].plan);
    wb_state_value_free(&p.jobs[i].value);
  }
  if (status != WARPBOUND_OK)
    wb_schedule_free(&result->witness);
  return status;
}
