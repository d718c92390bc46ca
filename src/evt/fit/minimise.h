/* Minimises smooth functions of up to four unknowns. */
#ifndef WB_EVT_FIT_MINIMISE_H
#define WB_EVT_FIT_MINIMISE_H

#include <stdbool.h>

#define WB_UNKNOWNS 4

/* Symmetric positive definite matrices by Cholesky's factors. */

/* The lower triangular L with L L' = matrix; false where the matrix is not positive definite to the
 * digits of a double, or not finite. count: rows used. */
bool wb_cholesky(unsigned count, double matrix[WB_UNKNOWNS][WB_UNKNOWNS],
                 double factor[WB_UNKNOWNS][WB_UNKNOWNS]);
/* inverse = inverse of L L'. */
void wb_cholesky_invert(unsigned count, double factor[WB_UNKNOWNS][WB_UNKNOWNS],
                        double inverse[WB_UNKNOWNS][WB_UNKNOWNS]);

/* A function's value (INFINITY outside its domain) and derivatives at one place. */
struct wb_score {
  double value;
  double gradient[WB_UNKNOWNS];
  double hessian[WB_UNKNOWNS][WB_UNKNOWNS]; /* symmetric */
};

/* A function of `count` (1 to WB_UNKNOWNS) unknowns; `at` fills the score's first `count` rows, the
 * second derivatives only where asked. context is borrowed. */
struct wb_objective {
  unsigned count;
  void (*at)(const void *context, const double *unknowns, bool with_hessian,
             struct wb_score *score);
  const void *context;
};

/* Newton's method from `unknowns`, with the Hessian made positive definite where it is not and
 * steps halved until the value falls. Returns whether it ended in a minimum: a positive definite
 * Hessian and a Newton step below 1e-7 standard errors (of a negative log likelihood); *score then
 * has the value and derivatives there. Else `unknowns` is the best place seen. */
bool wb_newton_minimise(const struct wb_objective *objective, double *unknowns,
                        struct wb_score *score);

/* NLopt's search with gradients (SLSQP) and then Newton's method, with its result. Deterministic.
 */
bool wb_minimise_by_gradient(const struct wb_objective *objective, double *unknowns,
                             struct wb_score *score);
/* The same, and where that does not come near a minimum, Nelder and Mead's simplex of up to 400
 * evaluations before Newton's method. */
bool wb_minimise(const struct wb_objective *objective, double *unknowns, struct wb_score *score);

#endif
