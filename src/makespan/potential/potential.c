#include "makespan/potential/potential.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/potential/potential_program.h"
#include "makespan/potential/potential_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCALE WB_POTENTIAL_SCALE
/* A move that lacks less than this is left to the exact check at the end: rounding takes half
 * a unit from every number in it. */
#define TOLERANCE 2
#define PIECES_TOLERANCE 24
/* What is kept is close to the program's bound when it is above it by this share of it. */
#define CLOSE 0.0001
/* Rounds in which the answer is still asked for itself when what was kept is so close to it. */
#define CLOSE_ROUNDS 8
/* How far, in cycles, values may go at first from those of a coarser potential of the same
 * shape, and the share of the bound that more room must have saved to be given once more. */
#define FIRST_WIDTH 0.5
#define LEAST_PROGRESS 0.0005
/* The program's answer counts for STEP / WHOLE in the mean that the next walk is under, for
 * NEAR_STEP / WHOLE where a coarser potential of the same shape was the start. */
#define WHOLE 16
#define STEP 8
#define NEAR_STEP 4
/* Most states of an abstraction before one asks which are reached. */
#define STATE_SPACE_LIMIT (UINT64_C(1) << 20)

/* A synthesis under way. */
struct synthesis {
  const struct wb_control *control;
  struct wb_potential_proof *proof;
  struct wb_potential_program program;
  struct wb_pool_bundles bundles[WB_POTENTIAL_VIEWS];
  struct wb_pool_scratch scratch;
  uint64_t steps;
  unsigned view; /* under which the walk is */
  size_t rows;   /* gathered in this walk */
  int64_t least_gain;
  int64_t wanted_gain; /* moves that gain less become rows: */
  int64_t enough;      /* this, but in the first walk */
  size_t numbers;      /* that make the potential: below are three sets of them */
  int64_t *kept;       /* what proves least so far: kept_bound cycles */
  int64_t *answer;     /* of the program, rounded */
  int64_t *mean;       /* of the two */
  int64_t kept_gain;   /* the least gain under what was kept */
  double kept_bound;   /* INFINITY: nothing was kept */
  double bound;        /* the program's: of this abstraction's potentials none proves less */
  int64_t weight;      /* of the answer, of WHOLE, in the present values; 0: none yet */
  unsigned close;      /* rounds in which kept_bound was close to bound */
  double width;        /* how far values may go from some of a coarser potential, 0: anywhere */
  double held_bound;   /* kept_bound when width was set */
};

/* ---- walks ---- */

static int ascending(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* What a view makes of the moves from a state. */
static struct wb_pool_gain gain_of(const struct synthesis *s, unsigned view, uint64_t from)
{
  const struct wb_potential *potential = &s->proof->potential;
  unsigned piece = view % potential->shape.count;
  struct wb_pool_gain gain = {.values = &potential->values[view],
                              .bundles = &s->bundles[view],
                              .parts = potential->parts,
                              .heights = potential->height[piece]};
  for (unsigned i = 0; i < potential->shape.count; i++)
    gain.height += wb_potential_share(potential, view, piece, i) * potential->height[i][from];
  return gain;
}

static bool make_bundles(struct synthesis *s)
{
  const struct wb_potential *potential = &s->proof->potential;
  bool ok = true;
  for (unsigned v = 0; ok && v < wb_potential_views(potential); v++)
    ok = wb_pool_bundles_make(&s->proof->pools, &potential->values[v], &s->bundles[v]);
  return ok;
}

/* Finds every state that the start reaches; *stop says whether the effort allows them. */
static bool reach_states(struct synthesis *s, const struct wb_potential_effort *effort,
                         enum wb_stop *stop)
{
  struct wb_potential_proof *proof = s->proof;
  size_t room = effort->unknowns;
  bool *seen = wb_allocate(proof->pools.states, sizeof *seen);
  proof->state = wb_allocate(room, sizeof *proof->state);
  struct wb_pool_reach reach = {seen, proof->state, 1, room};
  bool ok = seen != NULL && proof->state != NULL;
  if (ok) {
    proof->state[0] = wb_pools_begin(&proof->pools, proof->problem->warps);
    seen[proof->state[0]] = true;
  }
  for (size_t head = 0; ok && head < reach.count && *stop == WB_STOP_NONE; head++) {
    struct wb_pool_gain gain = gain_of(s, 0, proof->state[head]);
    ok = wb_pool_moves(&proof->pools, &gain, proof->state[head], NULL, NULL, &reach, &s->scratch,
                       &s->steps);
    if (reach.count > reach.room || s->steps > effort->steps)
      *stop = WB_STOP_MEMORY;
  }
  free(seen);
  proof->state_count = reach.count;
  if (ok && *stop == WB_STOP_NONE)
    qsort(proof->state, reach.count, sizeof *proof->state, ascending);
  return ok;
}

static bool visit_for_rows(void *context, uint64_t from, const struct wb_pool_move *move)
{
  struct synthesis *s = context;
  if (move->gain < s->least_gain)
    s->least_gain = move->gain;
  if (move->gain >= s->wanted_gain)
    return true;
  s->rows++;
  return wb_potential_program_add(&s->program, s->view, from, move);
}

/* Walks all moves under the present values; gathers a row for each that gains too
 * little, and the least gain of all. */
static bool walk_moves(struct synthesis *s, enum wb_stop *stop)
{
  const struct wb_potential_proof *proof = s->proof;
  s->rows = 0;
  s->least_gain = INT64_MAX;
  if (!make_bundles(s))
    return false;
  for (size_t i = 0; i < proof->state_count && *stop == WB_STOP_NONE; i++) {
    uint64_t from = proof->state[i];
    for (unsigned j = 0; j < proof->potential.shape.count; j++) {
      s->view = wb_potential_view(&proof->potential, &proof->pools, from, j);
      struct wb_pool_gain gain = gain_of(s, s->view, from);
      if (!wb_pool_moves(&proof->pools, &gain, from, visit_for_rows, s, NULL, &s->scratch,
                         &s->steps))
        return false;
    }
    if (i % 64 == 0)
      *stop = wb_control_stopped(s->control);
  }
  s->wanted_gain = s->enough;
  return true;
}

/* ---- the bound ---- */

/* Adds count * value to *sum. */
static bool add_product(int64_t *sum, uint64_t count, int64_t value)
{
  int64_t product;
  return count <= INT64_MAX && wb_multiply_signed((int64_t)count, value, &product) &&
         wb_add_signed(*sum, product, sum);
}

typedef void number_use(void *context, int64_t *number);

/* Calls `use` for every number that makes the potential. */
static void each_number(struct wb_potential_proof *proof, number_use *use, void *context)
{
  struct wb_potential *v = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  for (unsigned p = 0; p < pools->count; p++) {
    if (v->shape.count == 1)
      use(context, &v->values[0].stay[p]);
    use(context, &v->own_stay[p]);
  }
  for (size_t k = 0; v->shape.count == 1 && k < pools->exit_count; k++)
    use(context, &v->leave[0][k]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    use(context, &v->own_leave[k]);
  for (unsigned j = 0; j < v->shape.count; j++) {
    for (size_t p = 0; p < v->length; p++)
      use(context, &v->position[j][p]);
    for (size_t i = 0; i < proof->state_count; i++)
      use(context, &v->height[j][proof->state[i]]);
  }
}

static void note_divisor(void *divisor, int64_t *number)
{
  uint64_t *common = divisor;
  *common = wb_greatest_common_divisor(*common, wb_magnitude(*number));
}

static void divide(void *divisor, int64_t *number)
{
  *number /= (int64_t) * (const uint64_t *)divisor;
}

/* Divides all numbers by what they share: the same proof in smaller numbers. */
static void reduce(struct wb_potential_proof *proof)
{
  uint64_t divisor = wb_greatest_common_divisor((uint64_t)proof->gain, (uint64_t)SCALE);
  each_number(proof, note_divisor, &divisor);
  each_number(proof, divide, &divisor);
  proof->gain /= (int64_t)divisor;
  proof->potential.scale /= (int64_t)divisor;
  wb_potential_refresh(&proof->potential, &proof->pools);
}

struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof)
{
  if (!proof->has_line)
    return (struct wb_potential_line){0};
  uint64_t common =
      wb_greatest_common_divisor(wb_magnitude(proof->slope), wb_magnitude(proof->offset));
  common = wb_greatest_common_divisor(common, (uint64_t)proof->divisor);
  int64_t divisor = (int64_t)common;
  return (struct wb_potential_line){proof->slope / divisor, proof->offset / divisor,
                                    proof->divisor / divisor, proof->steady_from};
}

bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles)
{
  int64_t total = proof->offset;
  if (!proof->has_line || !add_product(&total, warps, proof->slope) || total < 0)
    return false;
  *cycles = (uint64_t)(total / proof->divisor);
  return true;
}

/* What one of the others is worth to a piece at the start of the string. */
static bool whole_string(const struct wb_potential_proof *proof, unsigned piece, int64_t *sum)
{
  const struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  bool ok = true;
  *sum = 0;
  if (potential->shape.count > 1) {
    *sum = potential->position[piece][0];
    return true;
  }
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(sum, pools->pool[p].stays, potential->values[0].stay[p]);
  for (size_t k = 0; k < pools->exit_count; k++)
    ok = ok && add_product(sum, pools->exits[k].count, potential->leave[0][k]);
  return ok;
}

static bool own_string(const struct wb_potential_proof *proof, int64_t *sum)
{
  const struct wb_pools *pools = &proof->pools;
  bool ok = true;
  *sum = 0;
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(sum, pools->pool[p].stays, proof->potential.own_stay[p]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    ok = ok && add_product(sum, pools->own_exits[k].count, proof->potential.own_leave[k]);
  return ok;
}

/* The bound for the problem's W; false where a number overflows or it is of no use. */
static bool read_bound(struct wb_potential_proof *proof)
{
  const struct wb_potential *potential = &proof->potential;
  uint64_t begin = wb_pools_begin(&proof->pools, proof->problem->warps);
  int64_t own, most = INT64_MIN;
  if (proof->gain <= 0 || !own_string(proof, &own))
    return false;
  for (unsigned j = 0; j < potential->shape.count; j++) {
    int64_t others, sum;
    if (!whole_string(proof, j, &others) ||
        !wb_add_signed(own, potential->height[j][begin], &sum) ||
        !add_product(&sum, proof->problem->warps - 1, others))
      return false;
    most = sum > most ? sum : most;
  }
  if (most < 0)
    return false;
  proof->cycles = proof->plain = (uint64_t)(most / proof->gain);
  return true;
}

/* The line, which rises as the steepest piece does, from the highest one at steady_from. Its start
 * is the problem's own if that has steady_from warps or more; of fewer, nothing says that it was
 * walked from. False: there is none, or a number overflows. */
static bool read_line(struct wb_potential_proof *proof)
{
  const struct wb_potential *potential = &proof->potential;
  int64_t own, rise, first = INT64_MIN;
  proof->steady_from = wb_pools_steady_from(&proof->pools);
  proof->divisor = proof->gain;
  proof->slope = INT64_MIN;
  if (proof->problem->warps < proof->steady_from || !own_string(proof, &own))
    return false;
  uint64_t begin = wb_pools_begin(&proof->pools, proof->steady_from);
  for (unsigned j = 0; j < potential->shape.count; j++) {
    int64_t others, sum;
    if (!whole_string(proof, j, &others) ||
        !wb_add_signed(own, potential->height[j][begin], &sum) ||
        !add_product(&sum, proof->steady_from - 1, others))
      return false;
    proof->slope = others > proof->slope ? others : proof->slope;
    first = sum > first ? sum : first;
  }
  return wb_multiply_signed(proof->slope, proof->steady_from, &rise) &&
         wb_subtract_signed(first, rise, &proof->offset);
}

static bool read_result(struct wb_potential_proof *proof)
{
  proof->has_line = read_line(proof);
  return read_bound(proof);
}

bool wb_potential_take_over(struct wb_potential_proof *proof, const struct wb_problem *problem)
{
  proof->problem = problem;
  return read_result(proof);
}

/* ---- the best so far ---- */

static void save(void *context, int64_t *number)
{
  int64_t **next = context;
  *(*next)++ = *number;
}

static void restore(void *context, int64_t *number)
{
  const int64_t **next = context;
  *number = *(*next)++;
}

static void count(void *context, int64_t *number)
{
  (void)number;
  ++*(size_t *)context;
}

/* Room for the numbers of potentials. */
static bool start_numbers(struct synthesis *s)
{
  each_number(s->proof, count, &s->numbers);
  s->kept = wb_allocate(s->numbers, sizeof *s->kept);
  s->answer = wb_allocate(s->numbers, sizeof *s->answer);
  s->mean = wb_allocate(s->numbers, sizeof *s->mean);
  s->kept_bound = INFINITY;
  return s->kept != NULL && s->answer != NULL && s->mean != NULL;
}

/* What the potential as it stands proves, in cycles. */
static double proven(const struct synthesis *s)
{
  const struct wb_potential_proof *proof = s->proof;
  uint64_t begin = wb_pools_begin(&proof->pools, proof->problem->warps);
  double most = -INFINITY;
  int64_t own = 0, others = 0;
  if (s->least_gain <= 0 || !wb_potential_bounded(&proof->potential, &proof->pools) ||
      !own_string(proof, &own))
    return INFINITY;
  for (unsigned j = 0; j < proof->potential.shape.count; j++) {
    if (!whole_string(proof, j, &others))
      return INFINITY;
    most = fmax(most, (double)(proof->problem->warps - 1) * (double)others + (double)own +
                          (double)proof->potential.height[j][begin]);
  }
  return most * (double)proof->potential.parts / (double)s->least_gain;
}

/* Keeps the potential as it stands where it proves less than the one kept. */
static void keep(struct synthesis *s)
{
  double bound = proven(s);
  if (bound >= s->kept_bound)
    return;
  int64_t *next = s->kept;
  each_number(s->proof, save, &next);
  s->kept_gain = s->least_gain;
  s->kept_bound = bound;
}

/* Makes the potential's numbers these. */
static void take_numbers(struct synthesis *s, const int64_t *numbers)
{
  each_number(s->proof, restore, &numbers);
  wb_potential_refresh(&s->proof->potential, &s->proof->pools);
}

/* Makes the potential the program's answer or, where that has a weight below WHOLE, a mean of it
 * and of what was kept, as something that gains a cycle. */
static void take_step(struct synthesis *s)
{
  if (s->weight == WHOLE || isinf(s->kept_bound)) {
    take_numbers(s, s->answer);
    return;
  }
  double cycle = (double)(SCALE * s->proof->potential.parts) / (double)s->kept_gain;
  for (size_t i = 0; i < s->numbers; i++) {
    int64_t kept = llround(cycle * (double)s->kept[i]);
    s->mean[i] = kept + (s->answer[i] - kept) * s->weight / WHOLE;
  }
  take_numbers(s, s->mean);
}

/* ---- the whole ---- */

/* Ends with what was kept. */
static void conclude(struct synthesis *s, uint64_t below, struct wb_potential_outcome *outcome)
{
  struct wb_potential_proof *proof = s->proof;
  if (s->kept == NULL || isinf(s->kept_bound))
    return;
  take_numbers(s, s->kept);
  proof->gain = s->kept_gain / proof->potential.parts;
  if (proof->gain <= 0)
    return;
  reduce(proof);
  outcome->found = read_result(proof) && proof->cycles < below;
}

/* Adds the rows gathered, solves, keeps the answer. *over: it leads to nothing. */
static bool solve(struct synthesis *s, uint64_t below, bool *over, enum wb_stop *stop)
{
  bool solved;
  if (!wb_potential_program_solve(&s->program, s->control, &s->bound, &solved, stop))
    return false;
  if (*stop != WB_STOP_NONE)
    return true;
  *over = !solved || floor(s->bound + 1e-3) >= (double)below;
  if (*over)
    return true;
  bool near = s->kept_bound - s->bound <= CLOSE * s->bound;
  s->weight = near ? WHOLE : s->width > 0 ? NEAR_STEP : STEP;
  wb_potential_program_take(&s->program);
  int64_t *next = s->answer;
  each_number(s->proof, save, &next);
  return wb_potential_program_link(&s->program);
}

/* Whether the rounds may end here with an answer for the present limits of the values, if any;
 * and whether those are to be wider then, which starts it all again. */
static bool is_over(struct synthesis *s, bool holds)
{
  bool near = s->kept_bound - s->bound <= CLOSE * s->bound;
  s->close += near;
  return (s->weight == WHOLE && (holds || s->program.rows == 0)) || s->close > CLOSE_ROUNDS;
}

/* Gives the values more room around those kept, if they are held near some at all, and room has
 * paid. *again: it did. */
static bool widen(struct synthesis *s, bool *again)
{
  *again = s->width > 0 && s->held_bound - s->kept_bound > LEAST_PROGRESS * s->kept_bound;
  s->held_bound = s->kept_bound;
  s->width *= 2;
  s->close = 0;
  if (!*again)
    return true;
  take_numbers(s, s->kept);
  return wb_potential_program_hold(&s->program, s->width);
}

/* Rounds: walks all moves under the present values; where some gain too little, solves with them
 * and goes on from the mean of the answer and what was kept, which breaks moves that matter and
 * soon proves something. Ends where no move breaks the answer itself, or what was kept has long
 * been close to it. */
static bool make_rounds(struct synthesis *s, uint64_t below,
                        const struct wb_potential_effort *effort, enum wb_stop *stop)
{
  bool over = false;
  for (unsigned solved = 0; !over && *stop == WB_STOP_NONE;) {
    if (!walk_moves(s, stop))
      return false;
    if (*stop != WB_STOP_NONE)
      break;
    keep(s);
    if (solved == 0)
      s->held_bound = s->kept_bound;
    bool holds = s->rows == 0 && wb_potential_bounded(&s->proof->potential, &s->proof->pools);
    bool again = false;
    if (is_over(s, holds)) {
      if (!widen(s, &again))
        return false;
      if (!again)
        break;
    }
    if (holds && !again && s->weight > 0)
      s->weight = WHOLE;
    else if (solved++ == effort->rounds || (effort->walks > 0 && s->steps > effort->walks))
      *stop = WB_STOP_MEMORY;
    else if (!solve(s, below, &over, stop))
      return false;
    if (!over && *stop == WB_STOP_NONE)
      take_step(s);
  }
  return true;
}

/* Starts from the coarser potential, if there is one, or from scratch. */
static bool start_values(struct synthesis *s, const struct wb_potential_proof *coarser)
{
  const struct wb_potential *potential = &s->proof->potential;
  int64_t parts = potential->parts;
  s->enough = SCALE * parts - (potential->shape.count > 1 ? PIECES_TOLERANCE * parts : TOLERANCE);
  s->wanted_gain = s->enough;
  s->bound = -INFINITY;
  if (!start_numbers(s))
    return false;
  if (!wb_potential_start_values(s->proof, coarser))
    return true;
  s->wanted_gain = 2 * SCALE * parts; /* moves that are nearly tight are the first rows */
  if (potential->shape.count == 1 ||
      memcmp(&coarser->potential.shape, &potential->shape, sizeof potential->shape) != 0)
    return true;
  s->width = FIRST_WIDTH;
  return wb_potential_program_hold(&s->program, s->width);
}

/* Makes the proof's arrays and finds its states. */
static bool prepare(struct synthesis *s, const struct wb_potential_shape *shape,
                    const struct wb_potential_effort *effort, enum wb_stop *stop)
{
  struct wb_potential_proof *proof = s->proof;
  if (!wb_potential_start(&proof->potential, &proof->pools, proof->problem, shape))
    return false;
  proof->potential.scale = SCALE;
  wb_potential_refresh(&proof->potential, &proof->pools);
  if (!wb_pool_scratch_start(&s->scratch, &proof->pools) || !make_bundles(s) ||
      !reach_states(s, effort, stop))
    return false;
  unsigned pieces = proof->potential.shape.count;
  bool sums = pieces > 1 && proof->state_count * pieces > effort->heights;
  if (wb_potential_program_heights(&proof->pools, pieces, proof->state_count, sums) +
          pieces * proof->potential.length >
      effort->unknowns)
    *stop = WB_STOP_MEMORY;
  if (*stop != WB_STOP_NONE)
    return true;
  bool ok = wb_potential_program_start(
      &s->program, &proof->pools, &proof->potential, proof->state, proof->state_count, sums,
      wb_pools_begin(&proof->pools, proof->problem->warps), proof->problem->warps);
  if (effort->simplex > 0)
    s->program.dual.allowed = effort->simplex;
  return ok;
}

static void finish(struct synthesis *s)
{
  for (unsigned v = 0; v < WB_POTENTIAL_VIEWS; v++)
    wb_pool_bundles_free(&s->bundles[v]);
  wb_pool_scratch_free(&s->scratch);
  free(s->kept);
  free(s->answer);
  free(s->mean);
  wb_potential_program_free(&s->program);
}

warpbound_status
wb_potential_prove(const struct wb_problem *problem, const struct wb_pool_limits *limits,
                   const struct wb_potential_shape *shape, const struct wb_potential_proof *coarser,
                   uint64_t below, const struct wb_potential_effort *effort,
                   const struct wb_control *control, struct wb_potential_proof *proof,
                   struct wb_potential_outcome *outcome, warpbound_error *error)
{
  *outcome = (struct wb_potential_outcome){0};
  *proof = (struct wb_potential_proof){.problem = problem};
  struct synthesis s = {.control = control, .proof = proof};
  warpbound_status status = wb_pools_start(&proof->pools, problem, limits, error);
  if (status == WARPBOUND_OK && proof->pools.states > STATE_SPACE_LIMIT)
    outcome->stop = WB_STOP_MEMORY;
  bool ok = true;
  if (status == WARPBOUND_OK && outcome->stop == WB_STOP_NONE) {
    ok = prepare(&s, shape, effort, &outcome->stop);
    if (ok && outcome->stop == WB_STOP_NONE)
      ok = start_values(&s, coarser) && make_rounds(&s, below, effort, &outcome->stop);
    if (ok)
      conclude(&s, below, outcome);
  }
  outcome->steps = s.steps;
  outcome->simplex = s.program.dual.work;
  finish(&s);
  if (!outcome->found || !ok)
    wb_potential_proof_free(proof);
  return ok ? status : wb_out_of_memory(error);
}

void wb_potential_proof_free(struct wb_potential_proof *proof)
{
  wb_pools_free(&proof->pools);
  wb_potential_free(&proof->potential);
  free(proof->state);
  *proof = (struct wb_potential_proof){0};
}
