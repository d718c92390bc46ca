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

/* Iterations of the first and of the longest batch. */
#define FIRST_BATCH 20000
#define LAST_BATCH (1 << 30)

/* Rows from which on a program is made smaller first, where that gains more than it takes. */
#define PRESOLVE_ROWS 2000

/* Columns first, then rows. */
static bool load(Clp_Simplex *clp, const struct wb_linear_model *model)
{
  struct wb_arena arena = {0};
  const size_t columns = model->column_count;
  const size_t rows = model->row_count;
  double *lower = wb_arena_array(&arena, double, columns);
  double *upper = wb_arena_array(&arena, double, columns);
  double *objective = wb_arena_array(&arena, double, columns);
  int *none = wb_arena_array(&arena, int, columns + 1);
  double *row_lower = wb_arena_array(&arena, double, rows);
  double *row_upper = wb_arena_array(&arena, double, rows);
  int *start = wb_arena_array(&arena, int, rows + 1);
  int *column = wb_arena_array(&arena, int, model->entry_count);
  double *value = wb_arena_array(&arena, double, model->entry_count);
  const bool ok = !arena.failed;
  if (ok) {
    for (size_t j = 0; j < columns; j++) {
      lower[j] = model->columns[j].lower;
      upper[j] = model->columns[j].upper;
      objective[j] = model->columns[j].objective;
    }
    for (size_t r = 0; r < rows; r++) {
      row_lower[r] = model->rows[r].lower;
      row_upper[r] = model->rows[r].upper;
      start[r] = (int)model->rows[r].first;
    }
    start[rows] = (int)model->entry_count;
    for (size_t i = 0; i < model->entry_count; i++) {
      column[i] = (int)model->entries[i].column;
      value[i] = model->entries[i].value;
    }
    int no_row = 0;
    double no_value = 0;
    Clp_loadProblem(clp, (int)columns, 0, none, &no_row, &no_value, lower, upper, objective, NULL,
                    NULL);
    Clp_addRows(clp, (int)rows, row_lower, row_upper, start, column, value);
    Clp_setOptimizationDirection(clp, model->maximise ? -1 : 1);
  }
  wb_arena_free(&arena);
  return ok;
}

static warpbound_status take(Clp_Simplex *clp, const struct wb_linear_model *model,
                             struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  int status = Clp_status(clp);
  if (status == WB_SIMPLEX_INFEASIBLE)
    relaxation->status = WB_LINEAR_INFEASIBLE;
  else if (status == WB_SIMPLEX_UNBOUNDED)
    relaxation->status = WB_LINEAR_UNBOUNDED;
  if (status != WB_SIMPLEX_OPTIMAL)
    return WARPBOUND_OK;
  relaxation->values = wb_allocate(model->column_count, sizeof(double));
  relaxation->prices = wb_allocate(model->row_count, sizeof(double));
  if (relaxation->values == NULL || relaxation->prices == NULL)
    return wb_out_of_memory(error);
  memcpy(relaxation->values, Clp_getColSolution(clp), model->column_count * sizeof(double));
  memcpy(relaxation->prices, Clp_getRowPrice(clp), model->row_count * sizeof(double));
  relaxation->status = WB_LINEAR_OPTIMAL;
  relaxation->objective = wb_linear_objective(model, relaxation->values);
  return WARPBOUND_OK;
}

warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  *relaxation = (struct wb_linear_relaxation){.status = WB_LINEAR_NONE};
  Clp_Simplex *clp = Clp_newModel();
  if (clp == NULL)
    return wb_out_of_memory(error);
  Clp_setLogLevel(clp, 0);
  warpbound_status status = WARPBOUND_OK;
  if (!load(clp, model))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    const struct wb_simplex_run run = {.dual = true,
                                       .first = FIRST_BATCH,
                                       .last = LAST_BATCH,
                                       .phase = "linear program",
                                       .allowed = UINT64_MAX};
    uint64_t spent = 0;
    enum wb_stop *stop = &relaxation->stop;
    *stop = wb_control_poll(control, run.phase, 0);
    if (*stop == WB_STOP_NONE && Clp_numberRows(clp) >= PRESOLVE_ROWS) {
      Clp_setMaximumIterations(clp, FIRST_BATCH);
      (void)Clp_initialDualSolve(clp);
    }
    /* What presolving says counts for nothing but as a start. */
    if (*stop == WB_STOP_NONE)
      *stop = wb_simplex_run(clp, &run, control, &spent);
    /* The dual method takes some unbounded programs for infeasible: the primal one decides. */
    if (*stop == WB_STOP_NONE && Clp_status(clp) != WB_SIMPLEX_OPTIMAL)
      (void)Clp_primal(clp, 0);
    if (*stop == WB_STOP_NONE)
      status = take(clp, model, relaxation, error);
  }
  Clp_deleteModel(clp);
  if (status != WARPBOUND_OK)
    wb_linear_relaxation_free(relaxation);
  return status;
}

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation)
{
  free(relaxation->values);
  free(relaxation->prices);
  *relaxation = (struct wb_linear_relaxation){0};
}
