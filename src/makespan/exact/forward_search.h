/* Exact worst-case makespans by a search through the states that can be reached, for schedulers
 * that are fair between sub-blocks: these keep warps together, so that few states can be. */
#ifndef WB_MAKESPAN_EXACT_FORWARD_SEARCH_H
#define WB_MAKESPAN_EXACT_FORWARD_SEARCH_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps: a state is a byte for each position. */
#define WB_FORWARD_WARP_LIMIT 255u

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_forward_result {
  uint64_t longest;  /* cycles: the longest makespan of all schedules; 0: the search was stopped */
  enum wb_stop stop; /* WB_STOP_MEMORY: the states went beyond the memory allowed */
  uint64_t states;   /* kept */
  uint64_t bytes;    /* that they took */
  struct wb_schedule witness; /* a schedule of `longest` cycles */
};

/* Whether the problem is one for this search at all: no more warps than the limit, and a
 * schedule of it can be kept. */
bool wb_forward_search_fits(const struct wb_problem *problem);

/* A state is the number of warps at each position; it is kept once, with the most cycles that
 * lead to it. States are expanded in order of the instructions done, which every cycle raises:
 * so all ways to a state are known before it is expanded, and the end's cycles are the answer.
 * Takes at most half of control->memory_limit. Deterministic. Only for what fits (asserted).
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_forward_search(const struct wb_problem *problem,
                                   const struct wb_control *control,
                                   struct wb_forward_result *result, warpbound_error *error);

#endif
