#include "makespan/potential_search.h"

#include "base/checked.h"
#include "makespan/potential_rear.h"
#include "makespan/potential_shares.h"

/* Longest string that gets several pieces: their programs have rows for every instruction. */
#define PIECES_LENGTH 512

/* One rung: B = service * (min(longest run, length) + 1) for the pools that keep work;
 * everywhere, or only where a type serves two or more; K = service + more. One piece, or one
 * for each type. */
struct rung {
  uint32_t length;
  bool everywhere;
  uint32_t more;
  bool pieces;
};

static const struct rung ladder[] = {
    {0, false, 0, false}, {0, false, 0, true},  {1, false, 0, true}, {1, true, 0, true},
    {3, false, 0, true},  {3, true, 0, true},   {9, false, 0, true}, {27, false, 0, true},
    {9, false, 2, true},  {9, true, 0, true},   {27, true, 0, true}, {9, true, 2, true},
    {99, false, 0, true}, {99, false, 4, true}, {99, true, 4, true},
};

/* The first rung after those without work and with the least counts. */
#define FIRST_WITH_WORK 2

static const struct wb_potential_effort quick = {500, 1500000, 40};
static const struct wb_potential_effort full = {2500, 20000000, 150};

/* What following the rear of each potential may cost. */
static const struct wb_rear_effort rear_quick = {8000000, UINT64_C(1) << 26};
static const struct wb_rear_effort rear_shares = {30000000, UINT64_C(1) << 27};
static const struct wb_rear_effort rear_full = {250000000, UINT64_C(1) << 27};

/* Share of the time for the search of shares. By what part of I a bound for more warps may be above
 * the least there. */
#define SHARES_SHARE 0.5
#define SHARES_MARGIN 8

/* How many times more warps potentials are made for that are to rise less steeply, and what says
 * that they have been. Shares are compared by the first of them. */
static const uint32_t steadier[] = {2, 4, 1};
#define STEADIER_SETTLED (UINT32_C(1) << 28)

static uint32_t longest_run(const struct wb_problem *problem, enum wb_unit unit)
{
  size_t longest = 0;
  for (size_t r = 0; r < problem->string.run_count; r++)
    if (problem->string.runs[r].unit == unit)
      longest = wb_maximum(longest, problem->string.runs[r].length);
  return (uint32_t)wb_minimum(longest, WB_POOL_WORK_LIMIT);
}

static struct wb_pool_limits limits_of(const struct wb_problem *problem, const struct rung *rung)
{
  struct wb_pool_limits limits = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint32_t service = wb_problem_service(problem, (enum wb_unit)u);
    limits.warps[u] = service + rung->more;
    uint32_t length = (uint32_t)wb_minimum(longest_run(problem, (enum wb_unit)u), rung->length);
    if (length > 0 && (rung->everywhere || service > 1))
      limits.work[u] = service * (length + 1);
  }
  return limits;
}

/* Pieces for each type of the string, in the order of the pools; the others answer for a
 * piece in equal shares. */
static struct wb_potential_shape shape_of(const struct wb_problem *problem, const struct rung *rung)
{
  struct wb_potential_shape shape = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0)
      shape.least[shape.count++] = wb_problem_service(problem, (enum wb_unit)u);
  if (!rung->pieces || problem->string.length > PIECES_LENGTH || shape.count == 1)
    return (struct wb_potential_shape){.count = 1};
  for (unsigned j = 0; j < shape.count; j++)
    for (unsigned part = 0, i = j; part < WB_POTENTIAL_PARTS; part++) {
      i = (i + 1) % shape.count;
      if (i == j)
        i = (i + 1) % shape.count;
      shape.share[j][i]++;
    }
  return shape;
}

static bool same_limits(const struct wb_pool_limits *a, const struct wb_pool_limits *b)
{
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (a->warps[u] != b->warps[u] || a->work[u] != b->work[u])
      return false;
  return true;
}

/* Whether an earlier rung had the same limits and pieces for this problem. */
static bool tried(const struct wb_problem *problem, size_t rung)
{
  struct wb_pool_limits limits = limits_of(problem, &ladder[rung]);
  unsigned pieces = shape_of(problem, &ladder[rung]).count;
  for (size_t i = 0; i < rung; i++) {
    struct wb_pool_limits earlier = limits_of(problem, &ladder[i]);
    if (same_limits(&limits, &earlier) && shape_of(problem, &ladder[i]).count == pieces)
      return true;
  }
  return false;
}

/* A search under way. below: what a bound must be less than to be of use; plain: what it must be
 * less than before the rear is followed; least: the least bound for more warps that other shares
 * have given; shared: the best potential of these, for W; rear: what following the rear of a
 * potential may cost. */
struct climb {
  const struct wb_problem *problem;
  struct wb_potential_search_options *options;
  const struct wb_potential_effort *effort;
  const struct wb_control *control;
  struct wb_potential_search_result *result;
  uint64_t below;
  uint64_t plain;
  uint64_t least;
  struct wb_potential_proof shared;
  const struct wb_rear_effort *rear;
};

static const struct wb_potential_proof *best_of(const struct climb *climb)
{
  return climb->result->found ? &climb->result->proof : climb->options->coarser;
}

static void note_stop(struct climb *climb, enum wb_stop stop)
{
  if (stop == WB_STOP_TIME || stop == WB_STOP_INTERRUPTED)
    climb->result->stop = stop;
}

/* Follows the rear of a potential, as far as `effort` allows, and keeps it if it is then better
 * than all before. Takes it over. */
static warpbound_status offer(struct climb *climb, struct wb_potential_proof *proof,
                              const struct wb_rear_effort *effort, warpbound_error *error)
{
  struct wb_potential_search_result *result = climb->result;
  enum wb_stop stop = WB_STOP_NONE;
  climb->plain = wb_minimum(climb->plain, proof->plain);
  warpbound_status status = wb_potential_follow_more(proof, effort, climb->control, &stop, error);
  note_stop(climb, stop);
  if (proof->cycles >= climb->below) {
    wb_potential_proof_free(proof);
    return status;
  }
  wb_potential_proof_free(&result->proof);
  result->proof = *proof;
  result->found = true;
  climb->below = proof->cycles;
  return status;
}

/* Looks for a potential of these limits and this shape, and offers it. *whole: it came to its
 * end. */
static warpbound_status try_shape(struct climb *climb, const struct wb_pool_limits *limits,
                                  const struct wb_potential_shape *shape, bool *whole,
                                  warpbound_error *error)
{
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  *whole = false;
  warpbound_status status =
      wb_potential_prove(climb->problem, limits, shape, best_of(climb), climb->plain, climb->effort,
                         climb->control, &proof, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  *whole = outcome.stop == WB_STOP_NONE;
  note_stop(climb, outcome.stop);
  return outcome.found ? offer(climb, &proof, climb->rear, error) : WARPBOUND_OK;
}

static bool goes_on(struct climb *climb, double done)
{
  if (climb->below <= climb->options->enough)
    return false;
  climb->result->stop = wb_control_poll(climb->control, "potentials", done);
  return climb->result->stop == WB_STOP_NONE;
}

/* A potential of this shape made for `factor` times W warps, at the least limits: it rises less
 * steeply, and following the rear takes most of what it begins higher with. Found where it holds
 * for W, to which it is taken over. *reached: in, what its bound for so many is to be less than;
 * out, that bound. */
static warpbound_status prove_for_more(struct climb *climb, const struct wb_potential_shape *shape,
                                       uint32_t factor, uint64_t *reached,
                                       struct wb_potential_proof *proof,
                                       struct wb_potential_outcome *outcome, warpbound_error *error)
{
  struct wb_pool_limits limits = limits_of(climb->problem, &ladder[0]);
  struct wb_problem more = *climb->problem;
  more.warps *= factor;
  warpbound_status status =
      wb_potential_prove(&more, &limits, shape, best_of(climb), *reached, climb->effort,
                         climb->control, proof, outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  note_stop(climb, outcome->stop);
  if (!outcome->found)
    return WARPBOUND_OK;
  *reached = proof->cycles;
  outcome->found =
      climb->problem->warps >= proof->steady_from && wb_potential_take_over(proof, climb->problem);
  if (!outcome->found)
    wb_potential_proof_free(proof);
  return WARPBOUND_OK;
}

/* A potential of the best potential's shape, or of the best shares found, for a number of warps
 * of `steadier`. */
static warpbound_status try_steadier(struct climb *climb, const struct wb_potential_shape *shape,
                                     size_t k, warpbound_error *error)
{
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  uint64_t reached = UINT64_MAX / 2;
  warpbound_status status =
      prove_for_more(climb, shape, steadier[k], &reached, &proof, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  if (outcome.stop == WB_STOP_NONE)
    climb->options->settled |= STEADIER_SETTLED << k;
  return outcome.found ? offer(climb, &proof, climb->rear, error) : WARPBOUND_OK;
}

/* Follows as many of the rear as of the first potential of the search of shares, as which all are
 * compared: as many as a modest effort allows. */
static warpbound_status follow_shared(struct climb *climb, struct wb_potential_proof *proof,
                                      warpbound_error *error)
{
  struct wb_rear_outcome outcome;
  enum wb_stop stop;
  if (climb->shared.cycles == 0)
    return wb_potential_follow_more(proof, &rear_shares, climb->control, &stop, error);
  if (climb->shared.rear == 0)
    return WARPBOUND_OK;
  return wb_potential_follow_rear(proof, climb->shared.rear, &rear_full, climb->control, &outcome,
                                  error);
}

/* A wb_potential_attempt, by the bound of a potential for more warps with its rear followed. Far
 * above the best without a rear, none is. */
static warpbound_status try_shares(void *context, const struct wb_potential_shape *shape,
                                   bool *better, bool *go_on, warpbound_error *error)
{
  struct climb *climb = context;
  struct wb_potential_proof proof;
  struct wb_potential_outcome outcome;
  uint64_t reached = climb->least + climb->problem->string.length / SHARES_MARGIN;
  warpbound_status status =
      prove_for_more(climb, shape, steadier[0], &reached, &proof, &outcome, error);
  *better = false;
  if (status == WARPBOUND_OK && outcome.found) {
    climb->least = wb_minimum(climb->least, reached);
    status = follow_shared(climb, &proof, error);
    *better = climb->shared.cycles == 0 ||
              (proof.rear == climb->shared.rear && proof.cycles < climb->shared.cycles);
    wb_potential_proof_free(*better ? &climb->shared : &proof);
    if (*better)
      climb->shared = proof;
  }
  *go_on = status == WARPBOUND_OK && climb->result->stop == WB_STOP_NONE && goes_on(climb, 0);
  return status;
}

/* Leaves the potential with the best shares found in climb->shared, the first with those of
 * `shape`. Within a part of the time that there is. */
static warpbound_status search_shares(struct climb *climb, const struct wb_potential_shape *shape,
                                      warpbound_error *error)
{
  const struct wb_control *control = climb->control;
  struct wb_control limited = wb_control_limit_share(control, SHARES_SHARE);
  bool better, go_on;
  climb->control = &limited;
  warpbound_status status = try_shares(climb, shape, &better, &go_on, error);
  if (status == WARPBOUND_OK && go_on)
    status = wb_potential_improve_shares(shape, try_shares, climb, error);
  climb->control = control;
  climb->result->stop = wb_control_stopped(control);
  return status;
}

/* Better shares than the best potential's, of three pieces or more. */
static warpbound_status improve_shares(struct climb *climb, struct wb_potential_shape *shape,
                                       warpbound_error *error)
{
  warpbound_status status = search_shares(climb, shape, error);
  if (status == WARPBOUND_OK && climb->result->stop == WB_STOP_NONE)
    climb->options->settled |= STEADIER_SETTLED;
  struct wb_potential_proof shared = climb->shared;
  climb->shared = (struct wb_potential_proof){0};
  if (shared.cycles == 0)
    return status;
  *shape = shared.potential.shape;
  if (status == WARPBOUND_OK)
    return offer(climb, &shared, climb->rear, error);
  wb_potential_proof_free(&shared);
  return status;
}

/* Potentials for more warps, with better shares where there are three pieces or more and the
 * search is deep; then also for W itself. */
static warpbound_status go_steadier(struct climb *climb, warpbound_error *error)
{
  const struct wb_potential_proof *best = best_of(climb);
  warpbound_status status = WARPBOUND_OK;
  if (best == NULL || !wb_potential_has_rear(best) || !goes_on(climb, 0))
    return status;
  struct wb_potential_shape shape = best->potential.shape;
  bool shares = shape.count > 2;
  if (shares && climb->options->depth != WB_POTENTIAL_FULL)
    return status;
  for (size_t k = 0; k < sizeof steadier / sizeof *steadier; k++) {
    if ((climb->options->settled & STEADIER_SETTLED << k) != 0 || (steadier[k] == 1 && !shares))
      continue;
    status = shares && k == 0 ? improve_shares(climb, &shape, error)
                              : try_steadier(climb, &shape, k, error);
    if (status != WARPBOUND_OK || !goes_on(climb, 0))
      return status;
  }
  return status;
}

/* One rung of the ladder, with the shares that the best potential has. Where the effort does
 * not allow several pieces, and none of several is known, with one. */
static warpbound_status climb_rung(struct climb *climb, size_t i, warpbound_error *error)
{
  const struct wb_potential_proof *best = best_of(climb);
  struct wb_pool_limits limits = limits_of(climb->problem, &ladder[i]);
  struct wb_pool_limits first = limits_of(climb->problem, &ladder[0]);
  struct wb_potential_shape shape = shape_of(climb->problem, &ladder[i]);
  const struct wb_potential_shape single = {.count = 1};
  bool whole;
  if (best != NULL && best->potential.shape.count == shape.count)
    shape = best->potential.shape;
  warpbound_status status = try_shape(climb, &limits, &shape, &whole, error);
  if (whole)
    climb->options->settled |= UINT32_C(1) << i;
  best = best_of(climb);
  if (status != WARPBOUND_OK || whole || shape.count == 1 || climb->result->stop != WB_STOP_NONE ||
      same_limits(&limits, &first) || (best != NULL && best->potential.shape.count > 1))
    return status;
  return try_shape(climb, &limits, &single, &whole, error);
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

warpbound_status wb_potential_search(const struct wb_problem *problem,
                                     struct wb_potential_search_options *options,
                                     const struct wb_control *control,
                                     struct wb_potential_search_result *result,
                                     warpbound_error *error)
{
  *result = (struct wb_potential_search_result){0};
  bool deep = options->depth == WB_POTENTIAL_FULL;
  struct climb climb = {.problem = problem,
                        .options = options,
                        .effort = deep ? &full : &quick,
                        .control = control,
                        .result = result,
                        .below = options->below,
                        .plain = plain_below(options, problem),
                        .least = UINT64_MAX / 2,
                        .rear = &rear_quick};
  size_t rungs = sizeof ladder / sizeof *ladder;
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < rungs && goes_on(&climb, (double)i / (double)rungs); i++) {
    if (i == FIRST_WITH_WORK) {
      climb.rear = deep ? &rear_full : &rear_quick;
      status = go_steadier(&climb, error);
    }
    if (status == WARPBOUND_OK && result->stop == WB_STOP_NONE &&
        (options->settled >> i & 1) == 0 && !tried(problem, i))
      status = climb_rung(&climb, i, error);
    if (status != WARPBOUND_OK || result->stop != WB_STOP_NONE)
      return status;
  }
  return status;
}
