/* Random timed code, its flow, and walks through it. */
#ifndef TESTS_CROSS_LAUNCH_TIMING_RANDOM_TIMING_H
#define TESTS_CROSS_LAUNCH_TIMING_RANDOM_TIMING_H

#include "base/random.h"
#include "launches/make_timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANDOM_STEPS 400

/* An instruction that a warp issues. */
struct timed_step {
  uint32_t instruction;
  uint32_t group; /* of lanes; 0 where there is one */
  uint32_t node;  /* whose last instruction it is, or UINT32_MAX */
};

/* What a warp does: its instructions in order, the nodes that it runs, those without instructions
 * too, and the edges that it takes: where it is one group, edge n leads from node n to the next. */
struct timed_walk {
  struct timed_step steps[RANDOM_STEPS];
  size_t count;
  uint32_t nodes[RANDOM_STEPS];
  size_t node_count;
  uint32_t edges[RANDOM_STEPS];
  size_t edge_count;
};

struct random_timing {
  struct wb_timed_code code;
  struct made_graph made;
  bool one_server; /* of all resources */
  bool loop;       /* of groups: it is one, and the last but one node stands before it */
};

/* Code of one warp without groups; barriers: some nodes end with one. */
void random_timing_make(struct wb_random *random, bool barriers, struct random_timing *timing);
/* The same with an interleaved stretch: node 0, two sides of several nodes, each run by a group of
 * its own, and a last node where they are together again, or which one of them alone comes to. In
 * half of the cases this is a turn of a loop, and another node stands before it. */
void random_timing_groups(struct wb_random *random, struct random_timing *timing);
void random_timing_free(struct random_timing *timing);

/* A walk from the start, which ends at a node that may end it; false where it found none. */
bool random_walk(struct wb_random *random, const struct random_timing *timing,
                 struct timed_walk *walk);
/* The same of random_timing_groups: node 0, a mixture of two walks, and the last node; of a loop
 * some turns. */
void random_group_walk(struct wb_random *random, const struct random_timing *timing,
                       struct timed_walk *walk);

#endif
