/* The refinement schedule of the search for potentials: ever finer pools, with one component and
 * with one for each type. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_REFINEMENT_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_REFINEMENT_H

#include "makespan/potential/piecewise_potential.h"
#include "makespan/potential/pool_abstraction.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>

#define WB_POTENTIAL_LEVELS 15

/* The first level with several components. */
#define WB_POTENTIAL_FIRST_WITH_COMPONENTS 1
/* The first level that keeps work. */
#define WB_POTENTIAL_FIRST_WITH_WORK 2

/* The limits of the pools at a level, 0 .. WB_POTENTIAL_LEVELS - 1. */
struct wb_pool_limits wb_potential_level_limits(const struct wb_problem *problem, size_t number);

/* The shape at a level: one component, or one for each type of the string in the order of the
 * pools, with equal dominance weights. */
struct wb_potential_shape wb_potential_level_shape(const struct wb_problem *problem, size_t number);

/* Whether an earlier level has the same limits and components for this problem. */
bool wb_potential_level_repeats(const struct wb_problem *problem, size_t number);

bool wb_pool_limits_equal(const struct wb_pool_limits *a, const struct wb_pool_limits *b);

#endif
