/* Exact worst-case makespans of a whole SM by a search through the states that can be reached. */
#ifndef WB_SM_SEARCH_SM_SEARCH_H
#define WB_SM_SEARCH_SM_SEARCH_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps of a search. */
#define WB_SM_SEARCH_WARPS UINT32_C(512)

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_sm_search {
  uint64_t longest;  /* cycles: the longest makespan of all schedules; 0: the search was stopped */
  enum wb_stop stop; /* WB_STOP_MEMORY: the states went beyond the memory allowed */
  uint64_t states;   /* kept */
  uint64_t bytes;    /* that they took */
  struct wb_schedule witness; /* a schedule of `longest` cycles */
};

/* Whether the problem is one for this search at all: not too many warps and letters. */
bool wb_sm_search_fits(const struct wb_sm_problem *problem);

/* The longest makespan where warp w runs string string_of[w], or, where that is NULL, over all
 * assignments of strings to warps. States that differ in the names of warps, blocks and partitions
 * only are one (sm_words.h); each is kept once, with the most cycles that lead to it. They are
 * expanded in order of what is left to do, which every cycle lowers: so all ways to a state are
 * known before it is expanded, and the end's cycles are the answer. Takes about half of
 * control->memory_limit. Deterministic. Only for what fits (asserted). Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_sm_search(const struct wb_sm_problem *problem, const uint32_t *string_of,
                              const struct wb_control *control, struct wb_sm_search *result,
                              warpbound_error *error);

#endif
