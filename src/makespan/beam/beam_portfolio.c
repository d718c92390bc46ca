#include "makespan/beam/beam_portfolio.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/beam/value_plan.h"
#include "makespan/beam/wide_beam.h"

#include <math.h>

#define FIRST_WIDTH 8
/* The first generation takes at most this share of the steps allowed, where narrower beams
 * can keep it so. */
#define FIRST_SHARE 4
/* About the steps of a second, to see how wide the first beams of a time limit can be. */
#define STEPS_PER_SECOND 2e7
#define LEAST_BRANCH 8

/* plans, values: by job; the last plan is the best one. returning: the number of the first plan
 * that is tried next. */
struct search {
  const struct wb_problem *problem;
  const struct wb_control *control;
  struct wb_value_plan plans[WB_PORTFOLIO_GENERATION + 1];
  struct wb_state_value values[WB_PORTFOLIO_GENERATION];
  unsigned returning;
};

static warpbound_status run(void *context, unsigned job, const struct wb_beam_options *options,
                            struct wb_beam_result *result, warpbound_error *error)
{
  struct search *search = context;
  wb_value_plan_apply(&search->plans[job], &search->values[job]);
  return wb_wide_beam_search(search->problem, &search->values[job], options, search->control,
                             result, error);
}

static void begin(void *context, unsigned job)
{
  struct search *search = context;
  wb_value_plan_begin(&search->plans[job], search->problem, search->returning++);
}

static void copy(void *context, unsigned to, unsigned from)
{
  struct search *search = context;
  wb_value_plan_copy(&search->plans[to], &search->plans[from]);
}

static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  wb_value_plan_change(&search->plans[job], random);
}

static const struct wb_portfolio_kind wide_beams = {.name = "wide beam",
                                                    .most_width = (size_t)1 << 17,
                                                    .least_branch = LEAST_BRANCH,
                                                    .most_branch = 64,
                                                    .returning = 3,
                                                    .run = run,
                                                    .begin = begin,
                                                    .copy = copy,
                                                    .change = change};

warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error)
{
  struct search search = {.problem = problem, .control = control};
  struct wb_arena arena = {0}; /* of the estimates */
  *result = (struct wb_portfolio_result){.longest = options->lower};
  for (unsigned i = 0; i <= WB_PORTFOLIO_GENERATION; i++)
    wb_value_plan_start(&search.plans[i], problem, i, &arena);
  for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++)
    wb_state_value_start(&search.values[i], problem, &arena);
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK) {
    /* As wide as lets a generation end in its share of the steps, FIRST_WIDTH at most. */
    double steps = options->steps > 0 ? (double)options->steps : 1e18;
    if (control->deadline > 0)
      steps = fmin(steps, (control->deadline - wb_clock()) * STEPS_PER_SECOND);
    const double occupied = (double)wb_minimum(problem->warps, problem->string.length);
    const double of_state = 8 + occupied + 2 * (double)LEAST_BRANCH;
    const double generation = WB_PORTFOLIO_GENERATION * (double)options->lower * of_state;
    const double width = steps / FIRST_SHARE / (generation + 1);
    struct wb_portfolio portfolio = {.kind = &wide_beams,
                                     .context = &search,
                                     .options = options,
                                     .control = control,
                                     .result = result,
                                     .random = {UINT64_C(0x6265616d)},
                                     .width = (size_t)fmin(fmax(width, 1), FIRST_WIDTH)};
    status = wb_portfolio_run(&portfolio, error);
  }
  wb_arena_free(&arena);
  return status;
}
