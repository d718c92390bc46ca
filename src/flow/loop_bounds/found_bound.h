/* What is found of a loop, and of the instructions of a thread. */
#ifndef WB_FLOW_LOOP_BOUNDS_FOUND_BOUND_H
#define WB_FLOW_LOOP_BOUNDS_FOUND_BOUND_H

#include "values/interval/interval_domain.h"

#include <stdbool.h>
#include <stdint.h>

/* The bound of one loop that the code shows. Owns its texts. */
struct wb_found_bound {
  bool found;
  bool by_width;  /* the bound rests on the width of a register alone: true, but of no use */
  uint64_t bound; /* back edges that a thread takes at most for each entry of the loop */
  uint64_t least; /* back edges that every thread takes at least that enters the loop and leaves it;
                     0: nothing is known. Not above `bound` where that is found */
  bool summed;    /* found, and `sum` has a meaning */
  uint64_t sum;   /* back edges that a thread takes at most for each entry of the loop right around
                     this one: fewer than what the bounds of both allow together */
  uint64_t step_least, step_most; /* by how much one turn changes the counters of the loop's tests,
                                     up or down: the least and the greatest; 0: not known */
  char *reason;           /* for people ("R4 starts at 0, ..."); NULL where nothing was found */
  const char *assumption; /* what of the hardware the bound rests on; static; NULL: nothing that is
                             not said of the graph */
  char *hint; /* where nothing was found, or by_width: the comparison of a counter and what would
                 bound it ("R4's limit comes from c[0x0][0x148] ..."); or NULL */
};

/* Called for each instruction that a thread may come to, with what surely holds before it. */
typedef void wb_thread_visit(void *context, const struct wb_interval_context *thread,
                             uint32_t instruction);

#endif
