#include "makespan/beam/beam_portfolio.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/beam/wide_beam.h"

#include <math.h>
#include <string.h>

#define FIRST_WIDTH 8
/* The first generation takes at most this share of the steps allowed, where narrower beams
 * can keep it so. */
#define FIRST_SHARE 4
/* About the steps of a second, to see how wide the first beams of a time limit can be. */
#define STEPS_PER_SECOND 2e7
#define LEAST_BRANCH 8

/* ---- plans of estimates, by what an instruction is worth ---- */

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

#define FIRST_PLANS 8
static const struct beginning beginnings[FIRST_PLANS] = {
    {4, 2, 0}, {4, 0, -4}, {4, 0, -7}, {2, 2, 0}, {4, 2, -4}, {4, 4, 0}, {4, 0, 2}, {4, 2, -2},
};

/* A plan of an estimate. */
struct plan {
  int64_t *drop;      /* by instruction: the value that a warp gives up by issuing it */
  int64_t *last_drop; /* by instruction: the value that the state gives up besides where that was
                         its least advanced warp */
  int64_t ready[WB_UNIT_COUNT][WB_VALUE_READY + 1]; /* as in wb_state_value */
};

/* plans, values: by job; the last plan is the best one. returning: the number of the first plan
 * that is tried next. */
struct search {
  const struct wb_problem *problem;
  const struct wb_control *control;
  size_t length;  /* of the string */
  uint8_t *types; /* of each instruction */
  struct plan plans[WB_PORTFOLIO_GENERATION + 1];
  struct wb_state_value values[WB_PORTFOLIO_GENERATION];
  unsigned returning;
};

static bool leaves_run(const struct search *search, size_t p)
{
  return p + 1 == search->length || search->types[p] != search->types[p + 1];
}

/* Makes a plan the next of the first ones: an instruction is worth the share of a cycle in which it
 * keeps its units busy (1/s_u), or less where it leaves a run, and the warp that is furthest behind
 * from nothing to a cycle for each instruction besides; in some, instructions are worth the more
 * the later they stand, so that the warps behind go first. */
static void begin(void *context, unsigned job)
{
  struct search *search = context;
  const struct beginning *beginning = &beginnings[search->returning++ % FIRST_PLANS];
  struct plan *plan = &search->plans[job];
  const int64_t length = (int64_t)search->length;
  for (size_t p = 0; p < search->length; p++) {
    uint32_t service = wb_problem_service(search->problem, (enum wb_unit)search->types[p]);
    int64_t drop = WB_VALUE_CYCLE / service;
    if (drop < LEAST_DROP)
      drop = LEAST_DROP;
    if (leaves_run(search, p))
      drop = drop * beginning->exit / 4;
    plan->drop[p] = drop + drop * beginning->tilt * (length - 2 * (int64_t)p) / (8 * length);
    plan->last_drop[p] = WB_VALUE_CYCLE * beginning->last / 4;
  }
  memset(plan->ready, 0, sizeof plan->ready);
}

static void copy(void *context, unsigned to_job, unsigned from_job)
{
  struct search *search = context;
  struct plan *to = &search->plans[to_job];
  const struct plan *from = &search->plans[from_job];
  memcpy(to->drop, from->drop, search->length * sizeof *to->drop);
  memcpy(to->last_drop, from->last_drop, search->length * sizeof *to->last_drop);
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

/* One random change of a plan: of a stretch of the string, of the ways between types, of the warp
 * furthest behind, of how many warps wait. */
static void change_once(const struct search *search, struct plan *plan, struct wb_random *random)
{
  const int64_t length = (int64_t)search->length;
  const uint64_t kind = wb_random_below(random, 7);
  if (kind == 0) { /* a stretch of the string */
    size_t from = (size_t)wb_random_below(random, search->length);
    size_t count = 1 + (size_t)wb_random_below(random, search->length - from);
    int64_t factor = random_factor(random);
    for (size_t p = from; p < from + count; p++)
      plan->drop[p] = scaled(plan->drop[p], factor);
  } else if (kind == 1) {
    /* The run around a random instruction, with its last one or without. */
    size_t first = (size_t)wb_random_below(random, search->length), end = first + 1;
    while (first > 0 && search->types[first - 1] == search->types[first])
      first--;
    while (end < search->length && search->types[end] == search->types[first])
      end++;
    bool whole = end - first == 1 || wb_random_below(random, 2) == 0;
    int64_t factor = random_factor(random);
    for (size_t p = first; p < end - !whole; p++)
      plan->drop[p] = scaled(plan->drop[p], factor);
  } else if (kind == 2) {
    /* All instructions of a type, all that leave a run of it, or all that do not. */
    uint8_t type = search->types[wb_random_below(random, search->length)];
    int64_t factor = random_factor(random);
    uint64_t which = wb_random_below(random, 3);
    for (size_t p = 0; p < search->length; p++) {
      if (search->types[p] == type && (which == 0 || (which == 1) == leaves_run(search, p)))
        plan->drop[p] = scaled(plan->drop[p], factor);
    }
  } else if (kind == 3) { /* the worth of the warp furthest behind */
    int64_t factor = random_factor(random);
    bool whole = wb_random_below(random, 2) == 0;
    for (size_t p = whole ? 0 : (size_t)wb_random_below(random, search->length); p < search->length;
         p++)
      plan->last_drop[p] = scaled(plan->last_drop[p], factor);
  } else if (kind == 4) {
    /* What waiting warps are worth. */
    uint8_t type = search->types[wb_random_below(random, search->length)];
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

static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  for (uint64_t changes = 1 + wb_random_below(random, 3); changes > 0; changes--)
    change_once(search, &search->plans[job], random);
}

/* ---- the portfolio ---- */

/* A beam under the estimate that the job's plan makes. */
static warpbound_status run(void *context, unsigned job, const struct wb_beam_options *options,
                            struct wb_beam_result *result, warpbound_error *error)
{
  struct search *search = context;
  const struct plan *plan = &search->plans[job];
  struct wb_state_value *value = &search->values[job];
  for (size_t p = search->length; p-- > 0;) {
    value->position[p] = value->position[p + 1] + plan->drop[p];
    value->last[p] = value->last[p + 1] + plan->last_drop[p];
  }
  memcpy(value->ready, plan->ready, sizeof value->ready);
  return wb_wide_beam_search(search->problem, value, options, search->control, result, error);
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
  const struct wb_kernel_string *string = &problem->string;
  struct search search = {.problem = problem, .control = control, .length = string->length};
  struct wb_arena arena = {0}; /* of the arrays */
  *result = (struct wb_portfolio_result){.longest = options->lower};
  search.types = wb_arena_array(&arena, uint8_t, string->length);
  for (unsigned i = 0; i <= WB_PORTFOLIO_GENERATION; i++) {
    search.plans[i].drop = wb_arena_array(&arena, int64_t, string->length);
    search.plans[i].last_drop = wb_arena_array(&arena, int64_t, string->length);
  }
  for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION; i++) {
    search.values[i].position = wb_arena_array(&arena, int64_t, string->length + 1);
    search.values[i].last = wb_arena_array(&arena, int64_t, string->length + 1);
  }
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK) {
    for (size_t r = 0, p = 0; r < string->run_count; p += string->runs[r++].length)
      memset(search.types + p, (int)string->runs[r].unit, string->runs[r].length);
    for (unsigned i = 0; i <= WB_PORTFOLIO_GENERATION; i++)
      begin(&search, i);
    search.returning = 0;
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
