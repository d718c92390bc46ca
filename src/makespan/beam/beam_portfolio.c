#include "makespan/beam/beam_portfolio.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/system/workers.h"
#include "makespan/beam/value_plan.h"
#include "makespan/beam/wide_beam.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Beams of a generation: a fixed number, so that nothing depends on the threads. */
#define GENERATION 8
#define FIRST_WIDTH ((size_t)8)
/* The first generation takes at most this share of the steps allowed, where narrower beams
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

/* Shared by the threads of a generation. */
struct generation {
  struct portfolio *portfolio;
  pthread_mutex_t lock;
  unsigned next;
};

static size_t branch_of(size_t width)
{
  return (size_t)wb_minimum(wb_maximum(width / 2, LEAST_BRANCH), MOST_BRANCH);
}

static void run_job(struct portfolio *portfolio, struct job *job)
{
  struct wb_beam_options options = {.width = portfolio->width,
                                    .branch = branch_of(portfolio->width),
                                    .longer_than = portfolio->result->longest,
                                    .memory = portfolio->control->memory_limit / GENERATION};
  uint64_t steps = portfolio->options->steps;
  options.steps =
      steps > portfolio->result->steps ? (steps - portfolio->result->steps) / GENERATION + 1 : 0;
  wb_value_plan_apply(&job->plan, &job->value);
  job->status = wb_wide_beam_search(portfolio->problem, &job->value, &options, portfolio->control,
                                    &job->result, &job->error);
}

static void *work_through(void *context)
{
  struct generation *generation = context;
  for (;;) {
    pthread_mutex_lock(&generation->lock);
    unsigned mine = generation->next++;
    pthread_mutex_unlock(&generation->lock);
    if (mine >= GENERATION)
      return NULL;
    run_job(generation->portfolio, &generation->portfolio->jobs[mine]);
  }
}

/* Runs all jobs, on as many threads as can be had. */
static void run_jobs(struct portfolio *portfolio)
{
  struct generation generation = {.portfolio = portfolio};
  pthread_mutex_init(&generation.lock, NULL);
  unsigned count =
      portfolio->control->threads < GENERATION ? portfolio->control->threads : GENERATION;
  wb_workers_run(work_through, &generation, count, 0);
  pthread_mutex_destroy(&generation.lock);
}

/* Takes the results of a generation over, in the order of the jobs. *first: the best. */
static warpbound_status take_results(struct portfolio *portfolio, unsigned *first,
                                     warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  struct wb_portfolio_result *result = portfolio->result;
  uint64_t bytes = 0;
  *first = 0;
  for (unsigned i = 0; i < GENERATION; i++) {
    struct job *job = &portfolio->jobs[i];
    if (job->status != WARPBOUND_OK)
      status = wb_fail_with(error, &job->error);
    result->beams++;
    result->steps += job->result.steps;
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
    if (job->result.longest > portfolio->jobs[*first].result.longest)
      *first = i;
  }
  result->bytes = wb_maximum(result->bytes, bytes);
  result->peak = wb_maximum(result->peak, portfolio->width * GENERATION);
  return status;
}

static warpbound_status run_generation(struct portfolio *portfolio, warpbound_error *error)
{
  unsigned first;
  run_jobs(portfolio);
  warpbound_status status = take_results(portfolio, &first, error);
  uint64_t length = portfolio->jobs[first].result.longest;
  portfolio->stale = length > portfolio->best_length ? 0 : portfolio->stale + 1;
  if (length >= portfolio->best_length) {
    portfolio->best_length = length;
    wb_value_plan_copy(&portfolio->best, &portfolio->jobs[first].plan);
  }
  return status;
}

/* The share of the search that is done, as far as a limit says. */
static double fraction_done(const struct portfolio *portfolio)
{
  const struct wb_control *control = portfolio->control;
  if (portfolio->options->steps > 0)
    return (double)wb_minimum(portfolio->result->steps, portfolio->options->steps) /
           (double)portfolio->options->steps;
  if (control->deadline <= control->start)
    return 0;
  double done = (wb_clock() - control->start) / (control->deadline - control->start);
  return done < 1 ? done : 1;
}

static bool goes_on(struct portfolio *portfolio)
{
  if (portfolio->result->stop == WB_STOP_NONE)
    portfolio->result->stop =
        wb_control_poll(portfolio->control, "wide beam", fraction_done(portfolio));
  return portfolio->result->stop == WB_STOP_NONE && !portfolio->result->complete &&
         portfolio->result->longest < portfolio->options->upper &&
         (portfolio->options->steps == 0 || portfolio->result->steps < portfolio->options->steps);
}

/* Twice the width; what was best is run again at it. */
static void widen(struct portfolio *portfolio)
{
  portfolio->stale = 0;
  if (portfolio->width < MOST_WIDTH)
    portfolio->width *= 2;
  portfolio->best_length = 0;
}

/* Steps that there are for all beams, about, where a limit says. */
static double steps_allowed(const struct portfolio *portfolio)
{
  double steps = portfolio->options->steps > 0 ? (double)portfolio->options->steps : 1e18;
  if (portfolio->control->deadline > 0) {
    double left = (portfolio->control->deadline - wb_clock()) * STEPS_PER_SECOND;
    steps = left < steps ? left : steps;
  }
  return steps;
}

/* As wide as lets a generation end in its share of the steps, FIRST_WIDTH at most. */
static size_t first_width(const struct portfolio *portfolio)
{
  double occupied =
      (double)wb_minimum(portfolio->problem->warps, portfolio->problem->string.length);
  double of_state = 8 + occupied + 2 * (double)LEAST_BRANCH;
  double generation = GENERATION * (double)portfolio->options->lower * of_state;
  double width = steps_allowed(portfolio) / FIRST_SHARE / (generation + 1);
  return width >= FIRST_WIDTH ? FIRST_WIDTH : width >= 1 ? (size_t)width : 1;
}

/* The plans of the next generation: changes of the best. Where beams have become wider it
 * is run again, and so are some of the first plans, which may do better in them. */
static void breed(struct portfolio *portfolio, bool widened)
{
  for (unsigned i = 0; i < GENERATION; i++) {
    struct wb_value_plan *plan = &portfolio->jobs[i].plan;
    if (widened && i > 0 && i <= RETURNING) {
      wb_value_plan_begin(plan, portfolio->problem, portfolio->returning++);
      continue;
    }
    wb_value_plan_copy(plan, &portfolio->best);
    if (i > 0 || !widened)
      wb_value_plan_change(plan, &portfolio->random);
  }
}

static warpbound_status evolve(struct portfolio *portfolio, warpbound_error *error)
{
  portfolio->width = first_width(portfolio);
  warpbound_status status = run_generation(portfolio, error);
  while (status == WARPBOUND_OK && goes_on(portfolio)) {
    bool widened = portfolio->stale >= PATIENCE;
    if (widened)
      widen(portfolio);
    breed(portfolio, widened);
    status = run_generation(portfolio, error);
  }
  return status;
}

static warpbound_status start_portfolio(struct portfolio *portfolio, warpbound_error *error)
{
  const struct wb_state_value *given = portfolio->options->value;
  uint32_t ready = given != NULL && given->ready_limit > WB_PLAN_READY_LIMIT ? given->ready_limit
                                                                             : WB_PLAN_READY_LIMIT;
  warpbound_status status =
      wb_value_plan_start(&portfolio->best, portfolio->problem, ready, 0, error);
  for (unsigned i = 0; status == WARPBOUND_OK && i < GENERATION; i++) {
    struct job *job = &portfolio->jobs[i];
    status = wb_value_plan_start(&job->plan, portfolio->problem, ready, i, error);
    if (status == WARPBOUND_OK)
      status = wb_state_value_start(&job->value, portfolio->problem, ready, error);
  }
  if (status == WARPBOUND_OK && given != NULL)
    wb_value_plan_read(&portfolio->jobs[0].plan, given);
  return status;
}

warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error)
{
  struct portfolio portfolio = {.problem = problem,
                                .options = options,
                                .control = control,
                                .result = result,
                                .random = {UINT64_C(0x6265616d)}};
  *result = (struct wb_portfolio_result){.longest = options->lower};
  warpbound_status status = start_portfolio(&portfolio, error);
  if (status == WARPBOUND_OK)
    status = evolve(&portfolio, error);
  wb_value_plan_free(&portfolio.best);
  for (unsigned i = 0; i < GENERATION; i++) {
    wb_value_plan_free(&portfolio.jobs[i].plan);
    wb_state_value_free(&portfolio.jobs[i].value);
  }
  if (status != WARPBOUND_OK)
    wb_schedule_free(&result->witness);
  return status;
}
