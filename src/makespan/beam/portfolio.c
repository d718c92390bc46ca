#include "makespan/beam/portfolio.h"

#include "base/checked.h"
#include "base/system/process.h"

#include <pthread.h>

/* Generations without a longer schedule after which beams get wider. */
#define PATIENCE 4
/* Steps of a beam between two polls of the control. */
#define POLL_INTERVAL 65536

/* One beam of a generation, and its outcome. */
struct job {
  struct wb_beam_options options;
  struct wb_beam_result result;
  warpbound_status status;
  warpbound_error error;
};

/* Shared by the threads of a generation. */
struct generation {
  const struct wb_portfolio *portfolio;
  struct job jobs[WB_PORTFOLIO_GENERATION];
  pthread_mutex_t lock;
  unsigned next;
};

/* best_length: what the best estimate gave at the present width; stale: generations since it grew.
 */
struct progress {
  uint64_t best_length;
  unsigned stale;
};

bool wb_beam_goes_on(struct wb_beam_budget *budget, uint64_t steps)
{
  budget->steps += steps;
  if (budget->steps - budget->polled >= POLL_INTERVAL) {
    budget->polled = budget->steps;
    if (budget->stop == WB_STOP_NONE)
      budget->stop = wb_control_stopped(budget->control);
    budget->out_of_steps = budget->most > 0 && budget->steps > budget->most;
  }
  return budget->stop == WB_STOP_NONE && !budget->out_of_steps;
}

static void *work_through(void *context)
{
  struct generation *generation = context;
  const struct wb_portfolio *portfolio = generation->portfolio;
  for (;;) {
    pthread_mutex_lock(&generation->lock);
    const unsigned mine = generation->next++;
    pthread_mutex_unlock(&generation->lock);
    if (mine >= WB_PORTFOLIO_GENERATION)
      return NULL;
    struct job *job = &generation->jobs[mine];
    job->status =
        portfolio->kind->run(portfolio->context, mine, &job->options, &job->result, &job->error);
  }
}

/* Adds the results, in the order of the jobs. *first: the job of the longest schedule. */
static warpbound_status add_results(struct wb_portfolio *portfolio, struct job *jobs,
                                    unsigned *first, warpbound_error *error)
{
  struct wb_portfolio_result *result = portfolio->result;
  warpbound_status status = WARPBOUND_OK;
  uint64_t bytes = 0;
  *first = 0;
  for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++) {
    struct job *job = &jobs[i];
    if (job->status != WARPBOUND_OK)
      status = wb_fail_with(error, &job->error);
    result->beams++;
    result->steps += job->result.steps + portfolio->kind->steps_of_beam;
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
    if (job->result.longest > jobs[*first].result.longest)
      *first = i;
  }
  result->bytes = wb_maximum(result->bytes, bytes);
  result->peak = wb_maximum(result->peak, portfolio->width * WB_PORTFOLIO_GENERATION);
  return status;
}

/* Runs all jobs, on as many threads as can be had. */
static warpbound_status run_generation(struct wb_portfolio *portfolio, struct progress *progress,
                                       warpbound_error *error)
{
  const struct wb_portfolio_kind *kind = portfolio->kind;
  const uint64_t steps = portfolio->options->steps;
  const uint64_t done = portfolio->result->steps;
  struct generation generation = {.portfolio = portfolio};
  unsigned first;
  for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++)
    generation.jobs[i].options = (struct wb_beam_options){
        .width = portfolio->width,
        .branch = (size_t)wb_minimum(wb_maximum(portfolio->width / 2, kind->least_branch),
                                     kind->most_branch),
        .longer_than = portfolio->result->longest,
        .steps = steps > done ? (steps - done) / WB_PORTFOLIO_GENERATION + 1 : 0,
        .memory = portfolio->control->memory_limit / WB_PORTFOLIO_GENERATION,
        .seed = kind->seeded ? wb_random_next(&portfolio->random) : 0};
  pthread_mutex_init(&generation.lock, NULL);
  wb_workers_run(work_through, &generation,
                 (unsigned)wb_minimum(portfolio->control->threads, WB_PORTFOLIO_GENERATION), 0);
  pthread_mutex_destroy(&generation.lock);
  const warpbound_status status = add_results(portfolio, generation.jobs, &first, error);
  const uint64_t length = generation.jobs[first].result.longest;
  progress->stale = length > progress->best_length ? 0 : progress->stale + 1;
  if (length >= progress->best_length) {
    progress->best_length = length;
    kind->copy(portfolio->context, WB_PORTFOLIO_GENERATION, first);
  }
  return status;
}

warpbound_status wb_portfolio_run(struct wb_portfolio *portfolio, warpbound_error *error)
{
  const struct wb_portfolio_kind *kind = portfolio->kind;
  struct progress progress = {0};
  struct wb_portfolio_result *result = portfolio->result;
  const struct wb_portfolio_options *options = portfolio->options;
  const struct wb_control *control = portfolio->control;
  result->longest = options->lower;
  warpbound_status status = run_generation(portfolio, &progress, error);
  while (status == WARPBOUND_OK) {
    /* Tells the control the share of the search that is done, as far as a limit says. */
    double done = 0;
    if (options->steps > 0)
      done = (double)wb_minimum(result->steps, options->steps) / (double)options->steps;
    else if (control->deadline > control->start)
      done = (wb_clock() - control->start) / (control->deadline - control->start);
    if (result->stop == WB_STOP_NONE)
      result->stop = wb_control_poll(control, kind->name, done < 1 ? done : 1);
    if (result->stop != WB_STOP_NONE || result->complete || result->longest >= options->upper ||
        (options->steps > 0 && result->steps >= options->steps))
      break;
    const bool widened = progress.stale >= PATIENCE;
    if (widened) {
      progress = (struct progress){0};
      if (portfolio->width < kind->most_width)
        portfolio->width *= 2;
    }
    /* The estimates of the next generation: changes of the best. Where beams have become wider it
     * is tried again, and so are some of the first ones, which may do better in them. */
    for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++) {
      if (widened && i > 0 && i <= kind->returning) {
        kind->begin(portfolio->context, i);
        continue;
      }
      kind->copy(portfolio->context, i, WB_PORTFOLIO_GENERATION);
      if (i > 0 || !widened)
        kind->change(portfolio->context, i, &portfolio->random);
    }
    status = run_generation(portfolio, &progress, error);
  }
  if (status != WARPBOUND_OK)
    wb_schedule_free(&result->witness);
  return status;
}
