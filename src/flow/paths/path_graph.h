/* The blocks of a function and the edges between them, for the choice of a path. */
#ifndef WB_FLOW_PATHS_PATH_GRAPH_H
#define WB_FLOW_PATHS_PATH_GRAPH_H

#include "base/status.h"
#include "cfg/graph/dominators.h"
#include "flow/paths/path_calls.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of an edge, as bits of sets. All but the first end the path through the function. */
enum wb_path_edge_kind {
  WB_PATH_ON = 1 << 0,     /* to another block */
  WB_PATH_RETURN = 1 << 1, /* the function returns */
  WB_PATH_EXIT = 1 << 2,   /* the thread ends */
  WB_PATH_PLACE = 1 << 3,  /* the path comes to the place where it is to end */
  WB_PATH_CALLEE = 1 << 4, /* the path ends in the function that the block calls */
  WB_PATH_UNKNOWN = 1 << 5 /* to an address in a register */
};

/* The place where a path is to end: at most one of both. */
struct wb_path_place {
  uint32_t index; /* before this instruction of the function; UINT32_MAX: no */
  uint32_t line;  /* after the instructions of this line; 0: no */
};

/* Consecutive instructions; only the last one can transfer control. */
struct wb_path_block {
  uint32_t first; /* index of the first instruction */
  uint32_t count; /* instructions, at least 1 */
};

struct wb_path_edge {
  uint32_t from;   /* block */
  uint32_t to;     /* block; the graph's block_count for an end */
  uint32_t target; /* of a branch that jumps: index into the function's targets; else UINT32_MAX */
  uint8_t kind;    /* enum wb_path_edge_kind */
  bool taken;      /* the conditional branch, return or exit is taken */
};

/* Invariant: the blocks partition the instructions of the function in their order, the first is the
 * entry; edges are in the order of their origins, and an edge goes to a block exactly where its
 * kind is WB_PATH_ON (wb_path_graph_is_valid). Owns its arrays; the function is borrowed. */
struct wb_path_graph {
  const struct wb_function *function;
  struct wb_path_block *blocks;
  uint32_t block_count;
  struct wb_path_edge *edges; /* of one block: the one that falls through first */
  size_t edge_count;
};

/* Makes the graph of a function with instructions. The path ends at `place`: no edge leads on from
 * there. Linear. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_make(const struct wb_function *function,
                                    const struct wb_path_calls *calls, struct wb_path_place place,
                                    struct wb_path_graph *graph, warpbound_error *error);
/* Makes a copy. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_copy(const struct wb_path_graph *from, struct wb_path_graph *to,
                                    warpbound_error *error);
void wb_path_graph_free(struct wb_path_graph *graph);

/* Whether the invariant of struct wb_path_graph holds. Linear. */
bool wb_path_graph_is_valid(const struct wb_path_graph *graph);

/* Whether the function has an instruction at the place's line, or the place's label. */
bool wb_path_graph_has(const struct wb_function *function, struct wb_path_place place);

/* The block that holds an instruction. Logarithmic. */
uint32_t wb_path_graph_block(const struct wb_path_graph *graph, uint32_t instruction);

/* The last instruction of a block. */
const struct wb_instruction *wb_path_graph_last(const struct wb_path_graph *graph, uint32_t block);

/* Whether the block only jumps to its one successor. */
bool wb_path_graph_jumps(const struct wb_path_graph *graph, uint32_t block);

/* The edges of a path graph as a flow graph; the end is one more node. Owns its arrays. */
struct wb_path_flow {
  struct wb_flow_graph graph; /* borrows from and to */
  uint32_t *from;             /* by edge */
  uint32_t *to;               /* by edge */
};

/* Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_flow_make(const struct wb_path_graph *graph, struct wb_path_flow *flow,
                                   warpbound_error *error);
void wb_path_flow_free(struct wb_path_flow *flow);

#endif
