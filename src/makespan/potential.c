#include "makespan/potential.h"

#include "base/checked.h"
#include "base/memory.h"

#include <Clp_C_Interface.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values are kept in units of 1/SCALE cycle: divisible by all numbers to 16, so that the
 * small fractions that linear programs like are exact. */
#define SCALE INT64_C(720720)
/* A move that lacks less than this is left to the exact check at the end. */
#define TOLERANCE 2
/* Bounds of the program's unknowns, in cycles. */
#define VALUE_LIMIT 64.0
#define HEIGHT_LIMIT 16384.0
/* Simplex iterations before the first question to the control, and in the last piece; and
 * what Clp says when a piece is over. */
#define SIMPLEX_PIECE 2000
#define MOST_SIMPLEX_PIECE 64000
#define SIMPLEX_GAVE_UP 3
/* Most states of an abstraction before one asks which are reached. */
#define STATE_SPACE_LIMIT (UINT64_C(1) << 20)

/* The linear program under way. column_of: of each global state. Rows gathered since the
 * last solve are in start/index/element. */
struct synthesis {
  const struct wb_control *control;
  struct wb_potential_proof *proof;
  struct wb_pool_bundles bundles;
  size_t *column_of;
  size_t columns;
  Clp_Simplex *model;
  int *start;
  size_t start_capacity;
  size_t rows;
  int *index;
  size_t index_capacity;
  double *element;
  size_t element_capacity;
  size_t elements;
  uint64_t moves;
  int64_t least_gain;
  int64_t wanted_gain; /* moves that gain less become rows */
};

/* ---- columns: stay, leave, own stay, own leave, heights ---- */

static size_t leave_column(const struct synthesis *s, size_t kind)
{
  return s->proof->pools.count + kind;
}
static size_t own_stay_column(const struct synthesis *s, size_t pool)
{
  return leave_column(s, s->proof->pools.exit_count) + pool;
}
static size_t own_leave_column(const struct synthesis *s, size_t kind)
{
  return own_stay_column(s, s->proof->pools.count) + kind;
}
static size_t first_height(const struct synthesis *s)
{
  return own_leave_column(s, s->proof->pools.own_exit_count);
}

static int ascending(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Finds every state that the start reaches and gives it a column; *stop says whether
 * the effort allows them. */
static bool reach_states(struct synthesis *s, const struct wb_potential_effort *effort,
                         enum wb_stop *stop)
{
  struct wb_potential_proof *proof = s->proof;
  bool *seen = wb_allocate(proof->pools.states, sizeof *seen);
  proof->state = wb_allocate(effort->states, sizeof *proof->state);
  struct wb_pool_reach reach = {seen, proof->state, 1, effort->states};
  bool ok = seen != NULL && proof->state != NULL;
  if (ok) {
    proof->state[0] = wb_pools_begin(&proof->pools, proof->problem->warps);
    seen[proof->state[0]] = true;
  }
  for (size_t head = 0; ok && head < reach.count && *stop == WB_STOP_NONE; head++) {
    (void)wb_pool_moves(&proof->pools, &proof->potential, &s->bundles, proof->state[head], NULL,
                        NULL, &reach, &s->moves);
    if (reach.count > reach.room || s->moves > effort->moves)
      *stop = WB_STOP_MEMORY;
  }
  free(seen);
  proof->state_count = reach.count;
  if (!ok || *stop != WB_STOP_NONE)
    return ok;
  qsort(proof->state, reach.count, sizeof *proof->state, ascending);
  for (size_t i = 0; i < reach.count; i++)
    s->column_of[proof->state[i]] = first_height(s) + i;
  s->columns = first_height(s) + reach.count;
  return true;
}

/* ---- rows ---- */

static bool put_element(struct synthesis *s, size_t column, double value)
{
  void *index = s->index, *element = s->element;
  if (!wb_grow(&index, &s->index_capacity, s->elements + 1, sizeof *s->index))
    return false;
  s->index = index;
  if (!wb_grow(&element, &s->element_capacity, s->elements + 1, sizeof *s->element))
    return false;
  s->element = element;
  /* the same column again in the row: add */
  for (size_t i = (size_t)s->start[s->rows]; i < s->elements; i++)
    if ((size_t)s->index[i] == column) {
      s->element[i] += value;
      return true;
    }
  s->index[s->elements] = (int)column;
  s->element[s->elements++] = value;
  return true;
}

/* The move as a row: values of its steps + h(from) - h(to) >= 1. */
static bool put_row(struct synthesis *s, uint64_t from, const struct wb_pool_move *move)
{
  void *start = s->start;
  if (!wb_grow(&start, &s->start_capacity, s->rows + 2, sizeof *s->start))
    return false;
  s->start = start;
  s->start[s->rows] = (int)s->elements;
  bool ok = put_element(s, s->column_of[from], 1);
  if (ok && move->to != WB_POOL_NOWHERE)
    ok = put_element(s, s->column_of[move->to], -1);
  for (unsigned p = 0; ok && p < s->proof->pools.count; p++)
    if (move->stays[p] > 0)
      ok = put_element(s, p, move->stays[p]);
  for (uint32_t e = 0; ok && e < move->exit_count; e++)
    ok = put_element(s, leave_column(s, move->exits[e]), 1);
  uint64_t own = from / s->proof->pools.stride[s->proof->pools.count];
  if (ok && move->own == WB_OWN_STAYS)
    ok = put_element(s, own_stay_column(s, own), 1);
  else if (ok && move->own == WB_OWN_LEAVES)
    ok = put_element(s, own_leave_column(s, move->own_exit), 1);
  s->start[++s->rows] = (int)s->elements;
  return ok;
}

static bool visit_for_rows(void *context, uint64_t from, const struct wb_pool_move *move)
{
  struct synthesis *s = context;
  if (move->gain < s->least_gain)
    s->least_gain = move->gain;
  return move->gain >= s->wanted_gain || put_row(s, from, move);
}

/* Walks all moves under the present values; gathers a row for each that gains too
 * little, and the least gain of all. */
static bool walk_moves(struct synthesis *s, enum wb_stop *stop)
{
  struct wb_potential_proof *proof = s->proof;
  s->rows = s->elements = 0;
  s->least_gain = INT64_MAX;
  if (!wb_pool_bundles_make(&proof->pools, &proof->potential, &s->bundles))
    return false;
  for (size_t i = 0; i < proof->state_count && *stop == WB_STOP_NONE; i++) {
    if (!wb_pool_moves(&proof->pools, &proof->potential, &s->bundles, proof->state[i],
                       visit_for_rows, s, NULL, &s->moves))
      return false;
    if (i % 64 == 0)
      *stop = wb_control_stopped(s->control);
  }
  return true;
}

/* ---- the program ---- */

static bool load_program(struct synthesis *s)
{
  const struct wb_potential_proof *proof = s->proof;
  const struct wb_pools *pools = &proof->pools;
  double others = (double)proof->problem->warps - 1;
  double *objective = wb_allocate(s->columns, sizeof *objective);
  double *low = wb_allocate(s->columns, sizeof *low);
  double *high = wb_allocate(s->columns, sizeof *high);
  int *starts = wb_allocate(s->columns + 1, sizeof *starts);
  bool ok = objective != NULL && low != NULL && high != NULL && starts != NULL;
  for (size_t c = 0; ok && c < s->columns; c++) {
    double limit = c < first_height(s) ? VALUE_LIMIT : HEIGHT_LIMIT;
    low[c] = -limit;
    high[c] = limit;
  }
  for (unsigned p = 0; ok && p < pools->count; p++) {
    objective[p] = others * (double)pools->pool[p].stays;
    objective[own_stay_column(s, p)] = (double)pools->pool[p].stays;
  }
  for (size_t k = 0; ok && k < pools->exit_count; k++)
    objective[leave_column(s, k)] = others * (double)pools->exits[k].count;
  for (size_t k = 0; ok && k < pools->own_exit_count; k++)
    objective[own_leave_column(s, k)] = (double)pools->own_exits[k].count;
  if (ok) {
    objective[s->column_of[wb_pools_begin(pools, proof->problem->warps)]] += 1;
    int none = 0;
    double nothing = 0;
    Clp_loadProblem(s->model, (int)s->columns, 0, starts, &none, &nothing, low, high, objective,
                    NULL, NULL);
  }
  free(objective);
  free(low);
  free(high);
  free(starts);
  return ok;
}

/* Runs the simplex method in pieces, so that it can be stopped. A piece begins anew with
 * what Clp thinks of perturbation and weights, so pieces grow: else it might go in circles. */
static void run_simplex(struct synthesis *s, enum wb_stop *stop)
{
  for (int piece = SIMPLEX_PIECE; *stop == WB_STOP_NONE; piece *= 2) {
    Clp_setMaximumIterations(s->model, piece);
    (void)Clp_dual(s->model, 0);
    if (Clp_status(s->model) != SIMPLEX_GAVE_UP)
      return;
    *stop = piece < MOST_SIMPLEX_PIECE ? wb_control_stopped(s->control) : WB_STOP_MEMORY;
  }
}

/* Adds the gathered rows and solves; *bound is what the rows so far allow at best. */
static bool solve(struct synthesis *s, double *bound, enum wb_stop *stop)
{
  double *low = wb_allocate(s->rows, sizeof *low);
  double *high = wb_allocate(s->rows, sizeof *high);
  bool ok = low != NULL && high != NULL;
  if (ok) {
    for (size_t i = 0; i < s->rows; i++) {
      low[i] = 1;
      high[i] = INFINITY;
    }
    Clp_addRows(s->model, (int)s->rows, low, high, s->start, s->index, s->element);
  }
  free(low);
  free(high);
  if (!ok)
    return false;
  run_simplex(s, stop);
  *bound = Clp_objectiveValue(s->model);
  return true;
}

/* The program's answer, rounded to multiples of 1/SCALE. */
static void take_values(struct synthesis *s)
{
  const double *x = Clp_getColSolution(s->model);
  struct wb_potential *potential = &s->proof->potential;
  const struct wb_pools *pools = &s->proof->pools;
  for (unsigned p = 0; p < pools->count; p++) {
    potential->stay[p] = llround(x[p] * (double)SCALE);
    potential->own_stay[p] = llround(x[own_stay_column(s, p)] * (double)SCALE);
  }
  for (size_t k = 0; k < pools->exit_count; k++)
    potential->leave[k] = llround(x[leave_column(s, k)] * (double)SCALE);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = llround(x[own_leave_column(s, k)] * (double)SCALE);
  for (size_t i = 0; i < s->proof->state_count; i++)
    potential->height[s->proof->state[i]] = llround(x[first_height(s) + i] * (double)SCALE);
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

/* Takes over the values of a coarser proof, and makes its near-tight moves the first rows. */
static void start_from(struct synthesis *s, const struct wb_potential_proof *coarser)
{
  const struct wb_pools *pools = &s->proof->pools;
  struct wb_potential *potential = &s->proof->potential;
  s->wanted_gain = SCALE - TOLERANCE;
  if (coarser == NULL || !is_coarser(&coarser->pools, pools))
    return;
  const struct wb_potential *from = &coarser->potential;
  int64_t factor = SCALE / from->scale;
  for (unsigned p = 0; p < pools->count; p++) {
    potential->stay[p] = factor * from->stay[p];
    potential->own_stay[p] = factor * from->own_stay[p];
  }
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = factor * from->own_leave[k];
  for (size_t k = 0; k < pools->exit_count; k++)
    potential->leave[k] = factor * from->leave[coarser_exit(&coarser->pools, &pools->exits[k])];
  for (size_t i = 0; i < s->proof->state_count; i++) {
    uint64_t state = s->proof->state[i];
    potential->height[state] = factor * from->height[coarser_state(&coarser->pools, pools, state)];
  }
  s->wanted_gain = 2 * SCALE;
}

/* ---- the bound ---- */

/* Adds count * value to *sum. */
static bool add_product(int64_t *sum, uint64_t count, int64_t value)
{
  int64_t product;
  return count <= INT64_MAX && wb_multiply_signed((int64_t)count, value, &product) &&
         wb_add_signed(*sum, product, sum);
}

static void note_divisor(uint64_t *divisor, int64_t value)
{
  *divisor = wb_greatest_common_divisor(*divisor, (uint64_t)(value < 0 ? -value : value));
}

/* Divides all numbers by what they share: the same proof in smaller numbers. */
static void reduce(struct wb_potential_proof *proof)
{
  struct wb_potential *v = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  uint64_t divisor = wb_greatest_common_divisor((uint64_t)proof->gain, (uint64_t)SCALE);
  for (unsigned p = 0; p < pools->count; p++) {
    note_divisor(&divisor, v->stay[p]);
    note_divisor(&divisor, v->own_stay[p]);
  }
  for (size_t k = 0; k < pools->exit_count; k++)
    note_divisor(&divisor, v->leave[k]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    note_divisor(&divisor, v->own_leave[k]);
  for (size_t i = 0; i < proof->state_count; i++)
    note_divisor(&divisor, v->height[proof->state[i]]);
  int64_t by = (int64_t)divisor;
  proof->gain /= by;
  v->scale /= by;
  for (unsigned p = 0; p < pools->count; p++) {
    v->stay[p] /= by;
    v->own_stay[p] /= by;
  }
  for (size_t k = 0; k < pools->exit_count; k++)
    v->leave[k] /= by;
  for (size_t k = 0; k < pools->own_exit_count; k++)
    v->own_leave[k] /= by;
  for (size_t i = 0; i < proof->state_count; i++)
    v->height[proof->state[i]] /= by;
}

bool wb_potential_line(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles)
{
  int64_t total = proof->offset;
  if (!add_product(&total, warps, proof->slope) || total < 0)
    return false;
  *cycles = (uint64_t)(total / proof->gain);
  return true;
}

/* slope and offset of the line, and its value for the problem's W; false where a number
 * overflows or the line is of no use. */
static bool read_bound(struct wb_potential_proof *proof)
{
  const struct wb_pools *pools = &proof->pools;
  const struct wb_potential *potential = &proof->potential;
  uint32_t warps = proof->problem->warps;
  int64_t others = 0, own = potential->height[wb_pools_begin(pools, warps)];
  bool ok = true;
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(&others, pools->pool[p].stays, potential->stay[p]) &&
         add_product(&own, pools->pool[p].stays, potential->own_stay[p]);
  for (size_t k = 0; k < pools->exit_count; k++)
    ok = ok && add_product(&others, pools->exits[k].count, potential->leave[k]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    ok = ok && add_product(&own, pools->own_exits[k].count, potential->own_leave[k]);
  if (!ok || proof->gain <= 0 || others == INT64_MIN ||
      !wb_add_signed(own, -others, &proof->offset))
    return false;
  proof->slope = others;
  proof->steady_from = wb_pools_steady_from(pools);
  return wb_potential_line(proof, warps, &proof->cycles);
}

static bool start(struct synthesis *s)
{
  struct wb_potential_proof *proof = s->proof;
  struct wb_potential *potential = &proof->potential;
  size_t states = (size_t)proof->pools.states;
  potential->scale = SCALE;
  potential->leave = wb_allocate(proof->pools.exit_count, sizeof *potential->leave);
  potential->own_leave = wb_allocate(proof->pools.own_exit_count, sizeof *potential->own_leave);
  potential->height = wb_allocate(states, sizeof *potential->height);
  s->column_of = wb_allocate(states, sizeof *s->column_of);
  s->model = Clp_newModel();
  if (s->model != NULL)
    Clp_setLogLevel(s->model, 0);
  return potential->leave != NULL && potential->own_leave != NULL && potential->height != NULL &&
         s->column_of != NULL && s->model != NULL &&
         wb_pool_bundles_make(&proof->pools, potential, &s->bundles);
}

/* Rounds of rows and solutions until no move gains too little. */
static bool synthesise(struct synthesis *s, const struct wb_potential_proof *coarser,
                       uint64_t below, const struct wb_potential_effort *effort,
                       struct wb_potential_outcome *outcome)
{
  if (!load_program(s))
    return false;
  start_from(s, coarser);
  for (unsigned round = 0; outcome->stop == WB_STOP_NONE; round++) {
    double bound;
    if (!walk_moves(s, &outcome->stop))
      return false;
    if (outcome->stop != WB_STOP_NONE)
      return true;
    if (s->rows == 0) {
      s->proof->gain = s->least_gain;
      if (s->least_gain > 0)
        reduce(s->proof);
      outcome->found = read_bound(s->proof) && s->proof->cycles < below;
      return true;
    }
    if (round == effort->rounds) {
      outcome->stop = WB_STOP_MEMORY;
      return true;
    }
    if (!solve(s, &bound, &outcome->stop))
      return false;
    if (outcome->stop != WB_STOP_NONE)
      return true;
    if (Clp_status(s->model) != 0 || floor(bound + 1e-3) >= (double)below)
      return true; /* no potential of this abstraction is good enough */
    take_values(s);
    s->wanted_gain = SCALE - TOLERANCE;
  }
  return true;
}

static void finish(struct synthesis *s)
{
  wb_pool_bundles_free(&s->bundles);
  free(s->column_of);
  free(s->start);
  free(s->index);
  free(s->element);
  if (s->model != NULL)
    Clp_deleteModel(s->model);
}

warpbound_status wb_potential_prove(const struct wb_problem *problem,
                                    const struct wb_pool_limits *limits,
                                    const struct wb_potential_proof *coarser, uint64_t below,
                                    const struct wb_potential_effort *effort,
                                    const struct wb_control *control,
                                    struct wb_potential_proof *proof,
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
    ok = start(&s) && reach_states(&s, effort, &outcome->stop);
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
  free(proof->potential.leave);
  free(proof->potential.own_leave);
  free(proof->potential.height);
  free(proof->state);
  *proof = (struct wb_potential_proof){0};
}
