/* Which measured points can come next from the beginning of a block on, over blocks without
 * points. */
#ifndef WB_ANALYSIS_HYBRID_NEXT_POINTS_H
#define WB_ANALYSIS_HYBRID_NEXT_POINTS_H

#include "analysis/hybrid/measured_points.h"
#include "base/work_control.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is at a block's end. */
enum wb_after {
  WB_AFTER_SAME,   /* the block has no point: as before it */
  WB_AFTER_POINT,  /* a segment that began at its last point */
  WB_AFTER_NOTHING /* no segment: the end of a block that was measured as a whole */
};

/* The points of a block. */
struct wb_block_points {
  uint32_t first; /* the place of its first one; WB_NO_PLACE: it has none */
  uint32_t first_at,
      last_at;    /* instructions: the first, and the last one that a segment begins at */
  uint8_t after;  /* enum wb_after */
  bool head_open; /* it can be reached without a segment: what is before its first point
                     is not measured */
};

/* The next points from a block's beginning: places[first] .. places[first + count - 1]. */
struct wb_next_list {
  size_t first, count;
  bool made;
};

/* The lists are made when they are asked for. Owns its arrays, but for the graph's and blocks. */
struct wb_next_points {
  const struct wb_warp_graph *graph;
  struct wb_block_points *blocks; /* by block; the heads are opened here */
  uint32_t stop;                  /* the number that stands for the end, above all places */
  const struct wb_control *control;
  struct wb_edge_lists leaving, reaching;
  struct wb_next_list *lists; /* by block */
  uint32_t *places;           /* of all lists: places, and the stop */
  size_t count, capacity;
  uint32_t *queue;      /* scratch: blocks */
  uint32_t *mark;       /* by block: the newest walk that met it */
  uint32_t *back_mark;  /* the same of walks backwards */
  uint32_t *place_mark; /* by place and stop: the newest walk that met it */
  uint32_t walk, back_walk;
};

/* graph, blocks, stop and control are those of `from`. Errors: WARPBOUND_INTERNAL, with nothing to
 * free. */
warpbound_status wb_next_points_make(const struct wb_next_points *from, struct wb_next_points *next,
                                     warpbound_error *error);

/* The places, and the stop, that can come first from the beginning of a block on. The list lasts
 * until wb_next_points_free; next->places moves with each new list. Errors: WARPBOUND_LIMIT,
 * WARPBOUND_INTERNAL. The first time linear in the graph. */
warpbound_status wb_next_points_of(struct wb_next_points *next, uint32_t block,
                                   const struct wb_next_list **found, warpbound_error *error);

/* Nothing covers the code from the block's beginning to the next points: opens its heads. Linear
 * in the graph. */
void wb_next_points_open(struct wb_next_points *next, uint32_t block);

/* Opens the heads of all blocks on ways from the block's beginning to the next point `place`. */
void wb_next_points_open_ways(struct wb_next_points *next, uint32_t block, uint32_t place);

/* An instruction of a place that a walk from the block's beginning comes to first;
 * WB_HYBRID_NOWHERE: none. */
uint32_t wb_next_points_instruction(struct wb_next_points *next, uint32_t block, uint32_t place);

void wb_next_points_free(struct wb_next_points *next);

#endif
