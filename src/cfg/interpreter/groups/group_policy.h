/* Which group of a warp runs next: nothing is known of what the hardware does. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_POLICY_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_POLICY_H

#include "base/random.h"
#include "cfg/interpreter/groups/lane_groups.h"

#include <stddef.h>
#include <stdint.h>

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

/* Index of a ready group, drawn among equally good ones; SIZE_MAX where none is ready. *starved:
 * the lane whose group WB_GROUPS_STARVE holds back, WB_LANE_LIMIT for none yet; a new one is drawn
 * where its group had to run or ended. */
size_t wb_group_choose(enum wb_group_policy policy, const struct wb_lane_groups *state,
                       struct wb_random *random, uint32_t *starved);

#endif
