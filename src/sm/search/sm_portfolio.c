#include "sm/search/sm_portfolio.h"

#include "base/checked.h"
#include "base/random.h"
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
/* What the making of a beam costs, in its steps. */
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

/* What the threads of a generation share. */
struct shift {
  struct search *search;
  pthread_mutex_t gate;
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
  struct shift *shift = context;
  struct search *s = shift->search;
  for (;;) {
    pthread_mutex_lock(&shift->gate);
    const unsigned mine = shift->next++;
    pthread_mutex_unlock(&shift->gate);
    if (mine >= GENERATION)
      return NULL;
    struct job *job = &s->jobs[mine];
    job->status = wb_sm_beam_search(s->problem, &s->words, s->string_of, &job->estimate,
                                    &job->options, s->control, &job->result, &job->error);
  }
}

static void set_options(struct search *s)
{
  const uint64_t work = s->options->work;
  const size_t branch = (size_t)wb_minimum(wb_maximum(s->width / 2, LEAST_BRANCH), MOST_BRANCH);
  for (unsigned i = 0; i < GENERATION; i++)
    s->jobs[i].options = (struct wb_sm_beam_options){
        .width = s->width,
        .branch = branch,
        .longer_than = s->result->longest,
        .work = work > s->result->work ? (work - s->result->work) / GENERATION + 1 : 0,
        .memory = s->control->memory_limit / GENERATION,
        .seed = wb_random_next(&s->random)};
}

/* Runs all jobs, on as many threads as can be had. */
static void run_jobs(struct search *s)
{
  pthread_t threads[GENERATION];
  struct shift shift = {.search = s};
  pthread_mutex_init(&shift.gate, NULL);
  set_options(s);
  unsigned started = 0;
  while (started + 1 < s->control->threads && started + 1 < GENERATION &&
         pthread_create(&threads[started], NULL, work_through, &shift) == 0)
    started++;
  work_through(&shift);
  while (started > 0)
    pthread_join(threads[--started], NULL);
  pthread_mutex_destroy(&shift.gate);
}

/* Takes the results over, in the order of the jobs; *first: the job of the best. */
static warpbound_status take_results(struct search *s, unsigned *first, warpbound_error *error)
{
  struct wb_sm_portfolio *result = s->result;
  warpbound_status status = WARPBOUND_OK;
  uint64_t bytes = 0;
  *first = 0;
  for (unsigned i = 0; i < GENERATION; i++) {
    struct job *job = &s->jobs[i];
    if (job->status != WARPBOUND_OK) {
      status = job->status;
      if (error != NULL)
        *error = job->error;
    }
    result->beams++;
    result->work += job->result.work + STEPS_OF_BEAM;
    result->states += job->result.states;
    bytes += job->result.bytes;
    if (job->result.stop != WB_STOP_NONE)
      result->stop = job->result.stop;
    if (job->result.longest > result->longest && job->result.witness.issue_cycle != NULL) {
      result->longest = job->result.longest;
      const struct wb_sm_schedule kept = result->witness;
      result->witness = job->result.witness;
      job->result.witness = kept;
    }
    wb_sm_schedule_free(&job->result.witness);
    if (job->result.longest > s->jobs[*first].result.longest)
      *first = i;
  }
  result->bytes = wb_maximum(result->bytes, bytes);
  return status;
}

static warpbound_status run_generation(struct search *s, warpbound_error *error)
{
  unsigned first;
  run_jobs(s);
  const warpbound_status status = take_results(s, &first, error);
  const uint64_t length = s->jobs[first].result.longest;
  s->stale = length > s->best_length ? 0 : s->stale + 1;
  if (length >= s->best_length) {
    s->best_length = length;
    wb_sm_estimate_copy(&s->best, &s->jobs[first].estimate);
  }
  return status;
}

/* ---- from generation to generation ---- */

static double fraction_done(const struct search *s)
{
  if (s->options->work > 0)
    return (double)wb_minimum(s->result->work, s->options->work) / (double)s->options->work;
  if (s->control->deadline <= s->control->start)
    return 0;
  const double done = (wb_clock() - s->control->start) / (s->control->deadline - s->control->start);
  return done < 1 ? done : 1;
}

static bool goes_on(struct search *s)
{
  if (s->result->stop == WB_STOP_NONE)
    s->result->stop = wb_control_poll(s->control, "beams", fraction_done(s));
  return s->result->stop == WB_STOP_NONE && s->result->longest < s->options->upper &&
         (s->options->work == 0 || s->result->work < s->options->work);
}

/* The estimates of the next generation: changes of the best. Where beams have become wider it is
 * tried again, and so are some of the first ones. */
static warpbound_status breed(struct search *s, bool widened, warpbound_error *error)
{
  for (unsigned i = 0; i < GENERATION; i++) {
    struct wb_sm_estimate *estimate = &s->jobs[i].estimate;
    if (widened && i > 0 && i <= RETURNING) {
      wb_sm_estimate_free(estimate);
      if (!wb_sm_estimate_start(estimate, s->problem, &s->words, s->kind++))
        return wb_out_of_memory(error);
      continue;
    }
    wb_sm_estimate_copy(estimate, &s->best);
    if (i > 0 || !widened)
      wb_sm_estimate_change(estimate, &s->random);
  }
  return WARPBOUND_OK;
}

static warpbound_status evolve(struct search *s, warpbound_error *error)
{
  warpbound_status status = run_generation(s, error);
  while (status == WARPBOUND_OK && goes_on(s)) {
    const bool widened = s->stale >= PATIENCE;
    if (widened) {
      s->stale = 0;
      s->best_length = 0;
      s->width = s->width < MOST_WIDTH ? 2 * s->width : s->width;
    }
    status = breed(s, widened, error);
    if (status == WARPBOUND_OK)
      status = run_generation(s, error);
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
  struct search s = {.problem = problem,
                     .string_of = string_of,
                     .options = options,
                     .control = control,
                     .result = portfolio,
                     .random = {UINT64_C(0x706f7274666f6c)},
                     .width = FIRST_WIDTH};
  warpbound_status status = wb_sm_words_start(&s.words, problem, string_of == NULL, error);
  if (status == WARPBOUND_OK && !wb_sm_estimate_start(&s.best, problem, &s.words, 0))
    status = wb_out_of_memory(error);
  for (unsigned i = 0; i < GENERATION && status == WARPBOUND_OK; i++) {
    if (!wb_sm_estimate_start(&s.jobs[i].estimate, problem, &s.words, s.kind++))
      status = wb_out_of_memory(error);
  }
  if (status == WARPBOUND_OK)
    status = evolve(&s, error);
  wb_sm_estimate_free(&s.best);
  for (unsigned i = 0; i < GENERATION; i++)
    wb_sm_estimate_free(&s.jobs[i].estimate);
  wb_sm_words_free(&s.words);
  if (status != WARPBOUND_OK)
    wb_sm_schedule_free(&portfolio->witness);
  return status;
}
