/* Follows a run of the oracle from Volta on, on a warp graph, for tests: every step must be one
 * that the graph has, as often as its rates, entries and loops say.
 *
 * Groups are split finer than the oracle does: into *parts* whose lanes came to their block by one
 * edge, so that each is in one calling context. Parts never run less often than groups, and the
 * graph must hold for them too. */
#ifndef TESTS_CROSS_SIMT_GROUP_TRIAL_H
#define TESTS_CROSS_SIMT_GROUP_TRIAL_H

#include "base/arena.h"
#include "base/memory.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/simt_analysis.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/code.h"
#include "simt_trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUP_MOST_WAYS 66

/* One run of a block by a part of a group, and the edges that it was left by so far. */
struct group_part {
  uint32_t block;
  uint32_t lanes;                  /* that began it */
  uint32_t ways;                   /* edges, each once for a time that it is taken */
  uint32_t edges[GROUP_MOST_WAYS]; /* these */
  uint32_t shared;                 /* how many of them have the rate of all together */
};

/* An execution of a BSSY. members: lanes that made it and have not come out of it by a BSYNC.
 * makers: by lane, the block in which it did it. */
struct group_instance {
  uint64_t number;
  uint32_t opener;       /* instruction */
  uint32_t participants; /* after the last step */
  uint32_t members;
  uint32_t makers[WB_LANE_LIMIT];
};

/* A loop of the graph; balanced: its iterations are, it is claimed. */
#define GROUP_MOST_ROUNDS 64
struct group_loop {
  bool balanced;
  bool summed;     /* in an iteration of the loop around one group at most enters it */
  uint32_t parent; /* the loop around; UINT32_MAX: none */
  bool *body;      /* by block */
  bool *enters;    /* by edge: into the loop */
  bool *returns;   /* by edge: its back edges */
  uint64_t *most;  /* by entry into the loop: the most iterations of a lane of it */
  size_t entry_count;
  size_t entry_capacity;
  uint64_t bound;                /* sum of `most` */
  uint64_t taken;                /* back edges, by parts */
  uint32_t entry[WB_LANE_LIMIT]; /* by lane: its entry; UINT32_MAX: none */
  uint64_t made[WB_LANE_LIMIT];  /* by lane: iterations since it entered */
  /* By iterations of a lane in the loop around: the most of a lane in this one. */
  uint64_t rounds[GROUP_MOST_ROUNDS];
  uint64_t sum; /* of `rounds` */
};

/* A block's run in a scope, for what is said of several groups. */
struct group_visit {
  uint64_t instance; /* 0: the function */
  uint32_t lanes;    /* that ran it last */
  uint32_t next;     /* of the same block; UINT32_MAX: none */
};

/* A call that a lane is in. */
struct group_pending {
  uint32_t site;    /* instruction */
  uint32_t context; /* of it */
  uint32_t entered; /* instruction */
};
#define GROUP_MOST_PENDING 64

struct group_replay {
  struct wb_arena arena;             /* of what lasts as long as the replay */
  const struct wb_warp_graph *graph; /* borrowed */
  uint32_t *first_edge;              /* by block, and one more */
  uint32_t *first_pop;               /* by edge, and one more */
  uint32_t *team; /* by entry: one for all entries that share an edge; a root is itself */
  bool *splits;   /* by instruction: a divergence point */
  bool *uniform;  /* by instruction: claimed not to split */
  struct group_loop *loops;
  size_t loop_count;
  bool never;                            /* no BSYNC waits */
  const struct wb_simt_options *options; /* of the analysis; borrowed; NULL: none */

  /* of a run */
  struct group_part *parts;
  size_t part_count;
  size_t part_capacity;
  uint32_t part_of[WB_LANE_LIMIT]; /* by lane: its part */
  struct group_instance *instances;
  size_t instance_count;
  size_t instance_capacity;
  struct group_visit *visits;
  size_t visit_count;
  size_t visit_capacity;
  uint32_t *first_visit; /* by block */
  struct group_pending pending[WB_LANE_LIMIT][GROUP_MOST_PENDING];
  unsigned pending_count[WB_LANE_LIMIT];
  uint64_t *group_edges; /* by edge: how often parts took it */
  uint64_t *lane_edges;  /* by edge: how often lanes took it */
  uint64_t *group_runs;  /* by block: how often parts ran it */
  uint64_t *lane_runs;   /* by block: how often lanes ran it */
  bool started;
  bool failed;
  bool too_deep; /* a lane made a call that the options say there is none of */
  char reason[240];

  uint64_t steps; /* of all runs, as are the next ones */
  uint64_t split_count;
  uint64_t whole_count; /* steps of blocks that the whole warp runs */
  uint64_t release_count;
  uint64_t warp_count;
  uint64_t back_edge_count; /* of balanced loops */
  uint64_t sum_count;       /* of them, those that sums over the loop around count */
};

/* Indexes the graph, which the replay borrows; without loops. never: no BSYNC waits. */
void group_replay_start(struct group_replay *replay, const struct wb_warp_graph *graph, bool never);
/* Before each run, of the lanes of a mask. */
void group_replay_reset(struct group_replay *replay, uint32_t lanes);
/* A wb_group_visitor, whose context is the replay (group_follow.c). Stops the run where it leaves
 * the graph, with failed and reason set. */
bool group_replay_visit(void *context, const struct wb_group_step *step);
/* After a run: what holds of all of it. False with failed and reason set. */
bool group_replay_finish(struct group_replay *replay);
/* The lanes enter a loop together. */
void group_replay_enter(struct group_loop *loop, uint32_t lanes);
/* The replay fails for a reason, at an instruction. Returns false. */
bool group_replay_refute(struct group_replay *replay, uint32_t instruction, const char *format, ...)
    WB_PRINTF(3, 4);
void group_replay_free(struct group_replay *replay);

/* One function from Volta on under the oracle, for tests: the abstract interpretation, then many
 * runs by all policies, each of which must stay within its graph. */

/* Called after a run of so many lanes that has ended and stayed within the graph, with its steps.
 * False, with failed and reason set, where something does not hold. */
typedef bool group_trial_ended(void *context, struct group_replay *replay, uint32_t lanes,
                               uint64_t steps);
/* The same after all runs of a function. */
typedef bool group_trial_all_ended(void *context, struct group_replay *replay);

/* Runs with seeds first_seed .. first_seed + seeds - 1, by policies in turn, mostly of 32 lanes.
 * Where the options give a block of whole warps, all are. The counts go on from trial to trial. */
struct group_trial {
  struct wb_simt_options options; /* the oracle follows the same rules */
  uint64_t first_seed;
  uint64_t seeds;
  uint64_t step_limit;
  group_trial_ended *ended; /* or NULL */
  group_trial_all_ended *all_ended;
  void *context; /* of both */
  char reason[300];
  uint64_t runs;
  uint64_t steps;
  uint64_t splits;
  uint64_t releases;
  uint64_t whole_steps; /* of blocks that the whole warp runs */
  uint64_t warp_releases;
  uint64_t deadlocks;
  uint64_t assumed; /* runs that an assumption of the graph excludes */
  uint64_t deep;    /* runs in which more calls were under way than the options say */
  uint64_t loops;
  uint64_t balanced_loops;
  uint64_t back_edges; /* of balanced loops */
  uint64_t summed_loops;
  uint64_t summed_edges;
};

/* No run may be refused where the analysis was not, other than by a return to nowhere where the
 * analysis assumed that there is none. */
enum simt_outcome group_try(const struct wb_code *code, const struct wb_function *function,
                            struct group_trial *trial);

#endif
