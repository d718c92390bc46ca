/* What the graph says of branches and blocks. */
#include "cfg/warp_graph/warp_graph.h"
#include "group_following.h"

#include <stdlib.h>

/* ---- what is said of blocks and branches ---- */

/* What the lists of branches say of the instruction. */
bool group_check_condition(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const uint32_t at = step->instruction;
  if (following->what->transfer == WB_TRANSFER_NEXT ||
      following->what->transfer == WB_TRANSFER_CALL_OUTSIDE ||
      following->what->transfer == WB_TRANSFER_SCOPE_OPEN ||
      following->what->transfer == WB_TRANSFER_SCOPE_BREAK || following->what->never ||
      !wb_instruction_conditional(following->what))
    return true;
  if (replay->splits[at] == replay->uniform[at])
    return group_replay_refute(replay, at, "a reached conditional is not listed once");
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((step->active & group_bit(lane)) == 0)
      continue;
    const uint32_t lanes = group_lanes_of_part(replay, lane, step->active);
    const uint32_t doing = lanes & step->doing;
    if (replay->uniform[at] && doing != 0 && doing != lanes)
      return group_replay_refute(replay, at, "a branch called uniform splits %08x to %08x", lanes,
                                 doing);
  }
  return true;
}

bool group_check_whole(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  bool whole = false;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++)
    whole = whole || ((step->active & group_bit(lane)) != 0 &&
                      wb_block_is_whole(replay->graph, group_part_at(replay, lane)->block));
  replay->whole_count += whole;
  return !whole || step->active == step->live ||
         group_replay_refute(replay, step->instruction,
                             "a block of the whole warp is run by %08x of %08x", step->active,
                             step->live);
}

/* Lanes of an indexed branch that is called uniform go to one place. */
bool group_check_index(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  if (following->what->transfer != WB_TRANSFER_INDEXED_BRANCH ||
      !replay->uniform[step->instruction])
    return true;
  size_t ways = 0; /* groups that the step lets go elsewhere are none */
  for (size_t r = 0; r < step->result_count; r++)
    ways += step->results[r].cause == WB_GROUP_WENT;
  return ways <= 1 ||
         group_replay_refute(replay, step->instruction, "a branch called uniform goes two ways");
}

/* The latest execution of a BSSY that all lanes are in; NULL for none. */
static const struct group_instance *instance_of(const struct group_replay *replay, uint32_t opener,
                                                uint32_t lanes)
{
  for (size_t i = replay->instance_count; i > 0; i--) {
    const struct group_instance *instance = &replay->instances[i - 1];
    if (instance->opener == opener && (lanes & ~instance->members) == 0)
      return instance;
  }
  return NULL;
}

/* Runs of a block that is said to run in one group are of nested sets of lanes. */
static bool check_visit(struct group_replay *replay, uint32_t block, uint64_t instance,
                        uint32_t lanes)
{
  uint32_t visit = replay->first_visit[block];
  while (visit != GROUP_NOWHERE && replay->visits[visit].instance != instance)
    visit = replay->visits[visit].next;
  if (visit == GROUP_NOWHERE) {
    if (!wb_grow(replay->visits, &replay->visit_capacity, replay->visit_count + 1))
      abort();
    replay->visits[replay->visit_count] =
        (struct group_visit){instance, lanes, replay->first_visit[block]};
    replay->first_visit[block] = (uint32_t)replay->visit_count++;
    return true;
  }
  const uint32_t before = replay->visits[visit].lanes;
  replay->visits[visit].lanes = lanes;
  return (lanes & ~before) == 0 || (before & ~lanes) == 0 ||
         group_replay_refute(replay, replay->graph->blocks[block].first,
                             "a block of one group is run by %08x and by %08x", before, lanes);
}

bool group_check_parts(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_warp_graph *graph = replay->graph;
  for (size_t p = following->first_new; p < replay->part_count; p++) {
    const struct group_part *part = &replay->parts[p];
    const uint32_t scope = graph->innermost_scopes[part->block];
    const struct group_instance *instance = NULL;
    if (scope != UINT32_MAX) {
      instance = instance_of(replay, graph->scopes[scope].open, part->lanes);
      if (instance == NULL)
        return group_replay_refute(replay, graph->blocks[part->block].first,
                                   "lanes %08x are not in the scope of L%u", part->lanes,
                                   graph->scopes[scope].open);
    }
    if (!graph->several[part->block] &&
        !check_visit(replay, part->block, instance != NULL ? instance->number : 0, part->lanes))
      return false;
  }
  return true;
}
