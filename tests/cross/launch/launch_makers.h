/* The bound that the library's makers give on a random launch, for tests. */
#ifndef TESTS_CROSS_LAUNCH_MAKERS_H
#define TESTS_CROSS_LAUNCH_MAKERS_H

#include "analysis/launch/launch_maxima.h"
#include "analysis/paths/path_system.h"
#include "launch/bounds/launch_formula.h"
#include "launch/timing/warp_times.h"
#include "random_launch.h"

#include <stdbool.h>
#include <stdint.h>

/* The parts of a bound. Owns what it points to: made_bound_free. */
struct made_bound {
  struct wb_path_system system;
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  struct wb_launch_bound launch, block;
};

/* Fails the test where the makers do. composite: the system does not say its phases, so that the
 * maxima are over composite paths as wholes. */
void made_bound_make(const struct random_launch *launch, bool composite, struct made_bound *made);
/* The bound of the same launch in another shape, which is in the launch now; the maxima are of no
 * shape where nothing says that warps take one path. */
void made_bound_reshape(const struct random_launch *launch, struct made_bound *made);
/* The independent checker's bound from the makers' proofs: fails the test where it refuses the
 * claim of the makers' own one. */
uint64_t made_bound_check(const struct random_launch *launch, const struct made_bound *made);
void made_bound_free(struct made_bound *made);

/* The order of two ratios (double), worst times to bounds, as qsort wants it. */
int compare_ratios(const void *left, const void *right);

#endif
