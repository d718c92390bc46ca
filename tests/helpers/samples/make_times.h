/* Times as those of GPU kernels, made with known distributions from a seed: dependence, drift,
 * steps, modes, ticks and outliers as a recipe says. */
#ifndef TESTS_HELPERS_MAKE_TIMES_H
#define TESTS_HELPERS_MAKE_TIMES_H

#include "base/random.h"

#include <stddef.h>
#include <stdint.h>

/* The distribution of one time without what is added to it. Shapes have Coles's sign: > 0 is the
 * heavy tail. */
enum made_family {
  MADE_NORMAL,      /* mean location, standard deviation scale */
  MADE_EXPONENTIAL, /* location + scale * standard exponential */
  MADE_LOGNORMAL,   /* location + scale * exp(shape * standard normal) */
  MADE_UNIFORM,     /* location to location + scale */
  MADE_GEV,         /* location, scale, shape; shape 0: Gumbel */
  MADE_PARETO       /* GPD: location is the threshold; scale, shape; shape 0: exponential */
};

/* How the modes of a mixture follow each other. */
enum made_modes {
  MADE_MODES_NONE,
  MADE_MODES_MIXED,       /* each time by itself is of the second mode with mode_share */
  MADE_MODES_ALTERNATING, /* first, second, first ... */
  MADE_MODES_BLOCKS       /* mode_length times of the first, as many of the second ... */
};

/* What a series is made of; zero members add nothing. Each time is, in this order: a draw from the
 * family, dependent on the one before by one of two ways; changed in spread, mode, drift, step and
 * outliers; rounded to ticks. */
struct made_times {
  enum made_family family;
  double location, scale, shape;
  /* The correlation of a Gaussian autoregressive process of order 1 which is transformed to the
   * family; its extremal index is 1. 0: independent. */
  double correlation;
  /* Of a max-autoregressive process X' = max(a X, (1 - a) Z) of Frechet margins, transformed to the
   * family: a, 0 to below 1; its extremal index is 1 - a exactly. Not with a correlation. */
  double max_dependence;
  double late_scale; /* the second half's deviations from location are multiplied by it; 0: not */
  enum made_modes modes;
  double mode_gap;       /* added in the second mode */
  double mode_share;     /* of MADE_MODES_MIXED */
  size_t mode_length;    /* of MADE_MODES_BLOCKS */
  double drift;          /* added in proportion to time: 0 at the first, this at the last */
  double step;           /* added from step_at on */
  double step_at;        /* as a share of the series, 0 to 1 */
  double outlier_share;  /* the probability that an outlier, or a burst of them, begins */
  size_t outlier_length; /* times of a burst; 0 as 1 */
  double outlier_size;   /* added to each: this times a standard exponential */
  double tick;           /* times are multiples of it (to the nearest); 0: continuous */
};

/* `count` times from the seed: the same on every machine but for the last digits of libm. */
void make_times(const struct made_times *recipe, size_t count, uint64_t seed, double *times);

/* Above 0, below 1. */
double made_uniform(struct wb_random *random);
/* A standard normal number. */
double made_normal(struct wb_random *random);

/* The level that a time of the family, without what is added, exceeds with probability `survival`
 * (0 < survival < 1). */
double made_level(const struct made_times *recipe, double survival);

#endif
