#include "makespan/potential/potential_search.h"

#include "base/checked.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/potential/potential_synthesis.h"
#include "makespan/potential/trailing_warps.h"

#include <string.h>

/* ---- the refinement schedule ---- */

#define LEVELS 15
/* The first level with several components. */
#define FIRST_WITH_COMPONENTS 1
/* The first level that keeps work. */
#define FIRST_WITH_WORK 2
/* Longest string that gets several components: their programs have rows for every instruction. */
#define COMPONENTS_LENGTH 512

/* One level: B = service * (min(longest run, length) + 1) for the pools that keep work;
 * everywhere, or only where a type serves two or more; K = service + more. One component, or one
 * for each type. */
struct level {
  uint32_t length;
  bool everywhere;
  uint32_t more;
  bool components;
};

static const struct level schedule[LEVELS] = {
    {0, false, 0, false}, {0, false, 0, true},  {1, false, 0, true}, {1, true, 0, true},
    {3, false, 0, true},  {3, true, 0, true},   {9, false, 0, true}, {27, false, 0, true},
    {9, false, 2, true},  {9, true, 0, true},   {27, true, 0, true}, {9, true, 2, true},
    {99, false, 0, true}, {99, false, 4, true}, {99, true, 4, true},
};

/* The limits of the pools at a level. */
static struct wb_pool_limits level_limits(const struct wb_problem *problem, size_t number)
{
  const struct level *level = &schedule[number];
  struct wb_pool_limits limits = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint32_t service = wb_problem_service(problem, (enum wb_unit)u);
    limits.warps[u] = service + level->more;
    size_t longest = 0; /* run of the type */
    for (size_t r = 0; r < problem->string.run_count; r++) {
      const struct wb_run *run = &problem->string.runs[r];
      longest = run->unit == (enum wb_unit)u ? wb_maximum(longest, run->length) : longest;
    }
    uint32_t length = (uint32_t)wb_minimum(wb_minimum(longest, WB_POOL_WORK_LIMIT), level->length);
    if (length > 0 && (level->everywhere || service > 1))
      limits.work[u] = service * (length + 1);
  }
  return limits;
}

/* One component, or one for each type of the string in the order of the pools, with equal dominance
 * weights. */
static struct wb_potential_shape level_shape(const struct wb_problem *problem, size_t number)
{
  struct wb_potential_shape shape = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0)
      shape.least[shape.count++] = wb_problem_service(problem, (enum wb_unit)u);
  if (!schedule[number].components || problem->string.length > COMPONENTS_LENGTH ||
      shape.count == 1)
    return (struct wb_potential_shape){.count = 1};
  for (unsigned j = 0; j < shape.count; j++)
    for (unsigned part = 0, i = j; part < WB_POTENTIAL_WEIGHT_SUM; part++) {
      i = (i + 1) % shape.count;
      if (i == j)
        i = (i + 1) % shape.count;
      shape.weight[j][i]++;
    }
  return shape;
}

static bool limits_equal(const struct wb_pool_limits *a, const struct wb_pool_limits *b)
{
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (a->warps[u] != b->warps[u] || a->work[u] != b->work[u])
      return false;
  return true;
}

/* Whether an earlier level has the same limits and components for this problem. */
static bool level_repeats(const struct wb_problem *problem, size_t number)
{
  struct wb_pool_limits limits = level_limits(problem, number);
  unsigned components = level_shape(problem, number).count;
  for (size_t i = 0; i < number; i++) {
    struct wb_pool_limits earlier = level_limits(problem, i);
    if (limits_equal(&limits, &earlier) && level_shape(problem, i).count == components)
      return true;
  }
  return false;
}

/* ---- dominance weights ---- */

/* A search for weights. */
struct weight_search {
  wb_potential_attempt *attempt;
  void *context; /* of attempt */
  struct wb_potential_shape best;
  struct wb_potential_shape tried[WB_POTENTIAL_SHAPES];
  size_t tried_count;
  bool go_on;
};

/* Tries a shape. *improved is set where it is better than the best. */
static warpbound_status try_weighted_shape(struct weight_search *search,
                                           const struct wb_potential_shape *shape, bool *improved,
                                           warpbound_error *error)
{
  bool better = false;
  for (size_t i = 0; i < search->tried_count; i++)
    if (memcmp(search->tried[i].weight, shape->weight, sizeof shape->weight) == 0)
      return WARPBOUND_OK;
  if (search->tried_count == WB_POTENTIAL_SHAPES) {
    search->go_on = false;
    return WARPBOUND_OK;
  }
  search->tried[search->tried_count++] = *shape;
  warpbound_status status = search->attempt(search->context, shape, &better, &search->go_on, error);
  if (status != WARPBOUND_OK)
    search->go_on = false;
  if (better)
    search->best = *shape;
  *improved = *improved || better;
  return status;
}

/* Move i of count^3: up to `most` weight of a component from one other to another. False: there is
 * no such move. */
static bool move_weight(struct wb_potential_shape *shape, unsigned i, uint32_t most)
{
  unsigned count = shape->count;
  unsigned component = i / (count * count), from = i / count % count, to = i % count;
  uint32_t moved = (uint32_t)wb_minimum(most, shape->weight[component][from]);
  if (from == to || to == component || moved == 0)
    return false;
  shape->weight[component][from] -= moved;
  shape->weight[component][to] += moved;
  return true;
}

/* Moves as long as any is better; two at once, in different components, or one. */
static warpbound_status move_weights(struct weight_search *search, uint32_t most, bool two,
                                     warpbound_error *error)
{
  unsigned square = search->best.count * search->best.count, moves = square * search->best.count;
  warpbound_status status = WARPBOUND_OK;
  for (bool improved = true; improved && search->go_on;) {
    improved = false;
    for (unsigned i = 0; i < moves && search->go_on; i++) {
      unsigned first = two ? (i / square + 1) * square : moves - 1;
      for (unsigned k = first; k < moves && search->go_on; k++) {
        struct wb_potential_shape shape = search->best;
        if (move_weight(&shape, i, most) && (!two || move_weight(&shape, k, most)))
          status = try_weighted_shape(search, &shape, &improved, error);
      }
    }
  }
  return status;
}

warpbound_status wb_potential_improve_weights(const struct wb_potential_shape *begin,
                                              wb_potential_attempt *attempt, void *context,
                                              warpbound_error *error)
{
  struct weight_search search = {.attempt = attempt,
                                 .context = context,
                                 .best = *begin,
                                 .tried = {*begin},
                                 .tried_count = 1,
                                 .go_on = begin->count > 2};
  warpbound_status status = WARPBOUND_OK;
  bool improved = false;
  for (unsigned by = 1; by < begin->count && search.go_on; by++) {
    /* Each component is dominated by the one that is `by` further on. */
    struct wb_potential_shape shape = *begin;
    memset(shape.weight, 0, sizeof shape.weight);
    for (unsigned j = 0; j < shape.count; j++)
      shape.weight[j][(j + by) % shape.count] = WB_POTENTIAL_WEIGHT_SUM;
    status = try_weighted_shape(&search, &shape, &improved, error);
  }
  for (uint32_t most = WB_POTENTIAL_WEIGHT_SUM; most > 0 && search.go_on; most /= 2)
    status = move_weights(&search, most, false, error);
  if (search.go_on)
    status = move_weights(&search, WB_POTENTIAL_WEIGHT_SUM / 2, true, error);
  return status;
}

/* ---- the search ---- */

/* Presets of effort for one synthesis. Benchmark: every 20th question of bench/random_200.txt. Of
 * the first five QUICK lowers the closed form by 24, 9, 0, 16 and 28 %; the FULL ones, 100 seconds
 * at most, lower that by 0, 2, 0, 1 and 0 % more. */
enum preset {
  QUICK,      /* searches of WB_POTENTIAL_QUICK: some seconds of a processor at most */
  FULL_FEW,   /* while weights are searched for: few state offsets, as many programs are solved */
  FULL_FIRST, /* finer levels that take some seconds at most: few states, each with an offset */
  FULL_REST,  /* the other levels */
  LINE        /* a line alone */
};

static const struct wb_potential_effort presets[] = {
    [QUICK] = {500, 500, 1500000, 40, 0, 0},
    [FULL_FEW] = {2500, 200, 20000000, 150, 0, 0},
    [FULL_FIRST] = {1800, SIZE_MAX, 20000000, 150, 0, 0},
    [FULL_REST] = {2500, 2500, 20000000, 150, 0, 0},
    [LINE] = {1000, 200, 40000, 25, 0, 0},
};

/* The cost of all linear programs and the moves looked at of a quick search. */
#define QUICK_SIMPLEX UINT64_C(2000000000)
#define QUICK_STEPS UINT64_C(200000000)

/* Efforts of following the trailing warps of one potential. */
static const struct wb_trailing_effort trailing_line = {200000, UINT64_C(1) << 22};
static const struct wb_trailing_effort trailing_quick = {8000000, UINT64_C(1) << 26};
static const struct wb_trailing_effort trailing_weights = {30000000, UINT64_C(1) << 27};
static const struct wb_trailing_effort trailing_full = {400000000, UINT64_C(1) << 27};
/* Of those that promise most, at the end. */
static const struct wb_trailing_effort trailing_deep = {2000000000, UINT64_C(1) << 27};

/* Share of the time for the search of weights. */
#define WEIGHTS_TIME_SHARE 0.35
/* A potential for more warps is dropped there where it proves I / this cycles more than the least.
 */
#define WEIGHTS_MARGIN 8

/* Potentials are also made for these multiples of W: they rise less steeply. Weights are compared
 * by the first. */
static const uint32_t steadier[] = {2, 4, 1, 3};
/* Bits of `settled` after those of the levels: a multiple, from this bit on, and the weights. */
#define STEADIER_SETTLED (UINT32_C(1) << 28)
#define WEIGHTS_SETTLED (UINT32_C(1) << 27)

/* A search under way. */
struct search {
  const struct wb_problem *problem;
  struct wb_potential_search_options *options;
  const struct wb_control *control;
  struct wb_potential_search_result *result;
  enum preset preset;                        /* the effort of each synthesis */
  const struct wb_trailing_effort *trailing; /* the effort of following each one's trailing warps */
  uint64_t below;   /* cycles: a bound is better than all before below this */
  uint64_t plain;   /* cycles: the same without trailing warps */
  uint64_t least;   /* cycles: the least bound for more warps that other weights have given */
  uint64_t simplex; /* what is left for linear programs */
  uint64_t steps;   /* moves that may still be looked at */
  struct wb_potential_proof weighted;  /* the best of those with other weights, for W */
  struct wb_potential_proof promising; /* not the least bound, but it is likely to be with more
                                        * trailing warps followed */
};

static const struct wb_potential_proof *best_of(const struct search *search)
{
  return search->result->found ? &search->result->proof : search->options->coarser;
}

/* Of the potentials at hand that which proves least without trailing warps: finer pools start from
 * it. */
static const struct wb_potential_proof *plainest_of(const struct search *search)
{
  const struct wb_potential_proof *known[] = {&search->result->proof, &search->promising,
                                              search->options->coarser};
  const struct wb_potential_proof *plainest = NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i] != NULL && known[i]->cycles > 0 &&
        (plainest == NULL || known[i]->plain < plainest->plain))
      plainest = known[i];
  return plainest;
}

static void note_stop(struct search *search, enum wb_stop stop)
{
  if (stop == WB_STOP_TIME || stop == WB_STOP_INTERRUPTED)
    search->result->stop = stop;
}

/* The bound that a potential is likely to prove with one more trailing warp followed: each saves
 * the average of those before. UINT64_MAX: there is no potential. */
static uint64_t promise_of(const struct wb_potential_proof *proof)
{
  if (proof->cycles == 0)
    return UINT64_MAX;
  uint64_t saved = proof->trailing > 0 ? (proof->plain - proof->cycles) / proof->trailing : 0;
  return proof->cycles - wb_minimum(saved, proof->cycles);
}

static void swap(struct wb_potential_proof *a, struct wb_potential_proof *b)
{
  struct wb_potential_proof before = *a;
  *a = *b;
  *b = before;
}

/* Follows the trailing warps of a potential, as far as `effort` allows, and keeps it if it is then
 * better than all before. Owns it from here on. */
static warpbound_status offer(struct search *search, struct wb_potential_proof *proof,
                              const struct wb_trailing_effort *effort, warpbound_error *error)
{
  struct wb_potential_search_result *result = search->result;
  enum wb_stop stop = WB_STOP_NONE;
  search->plain = wb_minimum(search->plain, proof->plain);
  warpbound_status status = wb_potential_follow_more(proof, effort, search->control, &stop, error);
  note_stop(search, stop);
  struct wb_potential_proof other = *proof;
  if (proof->cycles < search->below) {
    other = result->proof;
    result->proof = *proof;
    result->found = true;
    search->below = proof->cycles;
  }
  /* Of those that are not the best the one that promises most is kept. */
  if (promise_of(&other) < promise_of(&search->promising))
    swap(&search->promising, &other);
  wb_potential_proof_free(&other);
  return status;
}

/* A synthesis with the effort that is left, which it is deducted from. Finds nothing once none is
 * left. The question's effort and control are those of the search. */
static warpbound_status prove(struct search *search, struct wb_potential_question question,
                              struct wb_potential_proof *proof,
                              struct wb_potential_outcome *outcome, warpbound_error *error)
{
  struct wb_potential_effort effort = presets[search->preset];
  effort.simplex = search->simplex;
  effort.all_steps = search->steps;
  if (effort.simplex == 0 || effort.all_steps == 0) {
    *outcome = (struct wb_potential_outcome){.stop = WB_STOP_MEMORY};
    return WARPBOUND_OK;
  }
  question.effort = &effort;
  question.control = search->control;
  warpbound_status status = wb_potential_prove(&question, proof, outcome, error);
  search->simplex -= wb_minimum(search->simplex, outcome->simplex);
  search->steps -= wb_minimum(search->steps, outcome->steps);
  return status;
}

/* A synthesis with these limits and this shape. *whole: it was not stopped. */
static warpbound_status try_shape(struct search *search, const struct wb_pool_limits *limits,
                                  const struct wb_potential_shape *shape, bool *whole,
                                  warpbound_error *error)
{
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  *whole = false;
  const struct wb_potential_question question = {.problem = search->problem,
                                                 .limits = limits,
                                                 .shape = shape,
                                                 .coarser = plainest_of(search),
                                                 .below = search->plain};
  warpbound_status status = prove(search, question, &proof, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  *whole = outcome.stop == WB_STOP_NONE;
  note_stop(search, outcome.stop);
  return outcome.found ? offer(search, &proof, search->trailing, error) : WARPBOUND_OK;
}

static bool goes_on(struct search *search, double done)
{
  if (search->below <= search->options->enough)
    return false;
  search->result->stop = wb_control_poll(search->control, "potentials", done);
  return search->result->stop == WB_STOP_NONE;
}

/* Synthesises a potential of this shape for `factor` times W warps, at the least limits: it rises
 * less steeply, and following the trailing warps takes most of what it begins higher with. Found
 * where it holds for W too. *reached, in cycles for the larger number: in, its bound has to be
 * below; out, its bound. */
static warpbound_status prove_for_more(struct search *search,
                                       const struct wb_potential_shape *shape, uint32_t factor,
                                       uint64_t *reached, struct wb_potential_proof *proof,
                                       struct wb_potential_outcome *outcome, warpbound_error *error)
{
  struct wb_pool_limits limits = level_limits(search->problem, 0);
  struct wb_problem more = *search->problem;
  more.warps *= factor;
  const struct wb_potential_question question = {.problem = &more,
                                                 .limits = &limits,
                                                 .shape = shape,
                                                 .coarser = best_of(search),
                                                 .below = *reached};
  warpbound_status status = prove(search, question, proof, outcome, error);
  if (status == WARPBOUND_OK)
    note_stop(search, outcome->stop);
  if (status != WARPBOUND_OK || !outcome->found)
    return status;
  *reached = proof->cycles;
  proof->problem = search->problem;
  outcome->found = search->problem->warps >= proof->steady_from && wb_potential_derive_bound(proof);
  if (!outcome->found)
    wb_potential_proof_free(proof);
  return WARPBOUND_OK;
}

/* A potential of this shape for the multiple steadier[k] of W. */
static warpbound_status try_steadier(struct search *search, const struct wb_potential_shape *shape,
                                     size_t k, warpbound_error *error)
{
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  uint64_t reached = UINT64_MAX / 2;
  warpbound_status status =
      prove_for_more(search, shape, steadier[k], &reached, &proof, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  if (outcome.stop == WB_STOP_NONE && search->options->depth == WB_POTENTIAL_FULL)
    search->options->settled |= STEADIER_SETTLED << k;
  return outcome.found ? offer(search, &proof, search->trailing, error) : WARPBOUND_OK;
}

/* A wb_potential_attempt: the bound of a potential for more warps with its trailing warps followed.
 * They are not followed where it is far above the best without. */
static warpbound_status try_weights(void *context, const struct wb_potential_shape *shape,
                                    bool *better, bool *go_on, warpbound_error *error)
{
  struct search *search = context;
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  uint64_t reached = search->least + search->problem->string.length / WEIGHTS_MARGIN;
  warpbound_status status =
      prove_for_more(search, shape, steadier[0], &reached, &proof, &outcome, error);
  *better = false;
  if (status == WARPBOUND_OK && outcome.found) {
    search->least = wb_minimum(search->least, reached);
    /* Follows as many trailing warps as of the first potential of the search of weights, as which
     * all are compared: as many as a modest effort allows. */
    struct wb_trailing_outcome followed;
    enum wb_stop stop;
    if (search->weighted.cycles == 0)
      status = wb_potential_follow_more(&proof, &trailing_weights, search->control, &stop, error);
    else if (search->weighted.trailing > 0)
      status = wb_potential_follow_trailing(&proof, search->weighted.trailing, &trailing_full,
                                            search->control, &followed, error);
    *better = search->weighted.cycles == 0 || (proof.trailing == search->weighted.trailing &&
                                               proof.cycles < search->weighted.cycles);
    wb_potential_proof_free(*better ? &search->weighted : &proof);
    if (*better)
      search->weighted = proof;
  }
  *go_on = status == WARPBOUND_OK && search->result->stop == WB_STOP_NONE && goes_on(search, 0);
  return status;
}

/* Searches for better weights than those of `shape`, which has three components or more, in a part
 * of the time that is left, and makes them its weights. */
static warpbound_status improve_weights(struct search *search, struct wb_potential_shape *shape,
                                        warpbound_error *error)
{
  const struct wb_control *control = search->control;
  struct wb_control limited = wb_control_limit_share(control, WEIGHTS_TIME_SHARE);
  bool better, go_on;
  search->control = &limited;
  /* The first to compare with is the potential with the weights of `shape`. */
  warpbound_status status = try_weights(search, shape, &better, &go_on, error);
  if (status == WARPBOUND_OK && go_on)
    status = wb_potential_improve_weights(shape, try_weights, search, error);
  search->control = control;
  search->result->stop = wb_control_stopped(control);
  if (status == WARPBOUND_OK && search->result->stop == WB_STOP_NONE)
    search->options->settled |= WEIGHTS_SETTLED;
  struct wb_potential_proof weighted = search->weighted;
  search->weighted = (struct wb_potential_proof){0};
  if (weighted.cycles == 0)
    return status;
  *shape = weighted.potential.shape;
  search->options->settled |= STEADIER_SETTLED;
  if (status == WARPBOUND_OK)
    return offer(search, &weighted, search->trailing, error);
  wb_potential_proof_free(&weighted);
  return status;
}

/* Potentials for multiples of W, with better weights where there are three components or more and
 * the search is deep. The one that promises most is then made with an offset for every state. */
static warpbound_status refine_weights(struct search *search, warpbound_error *error)
{
  const struct wb_potential_proof *best = best_of(search);
  bool deep = search->options->depth == WB_POTENTIAL_FULL;
  warpbound_status status = WARPBOUND_OK;
  size_t chosen =
      0; /* in `steadier`, the one that promises most, if any does more than those before */
  if (best == NULL || !goes_on(search, 0))
    return status;
  struct wb_potential_shape shape = best->potential.shape.count > 1
                                        ? best->potential.shape
                                        : level_shape(search->problem, FIRST_WITH_COMPONENTS);
  if (shape.count == 1 || (shape.count > 2 && !deep))
    return status;
  if (shape.count > 2 && (search->options->settled & WEIGHTS_SETTLED) == 0)
    status = improve_weights(search, &shape, error);
  for (size_t k = 0; k < sizeof steadier / sizeof *steadier && status == WARPBOUND_OK; k++) {
    const uint64_t before =
        wb_minimum(promise_of(&search->result->proof), promise_of(&search->promising));
    if (!goes_on(search, 0))
      break;
    if ((search->options->settled & STEADIER_SETTLED << k) == 0 &&
        (steadier[k] > 1 || shape.count > 2))
      status = try_steadier(search, &shape, k, error);
    if (promise_of(&search->result->proof) < before || promise_of(&search->promising) < before)
      chosen = k;
  }
  /* Only where the best one has more state offsets than are unknowns in the search for weights. */
  best = best_of(search);
  if (status != WARPBOUND_OK || !deep || best == NULL ||
      best->state_count * best->potential.shape.count <= presets[FULL_FEW].state_offsets ||
      !goes_on(search, 0))
    return status;
  search->preset = FULL_REST;
  return try_steadier(search, &shape, chosen, error);
}

/* Follows more trailing warps of the two potentials kept, first of the one that promises more. The
 * better one is the best then. */
static warpbound_status follow_promising(struct search *search, warpbound_error *error)
{
  struct wb_potential_proof *best = &search->result->proof, *other = &search->promising;
  if (promise_of(other) < promise_of(best))
    swap(best, other);
  struct wb_potential_proof *const kept[] = {best, other};
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < 2 && status == WARPBOUND_OK; i++) {
    enum wb_stop stop;
    if (kept[i]->cycles == 0 || !goes_on(search, 0))
      continue;
    status = wb_potential_follow_more(kept[i], &trailing_deep, search->control, &stop, error);
    note_stop(search, stop);
  }
  if (best->cycles == 0 || (other->cycles > 0 && other->cycles < best->cycles))
    swap(best, other);
  search->result->found = best->cycles > 0 && best->cycles < search->options->below;
  search->below = wb_minimum(search->below, best->cycles);
  return status;
}

/* Levels of the refinement schedule, with the weights of the plainest potential. Where no effort
 * allows several components, and none with several is known, with one component. */
static warpbound_status try_levels(struct search *search, size_t begin, size_t end,
                                   warpbound_error *error)
{
  const struct wb_potential_shape single = {.count = 1};
  const struct wb_pool_limits first = level_limits(search->problem, 0);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = begin; i < end && goes_on(search, (double)i / (double)LEVELS); i++) {
    if ((search->options->settled >> i & 1) != 0 || level_repeats(search->problem, i))
      continue;
    const struct wb_potential_proof *best = plainest_of(search);
    const struct wb_pool_limits limits = level_limits(search->problem, i);
    struct wb_potential_shape shape = level_shape(search->problem, i);
    bool whole;
    if (best != NULL && best->potential.shape.count == shape.count)
      shape = best->potential.shape;
    status = try_shape(search, &limits, &shape, &whole, error);
    if (whole)
      search->options->settled |= UINT32_C(1) << i;
    best = plainest_of(search);
    if (status == WARPBOUND_OK && !whole && shape.count > 1 &&
        search->result->stop == WB_STOP_NONE && search->preset != FULL_FIRST &&
        !limits_equal(&limits, &first) && (best == NULL || best->potential.shape.count == 1))
      status = try_shape(search, &limits, &single, &whole, error);
    if (status != WARPBOUND_OK || search->result->stop != WB_STOP_NONE)
      break;
  }
  return status;
}

warpbound_status wb_potential_search(const struct wb_problem *problem,
                                     struct wb_potential_search_options *options,
                                     const struct wb_control *control,
                                     struct wb_potential_search_result *result,
                                     warpbound_error *error)
{
  *result = (struct wb_potential_search_result){0};
  bool deep = options->depth == WB_POTENTIAL_FULL;
  struct search search = {.problem = problem,
                          .options = options,
                          .preset = deep ? FULL_FEW : QUICK,
                          .control = control,
                          .result = result,
                          .below = options->below,
                          .least = UINT64_MAX / 2,
                          .simplex = deep ? UINT64_MAX : QUICK_SIMPLEX,
                          .steps = deep ? UINT64_MAX : QUICK_STEPS,
                          .trailing = &trailing_quick};
  /* Without trailing warps a potential is of use somewhat above: following them saves a part of the
   * own warp's I cycles. */
  search.plain =
      options->coarser != NULL
          ? options->coarser->plain
          : options->below + wb_minimum(problem->string.length, UINT64_MAX - options->below);
  warpbound_status status = try_levels(&search, 0, FIRST_WITH_WORK, error);
  if (deep)
    search.trailing = &trailing_full;
  if (status == WARPBOUND_OK && result->stop == WB_STOP_NONE)
    status = refine_weights(&search, error);
  if (status == WARPBOUND_OK && result->stop == WB_STOP_NONE && !deep)
    status = try_levels(&search, FIRST_WITH_WORK, LEVELS, error);
  /* The finer levels: first those that are quick, then the others; more trailing warps after each.
   */
  static const enum preset efforts[] = {FULL_FIRST, FULL_REST};
  bool finer = deep && status == WARPBOUND_OK && result->stop == WB_STOP_NONE;
  for (int i = 0; finer && i < 2 && status == WARPBOUND_OK && goes_on(&search, 0); i++) {
    search.preset = efforts[i];
    status = try_levels(&search, FIRST_WITH_WORK, LEVELS, error);
    if (status == WARPBOUND_OK)
      status = follow_promising(&search, error);
  }
  wb_potential_proof_free(&search.promising);
  if (!result->found)
    wb_potential_proof_free(&result->proof);
  return status;
}

/* ---- a line ---- */

/* The levels that are tried: those with little work. */
#define LINE_LEVELS 6

/* The cost of all linear programs and the moves looked at of a search for a line. */
#define LINE_SIMPLEX UINT64_C(6000000)
#define LINE_STEPS UINT64_C(1000000)

/* Warps beyond those of the problem at which a line is compared with the closed form. */
#define FAR UINT32_C(1000)

uint32_t wb_potential_line_warps(const struct wb_problem *problem)
{
  return level_limits(problem, 0).warps[problem->string.runs[0].unit] + 1;
}

warpbound_status wb_potential_find_line(const struct wb_problem *problem, uint64_t enough,
                                        const struct wb_control *control,
                                        struct wb_potential_proof *proof, bool *found,
                                        warpbound_error *error)
{
  struct wb_potential_search_result result = {0};
  struct search search = {.problem = problem,
                          .control = control,
                          .result = &result,
                          .preset = LINE,
                          .trailing = &trailing_line,
                          .below = UINT64_MAX,
                          .simplex = LINE_SIMPLEX,
                          .steps = LINE_STEPS};
  warpbound_status status = WARPBOUND_OK;
  for (size_t level = 0; status == WARPBOUND_OK && level < LINE_LEVELS; level++) {
    if (search.below <= enough || search.simplex == 0 || search.steps == 0 ||
        wb_control_stopped(control) != WB_STOP_NONE)
      break;
    if (level_repeats(problem, level))
      continue;
    struct wb_pool_limits limits = level_limits(problem, level);
    struct wb_potential_shape shape = level_shape(problem, level);
    struct wb_potential_proof *best = &result.proof, found_here;
    struct wb_potential_outcome outcome;
    const struct wb_potential_question question = {.problem = problem,
                                                   .limits = &limits,
                                                   .shape = &shape,
                                                   .coarser = best->cycles > 0 ? best : NULL,
                                                   .below = UINT64_MAX / 2};
    status = prove(&search, question, &found_here, &outcome, error);
    if (status != WARPBOUND_OK || !outcome.found)
      continue;
    /* Follows its trailing warps, and keeps it if its line proves less than the best one's and, for
     * many warps, no more than the closed form. */
    enum wb_stop stop;
    status = wb_potential_follow_more(&found_here, search.trailing, control, &stop, error);
    struct wb_problem many = *problem;
    uint64_t line, formula;
    many.warps = (uint32_t)wb_minimum(many.warps + (uint64_t)FAR, WB_WARP_LIMIT);
    if (status == WARPBOUND_OK && found_here.cycles < search.below &&
        wb_potential_line_at(&found_here, many.warps, &line) &&
        (wb_bound_closed_form(&many, &formula, NULL) != WARPBOUND_OK || line <= formula)) {
      swap(best, &found_here);
      search.below = best->cycles;
    }
    wb_potential_proof_free(&found_here);
  }
  *proof = result.proof;
  *found = proof->cycles > 0;
  if (status != WARPBOUND_OK)
    wb_potential_proof_free(proof);
  return status;
}
