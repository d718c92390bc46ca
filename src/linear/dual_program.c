#include "linear/dual_program.h"

#include "base/memory.h"
#include "linear/relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of the first and of the longest batch. */
#define FIRST_BATCH 2000
#define LAST_BATCH 64000

/* The solver's columns that stand for the limits of the unknowns: 2 i for the lower one of i,
 * 2 i + 1 for the upper one. */
struct limit_columns {
  int *start;
  int *row;
  double *sign;
  double *most;
  double *cost;
};

static void price_limits(double *cost, size_t unknowns, const double *low, const double *high)
{
  for (size_t i = 0; i < unknowns; i++) {
    cost[2 * i] = -low[i];
    cost[2 * i + 1] = isinf(high[i]) ? 0 : high[i];
  }
}

bool wb_dual_program_make(struct wb_dual_program *program, size_t unknowns, const double *low,
                          const double *high, const double *objective)
{
  size_t count = 2 * unknowns;
  struct limit_columns columns = {.start = wb_allocate(count + 1, sizeof *columns.start),
                                  .row = wb_allocate(count, sizeof *columns.row),
                                  .sign = wb_allocate(count, sizeof *columns.sign),
                                  .most = wb_allocate(count, sizeof *columns.most),
                                  .cost = wb_allocate(count, sizeof *columns.cost)};
  *program = (struct wb_dual_program){
      .model = Clp_newModel(), .unknowns = unknowns, .allowed = UINT64_MAX};
  program->value = wb_allocate(unknowns, sizeof *program->value);
  bool ok = columns.start != NULL && columns.row != NULL && columns.sign != NULL &&
            columns.most != NULL && columns.cost != NULL && program->model != NULL &&
            program->value != NULL;
  if (ok) {
    for (size_t i = 0; i < unknowns; i++) {
      size_t lower = 2 * i, upper = 2 * i + 1;
      columns.start[lower] = (int)lower;
      columns.start[upper] = (int)upper;
      columns.row[lower] = columns.row[upper] = (int)i;
      columns.sign[lower] = 1;
      columns.sign[upper] = -1;
      columns.most[lower] = INFINITY;
      columns.most[upper] = isinf(high[i]) ? 0 : INFINITY;
    }
    columns.start[2 * unknowns] = (int)(2 * unknowns);
    price_limits(columns.cost, unknowns, low, high);
    Clp_setLogLevel(program->model, 0);
    Clp_loadProblem(program->model, (int)count, (int)unknowns, columns.start, columns.row,
                    columns.sign, NULL, columns.most, columns.cost, objective, objective);
  }
  free(columns.start);
  free(columns.row);
  free(columns.sign);
  free(columns.most);
  free(columns.cost);
  return ok;
}

bool wb_dual_program_limit(struct wb_dual_program *program, const double *low, const double *high)
{
  size_t count = (size_t)Clp_numberColumns(program->model);
  double *cost = wb_allocate(count, sizeof *cost);
  if (cost == NULL)
    return false;
  memcpy(cost, Clp_getObjCoefficients(program->model), count * sizeof *cost);
  price_limits(cost, program->unknowns, low, high);
  Clp_chgObjCoefficients(program->model, cost);
  free(cost);
  return true;
}

void wb_dual_program_free(struct wb_dual_program *program)
{
  if (program->model != NULL)
    Clp_deleteModel(program->model);
  free(program->value);
  *program = (struct wb_dual_program){0};
}

bool wb_dual_program_add(struct wb_dual_program *program, const struct wb_dual_rows *rows)
{
  double *cost = wb_allocate(rows->count, sizeof *cost);
  double *none = wb_allocate(rows->count, sizeof *none);
  double *most = wb_allocate(rows->count, sizeof *most);
  bool ok = rows->count == 0 || (cost != NULL && none != NULL && most != NULL);
  for (size_t r = 0; ok && r < rows->count; r++) {
    cost[r] = -rows->least[r];
    most[r] = INFINITY;
  }
  if (ok && rows->count > 0)
    Clp_addColumns(program->model, (int)rows->count, none, most, cost, rows->start, rows->index,
                   rows->element);
  free(cost);
  free(none);
  free(most);
  return ok;
}

bool wb_dual_program_solve(struct wb_dual_program *program, const struct wb_control *control,
                           double *least, enum wb_stop *stop)
{
  const struct wb_simplex_run run = {
      .first = FIRST_BATCH, .last = LAST_BATCH, .timed = true, .allowed = program->allowed};
  *stop = wb_simplex_run(program->model, &run, control, &program->spent);
  if (*stop != WB_STOP_NONE || Clp_status(program->model) != WB_SIMPLEX_OPTIMAL)
    return false;
  const double *price = Clp_getRowPrice(program->model);
  for (size_t i = 0; i < program->unknowns; i++)
    program->value[i] = -price[i];
  *least = -Clp_objectiveValue(program->model);
  return true;
}
