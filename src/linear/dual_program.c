#include "linear/dual_program.h"

#include "base/arena.h"
#include "base/memory.h"
#include "linear/relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of the first and of the longest batch. */
#define FIRST_BATCH 2000
#define LAST_BATCH 64000

/* The solver's columns for the limits of the unknowns: 2 i for the lower one of i, 2 i + 1 for the
 * upper one. */
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
  struct wb_arena arena = {0};
  int *start = wb_arena_array(&arena, int, count + 1);
  int *row = wb_arena_array(&arena, int, count);
  double *sign = wb_arena_array(&arena, double, count);
  double *most = wb_arena_array(&arena, double, count);
  double *cost = wb_arena_array(&arena, double, count);
  *program = (struct wb_dual_program){
      .model = Clp_newModel(), .unknowns = unknowns, .allowed = UINT64_MAX};
  program->value = wb_allocate(unknowns, sizeof *program->value);
  const bool ok = !arena.failed && program->model != NULL && program->value != NULL;
  if (ok) {
    for (size_t i = 0; i < unknowns; i++) {
      size_t lower = 2 * i, upper = 2 * i + 1;
      start[lower] = (int)lower;
      start[upper] = (int)upper;
      row[lower] = row[upper] = (int)i;
      sign[lower] = 1;
      sign[upper] = -1;
      most[lower] = INFINITY;
      most[upper] = isinf(high[i]) ? 0 : INFINITY;
    }
    start[2 * unknowns] = (int)(2 * unknowns);
    price_limits(cost, unknowns, low, high);
    Clp_setLogLevel(program->model, 0);
    Clp_loadProblem(program->model, (int)count, (int)unknowns, start, row, sign, NULL, most, cost,
                    objective, objective);
  }
  wb_arena_free(&arena);
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
  struct wb_arena arena = {0};
  double *cost = wb_arena_array(&arena, double, rows->count);
  double *none = wb_arena_array(&arena, double, rows->count);
  double *most = wb_arena_array(&arena, double, rows->count);
  const bool ok = rows->count == 0 || !arena.failed;
  for (size_t r = 0; ok && r < rows->count; r++) {
    cost[r] = -rows->least[r];
    most[r] = INFINITY;
  }
  if (ok && rows->count > 0)
    Clp_addColumns(program->model, (int)rows->count, none, most, cost, rows->start, rows->index,
                   rows->element);
  wb_arena_free(&arena);
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
