/* A run of the oracle from Volta on: what is asked, what is told of each step and at the end. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_RUN_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_RUN_H

#include "cfg/interpreter/groups/group_policy.h"
#include "cfg/interpreter/groups/lane_groups.h"
#include "cfg/interpreter/lane_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a BSYNC lets lanes go on. */
enum wb_group_reconvergence {
  WB_RECONVERGENCE_YIELD, /* when all lanes of its scope wait; or at any time, once a lane of the
                           * scope has done a YIELD or NANOSLEEP in it: drawn at random */
  WB_RECONVERGENCE_NEVER, /* at once */
  WB_RECONVERGENCE_ALWAYS /* when all lanes of its scope wait */
};

/* How lanes came to be a group. */
enum wb_group_cause {
  WB_GROUP_WENT,     /* by the step's instruction: its group, or a part of it */
  WB_GROUP_RELEASED, /* all lanes of a scope waited */
  WB_GROUP_YIELDED,  /* they waited in a scope, and were let go before the others came */
  WB_GROUP_WARP,     /* all lanes of the warp waited, these at one instruction */
  WB_GROUP_UNITED    /* lanes of the step's group joined others that have just done the same
                      * WARPSYNC of some lanes */
};

/* A group that a step made. The step's own keeps its number where all its lanes go on together;
 * else each part is a new one. */
struct wb_group_result {
  struct wb_lane_group group; /* as it is after this part of the step: a later result of the same
                               * step may have its lanes */
  uint64_t scope;             /* that let them go; 0: none */
  uint8_t cause;              /* enum wb_group_cause */
};

/* One step: a group does one instruction. Results are in the order in which they came to be: those
 * by the instruction, then those that were let go. Lanes that are in no result have ended. */
struct wb_group_step {
  uint64_t group;       /* the number of the group that does it */
  uint64_t scope;       /* that it makes, 0 for none */
  uint32_t instruction; /* that the step does */
  uint32_t active;      /* mask of the group's lanes */
  uint32_t doing;       /* those of them that do it: guard and condition true */
  uint32_t live;        /* lanes of the warp that have not ended, before the step */
  uint32_t unbound;     /* lanes that do a BSYNC or BREAK with a barrier register of no scope */
  uint32_t linked;      /* a linked call: lanes of which a register has the address after it */
  bool split;           /* the instruction parted the group: its lanes went to several places, or
                         * some ended */
  const struct wb_group_result *results; /* until the visitor returns, as are the next ones */
  size_t result_count;                   /* results */
  const struct wb_lane_groups *state;    /* after the step */
  const struct wb_lane_values *values;   /* after the step */
};

/* Called after each step; false stops the run. */
typedef bool (*wb_group_visitor)(void *context, const struct wb_group_step *step);

/* Which of the active lanes do a control instruction with a guard or a condition, where the
 * hashes propose some: for runs that keep loop bounds. Lanes that agree on all it reads must be
 * treated alike if the run is to be one that agreement allows. A guard keeps the value that was
 * decided until it is written. Of an instruction that a group does as a whole or not at all, any
 * lane stands for all. */
typedef uint32_t (*wb_group_decision)(void *context, uint32_t instruction, uint32_t active,
                                      uint32_t proposed);

struct wb_group_run_options {
  uint64_t seed;       /* of everything that is drawn */
  uint64_t step_limit; /* the run ends after so many steps */
  uint32_t lanes;      /* 1 to WB_LANE_LIMIT */
  uint32_t bias;       /* how often, of 256, a predicate is true; 0: drawn in each run for each
                        * instruction that writes one */
  enum wb_group_policy policy;
  enum wb_group_reconvergence reconvergence;
  bool masks_together;      /* a WARPSYNC of some lanes does not part its group */
  wb_group_visitor visit;   /* or NULL */
  wb_group_decision decide; /* or NULL: as the hashes propose */
  void *context;            /* of both; borrowed */
};

/* How a run ended, and how long it was. */
struct wb_group_run {
  uint64_t steps;   /* instructions done: issues */
  uint64_t unbound; /* steps with a BSYNC or BREAK by lanes whose barrier register is bound to no
                     * scope */
  bool ended;       /* all lanes; false: deadlock, step limit or visitor */
  bool deadlock;    /* lanes wait, and no group can run */
  size_t waiting_count;                        /* groups that wait then */
  struct wb_lane_group waiting[WB_LANE_LIMIT]; /* these */
};

#endif
