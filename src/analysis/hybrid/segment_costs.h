/* What blocks and edges of a warp-level graph cost by the longest times between points, and the
 * code that no time covers. */
#ifndef WB_ANALYSIS_HYBRID_SEGMENT_COSTS_H
#define WB_ANALYSIS_HYBRID_SEGMENT_COSTS_H

#include "analysis/hybrid/hybrid_result.h"
#include "analysis/hybrid/measured_points.h"
#include "base/work_control.h"

/* A run of a block costs node[b]; where it is left by edge e, edge[e] besides, and where the warp
 * ends after it, end[b] besides (doc/measured/hybrid.md has the proof). */
struct wb_segment_costs {
  int64_t *node;            /* by block */
  int64_t *node_unmeasured; /* by block: the part of it that no row covers */
  int64_t *edge;            /* by edge */
  int64_t *edge_unmeasured; /* by edge: edge[e] where that is by static costs; else 0 */
  int64_t *end;             /* by block */
  int64_t *end_unmeasured;  /* by block: the same of end[b] */
  int64_t start;            /* from the start to the first point */
  uint32_t *last_place;     /* by block: the place of its last point where a segment begins there,
                               which its edges then end or go on with; else WB_NO_PLACE */
  bool *never_block;        /* by block: no run of it was observed (observed counts alone) */
  bool *never_end;          /* by block: no warp was observed to end there (the same) */
  bool *never_edge;         /* by edge: no way over it was observed (observed counts alone) */
  uint32_t *only_next;      /* by edge from a block with last_place: the one place (or
                               points->stop) that comes next; else WB_NO_PLACE */
};

/* What is asked. All borrowed. */
struct wb_segment_input {
  const struct wb_warp_graph *graph;
  struct wb_measured_points *points; /* transitions that count become `used` */
  const int64_t *cycles;             /* by instruction, where no row covers it */
  bool observed;                     /* what was not observed does not happen */
  const struct wb_control *control;
};

/* Makes the costs, whose arrays live as long as the arena, and adds the code that no row covers to
 * hybrid->gaps, each once. Errors: WARPBOUND_INVALID_INPUT where a sum does not fit,
 * WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_segment_costs_make(const struct wb_segment_input *input, struct wb_arena *arena,
                                       struct wb_hybrid *hybrid, struct wb_segment_costs *costs,
                                       warpbound_error *error);

#endif
