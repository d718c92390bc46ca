/* Random tiny launches for tests: timed code, a graph with branches, loops and barriers in phases,
 * all of its paths, and a shape. */
#ifndef TESTS_CROSS_RANDOM_LAUNCH_H
#define TESTS_CROSS_RANDOM_LAUNCH_H

#include "base/random.h"
#include "base/text.h"
#include "tiny_launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAUNCH_NODES 24u
#define LAUNCH_EDGES 40u
#define LAUNCH_LIMITS 4u

/* The sum of factor * (how often the edge is taken) is at most `constant`. */
struct launch_limit {
  int64_t constant;
  int64_t factor[LAUNCH_EDGES];
};

/* Nodes are stretches of instructions; a barrier is the last of its node. Walks begin at node 0 and
 * end at the last node, or at one where warps may end early. */
struct launch_graph {
  uint8_t first[LAUNCH_NODES], last[LAUNCH_NODES], phase[LAUNCH_NODES];
  bool early_end[LAUNCH_NODES];
  size_t node_count;
  uint8_t from[LAUNCH_EDGES], to[LAUNCH_EDGES];
  size_t edge_count;
  struct launch_limit limits[LAUNCH_LIMITS];
  size_t limit_count;
  size_t loop_count; /* the first limits are the bounds of loops of one node */
  bool unphased;     /* a loop has a barrier: paths differ in their number of barriers, and warps of
                        a block take such as do not; phases mean nothing */
  bool crossed;      /* warps may pass different barriers of the same number */
};

struct random_launch {
  struct tiny_launch tiny;
  struct launch_graph graph;
};

/* How large: the most that each number is drawn to. */
struct launch_size {
  uint32_t phases, sms, partitions, resident_blocks, block_warps, blocks;
  uint32_t resident_warps; /* of all SMs */
  uint32_t instructions;   /* of a path */
  uint32_t service;
  uint32_t paths;
  bool barrier_loops;
  bool early_ends;
  bool as_many; /* with `early_ends`: at any place, also where phases mean nothing */
  bool series;  /* requests of several stages, most at single servers, in one order */
  bool chained; /* most instructions wait for the one before, and make requests */
  bool pair;    /* most requests go through two resources of the GPU, one behind the other */
  bool holds;   /* most instructions hold a unit of the partition, and wait for nothing */
  bool keeps;   /* servers may be kept until the next stage has its own */
};

/* For every schedule, and for schedules by policies. */
extern const struct launch_size launch_size_tiny, launch_size_large;
/* Tiny ones with barriers in loops. */
extern const struct launch_size launch_size_loops;
/* The same two with warps that end before barriers of others. */
extern const struct launch_size launch_size_early, launch_size_early_loops, launch_size_early_many;

/* Tiny ones whose requests go through several stages. */
extern const struct launch_size launch_size_series;
/* Of one block, in which most instructions wait for the one before. */
extern const struct launch_size launch_size_passes;
/* Tiny ones, of one block and of several, whose requests go through two resources of the GPU. */
extern const struct launch_size launch_size_pair, launch_size_pair_blocks;
/* Of one block at a time, with warps enough for groups of several. */
extern const struct launch_size launch_size_groups;
/* Tiny ones with servers that are kept. */
extern const struct launch_size launch_size_kept;

/* Draws until a launch is not larger than the size. The caller frees it. */
void random_launch_draw(struct wb_random *random, const struct launch_size *size,
                        struct random_launch *launch);

/* Makes some barriers those of groups, and lets each path be of one of two or three groups. */
void random_launch_groups(struct wb_random *random, struct tiny_launch *tiny);

/* Shorter stalls, delays, services and latencies for the same code. */
void random_launch_shorten(struct wb_random *random, struct wb_timed_code *code);

/* Lets L2 keep data behind one of the GPU's resources: some of the requests there are fetches of a
 * line or two. False where no request is. */
bool random_launch_keep_data(struct wb_random *random, struct tiny_launch *launch);

/* Gives each resource the level at which it counts: at least that of each server that is kept for
 * it (doc/launch.md, "Servers that are kept"). What uses one that rises is not posted. */
void tiny_launch_raise_levels(struct tiny_launch *launch);

/* Finds all paths of the graph again. False: none, too many or too long ones. */
bool random_launch_paths(struct random_launch *launch, const struct launch_size *size);

/* For people: the launch in words. */
void tiny_launch_print(const struct tiny_launch *launch, struct wb_text *text);

void tiny_launch_free(struct tiny_launch *launch);

#endif
