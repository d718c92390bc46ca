/* The run abstraction: a safe bound far tighter than the closed form, and exact
 * where no type serves two warps a cycle. */
#ifndef WB_MAKESPAN_RUNS_RUN_ABSTRACTION_H
#define WB_MAKESPAN_RUNS_RUN_ABSTRACTION_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>

/* Longest paths of the run abstraction for 1..W warps at once. The string is cut
 * into its runs; a state says of each run r how many warps are inside it, n, and
 * how many instructions of it these still need in all, b. In a cycle x warps of a
 * run issue, e of which leave it; allowed iff some multiset of positions could do
 * it: n + x - e <= b <= e + l (n - e) for a run of l instructions. Every real move
 * maps to an allowed one, so the longest path is a safe upper bound (proof in
 * doc/makespan.md). most: values above it are of no use; makespan[w] may then be
 * UINT64_MAX.
 * search->witness is a schedule of makespan[W] cycles where wb_run_abstraction_exact
 * says so (and W * I is within WB_SCHEDULE_LIMIT), else empty.
 * Stops, without failing, where the table would exceed `memory` bytes
 * (WB_STOP_MEMORY), at the deadline or when interrupted.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_run_abstraction_search(const struct wb_problem *problem, uint64_t most,
                                           uint64_t memory, const struct wb_control *control,
                                           struct wb_search *search, warpbound_error *error);

/* Whether the bound is exact: every type that the string uses has min(sigma_U, sigma) = 1 and
 * any work-conserving schedule counts (the theorem of doc/makespan.md), or there is one warp. */
bool wb_run_abstraction_exact(const struct wb_problem *problem);

#endif
