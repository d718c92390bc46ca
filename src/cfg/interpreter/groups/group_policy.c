#include "cfg/interpreter/groups/group_policy.h"

static int64_t lane_count(uint32_t lanes)
{
  int64_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

/* The group with the largest merit runs. */
static int64_t merit(enum wb_group_policy policy, const struct wb_lane_group *group,
                     uint32_t starved)
{
  switch (policy) {
  case WB_GROUPS_LOWEST:
    return -(int64_t)group->instruction;
  case WB_GROUPS_HIGHEST:
    return group->instruction;
  case WB_GROUPS_NEWEST:
    return (int64_t)group->number;
  case WB_GROUPS_MOST:
    return lane_count(group->lanes);
  case WB_GROUPS_FEWEST:
    return -lane_count(group->lanes);
  case WB_GROUPS_STARVE:
    return (group->lanes >> starved & 1) == 0;
  default:
    return 0;
  }
}

size_t wb_group_choose(enum wb_group_policy policy, const struct wb_lane_groups *state,
                       struct wb_random *random, uint32_t *starved)
{
  size_t best = SIZE_MAX;
  int64_t most = 0;
  uint64_t equal = 0;
  if (policy == WB_GROUPS_STARVE && state->live != 0 &&
      (*starved >= WB_LANE_LIMIT || (state->live >> *starved & 1) == 0)) {
    do
      *starved = (uint32_t)wb_random_below(random, WB_LANE_LIMIT);
    while ((state->live >> *starved & 1) == 0);
  }
  for (size_t g = 0; g < state->group_count; g++) {
    if (state->groups[g].wait != WB_GROUP_READY)
      continue;
    const int64_t merits = merit(policy, &state->groups[g], *starved);
    if (best != SIZE_MAX && merits < most)
      continue;
    equal = best == SIZE_MAX || merits > most ? 1 : equal + 1;
    if (wb_random_below(random, equal) == 0)
      best = g;
    most = merits;
  }
  if (policy == WB_GROUPS_STARVE && best != SIZE_MAX && most == 0)
    *starved = WB_LANE_LIMIT;
  return best;
}
