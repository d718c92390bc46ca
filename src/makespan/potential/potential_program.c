#include "makespan/potential/potential_program.h"

#include "base/memory.h"
#include "linear/relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the unknowns, in cycles. */
#define VALUE_LIMIT 64.0
#define OFFSET_LIMIT 16384.0
#define POSITION_LIMIT 1048576.0
/* Least value of idling where any number of warps may, in cycles: rounding leaves it above 0. */
#define LEAST_IDLE (4.0 / (double)WB_POTENTIAL_SCALE)
/* Iterations of the first and of the longest batch. */
#define FIRST_BATCH 2000
#define LAST_BATCH 64000
/* Violation, in cycles, from which on a link becomes a row. */
#define LINK_TOLERANCE 1e-7

/* ---- columns: own stays, own exits, the bound, the views, positions, state offsets ---- */

/* Kinds of steps, in the order of wb_potential.kind; then idling, by pool. */
static size_t kind_column(const struct wb_potential_program *program, unsigned view, size_t kind)
{
  return program->bound + 1 + view * program->view_columns + kind;
}

static size_t position_column(const struct wb_potential_program *program, unsigned component,
                              size_t p)
{
  size_t first = kind_column(program, wb_potential_views(program->potential), 0);
  return first + component * program->potential->length + p;
}

/* The columns that add up to a state's offset in a component: at most one for each pool. Empty
 * pools add nothing, but the first: else a constant could move between them. */
static unsigned offset_columns(const struct wb_potential_program *program, uint64_t state,
                               unsigned component, size_t *column)
{
  const struct wb_pools *pools = program->pools;
  uint64_t own = state / pools->stride[pools->count];
  unsigned count = 0;
  if (!program->sums) {
    column[0] = program->column_of[state] + component;
    return 1;
  }
  for (unsigned p = 0; p < pools->count; p++) {
    uint64_t local = wb_pools_local(pools, state, p);
    if (p == 0 || local > 0)
      column[count++] = program->first_of[p] +
                        (own * pools->pool[p].size + local) * program->potential->shape.count +
                        component;
  }
  return count;
}

/* The kind of step from position p, or of idling there; by these a view has its columns. */
static size_t kind_of(const struct wb_potential_program *program, size_t p, bool idle)
{
  return idle ? program->idle + program->potential->pool[p] : program->potential->kind[p];
}

/* ---- rows ---- */

static bool put_element(struct wb_potential_program *program, size_t column, double value)
{
  if (value == 0)
    return true;
  if (!wb_grow(program->index, &program->index_capacity, program->elements + 1) ||
      !wb_grow(program->element, &program->element_capacity, program->elements + 1))
    return false;
  /* the same column again in the row: add */
  for (size_t i = (size_t)program->start[program->rows]; i < program->elements; i++)
    if ((size_t)program->index[i] == column) {
      program->element[i] += value;
      return true;
    }
  program->index[program->elements] = (int)column;
  program->element[program->elements++] = value;
  return true;
}

/* Begins a row whose sum is at least `low`. */
static bool begin_row(struct wb_potential_program *program, double low)
{
  if (!wb_grow(program->start, &program->start_capacity, program->rows + 2) ||
      !wb_grow(program->cost, &program->cost_capacity, program->rows + 1))
    return false;
  program->start[program->rows] = (int)program->elements;
  program->cost[program->rows] = -low;
  return true;
}

static bool put_offset(struct wb_potential_program *program, uint64_t state, unsigned component,
                       double times)
{
  size_t column[WB_UNIT_COUNT];
  unsigned count = offset_columns(program, state, component, column);
  bool ok = true;
  for (unsigned i = 0; ok && i < count; i++)
    ok = put_element(program, column[i], times);
  return ok;
}

/* The move as a row: values of its steps + state offset(from) - state offset(to) >= 1. */
bool wb_potential_program_add(struct wb_potential_program *program, unsigned view, uint64_t from,
                              const struct wb_pool_move *move)
{
  const struct wb_potential *potential = program->potential;
  unsigned component = view % potential->shape.count;
  bool ok = begin_row(program, 1);
  if (!ok)
    return false;
  for (unsigned i = 0; ok && i < potential->shape.count; i++)
    ok = put_offset(program, from, i,
                    (double)wb_potential_weight(potential, view, component, i) /
                        (double)potential->weight_sum);
  if (ok && move->to != WB_POOL_NOWHERE)
    ok = put_offset(program, move->to, component, -1);
  /* The values of the others' steps and of idling. */
  for (unsigned p = 0; ok && p < program->pools->count; p++) {
    ok = put_element(program, kind_column(program, view, p), move->stays[p]);
    if (ok && view >= potential->shape.count)
      ok = put_element(program, kind_column(program, view, program->idle + p), move->idle[p]);
  }
  for (uint32_t e = 0; ok && e < move->exit_count; e++)
    ok =
        put_element(program, kind_column(program, view, program->pools->count + move->exits[e]), 1);
  uint64_t own = from / program->pools->stride[program->pools->count];
  if (ok && move->own == WB_OWN_STAYS)
    ok = put_element(program, own, 1);
  else if (ok && move->own == WB_OWN_LEAVES)
    ok = put_element(program, program->own_leave + move->own_exit, 1);
  program->start[++program->rows] = (int)program->elements;
  return ok;
}

/* The value of the step from position p is at least that of its kind; idle: that of idling there,
 * at least that of idling in its pool. */
static bool link_position(struct wb_potential_program *program, unsigned view, size_t p, bool idle)
{
  const struct wb_potential *potential = program->potential;
  unsigned component = view % potential->shape.count;
  size_t after = idle ? p : p + 1;
  bool ok = begin_row(program, 0);
  if (!ok)
    return false;
  for (unsigned i = 0; ok && i < potential->shape.count; i++)
    ok = put_element(program, position_column(program, i, p),
                     (double)wb_potential_weight(potential, view, component, i) /
                         (double)potential->weight_sum);
  if (ok && after < potential->length)
    ok = put_element(program, position_column(program, component, after), -1);
  ok = ok && put_element(program, kind_column(program, view, kind_of(program, p, idle)), -1);
  program->start[++program->rows] = (int)program->elements;
  return ok;
}

/* The bound is at least the value of each component at the start. */
static bool link_bound(struct wb_potential_program *program, uint64_t begin, double others)
{
  const struct wb_pools *pools = program->pools;
  bool ok = true;
  for (unsigned j = 0; ok && j < program->potential->shape.count; j++) {
    ok = begin_row(program, 0) && put_element(program, program->bound, 1) &&
         put_offset(program, begin, j, -1) &&
         put_element(program, position_column(program, j, 0), -others);
    for (unsigned p = 0; ok && p < pools->count; p++)
      ok = put_element(program, p, -(double)pools->pool[p].stays);
    for (size_t k = 0; ok && k < pools->own_exit_count; k++)
      ok = put_element(program, program->own_leave + k, -(double)pools->own_exits[k].count);
    if (ok)
      program->start[++program->rows] = (int)program->elements;
  }
  return ok;
}

/* Of each view, for every kind of step and for idling in every pool: the positions with at least
 * half of the largest violation. */
bool wb_potential_program_link(struct wb_potential_program *program)
{
  const struct wb_potential *potential = program->potential;
  const double *x = program->value;
  bool ok = true;
  for (unsigned i = 2 * potential->shape.count; i < 2 * wb_potential_views(potential); i++) {
    const unsigned view = i / 2, component = view % potential->shape.count;
    const bool idle = i % 2 == 1;
    for (size_t p = 0; p < potential->length; p++)
      program->worst[kind_of(program, p, idle)] = LINK_TOLERANCE;
    for (size_t p = 0; p < potential->length; p++) {
      /* The value that one of the others loses by the step from p, or by idling there, in cycles.
       */
      size_t after = idle ? p : p + 1, kind = kind_of(program, p, idle);
      double loss = after < potential->length ? -x[position_column(program, component, after)] : 0;
      for (unsigned j = 0; j < potential->shape.count; j++)
        loss += (double)wb_potential_weight(potential, view, component, j) /
                (double)potential->weight_sum * x[position_column(program, j, p)];
      program->lack[p] = x[kind_column(program, view, kind)] - loss;
      program->worst[kind] = fmax(program->worst[kind], program->lack[p]);
    }
    for (size_t p = 0; ok && p < potential->length; p++)
      if (program->lack[p] > LINK_TOLERANCE &&
          program->lack[p] >= program->worst[kind_of(program, p, idle)] / 2)
        ok = link_position(program, view, p, idle);
  }
  return ok;
}

/* ---- the program ---- */

/* Limits of the unknowns. */
static void set_limits(const struct wb_potential_program *program, double *low, double *high)
{
  unsigned count = program->potential->shape.count;
  for (size_t c = 0; c < program->columns; c++) {
    double limit = VALUE_LIMIT;
    if (c >= program->first_offset)
      limit = OFFSET_LIMIT;
    else if (c >= position_column(program, 0, 0))
      limit = POSITION_LIMIT;
    low[c] = -limit;
    high[c] = limit;
  }
  low[program->bound] = 0;
  high[program->bound] = count > 1 ? INFINITY : 0;
  for (unsigned v = count; count > 1 && v < wb_potential_views(program->potential); v++)
    for (unsigned q = 0; q < program->pools->count; q++) {
      low[kind_column(program, v, program->idle + q)] =
          q == v - count ? -POSITION_LIMIT : LEAST_IDLE;
      high[kind_column(program, v, program->idle + q)] = POSITION_LIMIT;
    }
}

/* The objective is the bound; with one component the sum that it is. */
static void set_objective(const struct wb_potential_program *program, uint64_t begin, double others,
                          double *objective)
{
  const struct wb_pools *pools = program->pools;
  if (program->potential->shape.count > 1) {
    objective[program->bound] = 1;
    return;
  }
  for (unsigned p = 0; p < pools->count; p++) {
    objective[kind_column(program, 0, p)] = others * (double)pools->pool[p].stays;
    objective[p] = (double)pools->pool[p].stays;
  }
  for (size_t k = 0; k < pools->exit_count; k++)
    objective[kind_column(program, 0, pools->count + k)] = others * (double)pools->exits[k].count;
  for (size_t k = 0; k < pools->own_exit_count; k++)
    objective[program->own_leave + k] = (double)pools->own_exits[k].count;
  size_t column[WB_UNIT_COUNT];
  unsigned count = offset_columns(program, begin, 0, column);
  for (unsigned i = 0; i < count; i++)
    objective[column[i]] += 1;
}

/* The costs, in the dual, of the columns for limits: 2 i of the lower one of i, 2 i + 1 of the
 * upper one. */
static void price_limits(double *cost, size_t columns, const double *low, const double *high)
{
  for (size_t i = 0; i < columns; i++) {
    cost[2 * i] = -low[i];
    cost[2 * i + 1] = isinf(high[i]) ? 0 : high[i];
  }
}

/* Makes the dual of least objective * x with low <= x <= high; high may be INFINITY. */
static bool make_dual(struct wb_potential_program *program, const double *low, const double *high,
                      const double *objective)
{
  size_t count = 2 * program->columns;
  struct wb_arena working = {0};
  int *start = wb_arena_array(&working, int, count + 1);
  int *row = wb_arena_array(&working, int, count);
  double *sign = wb_arena_array(&working, double, count);
  double *most = wb_arena_array(&working, double, count);
  double *cost = wb_arena_array(&working, double, count);
  program->dual = Clp_newModel();
  const bool ok = !working.failed && program->dual != NULL;
  for (size_t c = 0; ok && c < count; c++) {
    start[c + 1] = (int)c + 1;
    row[c] = (int)(c / 2);
    sign[c] = c % 2 == 0 ? 1 : -1;
    most[c] = c % 2 == 1 && isinf(high[c / 2]) ? 0 : INFINITY;
  }
  if (ok) {
    price_limits(cost, program->columns, low, high);
    Clp_setLogLevel(program->dual, 0);
    Clp_loadProblem(program->dual, (int)count, (int)program->columns, start, row, sign, NULL, most,
                    cost, objective, objective);
  }
  wb_arena_free(&working);
  return ok;
}

size_t wb_potential_program_offsets(const struct wb_pools *pools, unsigned components,
                                    size_t states, bool sums)
{
  size_t count = 0; /* a number for every content of a pool, pool of the own warp and component */
  for (unsigned p = 0; p < pools->count; p++)
    count += (size_t)pools->count * pools->pool[p].size * components;
  return sums ? count : states * components;
}

bool wb_potential_program_start(struct wb_potential_program *program, const struct wb_pools *pools,
                                struct wb_potential *potential, const uint64_t *state,
                                size_t state_count, bool sums, uint64_t begin, uint32_t warps)
{
  *program = (struct wb_potential_program){.pools = pools,
                                           .potential = potential,
                                           .state = state,
                                           .state_count = state_count,
                                           .sums = sums,
                                           .own_leave = pools->count,
                                           .bound = pools->count + pools->own_exit_count,
                                           .idle = pools->count + pools->exit_count,
                                           .view_columns = 2 * pools->count + pools->exit_count,
                                           .allowed = UINT64_MAX};
  unsigned components = potential->shape.count;
  size_t offset = program->first_offset = position_column(program, components, 0);
  program->columns = offset + wb_potential_program_offsets(pools, components, state_count, sums);
  for (unsigned p = 0; p < pools->count; p++) {
    program->first_of[p] = offset;
    offset += (size_t)pools->count * pools->pool[p].size * components;
  }
  struct wb_arena *arena = &program->arena;
  program->worst = wb_arena_array(arena, double, program->view_columns);
  program->lack = wb_arena_array(arena, double, potential->length + 1);
  program->value = wb_arena_array(arena, double, program->columns);
  if (!sums)
    program->column_of = wb_arena_array(arena, size_t, pools->states);
  struct wb_arena working = {0};
  double *objective = wb_arena_array(&working, double, program->columns);
  double *low = wb_arena_array(&working, double, program->columns);
  double *high = wb_arena_array(&working, double, program->columns);
  bool ok = !arena->failed && !working.failed;
  for (size_t i = 0; ok && !sums && i < state_count; i++)
    program->column_of[state[i]] = program->first_offset + i * components;
  if (ok) {
    set_limits(program, low, high);
    set_objective(program, begin, (double)warps - 1, objective);
    ok = make_dual(program, low, high, objective);
  }
  wb_arena_free(&working);
  if (!ok || components == 1)
    return ok;
  /* The links that the program begins with: steps of active components, which are mostly tight. */
  ok = link_bound(program, begin, (double)warps - 1);
  for (unsigned j = 0; j < components; j++)
    for (size_t p = 0; ok && p < potential->length; p++)
      ok = link_position(program, j, p, false);
  return ok;
}

/* Sets limits within `width` cycles of a value that the potential has. */
static void hold(size_t column, int64_t value, double width, double *low, double *high)
{
  double x = (double)value / (double)WB_POTENTIAL_SCALE;
  low[column] = x - width;
  high[column] = x + width;
}

bool wb_potential_program_hold(struct wb_potential_program *program, double width)
{
  const struct wb_potential *potential = program->potential;
  struct wb_arena working = {0};
  double *low = wb_arena_array(&working, double, program->columns);
  double *high = wb_arena_array(&working, double, program->columns);
  const size_t count = (size_t)Clp_numberColumns(program->dual);
  double *cost = wb_arena_array(&working, double, count);
  const bool ok = !working.failed;
  if (ok) {
    set_limits(program, low, high);
    for (unsigned j = 0; j < potential->shape.count; j++) {
      for (size_t p = 0; p < potential->length; p++)
        hold(position_column(program, j, p), potential->position[j][p], width, low, high);
      for (size_t i = 0; !program->sums && i < program->state_count; i++)
        hold(program->column_of[program->state[i]] + j,
             potential->state_offset[j][program->state[i]], width, low, high);
    }
    memcpy(cost, Clp_getObjCoefficients(program->dual), count * sizeof *cost);
    price_limits(cost, program->columns, low, high);
    Clp_chgObjCoefficients(program->dual, cost);
  }
  wb_arena_free(&working);
  return ok;
}

void wb_potential_program_free(struct wb_potential_program *program)
{
  wb_arena_free(&program->arena);
  free(program->start);
  free(program->index);
  free(program->element);
  free(program->cost);
  if (program->dual != NULL)
    Clp_deleteModel(program->dual);
}

void wb_potential_program_solve(struct wb_potential_program *program,
                                const struct wb_control *control, double *bound, bool *solved,
                                enum wb_stop *stop)
{
  const struct wb_simplex_run run = {
      .first = FIRST_BATCH, .last = LAST_BATCH, .timed = true, .allowed = program->allowed};
  if (program->rows > 0)
    Clp_addColumns(program->dual, (int)program->rows, NULL, NULL, program->cost, program->start,
                   program->index, program->element);
  program->rows = program->elements = 0;
  *stop = wb_simplex_run(program->dual, &run, control, &program->spent);
  *solved = *stop == WB_STOP_NONE && Clp_status(program->dual) == WB_SIMPLEX_OPTIMAL;
  if (!*solved)
    return;
  const double *price = Clp_getRowPrice(program->dual);
  for (size_t i = 0; i < program->columns; i++)
    program->value[i] = -price[i];
  *bound = -Clp_objectiveValue(program->dual);
}

static int64_t rounded(double value)
{
  return llround(value * (double)WB_POTENTIAL_SCALE);
}

void wb_potential_program_take(struct wb_potential_program *program)
{
  const double *x = program->value;
  struct wb_potential *potential = program->potential;
  const struct wb_pools *pools = program->pools;
  for (unsigned p = 0; p < pools->count; p++)
    potential->own_stay[p] = rounded(x[p]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = rounded(x[program->own_leave + k]);
  if (potential->shape.count == 1) {
    for (unsigned p = 0; p < pools->count; p++)
      potential->values[0].stay[p] = rounded(x[kind_column(program, 0, p)]);
    for (size_t k = 0; k < pools->exit_count; k++)
      potential->leave[0][k] = rounded(x[kind_column(program, 0, pools->count + k)]);
  }
  for (unsigned j = 0; j < potential->shape.count; j++) {
    for (size_t p = 0; p < potential->length; p++)
      potential->position[j][p] = rounded(x[position_column(program, j, p)]);
    for (size_t i = 0; i < program->state_count; i++) {
      size_t column[WB_UNIT_COUNT];
      unsigned count = offset_columns(program, program->state[i], j, column);
      int64_t sum = 0;
      for (unsigned c = 0; c < count; c++)
        sum += rounded(x[column[c]]);
      potential->state_offset[j][program->state[i]] = sum;
    }
  }
  wb_potential_refresh(potential, pools);
}
