/* The picture of warp-level control-flow graphs: its colours, its legend, and its frames. */
#ifndef WB_REPORT_CFG_CFG_PICTURE_H
#define WB_REPORT_CFG_CFG_PICTURE_H

#include "report/cfg/cfg_report.h"

/* ---- colours ---- */

#define WB_PLAIN_EDGE "#5b6472"
#define WB_BRANCH_EDGE "#111827"
#define WB_CALL_EDGE "#7c3aed"
#define WB_BACK_EDGE "#1d4ed8"
#define WB_REACTIVATION_EDGE "#dc2626"
#define WB_SPLIT_FILL "#ffd8a8"
#define WB_SPLIT_LINE "#d9480f"
#define WB_UNIFORM_FILL "#d8f5dc"
#define WB_UNIFORM_LINE "#2b8a3e"
#define WB_BLOCK_LINE "#868e96"
#define WB_LOOP_FILL "#eef4ff"
#define WB_LOOP_LINE "#74a0e8"
#define WB_IRREDUCIBLE_FILL "#fff9db"
#define WB_IRREDUCIBLE_LINE "#b08900"
#define WB_SCOPE_LINE "#0b7285"
/* The edges of a worst path: the deep end of the colours of heat. */
#define WB_PATH_COLOUR "#a21c6e"

#define WB_HEAT_COLOUR_SIZE 8

/* The fill for a share of the worst path's cycles, 0..1, as "#rrggbb": from white for none to a
 * pink that dark letters still stand out from. No other colour of these pictures is pink. */
void wb_heat_colour(double share, char colour[WB_HEAT_COLOUR_SIZE]);

/* ---- the legend ---- */

/* What a picture has, and so what its legend tells. */
struct wb_cfg_legend {
  bool heat;     /* the colours of heat */
  bool stack;    /* functions in which one group of lanes runs at a time */
  bool barriers; /* functions with convergence barriers, in which several groups run */
};

/* The legend of a report's picture. */
struct wb_cfg_legend wb_cfg_legend_of(const struct wb_cfg_report *report);

/* A node for Graphviz. */
void wb_cfg_legend_dot(struct wb_cfg_legend legend, struct wb_text *text);

/* ---- frames ---- */

/* The frames of a picture of a graph are its loops and its scopes of convergence barriers, in each
 * other. A loop and a scope need not lie in each other; of such two the scope is drawn in pieces,
 * within the loop and outside of it. */

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
  uint32_t earlier;     /* of a scope: its piece before */
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
