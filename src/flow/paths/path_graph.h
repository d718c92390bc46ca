/* The blocks of a function and the ways between them, for the choice of a path. */
#ifndef WB_FLOW_PATHS_PATH_GRAPH_H
#define WB_FLOW_PATHS_PATH_GRAPH_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "flow/paths/path_calls.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an edge is, as bits of sets. All but the first end the path through the function. */
enum wb_path_edge_kind {
  WB_PATH_ON = 1 << 0,     /* to another block */
  WB_PATH_RETURN = 1 << 1, /* the function returns */
  WB_PATH_EXIT = 1 << 2,   /* the thread ends */
  WB_PATH_PLACE = 1 << 3,  /* the path comes to where it is to end */
  WB_PATH_CALLEE = 1 << 4, /* the path ends in the function that the block calls */
  WB_PATH_UNKNOWN = 1 << 5 /* to where a register points */
};

/* Where a path is to end: before an instruction of the function, or after those of a line.
 * index UINT32_MAX, line 0: not so. */
struct wb_path_place {
  uint32_t index;
  uint32_t line;
};

/* Instructions first .. first + count - 1; only the last one can do anything to control. */
struct wb_path_block {
  uint32_t first;
  uint32_t count;
};

/* to: a block; the graph's block_count for an end. target: of a branch that jumps, the index into
 * the function's targets; UINT32_MAX else. taken: a conditional branch, return or exit is done. */
struct wb_path_edge {
  uint32_t from;
  uint32_t to;
  uint32_t target;
  uint8_t kind;
  bool taken;
};

/* Blocks are in the order of their instructions, the first is the entry; edges in the order of
 * their blocks, those that fall through first. Owns its arrays; the function is borrowed. */
struct wb_path_graph {
  const struct wb_function *function;
  struct wb_path_block *blocks;
  uint32_t block_count;
  struct wb_path_edge *edges;
  size_t edge_count;
};

/* Makes the graph of a function. Nothing leads on from `place`. Linear. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_make(const struct wb_function *function,
                                    const struct wb_path_calls *calls, struct wb_path_place place,
                                    struct wb_path_graph *graph, warpbound_error *error);
warpbound_status wb_path_graph_copy(const struct wb_path_graph *from, struct wb_path_graph *to,
                                    warpbound_error *error);
void wb_path_graph_free(struct wb_path_graph *graph);

/* Whether the function has an instruction at the place's line, or the place's label. */
bool wb_path_graph_has(const struct wb_function *function, struct wb_path_place place);

/* Drops the edges whose kind is not in `kinds`, and then those that are on no way from the entry
 * to an end: without a way none is left. Linear. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_prune(struct wb_path_graph *graph, unsigned kinds,
                                     warpbound_error *error);

/* Drops the edges by which a way would pass by the block, which an edge reaches or which is the
 * entry: within the function, and in each pass of the loops that hold the block. Ways out of
 * such a loop before the block stay where they are its test at the head, or where there are no
 * others. What is left may have edges on no way: prune again. Errors: WARPBOUND_FACTS_MISSING
 * (the graph is irreducible), WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_require(struct wb_path_graph *graph, uint32_t block,
                                       const char *file, warpbound_error *error);

/* Errors: WARPBOUND_FACTS_MISSING, where a loop of the graph's forest has several entries. */
warpbound_status wb_path_graph_reducible(const struct wb_path_graph *graph,
                                         const struct wb_loop_forest *forest, const char *file,
                                         warpbound_error *error);

/* The block that holds an instruction. Logarithmic. */
uint32_t wb_path_graph_block(const struct wb_path_graph *graph, uint32_t instruction);

/* The last instruction of a block. */
const struct wb_instruction *wb_path_graph_last(const struct wb_path_graph *graph, uint32_t block);

/* Whether the block only jumps to its one successor. */
bool wb_path_graph_jumps(const struct wb_path_graph *graph, uint32_t block);

/* The edges as a flow graph of the blocks and the end. Owns its arrays. */
struct wb_path_flow {
  struct wb_flow_graph graph;
  uint32_t *from;
  uint32_t *to;
};

warpbound_status wb_path_flow_make(const struct wb_path_graph *graph, struct wb_path_flow *flow,
                                   warpbound_error *error);
void wb_path_flow_free(struct wb_path_flow *flow);

#endif
