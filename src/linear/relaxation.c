#include "linear/relaxation.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "linear/scaled_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

/* ---- what is loaded ---- */

/* A program that Clp has: the model, or a scaled one. */
struct loaded {
  const struct wb_linear_model *model;
  const struct wb_scaled_program *scaled; /* NULL: the model */
};

static double scale_of(const struct loaded *loaded, size_t column)
{
  return loaded->scaled != NULL ? wb_linear_scale(&loaded->model->columns[column]) : 1;
}

/* Values of the model's columns. */
static void read_values(Clp_Simplex *clp, const struct loaded *loaded, double *values)
{
  const double *solution = Clp_getColSolution(clp);
  for (size_t j = 0; j < loaded->model->column_count; j++)
    values[j] = solution[j] * scale_of(loaded, j);
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

/* bounds: room for a number by column. */
static bool solve_bounded(Clp_Simplex *clp, const struct loaded *loaded,
                          const struct wb_linear_arrays *arrays, double *bounds)
{
  const size_t columns = loaded->model->column_count;
  for (size_t j = 0; j < columns; j++)
    bounds[j] = arrays->column_lower[j] / scale_of(loaded, j);
  Clp_chgColumnLower(clp, bounds);
  for (size_t j = 0; j < columns; j++)
    bounds[j] = arrays->column_upper[j] / scale_of(loaded, j);
  Clp_chgColumnUpper(clp, bounds);
  Clp_setMaximumIterations(clp, STEP_ITERATIONS);
  (void)Clp_dual(clp, 0);
  return Clp_status(clp) == WB_SIMPLEX_OPTIMAL;
}

/* Rounds the solution to whole numbers: bounds those columns by the next whole number that are near
 * to it, or the nearest one, solves again, and goes on with what is not whole then. Where there is
 * no solution, the nearest one alone goes the other way; where there is none then, it ends. False
 * where memory is out. */
static bool dive(Clp_Simplex *clp, const struct loaded *loaded,
                 const struct wb_linear_arrays *arrays, const struct wb_control *control,
                 struct wb_linear_relaxation *relaxation)
{
  const struct wb_linear_model *model = loaded->model;
  const size_t columns = model->column_count;
  const size_t bytes = columns * sizeof(double);
  struct wb_arena arena = {0};
  double *lower = wb_arena_array(&arena, double, columns);
  double *upper = wb_arena_array(&arena, double, columns);
  double *values = wb_arena_array(&arena, double, columns);
  double *bounds = wb_arena_array(&arena, double, columns);
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
    if (!solve_bounded(clp, loaded, arrays, bounds)) {
      memcpy(arrays->column_lower, lower, bytes);
      memcpy(arrays->column_upper, upper, bytes);
      bound_column(arrays, nearest, values[nearest], false);
      open = solve_bounded(clp, loaded, arrays, bounds);
    }
    open = open && step < MOST_STEPS && wb_control_stopped(control) == WB_STOP_NONE;
    if (open) {
      read_values(clp, loaded, values);
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

/* Values of Clp_scaling. */
#define CLP_NONE 0
#define CLP_AUTOMATIC 3

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

/* What so many iterations a row cost. */
static uint64_t iterations_of(Clp_Simplex *clp, unsigned by_row)
{
  return ((uint64_t)Clp_numberRows(clp) * by_row + 100) * ((uint64_t)Clp_getNumElements(clp) + 1);
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
                                     .allowed =
                                         options->brief ? iterations_of(clp, 1) : UINT64_MAX};
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
  if (options->brief && relaxation->stop == WB_STOP_MEMORY) { /* too many iterations */
    relaxation->stop = WB_STOP_NONE;
    return;
  }
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

/* ---- scaled programs ---- */

/* What columns gain at most, so that a solver's tolerances (1e-7) are far above what rounding does:
 * and far below what a cycle in the rarest column is worth. */
#define COARSE 0x1p20
#define FINE 0x1p40
/* How far values may be beyond their bounds: that of Clp, and a part of it, for what counts of 2^40
 * are off by is worth as many cycles. */
#define COARSE_TOLERANCE 1e-7
#define FINE_TOLERANCE 1e-9
/* Most iterations for a row: by coarse prices, and from there by fine ones. Without trouble they
 * are fewer than 2, and than one for ten. */
#define COARSE_PATIENCE 20
#define FINE_PATIENCE 1

/* How a method is run. */
struct scaled_run {
  bool dual;
  bool coarse;
  double tolerance;
};

/* The dual method takes some programs for infeasible that the primal one solves. */
static const struct scaled_run at_first[] = {{true, true, COARSE_TOLERANCE},
                                             {false, true, COARSE_TOLERANCE}};
static const struct scaled_run then[] = {{false, false, FINE_TOLERANCE},
                                         {false, false, COARSE_TOLERANCE},
                                         {true, true, COARSE_TOLERANCE}};

/* Runs a method for so many iterations a row. Whether it ended with an optimum. */
static bool run_scaled(Clp_Simplex *clp, struct wb_scaled_program *scaled,
                       const struct scaled_run *how, const struct wb_control *control,
                       struct wb_linear_relaxation *relaxation)
{
  const bool coarse = how->coarse;
  const struct wb_simplex_run run = {
      .dual = how->dual,
      .first = FIRST_BATCH,
      .last = LAST_BATCH,
      .phase = "linear program",
      .allowed = iterations_of(clp, coarse ? COARSE_PATIENCE : FINE_PATIENCE)};
  uint64_t spent = 0;
  wb_scaled_program_price(scaled, coarse ? COARSE : FINE);
  Clp_chgObjCoefficients(clp, scaled->arrays.objective);
  Clp_scaling(clp, coarse ? CLP_AUTOMATIC : CLP_NONE);
  Clp_setPrimalTolerance(clp, how->tolerance);
  relaxation->stop = wb_simplex_run(clp, &run, control, &spent);
  if (relaxation->stop == WB_STOP_MEMORY) { /* too many iterations */
    relaxation->stop = WB_STOP_NONE;
    return false;
  }
  return relaxation->stop == WB_STOP_NONE && Clp_status(clp) == WB_SIMPLEX_OPTIMAL;
}

/* Runs one after the other, each from where the one before ended, until one ends with an optimum.
 */
static bool run_until(Clp_Simplex *clp, struct wb_scaled_program *scaled,
                      const struct scaled_run *runs, size_t count, const struct wb_control *control,
                      struct wb_linear_relaxation *relaxation)
{
  bool solved = false;
  for (size_t r = 0; r < count && !solved && relaxation->stop == WB_STOP_NONE; r++)
    solved = run_scaled(clp, scaled, &runs[r], control, relaxation);
  return solved;
}

/* Solves a scaled program: by coarse prices, or from the basis where there is one, and from there
 * by fine ones. False where that comes to no end. */
static bool solve_scaled(Clp_Simplex *clp, struct wb_scaled_program *scaled,
                         const struct wb_linear_options *options, const struct wb_control *control,
                         struct wb_linear_relaxation *relaxation)
{
  relaxation->stop = wb_control_poll(control, "linear program", 0);
  bool solved = relaxation->stop == WB_STOP_NONE;
  if (solved && !take_basis(clp, options->basis)) {
    if (options->other && Clp_numberRows(clp) >= PRESOLVE_ROWS) {
      wb_scaled_program_price(scaled, COARSE);
      Clp_chgObjCoefficients(clp, scaled->arrays.objective);
      Clp_setMaximumIterations(clp, Clp_numberRows(clp) / PRESOLVE_PATIENCE);
      (void)Clp_initialDualSolve(clp);
    }
    solved = run_until(clp, scaled, at_first, COUNT(at_first), control, relaxation);
  }
  solved = solved && run_until(clp, scaled, then, COUNT(then), control, relaxation);
  if (solved)
    relaxation->status = WB_LINEAR_OPTIMAL;
  return solved;
}

/* ---- one program ---- */

static Clp_Simplex *load(const struct wb_linear_model *model, const struct wb_linear_arrays *arrays)
{
  Clp_Simplex *clp = Clp_newModel();
  if (clp == NULL)
    return NULL;
  Clp_setLogLevel(clp, 0);
  Clp_loadProblem(clp, (int)model->column_count, (int)model->row_count, arrays->start, arrays->row,
                  arrays->value, arrays->column_lower, arrays->column_upper, arrays->objective,
                  arrays->row_lower, arrays->row_upper);
  Clp_setOptimizationDirection(clp, model->maximise ? -1 : 1);
  return clp;
}

/* Reads an optimum. False where memory is out. */
static bool read_optimum(Clp_Simplex *clp, const struct loaded *loaded,
                         struct wb_linear_relaxation *relaxation)
{
  const struct wb_linear_model *model = loaded->model;
  relaxation->values = wb_allocate(model->column_count, sizeof(double));
  relaxation->prices = wb_allocate(model->row_count, sizeof(double));
  if (relaxation->values == NULL || relaxation->prices == NULL)
    return false;
  read_values(clp, loaded, relaxation->values);
  memcpy(relaxation->prices, Clp_getRowPrice(clp), model->row_count * sizeof(double));
  if (loaded->scaled != NULL)
    wb_scaled_program_read(loaded->scaled, relaxation->prices);
  relaxation->objective = wb_linear_objective(model, relaxation->values);
  return true;
}

warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_linear_options *options,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  *relaxation = (struct wb_linear_relaxation){.status = WB_LINEAR_NONE};
  struct wb_arena arena = {0};
  struct wb_linear_arrays arrays;
  struct wb_scaled_program scaled;
  struct loaded loaded = {.model = model};
  Clp_Simplex *clp = NULL;
  struct wb_linear_options how = *options;
  how.brief = options->brief && wb_scaled_program_is_needed(model);
  bool ok = wb_linear_arrays_make(&arena, model, &arrays);
  if (ok && wb_scaled_program_is_needed(model)) {
    ok = wb_scaled_program_make(&arena, model, &scaled);
    clp = ok ? load(model, &scaled.arrays) : NULL;
    ok = clp != NULL;
    if (ok && solve_scaled(clp, &scaled, options, control, relaxation))
      loaded.scaled = &scaled;
  }
  if (ok && loaded.scaled == NULL && relaxation->stop == WB_STOP_NONE) {
    if (clp != NULL)
      Clp_deleteModel(clp);
    clp = load(model, &arrays);
    ok = clp != NULL;
    if (ok)
      solve_loaded(clp, &how, control, relaxation);
  }
  if (ok && relaxation->status == WB_LINEAR_OPTIMAL) {
    ok = read_optimum(clp, &loaded, relaxation) && keep_basis(clp, options->basis);
    if (ok && options->whole)
      ok = dive(clp, &loaded, &arrays, control, relaxation);
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
