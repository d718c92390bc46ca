/* Cuts of a string into runs, made finer step by step. */
#ifndef WB_MAKESPAN_RUNS_RUN_CUTTING_H
#define WB_MAKESPAN_RUNS_RUN_CUTTING_H

#include "makespan/runs/run_table.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The present cut. Owns runs; borrows the problem. */
struct wb_cutting {
  const struct wb_problem *problem;
  struct wb_run *runs;
  size_t count;
};

/* Begins with the string's own runs. false where memory is out. */
bool wb_cutting_start(struct wb_cutting *cutting, const struct wb_problem *problem);
void wb_cutting_free(struct wb_cutting *cutting);

static inline struct wb_run_cut wb_cutting_cut(const struct wb_cutting *cutting)
{
  return (struct wb_run_cut){cutting->runs, cutting->count};
}

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

#endif
