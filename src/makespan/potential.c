#include "makespan/potential.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/potential_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCALE WB_POTENTIAL_SCALE
/* A move that lacks less than this is left to the exact check at the end: rounding takes half
 * a unit from every number in it. */
#define TOLERANCE 2
#define PIECES_TOLERANCE 24
/* How far, in cycles, values may go at first from those of a coarser potential of the same
 * shape: the rows are few at first, and without limits their answers run far away. */
#define FIRST_WIDTH 0.5
/* Share of the bound that more room must have saved to be given once more. */
#define LEAST_PROGRESS 0.0005
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
  int64_t wanted_gain; /* moves that gain less become rows */
  double width;        /* how far the values may go from those kept, 0: anywhere */
  int64_t *kept;       /* the numbers of the best potential so far, or NULL */
  int64_t kept_gain;
  double kept_bound;
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
  size_t room = effort->unknowns / proof->potential.shape.count;
  if (room <= proof->potential.length) {
    *stop = WB_STOP_MEMORY;
    return true;
  }
  room -= proof->potential.length;
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
  return true;
}

/* ---- a start near a coarser answer ---- */

/* The coarser kind of exit that a kind falls under. */
static size_t coarser_exit(const struct wb_pools *coarse, const struct wb_pool_exit *fine)
{
  size_t k = 0;
  while (k + 1 < coarse->exit_count) {
    const struct wb_pool_exit *exit = &coarse->exits[k];
    bool ends = fine->to == WB_POOL_END;
    uint32_t length = ends ? 0 : wb_pool_entry(&coarse->pool[fine->to], fine->length);
    if (exit->from == fine->from && exit->to == fine->to && exit->length == length)
      break;
    k++;
  }
  return k;
}

static uint64_t coarser_state(const struct wb_pools *coarse, const struct wb_pools *fine,
                              uint64_t state)
{
  uint64_t own = state / fine->stride[fine->count], rest = state % fine->stride[fine->count];
  uint64_t result = own * coarse->stride[coarse->count];
  for (unsigned p = 0; p < fine->count; p++) {
    uint32_t n, b;
    wb_pool_content(&fine->pool[p], (uint32_t)(rest / fine->stride[p] % fine->pool[p].size), &n,
                    &b);
    result += wb_pool_local(&coarse->pool[p], n, b) * coarse->stride[p];
  }
  return result;
}

/* Whether every limit of `coarse` is below or at that of `fine`, so that states map. */
static bool is_coarser(const struct wb_pools *coarse, const struct wb_pools *fine)
{
  for (unsigned p = 0; p < fine->count; p++)
    if (coarse->pool[p].warps > fine->pool[p].warps || coarse->pool[p].work > fine->pool[p].work)
      return false;
  return true;
}

/* Values by position from those of kinds: what the steps to the end are worth. */
static void read_positions(struct wb_potential *potential, unsigned piece,
                           const struct wb_pools *pools, const struct wb_pools *coarse,
                           const struct wb_potential *from, int64_t factor)
{
  int64_t *position = potential->position[piece];
  for (size_t p = potential->length; p-- > 0;) {
    uint32_t kind = potential->kind[p];
    int64_t value = kind < pools->count
                        ? from->values[0].stay[kind]
                        : from->leave[0][coarser_exit(coarse, &pools->exits[kind - pools->count])];
    position[p] = position[p + 1] + factor * value;
  }
}

/* What one of the others is worth in a piece, as the coarser potential has it. */
static void take_over_values(struct wb_potential *potential, unsigned piece,
                             const struct wb_pools *pools, const struct wb_pools *coarse,
                             const struct wb_potential *from, int64_t factor)
{
  if (from->shape.count > 1)
    for (size_t p = 0; p < potential->length; p++)
      potential->position[piece][p] = factor * from->position[piece][p];
  else if (potential->shape.count > 1)
    read_positions(potential, piece, pools, coarse, from, factor);
}

static void take_over_kinds(struct wb_potential *potential, const struct wb_pools *pools,
                            const struct wb_pools *coarse, const struct wb_potential *from,
                            int64_t factor)
{
  for (unsigned p = 0; p < pools->count; p++) {
    potential->values[0].stay[p] = factor * from->values[0].stay[p];
    potential->own_stay[p] = factor * from->own_stay[p];
  }
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = factor * from->own_leave[k];
  for (size_t k = 0; k < pools->exit_count && potential->shape.count == 1; k++)
    potential->leave[0][k] = factor * from->leave[0][coarser_exit(coarse, &pools->exits[k])];
}

/* Takes over the values of a coarser proof, and makes its near-tight moves the first rows. */
static bool start_from(struct synthesis *s, const struct wb_potential_proof *coarser)
{
  const struct wb_pools *pools = &s->proof->pools;
  struct wb_potential *potential = &s->proof->potential;
  unsigned count = potential->shape.count;
  if (coarser == NULL || coarser->potential.shape.count > count ||
      !is_coarser(&coarser->pools, pools))
    return true;
  const struct wb_potential *from = &coarser->potential;
  int64_t factor = SCALE / from->scale;
  take_over_kinds(potential, pools, &coarser->pools, from, factor);
  for (unsigned j = 0; j < count; j++) {
    const int64_t *heights = from->height[from->shape.count > 1 ? j : 0];
    take_over_values(potential, j, pools, &coarser->pools, from, factor);
    for (size_t i = 0; i < s->proof->state_count; i++) {
      uint64_t state = s->proof->state[i];
      potential->height[j][state] = factor * heights[coarser_state(&coarser->pools, pools, state)];
    }
  }
  wb_potential_refresh(potential, pools);
  s->wanted_gain = 2 * SCALE * potential->parts;
  if (count == 1 || memcmp(&from->shape, &potential->shape, sizeof from->shape) != 0)
    return true;
  s->width = FIRST_WIDTH;
  return wb_potential_program_hold(&s->program, s->width);
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

bool wb_potential_line(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles)
{
  int64_t total = proof->offset;
  if (!add_product(&total, warps, proof->slope) || total < 0)
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

/* slope and offset of the line, and the bound for the problem's W; false where a number
 * overflows or the line is of no use. The line rises as its steepest piece does, from the
 * highest one at steady_from. */
static bool read_bound(struct wb_potential_proof *proof)
{
  const struct wb_potential *potential = &proof->potential;
  uint64_t begin = wb_pools_begin(&proof->pools, proof->problem->warps);
  int64_t own, most = INT64_MIN, first = INT64_MIN;
  proof->steady_from = wb_pools_steady_from(&proof->pools);
  proof->slope = INT64_MIN;
  if (proof->gain <= 0 || !own_string(proof, &own))
    return false;
  for (unsigned j = 0; j < potential->shape.count; j++) {
    int64_t others, sum, steady;
    if (!whole_string(proof, j, &others) || !wb_add_signed(own, potential->height[j][begin], &sum))
      return false;
    steady = sum;
    if (!add_product(&sum, proof->problem->warps - 1, others) ||
        !add_product(&steady, proof->steady_from - 1, others))
      return false;
    proof->slope = others > proof->slope ? others : proof->slope;
    most = sum > most ? sum : most;
    first = steady > first ? steady : first;
  }
  int64_t rise;
  if (most < 0 || !wb_multiply_signed(proof->slope, proof->steady_from, &rise) ||
      !wb_subtract_signed(first, rise, &proof->offset))
    return false;
  proof->divisor = proof->gain;
  proof->cycles = proof->plain = (uint64_t)(most / proof->gain);
  return true;
}

bool wb_potential_take_over(struct wb_potential_proof *proof, const struct wb_problem *problem)
{
  proof->problem = problem;
  return read_bound(proof);
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

/* Keeps the potential as it stands, which no move is known to break. */
static bool keep(struct synthesis *s)
{
  if (s->kept == NULL) {
    size_t numbers = 0;
    each_number(s->proof, count, &numbers);
    s->kept = wb_allocate(numbers, sizeof *s->kept);
    if (s->kept == NULL)
      return false;
  }
  int64_t *next = s->kept;
  each_number(s->proof, save, &next);
  s->kept_gain = s->least_gain;
  return true;
}

/* Makes the potential what was kept. */
static void take_kept(struct synthesis *s)
{
  const int64_t *next = s->kept;
  each_number(s->proof, restore, &next);
  wb_potential_refresh(&s->proof->potential, &s->proof->pools);
}

/* ---- the whole ---- */

/* Ends with what was kept. */
static void conclude(struct synthesis *s, uint64_t below, struct wb_potential_outcome *outcome)
{
  struct wb_potential_proof *proof = s->proof;
  if (s->kept == NULL)
    return;
  take_kept(s);
  proof->gain = s->kept_gain / proof->potential.parts;
  if (proof->gain <= 0)
    return;
  reduce(proof);
  outcome->found = read_bound(proof) && proof->cycles < below;
}

/* The potential, which no move breaks, is kept. Where the values may not go far from those of
 * the last one kept, they get more room as long as that has paid: *again. */
static bool settle(struct synthesis *s, double bound, bool *again)
{
  if (!keep(s))
    return false;
  *again = s->width > 0 && (s->kept_bound - bound > LEAST_PROGRESS * bound);
  s->kept_bound = bound;
  s->width *= 2;
  return !*again || wb_potential_program_hold(&s->program, s->width);
}

/* One round: adds the rows gathered, solves, takes the answer. *over: it leads to nothing. */
static bool solve(struct synthesis *s, uint64_t below, double *bound, bool *over,
                  enum wb_stop *stop)
{
  bool solved;
  if (!wb_potential_program_solve(&s->program, s->control, bound, &solved, stop))
    return false;
  if (*stop != WB_STOP_NONE)
    return true;
  *over = !solved || floor(*bound + 1e-3) >= (double)below;
  if (*over)
    return true;
  wb_potential_program_take(&s->program);
  return wb_potential_program_link(&s->program);
}

/* Rounds of rows and solutions until no move gains too little. */
static bool synthesise(struct synthesis *s, const struct wb_potential_proof *coarser,
                       uint64_t below, const struct wb_potential_effort *effort,
                       struct wb_potential_outcome *outcome)
{
  const struct wb_potential *potential = &s->proof->potential;
  int64_t enough = SCALE * potential->parts -
                   (potential->shape.count > 1 ? PIECES_TOLERANCE * potential->parts : TOLERANCE);
  double bound = (double)below;
  bool again = false;
  bool over = false;
  s->wanted_gain = enough;
  s->kept_bound = INFINITY;
  if (!start_from(s, coarser))
    return false;
  for (unsigned round = 0; !over && outcome->stop == WB_STOP_NONE; round++) {
    if (!walk_moves(s, &outcome->stop))
      return false;
    if (outcome->stop != WB_STOP_NONE)
      break;
    s->wanted_gain = enough;
    bool settled = s->rows == 0 && wb_potential_bounded(potential, &s->proof->pools);
    if (settled && !settle(s, bound, &again))
      return false;
    if (settled && !again)
      break;
    if (round == effort->rounds)
      outcome->stop = WB_STOP_MEMORY;
    else if (s->program.rows == 0 && !again)
      break; /* rounding alone breaks it */
    else if (!solve(s, below, &bound, &over, &outcome->stop))
      return false;
  }
  conclude(s, below, outcome);
  return true;
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
  return *stop != WB_STOP_NONE ||
         wb_potential_program_start(
             &s->program, &proof->pools, &proof->potential, proof->state, proof->state_count,
             wb_pools_begin(&proof->pools, proof->problem->warps), proof->problem->warps);
}

static void finish(struct synthesis *s)
{
  for (unsigned v = 0; v < WB_POTENTIAL_VIEWS; v++)
    wb_pool_bundles_free(&s->bundles[v]);
  wb_pool_scratch_free(&s->scratch);
  free(s->kept);
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
      ok = synthesise(&s, coarser, below, effort, outcome);
  }
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
