#include "makespan/potential/potential_search.h"

#include "base/checked.h"
#include "makespan/potential/potential_refinement.h"
#include "makespan/potential/potential_synthesis.h"
#include "makespan/potential/potential_weights.h"
#include "makespan/potential/trailing_warps.h"

static const struct wb_potential_effort quick = {500, 500, 1500000, 40};
static const struct wb_potential_effort full = {2500, 2500, 20000000, 150};
/* Some seconds at most: each state with a state offset, and not too many. */
static const struct wb_potential_effort fine = {1800, SIZE_MAX, 20000000, 150};
/* Until the weights are found: few state offsets, for there are many programs to solve. */
static const struct wb_potential_effort rough = {2500, 200, 20000000, 150};

/* What all linear programs and all walks of a quick search may cost. */
#define QUICK_SIMPLEX UINT64_C(2000000000)
#define QUICK_STEPS UINT64_C(200000000)

/* What following the rear of each potential may cost. */
static const struct wb_trailing_effort trailing_quick = {8000000, UINT64_C(1) << 26};
static const struct wb_trailing_effort trailing_weights = {30000000, UINT64_C(1) << 27};
static const struct wb_trailing_effort trailing_full = {400000000, UINT64_C(1) << 27};
/* The same of those that promise most, at the end. */
static const struct wb_trailing_effort trailing_deep = {2000000000, UINT64_C(1) << 27};

/* Share of the time for the search of weights. By what part of I a bound for more warps may be
 * above the least there. */
#define WEIGHTS_TIME_SHARE 0.35
#define WEIGHTS_MARGIN 8

/* How many times more warps potentials are made for that are to rise less steeply, and what says
 * that they have been, and weights searched for. Shares are compared by the first of them. */
static const uint32_t steadier[] = {2, 4, 1, 3};
#define STEADIER_SETTLED (UINT32_C(1) << 28)
#define WEIGHTS_SETTLED (UINT32_C(1) << 27)

/* A search under way. below: what a bound must be less than to be of use; plain: what it must be
 * less than before the rear is followed; least: the least bound for more warps that other weights
 * have given; shared: the best potential of these, for W; promising: one whose bound is not the
 * least, but is to be if more of its rear is followed; simplex, walks: what is left for linear
 * programs and walks; rear: what following the rear of a potential
 * may cost; simplex, walks: what is left for linear programs and walks. */
struct search {
  const struct wb_problem *problem;
  struct wb_potential_search_options *options;
  const struct wb_potential_effort *effort;
  const struct wb_control *control;
  struct wb_potential_search_result *result;
  uint64_t below;
  uint64_t plain;
  uint64_t least;
  uint64_t simplex;
  uint64_t all_steps;
  struct wb_potential_proof weighted;
  struct wb_potential_proof promising;
  const struct wb_trailing_effort *trailing;
};

static const struct wb_potential_proof *best_of(const struct search *search)
{
  return search->result->found ? &search->result->proof : search->options->coarser;
}

/* The one that proves least without a rear, of those at hand: where finer pools begin. */
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

/* What a potential may prove with one more of the rear followed, if that saves what those before
 * have saved on average. UINT64_MAX: there is no potential. */
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

/* Keeps a potential that is not the best if none promises more. Takes it over. */
static void keep_promising(struct search *search, struct wb_potential_proof *proof)
{
  if (promise_of(proof) < promise_of(&search->promising))
    swap(&search->promising, proof);
  wb_potential_proof_free(proof);
}

/* Follows the rear of a potential, as far as `effort` allows, and keeps it if it is then better
 * than all before. Takes it over. */
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
  keep_promising(search, &other);
  return status;
}

/* Looks for a potential with what is left to spend, and takes it off. Once nothing is, nothing is
 * found. */
static warpbound_status prove(struct search *search, const struct wb_problem *problem,
                              const struct wb_pool_limits *limits,
                              const struct wb_potential_shape *shape,
                              const struct wb_potential_proof *coarser, uint64_t below,
                              struct wb_potential_proof *proof,
                              struct wb_potential_outcome *outcome, warpbound_error *error)
{
  struct wb_potential_effort effort = *search->effort;
  effort.simplex = search->simplex;
  effort.all_steps = search->all_steps;
  if (effort.simplex == 0 || effort.all_steps == 0) {
    *outcome = (struct wb_potential_outcome){.stop = WB_STOP_MEMORY};
    return WARPBOUND_OK;
  }
  warpbound_status status = wb_potential_prove(problem, limits, shape, coarser, below, &effort,
                                               search->control, proof, outcome, error);
  search->simplex -= wb_minimum(search->simplex, outcome->simplex);
  search->all_steps -= wb_minimum(search->all_steps, outcome->steps);
  return status;
}

/* Looks for a potential of these limits and this shape, and offers it. *whole: it came to its
 * end. */
static warpbound_status try_shape(struct search *search, const struct wb_pool_limits *limits,
                                  const struct wb_potential_shape *shape, bool *whole,
                                  warpbound_error *error)
{
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  *whole = false;
  warpbound_status status = prove(search, search->problem, limits, shape, plainest_of(search),
                                  search->plain, &proof, &outcome, error);
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

/* A potential of this shape made for `factor` times W warps, at the least limits: it rises less
 * steeply, and following the rear takes most of what it begins higher with. Found where it holds
 * for W, to which it is taken over. *reached: in, what its bound for so many is to be less than;
 * out, that bound. */
static warpbound_status prove_for_more(struct search *search,
                                       const struct wb_potential_shape *shape, uint32_t factor,
                                       uint64_t *reached, struct wb_potential_proof *proof,
                                       struct wb_potential_outcome *outcome, warpbound_error *error)
{
  struct wb_pool_limits limits = wb_potential_level_limits(search->problem, 0);
  struct wb_problem more = *search->problem;
  more.warps *= factor;
  warpbound_status status =
      prove(search, &more, &limits, shape, best_of(search), *reached, proof, outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  note_stop(search, outcome->stop);
  if (!outcome->found)
    return WARPBOUND_OK;
  *reached = proof->cycles;
  outcome->found = search->problem->warps >= proof->steady_from &&
                   wb_potential_take_over(proof, search->problem);
  if (!outcome->found)
    wb_potential_proof_free(proof);
  return WARPBOUND_OK;
}

/* A potential of the best potential's shape, or of the best weights found, for a number of warps
 * of `steadier`. */
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

/* Follows as many of the rear as of the first potential of the search of weights, as which all are
 * compared: as many as a modest effort allows. */
static warpbound_status follow_weighted(struct search *search, struct wb_potential_proof *proof,
                                        warpbound_error *error)
{
  struct wb_trailing_outcome outcome;
  enum wb_stop stop;
  if (search->weighted.cycles == 0)
    return wb_potential_follow_more(proof, &trailing_weights, search->control, &stop, error);
  if (search->weighted.trailing == 0)
    return WARPBOUND_OK;
  return wb_potential_follow_trailing(proof, search->weighted.trailing, &trailing_full,
                                      search->control, &outcome, error);
}

/* A wb_potential_attempt, by the bound of a potential for more warps with its rear followed. Far
 * above the best without a rear, none is. */
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
    status = follow_weighted(search, &proof, error);
    *better = search->weighted.cycles == 0 || (proof.trailing == search->weighted.trailing &&
                                               proof.cycles < search->weighted.cycles);
    wb_potential_proof_free(*better ? &search->weighted : &proof);
    if (*better)
      search->weighted = proof;
  }
  *go_on = status == WARPBOUND_OK && search->result->stop == WB_STOP_NONE && goes_on(search, 0);
  return status;
}

/* Leaves the potential with the best weights found in search->shared, the first with those of
 * `shape`. Within a part of the time that there is. */
static warpbound_status search_weights(struct search *search,
                                       const struct wb_potential_shape *shape,
                                       warpbound_error *error)
{
  const struct wb_control *control = search->control;
  struct wb_control limited = wb_control_limit_share(control, WEIGHTS_TIME_SHARE);
  bool better, go_on;
  search->control = &limited;
  warpbound_status status = try_weights(search, shape, &better, &go_on, error);
  if (status == WARPBOUND_OK && go_on)
    status = wb_potential_improve_weights(shape, try_weights, search, error);
  search->control = control;
  search->result->stop = wb_control_stopped(control);
  return status;
}

/* Better weights than the best potential's, of three components or more. */
static warpbound_status improve_weights(struct search *search, struct wb_potential_shape *shape,
                                        warpbound_error *error)
{
  warpbound_status status = search_weights(search, shape, error);
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

static uint64_t least_promise(const struct search *search)
{
  return wb_minimum(promise_of(&search->result->proof), promise_of(&search->promising));
}

/* Potentials of this shape for more warps. *best: the place in `steadier` of that which promises
 * most, if any of them does. */
static warpbound_status try_all_steadier(struct search *search,
                                         const struct wb_potential_shape *shape, size_t *best,
                                         warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; k < sizeof steadier / sizeof *steadier; k++) {
    uint64_t before = least_promise(search);
    if (!goes_on(search, 0))
      break;
    if ((search->options->settled & STEADIER_SETTLED << k) == 0 &&
        (steadier[k] > 1 || shape->count > 2))
      status = try_steadier(search, shape, k, error);
    if (status != WARPBOUND_OK)
      break;
    if (least_promise(search) < before)
      *best = k;
  }
  return status;
}

/* Whether state offsets of their own for all states are more than weights are searched for with. */
static bool has_more_offsets(const struct search *search)
{
  const struct wb_potential_proof *best = best_of(search);
  return best != NULL && best->state_count * best->potential.shape.count > rough.state_offsets;
}

/* Potentials for more warps, with better weights where there are three components or more and the
 * search is deep; then also for W itself. The one that promises most is then made with a state
 * offset for every state. */
static warpbound_status go_steadier(struct search *search, warpbound_error *error)
{
  const struct wb_potential_proof *best = best_of(search);
  bool deep = search->options->depth == WB_POTENTIAL_FULL;
  warpbound_status status = WARPBOUND_OK;
  size_t chosen = 0;
  if (best == NULL || !goes_on(search, 0))
    return status;
  struct wb_potential_shape shape =
      wb_potential_has_trailing(best)
          ? best->potential.shape
          : wb_potential_level_shape(search->problem, WB_POTENTIAL_FIRST_WITH_COMPONENTS);
  if (shape.count == 1 || (shape.count > 2 && !deep))
    return status;
  if (shape.count > 2 && (search->options->settled & WEIGHTS_SETTLED) == 0)
    status = improve_weights(search, &shape, error);
  if (status == WARPBOUND_OK)
    status = try_all_steadier(search, &shape, &chosen, error);
  if (status != WARPBOUND_OK || !deep || !has_more_offsets(search) || !goes_on(search, 0))
    return status;
  search->effort = &full;
  return try_steadier(search, &shape, chosen, error);
}

/* Follows more of the rear of one of those kept. */
static warpbound_status follow_kept(struct search *search, struct wb_potential_proof *proof,
                                    warpbound_error *error)
{
  enum wb_stop stop;
  if (proof->cycles == 0 || !goes_on(search, 0))
    return WARPBOUND_OK;
  warpbound_status status =
      wb_potential_follow_more(proof, &trailing_deep, search->control, &stop, error);
  note_stop(search, stop);
  return status;
}

/* Follows more of the rear of the two potentials kept, first of the one that promises more. The
 * better one is the best then, found if it is of use. */
static warpbound_status follow_promising(struct search *search, warpbound_error *error)
{
  struct wb_potential_proof *best = &search->result->proof, *other = &search->promising;
  if (promise_of(other) < promise_of(best))
    swap(best, other);
  warpbound_status status = follow_kept(search, best, error);
  if (status == WARPBOUND_OK)
    status = follow_kept(search, other, error);
  if (best->cycles == 0 || (other->cycles > 0 && other->cycles < best->cycles))
    swap(best, other);
  search->result->found = best->cycles > 0 && best->cycles < search->options->below;
  search->below = wb_minimum(search->below, best->cycles);
  return status;
}

/* One level of the schedule, with the weights that the plainest potential has. Where no effort
 * allows several components, and none of several is known, with one. */
static warpbound_status try_level(struct search *search, size_t i, warpbound_error *error)
{
  const struct wb_potential_proof *best = plainest_of(search);
  struct wb_pool_limits limits = wb_potential_level_limits(search->problem, i);
  struct wb_pool_limits first = wb_potential_level_limits(search->problem, 0);
  struct wb_potential_shape shape = wb_potential_level_shape(search->problem, i);
  const struct wb_potential_shape single = {.count = 1};
  bool whole;
  if (best != NULL && best->potential.shape.count == shape.count)
    shape = best->potential.shape;
  warpbound_status status = try_shape(search, &limits, &shape, &whole, error);
  if (whole)
    search->options->settled |= UINT32_C(1) << i;
  best = plainest_of(search);
  if (status != WARPBOUND_OK || whole || shape.count == 1 || search->result->stop != WB_STOP_NONE ||
      search->effort == &fine || wb_pool_limits_equal(&limits, &first) ||
      (best != NULL && best->potential.shape.count > 1))
    return status;
  return try_shape(search, &limits, &single, &whole, error);
}

/* What a potential must be below before its rear is followed, which saves a part of the own
 * warp's I cycles. */
static uint64_t plain_below(const struct wb_potential_search_options *options,
                            const struct wb_problem *problem)
{
  if (options->coarser != NULL)
    return options->coarser->plain;
  return options->below + wb_minimum(problem->string.length, UINT64_MAX - options->below);
}

static warpbound_status try_levels(struct search *search, size_t begin, size_t end,
                                   warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = begin; i < end && goes_on(search, (double)i / (double)WB_POTENTIAL_LEVELS); i++) {
    if ((search->options->settled >> i & 1) == 0 && !wb_potential_level_repeats(search->problem, i))
      status = try_level(search, i, error);
    if (status != WARPBOUND_OK || search->result->stop != WB_STOP_NONE)
      break;
  }
  return status;
}

/* Finer pools where that is quick, more of the rear, then the other pools. */
static warpbound_status go_finer(struct search *search, warpbound_error *error)
{
  static const struct wb_potential_effort *const efforts[] = {&fine, &full};
  warpbound_status status = WARPBOUND_OK;
  for (int i = 0; i < 2 && status == WARPBOUND_OK && goes_on(search, 0); i++) {
    search->effort = efforts[i];
    status = try_levels(search, WB_POTENTIAL_FIRST_WITH_WORK, WB_POTENTIAL_LEVELS, error);
    if (status == WARPBOUND_OK)
      status = follow_promising(search, error);
  }
  return status;
}

static warpbound_status search_all(struct search *search, warpbound_error *error)
{
  bool deep = search->options->depth == WB_POTENTIAL_FULL;
  warpbound_status status = try_levels(search, 0, WB_POTENTIAL_FIRST_WITH_WORK, error);
  if (status == WARPBOUND_OK && deep)
    search->trailing = &trailing_full;
  if (status == WARPBOUND_OK && search->result->stop == WB_STOP_NONE)
    status = go_steadier(search, error);
  if (status != WARPBOUND_OK || search->result->stop != WB_STOP_NONE)
    return status;
  return deep ? go_finer(search, error)
              : try_levels(search, WB_POTENTIAL_FIRST_WITH_WORK, WB_POTENTIAL_LEVELS, error);
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
                          .effort = deep ? &rough : &quick,
                          .control = control,
                          .result = result,
                          .below = options->below,
                          .plain = plain_below(options, problem),
                          .least = UINT64_MAX / 2,
                          .simplex = deep ? UINT64_MAX : QUICK_SIMPLEX,
                          .all_steps = deep ? UINT64_MAX : QUICK_STEPS,
                          .trailing = &trailing_quick};
  warpbound_status status = search_all(&search, error);
  wb_potential_proof_free(&search.promising);
  if (!result->found)
    wb_potential_proof_free(&result->proof);
  return status;
}
