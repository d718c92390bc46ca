/* A small machine whose lanes run in groups, as doc/group-flow.md has it, on programs of one step a
 * block: warp-level graphs of them, and runs with random decisions, counted by edge. */
#ifndef TESTS_CROSS_GROUP_MACHINE_H
#define TESTS_CROSS_GROUP_MACHINE_H

#include "base/random.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUP_STEPS 24
#define GROUP_EDGES (GROUP_STEPS * 6)
/* Lanes that move together are one cluster: there are so many, of 32 lanes together. */
#define GROUP_CLUSTERS 4
#define GROUP_BARRIERS 3

enum group_operation {
  GROUP_NEXT,
  GROUP_BRANCH,  /* each lane goes to the target or to the next step */
  GROUP_UNIFORM, /* the group does so as a whole */
  GROUP_OPEN,    /* a scope of `barrier` whose lanes go on at the target */
  GROUP_SYNC,
  GROUP_BREAK,
  GROUP_WARP, /* waits for all lanes of the warp */
  GROUP_EXIT
};

struct group_step {
  enum group_operation operation;
  uint32_t target;
  unsigned barrier;
};

/* The last step is GROUP_EXIT. */
struct group_program {
  struct group_step steps[GROUP_STEPS];
  size_t count;
  bool structured; /* lanes that wait are in a scope, all lanes of a group in one instance of it */
};

/* The graph of what can be reached, a view of the arrays. */
struct group_graph {
  struct wb_function function;
  struct wb_instruction instructions[GROUP_STEPS];
  struct wb_warp_context context;
  struct wb_warp_graph graph;
  struct wb_warp_block blocks[GROUP_STEPS];
  struct wb_warp_edge edges[GROUP_EDGES];
  bool ends[GROUP_STEPS];
  struct wb_warp_entry entries[GROUP_STEPS];
  struct wb_warp_push pushes[GROUP_STEPS];
  struct wb_warp_pop pops[GROUP_EDGES * GROUP_STEPS];
  uint32_t block_of[GROUP_STEPS]; /* by step; UINT32_MAX: not reached */
};

/* Makes the graph, in place: it points into itself. */
void group_graph_make(const struct group_program *program, struct group_graph *made);

/* Marks of the loops that a run is to be measured by; borrowed. */
struct group_loop {
  bool enters[GROUP_EDGES];
  bool returns[GROUP_EDGES];
};

/* A run: how often groups take an edge, then lanes; by loop, the most returns of a lane for an
 * entry.
 */
struct group_run {
  int64_t taken[2 * GROUP_EDGES]; /* groups by edge, then lanes from the graph's edge_count on */
  int64_t returns[GROUP_STEPS];   /* by loop */
};

/* Runs the program once; false where it does not end (a deadlock, or too many steps). */
bool group_run_make(const struct group_program *program, const struct group_graph *graph,
                    const struct group_loop *loops, size_t loop_count, struct wb_random *random,
                    struct group_run *run);

#endif
