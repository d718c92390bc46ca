/* Follows a run of the oracle on a warp graph, for tests: every step must be one that the
 * graph has. */
#ifndef TESTS_CROSS_SIMT_SIMT_TRIAL_H
#define TESTS_CROSS_SIMT_SIMT_TRIAL_H

#include "base/arena.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "cfg/simt_analysis.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the oracle's stack does not know of an entry: the context in which its lanes go on and
 * the block that pushed it; and what it waits for, which the stack forgets when the entry comes
 * to the top. */
struct simt_shadow {
  uint32_t block;
  uint32_t context;
  uint32_t point;
  uint8_t token;
};

/* A loop of the graph that claims to be balanced: headers and body by block. lanes: those that
 * made the last iteration. */
struct simt_loop {
  bool *headers;
  bool *body;
  uint32_t lanes;
};

/* A replay has a graph and indices into it that live as long as the graph does; and the state
 * of one run: the block and context that the warp is in, the edge of the last step, the shadow of
 * its stack, and how often each entry was pushed, by the graph's reckoning, and popped. */
struct simt_replay {
  struct wb_arena arena; /* of what lasts as long as the replay */
  const struct wb_warp_graph *graph;
  struct wb_warp_graph united;
  uint32_t *united_block;      /* by instruction; UINT32_MAX where not reachable */
  uint32_t *first_edge;        /* by block, and one more */
  uint32_t *united_edge;       /* the same of the united graph */
  struct wb_warp_push *pushes; /* sorted by block */
  uint32_t *first_push;        /* by block, and one more */
  struct wb_warp_pop *pops;    /* sorted by edge */
  uint32_t *first_pop;         /* by edge, and one more */
  bool *splits;                /* by instruction: a divergence point */
  bool *uniform;               /* by instruction: claimed not to split */
  struct simt_loop *loops;
  size_t loop_count;

  uint32_t block;
  uint32_t edge; /* that the last step took; UINT32_MAX for none */
  struct simt_shadow *shadows;
  size_t shadow_capacity;
  uint64_t *pushed; /* by entry */
  uint64_t *popped;
  bool started;
  bool failed;
  char reason[240];

  uint64_t steps; /* of all runs, as are the next ones */
  uint64_t split_count;
  uint64_t reactivation_count;
  uint64_t back_edge_count; /* of balanced loops */
};

/* Indexes the graph, which the replay borrows; without loops. */
void simt_replay_start(struct simt_replay *replay, const struct wb_warp_graph *graph);
/* The loop has balanced iterations, it is claimed. The flags are copied. */
void simt_replay_add_loop(struct simt_replay *replay, const bool *headers, const bool *body);
/* Before each run. */
void simt_replay_reset(struct simt_replay *replay);
/* A wb_simt_visitor, whose context is the replay. Stops the run where it leaves the graph, with
 * failed and reason set. */
bool simt_replay_visit(void *context, const struct wb_simt_step *step);
void simt_replay_free(struct simt_replay *replay);

/* One function under the oracle, for tests: the abstract interpretation, then many runs, each
 * of which must stay within its graph. */

/* The analysis refused the function (why: in reason), or all runs were within the graph, or one
 * was not, and reason says where. */
enum simt_outcome { SIMT_REFUSED, SIMT_HOLDS, SIMT_FAILS };

/* Runs with seeds first_seed .. first_seed + seeds - 1, mostly of 32 lanes. The
 * counts go on from trial to trial. */
struct simt_trial {
  struct wb_simt_options options;
  uint64_t first_seed;
  uint64_t seeds;
  uint64_t step_limit;
  char reason[300];
  uint64_t runs;
  uint64_t steps;
  uint64_t splits;
  uint64_t reactivations;
  uint64_t balanced_loops;
  uint64_t back_edges; /* of balanced loops */
  uint64_t assumed;    /* functions with a pop whose token the analysis assumes to be there */
};

/* Besides transitions: the ends of blocks, points of divergence, what is pushed and popped and
 * how often, annotations, balanced loops. No run may be refused where the analysis was not,
 * other than by a missing token that the analysis named as an assumption. */
enum simt_outcome simt_try(const struct wb_code *code, const struct wb_function *function,
                           struct simt_trial *trial);

#endif
