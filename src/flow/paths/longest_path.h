/* The longest path through a flow graph whose loops are done a given number of times. */
#ifndef WB_FLOW_PATHS_LONGEST_PATH_H
#define WB_FLOW_PATHS_LONGEST_PATH_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/graph/loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deepest nesting of loops. No compiler comes near it; it keeps the time linear for listings that
 * are made to be slow. */
#define WB_PATH_LOOP_DEPTH_LIMIT 64

/* Most nodes in a row that only jump between a loop's test and its header. */
#define WB_PATH_JUMP_LIMIT 4

/* The weight of a path. Both numbers saturate at WB_PATH_WEIGHT_LIMIT. */
struct wb_path_weight {
  uint64_t length; /* instructions */
  uint64_t taken;  /* conditional branches that the path takes */
};

#define WB_PATH_WEIGHT_LIMIT ((uint64_t)1 << 60)

/* The order of preference between two paths. */
enum wb_path_order {
  WB_PATH_LONGEST,     /* more instructions, then fewer taken branches */
  WB_PATH_FALL_THROUGH /* fewer taken branches, then more instructions */
};

struct wb_path_weight wb_path_weight_add(struct wb_path_weight a, struct wb_path_weight b);
bool wb_path_preferred(enum wb_path_order order, struct wb_path_weight a, struct wb_path_weight b);

/* A question. Invariant: every node that the entry reaches reaches `end`, which no edge leaves
 * (edges of other nodes are ignored); the forest has no irreducible loop. All borrowed. */
struct wb_longest_path_question {
  const struct wb_flow_graph *graph;
  uint32_t end;                        /* the node where the path ends */
  const struct wb_path_weight *weight; /* by edge: of its origin, left by this edge */
  const bool *jump;                    /* by node: it only jumps to its one successor */
  const struct wb_loop_forest *forest; /* of the graph */
  const uint32_t *iterations;          /* by loop: how often its body is done, at least 1 */
  enum wb_path_order order;
};

/* The answer. Borrows its arrays. */
struct wb_longest_path {
  struct wb_path_weight total; /* of the path */
  uint32_t *before;            /* by node: the edge by which the path comes to it, for a header of a
                                  loop the one from outside of it; UINT32_MAX: none */
  uint32_t *again;             /* by loop: the back edge that ends a full pass */
  uint32_t *tested;            /* by loop: the node that is its test at the head, or UINT32_MAX */
};

/* Finds the path from the entry to the end that is preferred to all others. In a loop whose body is
 * done N times, the path takes N - 1 back edges after each entry and then leaves; where it leaves
 * by the test at the head, it takes N. The test at the head is the first branch after the header,
 * where one of its edges leaves the loop and another one does more than jump back. The choice among
 * equal paths is deterministic. Time: near linear in the graph times the depth of loops; no
 * recursion. Errors: WARPBOUND_INVALID_INPUT (loops nested deeper than WB_PATH_LOOP_DEPTH_LIMIT),
 * WARPBOUND_INTERNAL. arena: of the answer. Proof: doc/ptx.md. */
warpbound_status wb_longest_path_find(const struct wb_longest_path_question *question,
                                      struct wb_arena *arena, struct wb_longest_path *path,
                                      warpbound_error *error);

/* Whether a loop of the forest (UINT32_MAX: the whole graph) holds the node. */
bool wb_path_loop_holds(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node);

/* The test of a loop at its head, or UINT32_MAX. Reads the graph, jump and forest of the question.
 * outgoing: the edges of the graph by origin. */
uint32_t wb_path_loop_test(const struct wb_longest_path_question *question,
                           const struct wb_edge_lists *outgoing, uint32_t loop);

/* ---- the edges of the path, one after the other ---- */

enum wb_path_task_kind {
  WB_PATH_TASK_EDGE,       /* the edge itself */
  WB_PATH_TASK_PASS,       /* a pass of the loop, or of the whole graph, that ends in the edge */
  WB_PATH_TASK_FULL_PASSES /* `count` passes of the loop that end in its back edge */
};

/* A part of the path that is still to be walked. */
struct wb_path_task {
  uint8_t kind;   /* enum wb_path_task_kind */
  uint32_t loop;  /* UINT32_MAX: the whole graph */
  uint32_t edge;  /* of a pass: its last edge */
  uint32_t count; /* of full passes */
};

/* Borrows the question and the answer; owns its stack. */
struct wb_path_walker {
  const struct wb_longest_path_question *question;
  const struct wb_longest_path *path;
  struct wb_path_task *stack; /* the next task on top */
  size_t depth;
  size_t capacity;
};

/* Errors: WARPBOUND_INTERNAL (memory); to be freed also then. */
warpbound_status wb_path_walker_make(struct wb_path_walker *walker,
                                     const struct wb_longest_path_question *question,
                                     const struct wb_longest_path *path, warpbound_error *error);
/* The next edge of the path; UINT32_MAX after the last one. Amortised constant time.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error);
void wb_path_walker_free(struct wb_path_walker *walker);

#endif
