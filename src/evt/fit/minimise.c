/* NLopt for the way to the minimum, Newton's method for its last digits. */
#include "evt/fit/minimise.h"

#include <float.h>
#include <math.h>
#include <nlopt.h>
#include <string.h>

#define NEWTON_STEPS 60
#define HALVINGS 40
/* Square of a Newton step in standard errors: below it, the place is a minimum. */
#define CONVERGED 1e-14
/* Below it the value is too coarse to compare, and Newton's method converges without. */
#define NEAR 1e-6

/* What NLopt is told outside of the domain, in place of INFINITY. */
#define OUTSIDE 1e100

bool wb_cholesky(unsigned count, double matrix[WB_UNKNOWNS][WB_UNKNOWNS],
                 double factor[WB_UNKNOWNS][WB_UNKNOWNS])
{
  for (unsigned row = 0; row < count; row++) {
    for (unsigned column = 0; column <= row; column++) {
      double sum = matrix[row][column];
      for (unsigned k = 0; k < column; k++)
        sum -= factor[row][k] * factor[column][k];
      if (column < row) {
        factor[row][column] = sum / factor[column][column];
        continue;
      }
      /* What cancellation leaves of the diagonal is noise below some units of its last place. */
      if (!(sum > 16 * DBL_EPSILON * matrix[row][row]) || !isfinite(sum))
        return false;
      factor[row][row] = sqrt(sum);
    }
  }
  return true;
}

/* solution = inverse of L L' times right. */
static void cholesky_solve(unsigned count, double factor[WB_UNKNOWNS][WB_UNKNOWNS],
                           const double *right, double *solution)
{
  for (unsigned row = 0; row < count; row++) {
    double sum = right[row];
    for (unsigned k = 0; k < row; k++)
      sum -= factor[row][k] * solution[k];
    solution[row] = sum / factor[row][row];
  }
  for (unsigned row = count; row-- > 0;) {
    double sum = solution[row];
    for (unsigned k = row + 1; k < count; k++)
      sum -= factor[k][row] * solution[k];
    solution[row] = sum / factor[row][row];
  }
}

void wb_cholesky_invert(unsigned count, double factor[WB_UNKNOWNS][WB_UNKNOWNS],
                        double inverse[WB_UNKNOWNS][WB_UNKNOWNS])
{
  for (unsigned column = 0; column < count; column++) {
    double unit[WB_UNKNOWNS] = {0}, solution[WB_UNKNOWNS];
    unit[column] = 1.0;
    cholesky_solve(count, factor, unit, solution);
    for (unsigned row = 0; row < count; row++)
      inverse[row][column] = solution[row];
  }
}

/* A descent direction: Newton's where the Hessian is positive definite, else with as much added to
 * its diagonal as makes it so. Returns whether nothing was added. *square: gradient' step. */
static bool newton_step(const struct wb_objective *objective, struct wb_score *score, double *step,
                        double *square)
{
  const unsigned count = objective->count;
  double factor[WB_UNKNOWNS][WB_UNKNOWNS], damped[WB_UNKNOWNS][WB_UNKNOWNS], largest = 0;
  memcpy(damped, score->hessian, sizeof damped);
  for (unsigned i = 0; i < count; i++)
    largest = fmax(largest, fabs(score->hessian[i][i]));
  double added = 0;
  *square = NAN;
  while (!wb_cholesky(count, damped, factor)) {
    added = added > 0 ? 10.0 * added : 1e-3 * largest;
    if (!(added < 1e6 * largest))
      return false;
    for (unsigned i = 0; i < count; i++)
      damped[i][i] = score->hessian[i][i] + added;
  }
  cholesky_solve(count, factor, score->gradient, step);
  *square = 0;
  for (unsigned i = 0; i < count; i++)
    *square += score->gradient[i] * step[i];
  return added == 0;
}

/* Goes against the step, by all of it or a half, a quarter ...; false where none lowers the value
 * (or, of a step so short that values no longer tell, keeps it finite). */
static bool descend(const struct wb_objective *objective, const double *step, double square,
                    double *unknowns, struct wb_score *score)
{
  for (int halving = 0; halving < HALVINGS; halving++) {
    const double part = ldexp(1.0, -halving);
    double place[WB_UNKNOWNS];
    struct wb_score there;
    for (unsigned i = 0; i < objective->count; i++)
      place[i] = unknowns[i] - part * step[i];
    /* Most first steps are taken; of shorter ones most are not, and only the value counts. */
    objective->at(objective->context, place, halving == 0, &there);
    if (!isfinite(there.value) ||
        (square >= NEAR && !(there.value <= score->value - 1e-4 * part * square)))
      continue;
    if (halving > 0)
      objective->at(objective->context, place, true, &there);
    memcpy(unknowns, place, objective->count * sizeof *unknowns);
    *score = there;
    return true;
  }
  return false;
}

bool wb_newton_minimise(const struct wb_objective *objective, double *unknowns,
                        struct wb_score *score)
{
  objective->at(objective->context, unknowns, true, score);
  if (!isfinite(score->value))
    return false;
  for (int k = 0; k < NEWTON_STEPS; k++) {
    double step[WB_UNKNOWNS] = {0}, square;
    const bool definite = newton_step(objective, score, step, &square);
    if (!isfinite(square))
      return false;
    if (definite && square < CONVERGED) {
      /* The last step makes the error its square; value and derivatives stay as they are. */
      for (unsigned i = 0; i < objective->count; i++)
        unknowns[i] -= step[i];
      return true;
    }
    if (!descend(objective, step, square, unknowns, score))
      return false;
  }
  return false;
}

/* The objective in the form of NLopt. */
static double nlopt_value(unsigned count, const double *unknowns, double *gradient, void *context)
{
  const struct wb_objective *objective = (const struct wb_objective *)context;
  struct wb_score score;
  objective->at(objective->context, unknowns, false, &score);
  if (gradient) {
    for (unsigned i = 0; i < count; i++)
      gradient[i] = isfinite(score.value) ? score.gradient[i] : 0.0;
  }
  return isfinite(score.value) ? score.value : OUTSIDE;
}

/* Leaves `unknowns` at the best place that NLopt finds, or as it is. */
static void search(const struct wb_objective *objective, nlopt_algorithm algorithm, int evaluations,
                   double *unknowns)
{
  nlopt_opt optimiser = nlopt_create(algorithm, objective->count);
  if (!optimiser)
    return;
  double place[WB_UNKNOWNS], value = INFINITY;
  memcpy(place, unknowns, objective->count * sizeof *place);
  struct wb_objective own = *objective;
  nlopt_set_min_objective(optimiser, nlopt_value, &own);
  nlopt_set_ftol_rel(optimiser, 1e-6);
  nlopt_set_maxeval(optimiser, evaluations);
  nlopt_set_initial_step1(optimiser, 0.1);
  nlopt_optimize(optimiser, place, &value);
  nlopt_destroy(optimiser);
  struct wb_score score;
  objective->at(objective->context, place, false, &score);
  if (isfinite(score.value))
    memcpy(unknowns, place, objective->count * sizeof *place);
}

bool wb_minimise_by_gradient(const struct wb_objective *objective, double *unknowns,
                             struct wb_score *score)
{
  search(objective, NLOPT_LD_SLSQP, 60, unknowns);
  return wb_newton_minimise(objective, unknowns, score);
}

bool wb_minimise(const struct wb_objective *objective, double *unknowns, struct wb_score *score)
{
  double start[WB_UNKNOWNS];
  memcpy(start, unknowns, objective->count * sizeof *start);
  if (wb_minimise_by_gradient(objective, unknowns, score))
    return true;
  memcpy(unknowns, start, objective->count * sizeof *start);
  search(objective, NLOPT_LN_NELDERMEAD, 400, unknowns);
  return wb_newton_minimise(objective, unknowns, score);
}
