#include "sm/search/sm_portfolio.h"

#include "base/arena.h"
#include "makespan/machine/schedule.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_beam.h"
#include "sm/search/sm_estimate.h"

#include <assert.h>

#define FIRST_WIDTH 4
/* Bytes for each letter of the strings: words while they are made, and estimates. */
#define LETTER_BYTES UINT64_C(320)

/* estimates: by job. kind: which first estimate is tried next. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_control *control;
  struct wb_sm_words words;
  struct wb_sm_estimate estimates[WB_PORTFOLIO_GENERATION];
  struct wb_sm_estimate best;
  unsigned kind;
};

bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_BEAM_WARPS && letters <= WB_SM_LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
}

static warpbound_status run(void *context, unsigned job, const struct wb_beam_options *options,
                            struct wb_beam_result *result, warpbound_error *error)
{
  struct search *search = context;
  return wb_sm_beam_search(search->problem, &search->words, search->string_of,
                           &search->estimates[job], options, search->control, result, error);
}

static void begin(void *context, unsigned job)
{
  struct search *search = context;
  wb_sm_estimate_begin(&search->estimates[job], search->kind++);
}

static void keep(void *context, unsigned job)
{
  struct search *search = context;
  wb_sm_estimate_copy(&search->best, &search->estimates[job]);
}

static void recall(void *context, unsigned job)
{
  struct search *search = context;
  wb_sm_estimate_copy(&search->estimates[job], &search->best);
}

static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  wb_sm_estimate_change(&search->estimates[job], random);
}

static const struct wb_portfolio_kind beams = {.name = "beams",
                                               .most_width = (size_t)1 << 14,
                                               .least_branch = 4,
                                               .most_branch = 16,
                                               .returning = 2,
                                               .steps_of_beam = 4096,
                                               .seeded = true,
                                               .run = run,
                                               .begin = begin,
                                               .keep = keep,
                                               .recall = recall,
                                               .change = change};

warpbound_status wb_sm_portfolio_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_portfolio_options *options,
                                        const struct wb_control *control,
                                        struct wb_portfolio_result *result, warpbound_error *error)
{
  assert(wb_sm_portfolio_fits(problem));
  *result = (struct wb_portfolio_result){.longest = options->lower};
  if (wb_sm_words_letters(problem) * LETTER_BYTES > control->memory_limit / 2) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct search search = {.problem = problem, .string_of = string_of, .control = control};
  warpbound_status status = wb_sm_words_start(&search.words, problem, string_of == NULL, error);
  struct wb_arena arena = {0}; /* of the estimates */
  if (status == WARPBOUND_OK) {
    wb_sm_estimate_start(&search.best, problem, &search.words, &arena);
    for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++) {
      if (wb_sm_estimate_start(&search.estimates[i], problem, &search.words, &arena))
        begin(&search, i);
    }
    if (arena.failed)
      status = wb_out_of_memory(error);
  }
  struct wb_portfolio portfolio = {.kind = &beams,
                                   .context = &search,
                                   .options = options,
                                   .control = control,
                                   .result = result,
                                   .random = {UINT64_C(0x706f7274666f6c)},
                                   .width = FIRST_WIDTH};
  if (status == WARPBOUND_OK)
    status = wb_portfolio_run(&portfolio, error);
  wb_arena_free(&arena);
  wb_sm_words_free(&search.words);
  return status;
}
