#include "makespan/beam/beam_portfolio.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/beam/wide_beam.h"

#include <math.h>
#include <string.h>

/* ---- values and plans ---- */

/* Most that a change gives an instruction, and least. */
#define MOST_DROP (4 * WB_VALUE_CYCLE)
#define LEAST_DROP (WB_VALUE_CYCLE / 256)

/* The differences between the first plans, in quarters: the worth of an instruction that leaves a
 * run, against the others; the worth of the least advanced warp's instructions; and by how
 * much more than the last the first instruction is worth (less: where negative). Without
 * that tilt all warps are worth the same; with it those ahead go first, or those behind. */
struct beginning {
  int64_t exit;
  int64_t last;
  int64_t tilt;
};

static const struct beginning beginnings[WB_FIRST_PLANS] = {
    {4, 2, 0}, {4, 0, -4}, {4, 0, -7}, {2, 2, 0}, {4, 2, -4}, {4, 4, 0}, {4, 0, 2}, {4, 2, -2},
};

static bool leaves_run(const struct wb_value_plan *plan, size_t p)
{
  return p + 1 == plan->length || plan->types[p] != plan->types[p + 1];
}

/* Makes a plan one of the first again. */
static void value_plan_begin(struct wb_value_plan *plan, const struct wb_problem *problem,
                             unsigned which)
{
  const struct beginning *beginning = &beginnings[which % WB_FIRST_PLANS];
  for (size_t p = 0; p < plan->length; p++) {
    uint32_t service = wb_problem_service(problem, (enum wb_unit)plan->types[p]);
    plan->drop[p] = WB_VALUE_CYCLE / service;
    if (plan->drop[p] < LEAST_DROP)
      plan->drop[p] = LEAST_DROP;
    if (leaves_run(plan, p))
      plan->drop[p] = plan->drop[p] * beginning->exit / 4;
    plan->drop[p] += plan->drop[p] * beginning->tilt * ((int64_t)plan->length - 2 * (int64_t)p) /
                     (8 * (int64_t)plan->length);
    plan->last_drop[p] = WB_VALUE_CYCLE * beginning->last / 4;
  }
  memset(plan->ready, 0, sizeof plan->ready);
}

bool wb_state_value_start(struct wb_state_value *value, const struct wb_problem *problem,
                          struct wb_arena *arena)
{
  *value = (struct wb_state_value){
      .position = wb_arena_array(arena, int64_t, problem->string.length + 1),
      .last = wb_arena_array(arena, int64_t, problem->string.length + 1)};
  return !arena->failed;
}

bool wb_value_plan_start(struct wb_value_plan *plan, const struct wb_problem *problem,
                         unsigned which, struct wb_arena *arena)
{
  const struct wb_kernel_string *string = &problem->string;
  *plan = (struct wb_value_plan){.length = string->length,
                                 .types = wb_arena_array(arena, uint8_t, string->length),
                                 .drop = wb_arena_array(arena, int64_t, string->length),
                                 .last_drop = wb_arena_array(arena, int64_t, string->length)};
  if (arena->failed)
    return false;
  size_t p = 0;
  for (size_t r = 0; r < string->run_count; p += string->runs[r++].length)
    memset(plan->types + p, (int)string->runs[r].unit, string->runs[r].length);
  value_plan_begin(plan, problem, which);
  return true;
}

/* to becomes what from is; both of one problem. */
static void value_plan_copy(struct wb_value_plan *to, const struct wb_value_plan *from)
{
  memcpy(to->drop, from->drop, from->length * sizeof *to->drop);
  memcpy(to->last_drop, from->last_drop, from->length * sizeof *to->last_drop);
  memcpy(to->ready, from->ready, sizeof to->ready);
}

static int64_t scaled(int64_t value, int64_t sixteenths)
{
  value = value * sixteenths / 16;
  return value > MOST_DROP ? MOST_DROP : value;
}

/* A factor from 1/2 to 2, mostly near 1, in sixteenths. */
static int64_t random_factor(struct wb_random *random)
{
  static const uint8_t factors[] = {8, 10, 12, 13, 14, 15, 17, 18, 20, 22, 26, 32};
  return factors[wb_random_below(random, sizeof factors)];
}

static void change_once(struct wb_value_plan *plan, struct wb_random *random)
{
  const int64_t length = (int64_t)plan->length;
  const uint64_t kind = wb_random_below(random, 7);
  if (kind == 0) { /* a stretch of the string */
    size_t from = (size_t)wb_random_below(random, plan->length);
    size_t count = 1 + (size_t)wb_random_below(random, plan->length - from);
    int64_t factor = random_factor(random);
    for (size_t p = from; p < from + count; p++)
      plan->drop[p] = scaled(plan->drop[p], factor);
  } else if (kind == 1) {
    /* The run around a random instruction, with its last one or without. */
    size_t first = (size_t)wb_random_below(random, plan->length), end = first + 1;
    while (first > 0 && plan->types[first - 1] == plan->types[first])
      first--;
    while (end < plan->length && plan->types[end] == plan->types[first])
      end++;
    bool whole = end - first == 1 || wb_random_below(random, 2) == 0;
    int64_t factor = random_factor(random);
    for (size_t p = first; p < end - !whole; p++)
      plan->drop[p] = scaled(plan->drop[p], factor);
  } else if (kind == 2) {
    /* All instructions of a type, all that leave a run of it, or all that do not. */
    uint8_t type = plan->types[wb_random_below(random, plan->length)];
    int64_t factor = random_factor(random);
    uint64_t which = wb_random_below(random, 3);
    for (size_t p = 0; p < plan->length; p++) {
      if (plan->types[p] == type && (which == 0 || (which == 1) == leaves_run(plan, p)))
        plan->drop[p] = scaled(plan->drop[p], factor);
    }
  } else if (kind == 3) { /* the worth of the warp furthest behind */
    int64_t factor = random_factor(random);
    bool whole = wb_random_below(random, 2) == 0;
    for (size_t p = whole ? 0 : (size_t)wb_random_below(random, plan->length); p < plan->length;
         p++)
      plan->last_drop[p] = scaled(plan->last_drop[p], factor);
  } else if (kind == 4) {
    /* What waiting warps are worth. */
    uint8_t type = plan->types[wb_random_below(random, plan->length)];
    uint32_t from = (uint32_t)wb_random_below(random, WB_VALUE_READY + 1);
    bool beyond = wb_random_below(random, 2) == 0;
    int64_t by = (int64_t)wb_random_below(random, WB_VALUE_CYCLE) - WB_VALUE_CYCLE / 2;
    for (uint32_t n = from; n <= (beyond ? WB_VALUE_READY : from); n++)
      plan->ready[type][n] += by;
  } else if (kind == 5) {
    /* The first instructions up and the last down, or the other way: who goes first, the warps
     * behind or those ahead. */
    int64_t tilt = (int64_t)wb_random_below(random, 13) - 6;
    for (int64_t p = 0; p < length; p++)
      plan->drop[p] = scaled(plan->drop[p], 16 + tilt * (length - 2 * p) / length);
  } else { /* every instruction by a little */
    for (int64_t p = 0; p < length; p++)
      plan->drop[p] = scaled(plan->drop[p], 15 + (int64_t)wb_random_below(random, 3));
  }
}

/* One to three random changes: of a stretch of the string, of the ways between types, of the
 * warp furthest behind, of how many warps wait. */
static void value_plan_change(struct wb_value_plan *plan, struct wb_random *random)
{
  for (uint64_t changes = 1 + wb_random_below(random, 3); changes > 0; changes--)
    change_once(plan, random);
}

void wb_value_plan_apply(const struct wb_value_plan *plan, struct wb_state_value *value)
{
  for (size_t p = plan->length; p-- > 0;) {
    value->position[p] = value->position[p + 1] + plan->drop[p];
    value->last[p] = value->last[p + 1] + plan->last_drop[p];
  }
  memcpy(value->ready, plan->ready, sizeof value->ready);
}

/* ---- the portfolio ---- */

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
  value_plan_begin(&search->plans[job], search->problem, search->returning++);
}

static void copy(void *context, unsigned to, unsigned from)
{
  struct search *search = context;
  value_plan_copy(&search->plans[to], &search->plans[from]);
}

static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  value_plan_change(&search->plans[job], random);
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
