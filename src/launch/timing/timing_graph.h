/* The flow of one warp, as its times need it. */
#ifndef WB_LAUNCH_TIMING_TIMING_GRAPH_H
#define WB_LAUNCH_TIMING_TIMING_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All borrowed. A node is a stretch of instructions without a barrier but as
 * its last one; one with first > last has none. */
struct wb_timing_graph {
  size_t node_count, edge_count;
  const uint32_t *first, *last; /* by node: instructions */
  const bool *interleaved;      /* by node: other groups of lanes of the warp may run between its
                                   instructions; NULL: at no node */
  const bool *ends;             /* by node: the warp may end after it; NULL: after any */
  const uint32_t *from, *to;    /* by edge */
  const uint32_t *starts;       /* nodes where the warp begins */
  size_t start_count;
};

#endif
