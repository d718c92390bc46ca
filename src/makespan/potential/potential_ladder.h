/* The ladder that the search for potentials climbs: ever finer pools, with one piece and with
 * one for each type. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_LADDER_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_LADDER_H

#include "makespan/potential/pools.h"
#include "makespan/potential/potential_pieces.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>

#define WB_POTENTIAL_RUNGS 15

/* The first rung with pieces, and the first after those without work and with the least counts. */
#define WB_POTENTIAL_FIRST_WITH_PIECES 1
#define WB_POTENTIAL_FIRST_WITH_WORK 2

/* The pools' limits of a rung, 0 .. WB_POTENTIAL_RUNGS - 1. */
struct wb_pool_limits wb_potential_rung_limits(const struct wb_problem *problem, size_t number);

/* One piece, or one for each type of the string in the order of the pools, for which the others
 * answer in equal shares. */
struct wb_potential_shape wb_potential_rung_shape(const struct wb_problem *problem, size_t number);

/* Whether an earlier rung has the same limits and pieces for this problem. */
bool wb_potential_rung_repeats(const struct wb_problem *problem, size_t number);

bool wb_pool_limits_equal(const struct wb_pool_limits *a, const struct wb_pool_limits *b);

#endif
