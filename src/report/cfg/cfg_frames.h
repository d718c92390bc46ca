/* The frames of a picture of a graph: its loops and its scopes of convergence barriers, in each
 * other. A loop and a scope need not lie in each other; of such two the scope is drawn in pieces,
 * within the loop and outside of it. */
#ifndef WB_REPORT_CFG_CFG_FRAMES_H
#define WB_REPORT_CFG_CFG_FRAMES_H

#include "analysis/wcet/control_flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is framed. */
enum wb_frame_kind { WB_FRAME_PAGE, WB_FRAME_LOOP, WB_FRAME_SCOPE };

/* A frame with its blocks and the frames in it, as lists; UINT32_MAX ends a list. */
struct wb_cfg_frame {
  uint8_t kind;         /* enum wb_frame_kind */
  uint32_t id;          /* the loop of flow->loops, or the scope of the graph */
  uint32_t parent;      /* the frame around it; UINT32_MAX for the page */
  uint32_t first_block; /* of those that are in no frame within this one, ascending */
  uint32_t first_child; /* loops by their number, then scopes */
  uint32_t next;        /* the next child of its parent */
  uint32_t loop;        /* of a scope: the innermost loop that this piece of it lies in */
};

/* Invariants: frame 0 is the page, then come the loops, in their order, each once. Owns its
 * arrays. */
struct wb_cfg_frames {
  struct wb_cfg_frame *frames;
  size_t count;
  size_t capacity;
  uint32_t *next_block; /* by block: the next one of its frame */
};

/* The frames of the united graph. False where memory is out; to be freed also then. Linear, times
 * the depth of the scopes. */
bool wb_cfg_frames_make(const struct wb_control_flow *flow, struct wb_cfg_frames *frames);

void wb_cfg_frames_free(struct wb_cfg_frames *frames);

#endif
