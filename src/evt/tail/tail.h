/* The distributions of extreme values: generalised extreme value (GEV) and Gumbel for maxima of
 * blocks, generalised Pareto (GPD) and exponential for excesses over a threshold.
 *
 * The sign of the shape xi is Coles's (2001): xi > 0 is a heavy tail without an upper end, xi = 0
 * the Gumbel or exponential tail, xi < 0 a tail that ends at a finite value. */
#ifndef WB_EVT_TAIL_TAIL_H
#define WB_EVT_TAIL_TAIL_H

#include "base/random.h"

#include <stdbool.h>

enum wb_tail_family { WB_TAIL_GEV, WB_TAIL_GUMBEL, WB_TAIL_PARETO, WB_TAIL_EXPONENTIAL };

/* A distribution. Invariant: scale > 0; shape is 0 for Gumbel and exponential. */
struct wb_tail {
  enum wb_tail_family family;
  double location; /* mu of GEV and Gumbel; of the others the threshold u */
  double scale;    /* sigma, in the unit of the values */
  double shape;    /* xi > 0: heavy tail */
};

/* "GEV", "Gumbel", "GPD", "exponential". */
const char *wb_tail_name(enum wb_tail_family family);
/* Whether it is of maxima of blocks; else of excesses over a threshold. */
bool wb_tail_is_of_maxima(enum wb_tail_family family);
/* Whether its shape is free: GEV and GPD. */
bool wb_tail_has_shape(enum wb_tail_family family);

/* All are continuous at xi = 0 to the last digits: computed by expm1 and log1p, not by cases of a
 * small xi that jump. log_density: -INFINITY outside the support. */
double wb_tail_log_density(const struct wb_tail *tail, double value);
/* P(X <= value). */
double wb_tail_distribution(const struct wb_tail *tail, double value);
/* P(X > value), without cancellation for small probabilities. */
double wb_tail_survival(const struct wb_tail *tail, double value);
/* The level that is exceeded with probability `survival`, 0 < survival < 1, as small as 1e-300.
 * INFINITY where it is no finite double. */
double wb_tail_level(const struct wb_tail *tail, double survival);
/* That level of location 0, scale 1 and shape 0; with another shape xi it is
 * (exp(xi y) - 1) / xi of this y. */
double wb_tail_reduced_level(enum wb_tail_family family, double survival);
/* The largest possible value; INFINITY where xi >= 0. */
double wb_tail_upper_end(const struct wb_tail *tail);
/* A random value. */
double wb_tail_draw(const struct wb_tail *tail, struct wb_random *random);

#endif
