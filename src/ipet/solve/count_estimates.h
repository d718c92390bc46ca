/* About how often the edges of a flow system are taken in its worst case: numbers by which a solver
 * may divide counts, so that it works on ones of like size. Nothing rests on them. */
#ifndef WB_IPET_SOLVE_COUNT_ESTIMATES_H
#define WB_IPET_SOLVE_COUNT_ESTIMATES_H

#include "base/arena.h"
#include "model/flow_system.h"

#include <stdbool.h>

/* Powers of 2 from 1 to 2^60. An arena owns the arrays. */
struct wb_count_estimates {
  double *edge; /* by edge */
  double *node; /* by node: of its runs */
};

/* The estimate of a loop is what limits allow its back edges, in terms of the estimates around it;
 * that of an edge is its innermost loop's. Near linear, times how deep loops nest. False
 * where memory is out. */
bool wb_count_estimates_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_count_estimates *estimates);

#endif
