/* The longest way through a flow graph whose loops are done a given number of times. */
#ifndef WB_FLOW_PATHS_LONGEST_PATH_H
#define WB_FLOW_PATHS_LONGEST_PATH_H

#include "base/status.h"
#include "cfg/graph/dominators.h"
#include "cfg/graph/loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deepest nesting of loops: nothing that a compiler makes comes near, and it keeps the time
 * linear where a listing is made to be slow. */
#define WB_PATH_LOOP_DEPTH_LIMIT 64

/* Most nodes in a row that only jump between a loop's test and its header. */
#define WB_PATH_JUMP_LIMIT 4

/* What a way weighs: its instructions, and how many conditional branches it takes. Both stop
 * at WB_PATH_WEIGHT_LIMIT. */
struct wb_path_weight {
  uint64_t length;
  uint64_t taken;
};

#define WB_PATH_WEIGHT_LIMIT ((uint64_t)1 << 60)

/* Which of two ways is preferred. */
enum wb_path_order {
  WB_PATH_LONGEST,     /* the one of more instructions, then the one that takes fewer branches */
  WB_PATH_FALL_THROUGH /* the one that takes fewer branches, then the one of more instructions */
};

struct wb_path_weight wb_path_weight_add(struct wb_path_weight a, struct wb_path_weight b);
struct wb_path_weight wb_path_weight_times(struct wb_path_weight a, uint64_t times);
bool wb_path_preferred(enum wb_path_order order, struct wb_path_weight a, struct wb_path_weight b);

/* A question. Every node of the graph that the entry reaches reaches `end`, which no edge leaves;
 * edges of other nodes are ignored. weight: by edge, of the node that it leaves, with what
 * leaving it so adds. jump: by node, it only goes on to its one successor. forest: of the graph,
 * without irreducible regions. iterations: by loop, how often its body is done, 1 or more.
 * Borrowed. */
struct wb_longest_path_question {
  const struct wb_flow_graph *graph;
  uint32_t end;
  const struct wb_path_weight *weight;
  const bool *jump;
  const struct wb_loop_forest *forest;
  const uint32_t *iterations;
  enum wb_path_order order;
};

/* The answer. before: by node, the edge by which the way comes to it from outside of the loops
 * that it is a header of. again: by loop, the back edge that ends a full pass. tested: by loop,
 * the node whose edges out of the loop are its test at the head, or UINT32_MAX. Owns its arrays. */
struct wb_longest_path {
  struct wb_path_weight total;
  uint32_t *before;
  uint32_t *again;
  uint32_t *tested;
};

/* Finds the way from the entry to the end that is preferred to all others. Of a loop whose body
 * is done N times a way takes back edges N - 1 times after each entry and then leaves; where it
 * leaves by the test at the head, N times. The test at the head is the first branch behind the
 * header, where one of its edges leaves the loop and another does more than jump back. Of equal
 * ways it is always the same one. doc/ptx.md has the proof. Near linear in the graph times the
 * depth of loops; no recursion. Errors: WARPBOUND_INVALID_INPUT (loops nested deeper than
 * WB_PATH_LOOP_DEPTH_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_longest_path_find(const struct wb_longest_path_question *question,
                                      struct wb_longest_path *path, warpbound_error *error);
void wb_longest_path_free(struct wb_longest_path *path);

/* The node where a loop is tested at its head, or UINT32_MAX. Of the question graph, jump and
 * forest are read. outgoing: the graph's edges by where they begin. */
uint32_t wb_path_loop_test(const struct wb_longest_path_question *question,
                           const struct wb_edge_lists *outgoing, uint32_t loop);

/* What is still to be walked: one edge, a pass of a loop (or of the whole graph) up to an edge, or
 * full passes of a loop. */
struct wb_path_task {
  uint8_t kind;
  uint32_t loop;
  uint32_t edge;
  uint32_t count;
};

/* Lists the edges of the way in order. The question and the answer are borrowed. Owns its stack. */
struct wb_path_walker {
  const struct wb_longest_path_question *question;
  const struct wb_longest_path *path;
  struct wb_path_task *stack;
  size_t depth;
  size_t capacity;
};

/* wb_path_walker_next: the next edge, UINT32_MAX behind the last. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_walker_start(struct wb_path_walker *walker,
                                      const struct wb_longest_path_question *question,
                                      const struct wb_longest_path *path, warpbound_error *error);
warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error);
void wb_path_walker_free(struct wb_path_walker *walker);

#endif
