/* One function from Volta on under the oracle, for tests: the abstract interpretation, then many
 * runs by all policies, each of which must stay within its graph. */
#ifndef TESTS_CROSS_GROUP_TRIAL_H
#define TESTS_CROSS_GROUP_TRIAL_H

#include "cfg/simt_analysis.h"
#include "group_replay.h"
#include "model/code.h"
#include "simt_trial.h"

#include <stdint.h>

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
  uint64_t loops;
  uint64_t balanced_loops;
  uint64_t back_edges; /* of balanced loops */
};

/* No run may be refused where the analysis was not, other than by a return to nowhere where the
 * analysis assumed that there is none. */
enum simt_outcome group_try(const struct wb_code *code, const struct wb_function *function,
                            struct group_trial *trial);

#endif
