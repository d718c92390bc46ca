/* Exact worst-case makespans by a table over all states of the machine. */
#ifndef WB_MAKESPAN_EXACT_DENSE_SEARCH_H
#define WB_MAKESPAN_EXACT_DENSE_SEARCH_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

/* The longest makespan of every work-conserving schedule, for 1..W warps at once,
 * with a witness for W. A state is d[1] <= ... <= d[I], the warps that still need
 * instruction i; its rank is the sum of C(d[i] + i - 1, i); a move lowers ranks, so
 * one ascending sweep over C(W + I, I) cells decides all of them. Time: cells times
 * the moves of a cycle. `largest` bounds the cycles left from any state, reachable
 * or not, as the closed form does; it sets the cells' width.
 * Stops, without failing, where the table would exceed control->memory_limit
 * (WB_STOP_MEMORY), at the deadline or when interrupted.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_dense_search(const struct wb_problem *problem, uint64_t largest,
                                 const struct wb_control *control, struct wb_search *search,
                                 warpbound_error *error);

#endif
