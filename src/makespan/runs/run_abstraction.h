/* The run abstraction: a safe bound far tighter than the closed form, and exact
 * where no type serves two warps a cycle. */
#ifndef WB_MAKESPAN_RUNS_RUN_ABSTRACTION_H
#define WB_MAKESPAN_RUNS_RUN_ABSTRACTION_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "makespan/runs/run_table.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The present cut. Owns its runs; borrows the problem. */
struct wb_cutting {
  const struct wb_problem *problem;
  struct wb_run_cut cut;
};

/* Begins with the string's own runs. false where memory is out. */
bool wb_cutting_start(struct wb_cutting *cutting, const struct wb_problem *problem);
void wb_cutting_free(struct wb_cutting *cutting);

/* The most that a cut may cost. */
struct wb_cutting_limits {
  bool whole;      /* the table is kept whole */
  uint64_t most;   /* values up to this, in cycles */
  uint64_t memory; /* bytes of the table */
  uint64_t states; /* of the table */
};

/* Goes to a finer cut within the limits: the longest run of a type that serves two or more
 * warps a cycle, of equals the last, in halves, else less evenly, its long part last.
 * false: there is none, and the cut stays. */
bool wb_cutting_refine(struct wb_cutting *cutting, const struct wb_cutting_limits *limits);

/* Looks for the coarsest such cut whose table by itself proves T(W) <= goal, from the
 * string's own runs on. *found: whether there is one; it is then the present cut. The
 * control's memory limit is for the table, and its limits may end the search. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_cutting_prove(struct wb_cutting *cutting, uint64_t goal,
                                  const struct wb_control *control, bool *found,
                                  warpbound_error *error);

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
