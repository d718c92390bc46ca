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

warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error)
{
  *relaxation = (struct wb_linear_relaxation){.status = WB_LINEAR_NONE};
  const struct wb_simplex_run run = {.dual = true,
                                     .first = FIRST_BATCH,
                                     .last = LAST_BATCH,
                                     .phase = "linear program",
                                     .allowed = UINT64_MAX};
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
    relaxation->stop = wb_control_poll(control, run.phase, 0);
  }
  if (ok && relaxation->stop == WB_STOP_NONE) {
    if (rows >= PRESOLVE_ROWS) {
      /* What presolving says counts for nothing but as a start. */
      Clp_setMaximumIterations(clp, FIRST_BATCH);
      (void)Clp_initialDualSolve(clp);
    }
    uint64_t spent = 0;
    relaxation->stop = wb_simplex_run(clp, &run, control, &spent);
  }
  if (ok && relaxation->stop == WB_STOP_NONE) {
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
  if (ok && relaxation->status == WB_LINEAR_OPTIMAL) {
    relaxation->values = wb_allocate(columns, sizeof(double));
    relaxation->prices = wb_allocate(rows, sizeof(double));
    ok = relaxation->values != NULL && relaxation->prices != NULL;
  }
  if (ok && relaxation->status == WB_LINEAR_OPTIMAL) {
    memcpy(relaxation->values, Clp_getColSolution(clp), columns * sizeof(double));
    memcpy(relaxation->prices, Clp_getRowPrice(clp), rows * sizeof(double));
    relaxation->objective = wb_linear_objective(model, relaxation->values);
  }
  if (clp != NULL)
    Clp_deleteModel(clp);
  wb_arena_free(&arena);
  if (ok)
    return WARPBOUND_OK;
  wb_linear_relaxation_free(relaxation);
  return wb_out_of_memory(error);
}

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation)
{
  free(relaxation->values);
  free(relaxation->prices);
  *relaxation = (struct wb_linear_relaxation){0};
}
