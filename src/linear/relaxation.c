#include "linear/relaxation.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the simplex algorithm, in batches ---- */

enum wb_stop wb_simplex_run(Clp_Simplex *model, const struct wb_simplex_run *run,
                            const struct wb_control *control, uint64_t *spent)
{
  uint64_t entries = (uint64_t)Clp_getNumElements(model) + 1;
  for (int64_t batch = run->first;; batch *= 2) {
    enum wb_stop stop = run->phase != NULL
                            ? wb_control_poll(control, run->phase, batch > run->first ? 0.5 : 0)
                            : wb_control_stopped(control);
    if (stop != WB_STOP_NONE)
      return stop;
    if (batch > run->last)
      batch = run->last;
    uint64_t most = wb_minimum((uint64_t)batch, (run->allowed - *spent) / entries);
    if (most == 0)
      return WB_STOP_MEMORY;
    Clp_setMaximumIterations(model, (int)most);
    if (run->timed && control->deadline > 0)
      Clp_setMaximumSeconds(model, fmax(control->deadline - wb_clock(), 0));
    (void)(run->dual ? Clp_dual(model, 0) : Clp_primal(model, 0));
    uint64_t iterations = (uint64_t)Clp_numberIterations(model);
    *spent += wb_minimum(run->allowed - *spent, entries * iterations);
    if (Clp_status(model) != WB_SIMPLEX_UNFINISHED)
      return WB_STOP_NONE;
    if (batch == run->last)
      return WB_STOP_MEMORY;
  }
}

/* ---- whole numbers near the solution ---- */

/* How far a value may be from a whole number. */
#define WHOLE 1e-6
/* Values so near to a whole number are rounded together. */
#define TOGETHER 0.1
/* Most programs on the way down; iterations of one: few, as each begins where the one before ended.
 */
#define MOST_STEPS 400
#define STEP_ITERATIONS 2000

/* The integer column whose value is nearest to a whole number without being one; SIZE_MAX: none. */
static size_t nearest_column(const struct wb_linear_model *model, const double *values)
{
  size_t nearest = SIZE_MAX;
  double least = 1;
  for (size_t j = 0; j < model->column_count; j++) {
    const double away = fabs(values[j] - round(values[j]));
    if (!model->columns[j].integer || away <= WHOLE || away >= least)
      continue;
    nearest = j;
    least = away;
  }
  return nearest;
}

/* Bounds a column by the whole number next to its value: the nearer one, or the other one. */
static void bound_column(const struct wb_linear_arrays *arrays, size_t column, double value,
                         bool nearer)
{
  if ((round(value) > value) == nearer)
    arrays->column_lower[column] = ceil(value);
  else
    arrays->column_upper[column] = floor(value);
}

static bool solve_bounded(Clp_Simplex *clp, const struct wb_linear_arrays *arrays)
{
  Clp_chgColumnLower(clp, arrays->column_lower);
  Clp_chgColumnUpper(clp, arrays->column_upper);
  Clp_setMaximumIterations(clp, STEP_ITERATIONS);
  (void)Clp_dual(clp, 0);
  return Clp_status(clp) == WB_SIMPLEX_OPTIMAL;
}

/* Rounds the solution to whole numbers: bounds those columns by the next whole number that are near
 * to it, or the nearest one, solves again, and goes on with what is not whole then. Where there is
 * no solution, the nearest one alone goes the other way; where there is none then, it ends. False
 * where memory is out. */
static bool dive(Clp_Simplex *clp, const struct wb_linear_model *model,
                 const struct wb_linear_arrays *arrays, const struct wb_control *control,
                 struct wb_linear_relaxation *relaxation)
{
  const size_t columns = model->column_count;
  const size_t bytes = columns * sizeof(double);
  struct wb_arena arena = {0};
  double *lower = wb_arena_array(&arena, double, columns);
  double *upper = wb_arena_array(&arena, double, columns);
  double *values = wb_arena_array(&arena, double, columns);
  bool open = !arena.failed;
  const bool allocated = open;
  if (allocated)
    memcpy(values, relaxation->values, bytes);
  size_t nearest = open ? nearest_column(model, values) : SIZE_MAX;
  open = open && nearest != SIZE_MAX;
  for (unsigned step = 0; open && nearest != SIZE_MAX; step++) {
    memcpy(lower, arrays->column_lower, bytes);
    memcpy(upper, arrays->column_upper, bytes);
    for (size_t j = 0; j < columns; j++) {
      const double away = fabs(values[j] - round(values[j]));
      if (j == nearest || (model->columns[j].integer && away > WHOLE && away <= TOGETHER))
        bound_column(arrays, j, values[j], true);
    }
    if (!solve_bounded(clp, arrays)) {
      memcpy(arrays->column_lower, lower, bytes);
      memcpy(arrays->column_upper, upper, bytes);
      bound_column(arrays, nearest, values[nearest], false);
      open = solve_bounded(clp, arrays);
    }
    open = open && step < MOST_STEPS && wb_control_stopped(control) == WB_STOP_NONE;
    if (open) {
      memcpy(values, Clp_getColSolution(clp), bytes);
      nearest = nearest_column(model, values);
    }
  }
  if (open)
    relaxation->whole = wb_allocate(columns, sizeof(double));
  if (open && relaxation->whole != NULL)
    memcpy(relaxation->whole, values, bytes);
  wb_arena_free(&arena);
  return allocated && (!open || relaxation->whole != NULL);
}

/* Iterations of the first and of the longest batch. */
#define FIRST_BATCH 20000
#define LAST_BATCH (1 << 30)

/* Rows from which on a program is made smaller first, where that gains more than it takes. */
#define PRESOLVE_ROWS 2000
/* Iterations on the smaller program: one for so many rows. */
#define PRESOLVE_PATIENCE 4

/* Takes over where another program ended. False where there is none of the same size. */
static bool take_basis(Clp_Simplex *clp, const struct wb_linear_basis *basis)
{
  const int rows = Clp_numberRows(clp);
  const int columns = Clp_numberColumns(clp);
  if (basis == NULL || basis->status == NULL || basis->rows != rows || basis->columns != columns)
    return false;
  Clp_copyinStatus(clp, basis->status);
  return true;
}

/* False where memory is out. */
static bool keep_basis(Clp_Simplex *clp, struct wb_linear_basis *basis)
{
  if (basis == NULL)
    return true;
  wb_linear_basis_free(basis);
  basis->rows = Clp_numberRows(clp);
  basis->columns = Clp_numberColumns(clp);
  const size_t count = (size_t)basis->rows + (size_t)basis->columns;
  basis->status = wb_allocate(count, sizeof *basis->status);
  if (basis->status != NULL)
    memcpy(basis->status, Clp_statusArray(clp), count);
  return basis->status != NULL;
}

/* Solves what was loaded, from the basis where there is one. */
static void solve_loaded(Clp_Simplex *clp, const struct wb_linear_options *options,
                         const struct wb_control *control, struct wb_linear_relaxation *relaxation)
{
  const bool warm = take_basis(clp, options->basis);
  /* Of an optimal basis another objective leaves that it is feasible. */
  const struct wb_simplex_run run = {.dual = !warm,
                                     .first = FIRST_BATCH,
                                     .last = LAST_BATCH,
                                     .phase = "linear program",
                                     .allowed = UINT64_MAX};
  uint64_t spent = 0;
  relaxation->stop = wb_control_poll(control, run.phase, 0);
  if (relaxation->stop != WB_STOP_NONE)
    return;
  if (!warm && Clp_numberRows(clp) >= PRESOLVE_ROWS) {
    /* What presolving says counts for nothing but as a start. A program that stays large then may
     * take it far longer than the method without it. */
    Clp_setMaximumIterations(clp, Clp_numberRows(clp) / PRESOLVE_PATIENCE);
    (void)Clp_initialDualSolve(clp);
  }
  relaxation->stop = wb_simplex_run(clp, &run, control, &spent);
  if (relaxation->stop != WB_STOP_NONE)
    return;
  if (warm && Clp_status(clp) != WB_SIMPLEX_OPTIMAL)
    (void)Clp_initialDualSolve(clp);
  /* The dual method takes some unbounded programs for infeasible: the primal one decides. */
  if (Clp_status(clp) != WB_SIMPLEX_OPTIMAL)
    (void)Clp_primal(clp, 0);
  if (Clp_status(clp) == WB_SIMPLEX_INFEASIBLE)
    relaxation->status = WB_LINEAR_INFEASIBLE;
  else if (Clp_status(clp) == WB_SIMPLEX_UNBOUNDED)
    relaxation->status = WB_LINEAR_UNBOUNDED;
  else if (Clp_status(clp) == WB_SIMPLEX_OPTIMAL)
    relaxation->status = WB_LINEAR_OPTIMAL;
}

warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_linear_options *options,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  *relaxation = (struct wb_linear_relaxation){.status = WB_LINEAR_NONE};
  const size_t columns = model->column_count, rows = model->row_count;
  struct wb_arena arena = {0};
  struct wb_linear_arrays arrays;
  Clp_Simplex *clp = Clp_newModel();
  bool ok = clp != NULL && wb_linear_arrays_make(&arena, model, &arrays);
  if (ok) {
    Clp_setLogLevel(clp, 0);
    Clp_loadProblem(clp, (int)columns, (int)rows, arrays.start, arrays.row, arrays.value,
                    arrays.column_lower, arrays.column_upper, arrays.objective, arrays.row_lower,
                    arrays.row_upper);
    Clp_setOptimizationDirection(clp, model->maximise ? -1 : 1);
    solve_loaded(clp, options, control, relaxation);
  }
  if (ok && relaxation->status == WB_LINEAR_OPTIMAL) {
    relaxation->values = wb_allocate(columns, sizeof(double));
    relaxation->prices = wb_allocate(rows, sizeof(double));
    ok = relaxation->values != NULL && relaxation->prices != NULL;
  }
  if (ok && relaxation->status == WB_LINEAR_OPTIMAL) {
    memcpy(relaxation->values, Clp_getColSolution(clp), columns * sizeof(double));
    memcpy(relaxation->prices, Clp_getRowPrice(clp), rows * sizeof(double));
    relaxation->objective = wb_linear_objective(model, relaxation->values);
    ok = keep_basis(clp, options->basis);
    if (ok && options->whole)
      ok = dive(clp, model, &arrays, control, relaxation);
  }
  if (clp != NULL)
    Clp_deleteModel(clp);
  wb_arena_free(&arena);
  if (ok)
    return WARPBOUND_OK;
  wb_linear_relaxation_free(relaxation);
  return wb_out_of_memory(error);
}

void wb_linear_basis_free(struct wb_linear_basis *basis)
{
  free(basis->status);
  *basis = (struct wb_linear_basis){0};
}

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation)
{
  free(relaxation->values);
  free(relaxation->prices);
  free(relaxation->whole);
  *relaxation = (struct wb_linear_relaxation){0};
}
