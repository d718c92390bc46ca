#include "sm/search/sm_portfolio.h"

#include "base/checked.h"
#include "base/random.h"
#include "base/workers.h"
#include "makespan/machine/schedule.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_beam.h"
#include "sm/search/sm_estimate.h"

#include <assert.h>
#include <pthread.h>

/* Beams of a generation: a fixed number, so that nothing depends on the threads. */
#define GENERATION 8
#define FIRST_WIDTH ((size_t)4)
#define MOST_WIDTH ((size_t)1 << 14)
/* Cycles of a state that are tried: half the width, within these. */
#define LEAST_BRANCH ((size_t)4)
#define MOST_BRANCH ((size_t)16)
/* Generations without a longer schedule after which beams get wider. */
#define PATIENCE 4
/* Cost of making a beam, in its steps. */
#define STEPS_OF_BEAM UINT64_C(4096)
/* Bytes for each letter of the strings: words while they are made, and estimates. */
#define LETTER_BYTES UINT64_C(320)
/* First estimates that are tried again in wider beams. */
#define RETURNING 2

struct job {
  struct wb_sm_estimate estimate;
  struct wb_sm_beam_options options;
  struct wb_sm_beam_result result;
  warpbound_status status;
  warpbound_error error;
};

/* best: the estimate that changes start from, best_length: what it gave at the present width.
 * stale: generations since that grew. kind: which first estimate is tried next. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_sm_portfolio_options *options;
  const struct wb_control *control;
  struct wb_sm_portfolio *result;
  struct wb_sm_words words;
  struct wb_random random;
  struct job jobs[GENERATION];
  struct wb_sm_estimate best;
  uint64_t best_length;
  size_t width;
  unsigned stale;
  unsigned kind;
};

/* Shared by the threads of a generation. */
struct generation {
  struct search *search;
  pthread_mutex_t lock;
  unsigned next;
};

bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_BEAM_WARPS && letters <= WB_SM_LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
}

/* ---- a generation ---- */

static void *work_through(void *context)
{
  struct generation *generation = context;
  struct search *search = generation->search;
  for (;;) {
    pthread_mutex_lock(&generation->lock);
    const unsigned mine = generation->next++;
    pthread_mutex_unlock(&generation->lock);
    if (mine >= GENERATION)
      return NULL;
    struct job *job = &search->jobs[mine];
    job->status =
        wb_sm_beam_search(search->problem, &search->words, search->string_of, &job->estimate,
                          &job->options, search->control, &job->result, &job->error);
  }
}

static void set_options(struct search *search)
{
  const uint64_t steps = search->options->steps;
  const size_t branch =
      (size_t)wb_minimum(wb_maximum(search->width / 2, LEAST_BRANCH), MOST_BRANCH);
  for (unsigned i = 0; i < GENERATION; i++)
    search->jobs[i].options = (struct wb_sm_beam_options){
        .width = search->width,
        .branch = branch,
        .longer_than = search->result->longest,
        .steps =
            steps > search->result->steps ? (steps - search->result->steps) / GENERATION + 1 : 0,
        .memory = search->control->memory_limit / GENERATION,
        .seed = wb_random_next(&search->random)};
}

/* Runs all jobs, on as many threads as can be had. */
static void run_jobs(struct search *search)
{
  struct generation generation = {.search = search};
  pthread_mutex_init(&generation.lock, NULL);
  set_options(search);
  unsigned count = search->control->threads < GENERATION ? search->control->threads : GENERATION;
  wb_workers_run(work_through, &generation, count, 0);
  pthread_mutex_destroy(&generation.lock);
}

/* Takes the results over, in the order of the jobs; *first: the job of the best. */
static warpbound_status take_results(struct search *search, unsigned *first, warpbound_error *error)
{
  struct wb_sm_portfolio *result = search->result;
  warpbound_status status = WARPBOUND_OK;
  uint64_t bytes = 0;
  *first = 0;
  for (unsigned i = 0; i < GENERATION; i++) {
    struct job *job = &search->jobs[i];
    if (job->status != WARPBOUND_OK)
      status = wb_fail_with(error, &job->error);
    result->beams++;
    result->steps += job->result.steps + STEPS_OF_BEAM;
    result->states += job->result.states;
    bytes += job->result.bytes;
    if (job->result.stop != WB_STOP_NONE)
      result->stop = job->result.stop;
    if (job->result.longest > result->longest && job->result.witness.issue_cycle != NULL) {
      result->longest = job->result.longest;
      const struct wb_schedule kept = result->witness;
      result->witness = job->result.witness;
      job->result.witness = kept;
    }
    wb_schedule_free(&job->result.witness);
    if (job->result.longest > search->jobs[*first].result.longest)
      *first = i;
  }
  result->bytes = wb_maximum(result->bytes, bytes);
  return status;
}

static warpbound_status run_generation(struct search *search, warpbound_error *error)
{
  unsigned first;
  run_jobs(search);
  const warpbound_status status = take_results(search, &first, error);
  const uint64_t length = search->jobs[first].result.longest;
  search->stale = length > search->best_length ? 0 : search->stale + 1;
  if (length >= search->best_length) {
    search->best_length = length;
    wb_sm_estimate_copy(&search->best, &search->jobs[first].estimate);
  }
  return status;
}

/* ---- from generation to generation ---- */

static double fraction_done(const struct search *search)
{
  if (search->options->steps > 0)
    return (double)wb_minimum(search->result->steps, search->options->steps) /
           (double)search->options->steps;
  if (search->control->deadline <= search->control->start)
    return 0;
  const double done =
      (wb_clock() - search->control->start) / (search->control->deadline - search->control->start);
  return done < 1 ? done : 1;
}

static bool goes_on(struct search *search)
{
  if (search->result->stop == WB_STOP_NONE)
    search->result->stop = wb_control_poll(search->control, "beams", fraction_done(search));
  return search->result->stop == WB_STOP_NONE && search->result->longest < search->options->upper &&
         (search->options->steps == 0 || search->result->steps < search->options->steps);
}

/* The estimates of the next generation: changes of the best. Where beams have become wider it is
 * tried again, and so are some of the first ones. */
static warpbound_status breed(struct search *search, bool widened, warpbound_error *error)
{
  for (unsigned i = 0; i < GENERATION; i++) {
    struct wb_sm_estimate *estimate = &search->jobs[i].estimate;
    if (widened && i > 0 && i <= RETURNING) {
      wb_sm_estimate_free(estimate);
      if (!wb_sm_estimate_start(estimate, search->problem, &search->words, search->kind++))
        return wb_out_of_memory(error);
      continue;
    }
    wb_sm_estimate_copy(estimate, &search->best);
    if (i > 0 || !widened)
      wb_sm_estimate_change(estimate, &search->random);
  }
  return WARPBOUND_OK;
}

static warpbound_status evolve(struct search *search, warpbound_error *error)
{
  warpbound_status status = run_generation(search, error);
  while (status == WARPBOUND_OK && goes_on(search)) {
    const bool widened = search->stale >= PATIENCE;
    if (widened) {
      search->stale = 0;
      search->best_length = 0;
      search->width = search->width < MOST_WIDTH ? 2 * search->width : search->width;
    }
    status = breed(search, widened, error);
    if (status == WARPBOUND_OK)
      status = run_generation(search, error);
  }
  return status;
}

warpbound_status wb_sm_portfolio_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_sm_portfolio_options *options,
                                        const struct wb_control *control,
                                        struct wb_sm_portfolio *portfolio, warpbound_error *error)
{
  assert(wb_sm_portfolio_fits(problem));
  *portfolio = (struct wb_sm_portfolio){.longest = options->lower};
  if (wb_sm_words_letters(problem) * LETTER_BYTES > control->memory_limit / 2) {
    portfolio->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct search search = {.problem = problem,
                          .string_of = string_of,
                          .options = options,
                          .control = control,
                          .result = portfolio,
                          .random = {UINT64_C(0x706f7274666f6c)},
                          .width = FIRST_WIDTH};
  warpbound_status status = wb_sm_words_start(&search.words, problem, string_of == NULL, error);
  if (status == WARPBOUND_OK && !wb_sm_estimate_start(&search.best, problem, &search.words, 0))
    status = wb_out_of_memory(error);
  for (unsigned i = 0; i < GENERATION && status == WARPBOUND_OK; i++) {
    if (!wb_sm_estimate_start(&search.jobs[i].estimate, problem, &search.words, search.kind++))
      status = wb_out_of_memory(error);
  }
  if (status == WARPBOUND_OK)
    status = evolve(&search, error);
  wb_sm_estimate_free(&search.best);
  for (unsigned i = 0; i < GENERATION; i++)
    wb_sm_estimate_free(&search.jobs[i].estimate);
  wb_sm_words_free(&search.words);
  if (status != WARPBOUND_OK)
    wb_schedule_free(&portfolio->witness);
  return status;
}
