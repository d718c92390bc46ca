/* A run of the oracle from Volta on, in the step that is being made; for the files of this folder
 * alone. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_MACHINE_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_MACHINE_H

#include "base/random.h"
#include "base/status.h"
#include "cfg/interpreter/groups/group_run.h"
#include "cfg/interpreter/groups/lane_copies.h"
#include "model/code.h"

/* Each lane is in at most one group by the instruction, and in one that was let go. */
#define WB_GROUP_RESULT_LIMIT (2 * WB_LANE_LIMIT)

/* Where a lane is after the step's instruction. Lanes of one place are one group. */
struct wb_lane_place {
  uint64_t scope;       /* in which it waits; else 0 */
  uint32_t instruction; /* next, or in which it waits; UINT32_MAX: it has ended */
  uint32_t part;        /* of a WARPSYNC of some lanes: lanes of other parts are another group */
  uint8_t wait;         /* enum wb_group_wait */
};

struct wb_group_machine {
  const struct wb_code *code;                 /* borrowed */
  const struct wb_function *function;         /* borrowed */
  const struct wb_group_run_options *options; /* borrowed */
  struct wb_lane_values *values;              /* registers of all lanes */
  struct wb_lane_copies copies;               /* local memory */
  struct wb_lane_groups state;                /* groups and scopes */
  struct wb_random random;                    /* everything that is drawn */
  uint32_t starved;                           /* see wb_group_choose */
  uint32_t yield_odds;                        /* of 256: of an early release, in each step */

  /* The step. */
  const struct wb_instruction *instruction; /* that the step does */
  struct wb_lane_group group;               /* that does it, out of the state */
  struct wb_group_step step;                /* for the visitor */
  struct wb_lane_place places[WB_LANE_LIMIT];
  struct wb_group_result results[WB_GROUP_RESULT_LIMIT];
  bool syncs_some;        /* lanes did a WARPSYNC of some lanes */
  uint64_t salt;          /* of the step */
  warpbound_error *error; /* borrowed */
};

/* An error at the step's instruction. */
warpbound_status wb_group_refuse(const struct wb_group_machine *machine, const char *why);

/* Those of the lanes whose mask at the instruction is known to be all lanes of the warp. */
uint32_t wb_group_full_masks(const struct wb_group_machine *machine, uint32_t lanes);

/* The lanes of step.doing do the instruction: registers, scopes, and where each lane of the group
 * is afterwards. Before it the places are all the next instruction. */
warpbound_status wb_group_transfer(struct wb_group_machine *machine);

/* Makes groups of the places, lets go who need not wait any more, and tells step.results. */
void wb_group_regroup(struct wb_group_machine *machine);

#endif
