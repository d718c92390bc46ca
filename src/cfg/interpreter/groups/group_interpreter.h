/* The oracle from Volta on: concrete execution of a warp whose lanes run in groups and come
 * together by convergence barriers (doc/simt-volta.md). It needs no instruction's meaning but those
 * of copies (cfg/interpreter/lane_values.h has the others). Shares no code with the abstract
 * interpretation that it tests. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_INTERPRETER_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_INTERPRETER_H

#include "base/status.h"
#include "cfg/interpreter/lane_values.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the groups of a warp's lanes, and the scopes that they are in ---- */

/* The most scopes at one time: a warp that opens scopes in a loop and leaves them ends by it. */
#define WB_SCOPE_LIMIT ((size_t)1 << 20)

/* What a group waits for. */
enum wb_group_wait {
  WB_GROUP_READY,    /* nothing: it can run */
  WB_GROUP_IN_SCOPE, /* the other lanes of its scope */
  WB_GROUP_IN_WARP   /* all lanes of the warp */
};

/* Lanes that run or wait together. */
struct wb_lane_group {
  uint64_t number;      /* ascending in the order in which groups were made, from 1 */
  uint64_t scope;       /* in which it waits; 0: none */
  uint32_t lanes;       /* mask */
  uint32_t instruction; /* that it does next, or in which it waits */
  uint32_t synced;      /* the WARPSYNC of some lanes that it has just done; UINT32_MAX: none */
  uint8_t wait;         /* enum wb_group_wait */
};

/* What one execution of a BSSY made. */
struct wb_lane_scope {
  uint64_t number;       /* ascending, from 1 */
  uint64_t step;         /* that made it, from 0 */
  uint32_t name;         /* the value of a register that is bound to it */
  uint32_t opener;       /* the BSSY: instruction index */
  uint32_t point;        /* where its lanes go on together */
  uint32_t participants; /* mask, not 0 */
  uint32_t waiting;      /* those of them that wait in it */
  bool yielded;          /* one of its lanes has done a YIELD or NANOSLEEP in it */
};

/* Invariants: groups have lanes and are disjoint, and together they are `live`; those that wait in
 * a scope are its waiting lanes; scopes are by ascending number and no two have one name.
 * Zero-initialise; free with wb_lane_groups_free. */
struct wb_lane_groups {
  struct wb_lane_group groups[WB_LANE_LIMIT]; /* in no order that means anything */
  size_t group_count;                         /* groups */
  struct wb_lane_scope *scopes;               /* that have participants */
  size_t scope_count;                         /* scopes */
  size_t scope_capacity;                      /* room for scopes */
  uint64_t last_group;                        /* the last number given */
  uint64_t last_scope;                        /* the last number given */
  uint32_t live;                              /* lanes that have not ended */
};

/* NULL, or which invariant is broken. */
const char *wb_lane_groups_check(const struct wb_lane_groups *state);

/* ---- a run: what is asked, what is told of each step and at the end ---- */

/* Which group runs next: nothing is known of what the hardware does. */
enum wb_group_policy {
  WB_GROUPS_RANDOM,  /* any, uniformly */
  WB_GROUPS_LOWEST,  /* at the lowest address */
  WB_GROUPS_HIGHEST, /* at the highest */
  WB_GROUPS_NEWEST,  /* that was made last: depth first */
  WB_GROUPS_MOST,    /* of most lanes */
  WB_GROUPS_FEWEST,  /* of fewest */
  WB_GROUPS_STARVE,  /* not that of a random lane as long as another can run, uniformly */
  WB_GROUPS_COUNT
};

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
  bool steady;              /* an instruction that computes makes the same of the same at any time;
                             * else in lanes alone that do it together */
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

/* Runs one warp from the function's first instruction, all lanes in one group. Of a function that
 * is no kernel, lanes end that return to no instruction of it.
 * Errors: WARPBOUND_INVALID_INPUT with the listing's line (an unsupported control instruction,
 * control that runs past the end, a return to an address that is no instruction's, an architecture
 * before Volta), WARPBOUND_FACTS_MISSING (an indexed branch without targets), WARPBOUND_LIMIT
 * (WB_SCOPE_LIMIT, WB_LOCAL_WORD_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_group_run(const struct wb_code *code, const struct wb_function *function,
                              const struct wb_group_run_options *options, struct wb_group_run *run,
                              warpbound_error *error);

#endif
