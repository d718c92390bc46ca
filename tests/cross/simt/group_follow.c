/* A step of a run, followed on the graph. */
#include "group_following.h"

/* ---- by the step's instruction ---- */

/* In the middle of a block: the whole part goes on at the next instruction. */
static bool stay_in_block(const struct group_following *following, uint32_t lane,
                          const struct group_replay *replay, const struct wb_lane_group *group)
{
  const struct wb_group_step *step = following->step;
  const uint32_t whole = group_lanes_of_part(replay, lane, step->active);
  return (group->wait == WB_GROUP_READY && group->instruction == step->instruction + 1 &&
          (whole & ~group->lanes) == 0) ||
         group_replay_refute(following->replay, step->instruction,
                             "control leaves in the middle of a block");
}

/* A part of the same block among the lanes of a group; GROUP_NOWHERE for none. */
static uint32_t partner_of(const struct group_replay *replay, uint32_t lanes, uint32_t block)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & group_bit(lane)) != 0 && group_part_at(replay, lane)->block == block)
      return replay->part_of[lane];
  }
  return GROUP_NOWHERE;
}

/* Lanes of the step's group go on, or wait. */
static bool follow_went(struct group_following *following, const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const struct wb_lane_group *group = &result->group;
  uint32_t left = group->lanes & step->active & ~following->handled;
  const uint32_t others = group->lanes & ~left;
  uint32_t edges[WB_LANE_LIMIT];
  following->handled |= left;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((left & group_bit(lane)) == 0)
      continue;
    if (step->instruction < group_block_at(replay, lane)->last) {
      if (!stay_in_block(following, lane, replay, group))
        return false;
      left &= ~group_bit(lane);
    } else if (group->wait != WB_GROUP_READY) {
      left &= ~group_bit(lane);
    } else {
      edges[lane] = group_edge_of(following, lane, group->instruction);
      if (edges[lane] == GROUP_NOWHERE)
        return group_replay_refute(replay, step->instruction, "context %u has no edge to L%u",
                                   group_block_at(replay, lane)->context, group->instruction);
    }
  }
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((left & group_bit(lane)) == 0)
      continue;
    uint32_t lanes = 0;
    const uint32_t same = group_lanes_of_part(replay, lane, left);
    for (uint32_t other = lane; other < WB_LANE_LIMIT; other++)
      lanes |= (same & group_bit(other)) != 0 && edges[other] == edges[lane] ? group_bit(other) : 0;
    left &= ~lanes;
    if (!group_arrive(following, lanes, edges, lane,
                      partner_of(replay, others, replay->graph->edges[edges[lane]].to)))
      return false;
  }
  return true;
}

/* ---- who is let go ---- */

/* Where the edge says which entries it wakes, it names this one. */
static bool wakes(const struct group_replay *replay, uint32_t edge, uint8_t token, uint32_t point,
                  uint32_t context)
{
  const struct wb_warp_graph *graph = replay->graph;
  const uint32_t end = replay->first_pop[edge + 1];
  bool found = replay->first_pop[edge] == end;
  for (uint32_t p = replay->first_pop[edge]; p < end; p++) {
    const struct wb_warp_entry *entry = &graph->entries[graph->pops[p].entry];
    found = found || (entry->token == token && entry->point == point && entry->context == context);
  }
  return found;
}

/* The edge by which a lane that waits goes on. */
static uint32_t release_edge(const struct group_following *following, uint32_t lane,
                             const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  const struct wb_warp_block *from = group_block_at(replay, lane);
  const uint32_t next = result->group.instruction;
  const struct group_instance *instance =
      result->scope != 0 ? group_instance_at(replay, result->scope) : NULL;
  const uint32_t context =
      instance != NULL ? replay->graph->blocks[instance->makers[lane]].context : from->context;
  const uint32_t edge =
      group_find_edge(replay, group_part_at(replay, lane)->block,
                      next == from->last + 1 ? WB_EDGE_FALLTHROUGH : WB_EDGE_BRANCH, next, context);
  if (edge == GROUP_NOWHERE)
    group_replay_refute(replay, from->last, "context %u has no edge to L%u in context %u",
                        from->context, next, context);
  else if (!wakes(replay, edge, instance != NULL ? WB_TOKEN_SCOPE : WB_TOKEN_WARP, next, context))
    group_replay_refute(replay, from->last, "its edge to L%u wakes something else", next);
  if (instance != NULL) {
    const struct wb_warp_scope *scope = group_scope_at(replay->graph, instance->opener);
    if (!group_scope_lists(replay->graph, scope->first_sync, scope->sync_count, from->last))
      group_replay_refute(replay, from->last, "the scope of L%u lacks it", instance->opener);
  }
  return edge;
}

/* Whether lanes that a release lets go by the two edges are one part: where the graph says of both
 * that they are released together. */
static bool is_one_release(const struct group_replay *replay, uint32_t a, uint32_t b)
{
  const bool together = replay->first_pop[a] < replay->first_pop[a + 1] &&
                        replay->first_pop[b] < replay->first_pop[b + 1];
  return a == b || (together && replay->graph->edges[a].to == replay->graph->edges[b].to);
}

/* Lanes that waited go on: those that are released together are one part, which takes the edge of
 * one of them that may. */
static bool follow_released(const struct group_following *following,
                            const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  uint32_t left = result->group.lanes;
  uint32_t edges[WB_LANE_LIMIT];
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT && !replay->failed; lane++) {
    if ((left & group_bit(lane)) != 0)
      edges[lane] = release_edge(following, lane, result);
  }
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT && !replay->failed; lane++) {
    if ((left & group_bit(lane)) == 0)
      continue;
    uint32_t lanes = 0;
    uint32_t first = GROUP_NOWHERE;
    for (uint32_t other = lane; other < WB_LANE_LIMIT; other++) {
      if ((left & group_bit(other)) == 0 || !is_one_release(replay, edges[lane], edges[other]))
        continue;
      lanes |= group_bit(other);
      if (first == GROUP_NOWHERE &&
          group_can_take(replay, group_part_at(replay, other), edges[other]))
        first = other;
    }
    left &= ~lanes;
    group_arrive(following, lanes, edges, first == GROUP_NOWHERE ? lane : first, GROUP_NOWHERE);
  }
  return !replay->failed;
}

/* ---- a step ---- */

static bool check_blocks(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const uint32_t at = following->step->instruction;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((following->step->active & group_bit(lane)) != 0 &&
        (at < group_block_at(replay, lane)->first || at > group_block_at(replay, lane)->last))
      return group_replay_refute(replay, at, "the block is another one");
  }
  return true;
}

static bool check_ends(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const uint32_t at = following->step->instruction;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((following->step->active & ~following->handled & group_bit(lane)) != 0 &&
        (at != group_block_at(replay, lane)->last ||
         !replay->graph->ends[group_part_at(replay, lane)->block]))
      return group_replay_refute(replay, at, "lanes end here, but not in the graph");
  }
  return true;
}

static bool follow_results(struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  for (size_t r = 0; r < step->result_count; r++) {
    const struct wb_group_result *result = &step->results[r];
    const bool went = result->cause == WB_GROUP_WENT || result->cause == WB_GROUP_UNITED;
    replay->release_count += result->scope != 0;
    replay->warp_count += result->cause == WB_GROUP_WARP;
    if (went ? !follow_went(following, result) : !follow_released(following, result))
      return false;
  }
  return true;
}

bool group_replay_visit(void *context, const struct wb_group_step *step)
{
  struct group_replay *replay = context;
  struct group_following following = {.replay = replay,
                                      .step = step,
                                      .what =
                                          &replay->graph->function->instructions[step->instruction],
                                      .first_new = replay->part_count};
  const uint8_t transfer = following.what->transfer;
  replay->steps++;
  replay->split_count += step->split;
  if (!check_blocks(&following) || !group_check_whole(&following) ||
      !group_check_condition(&following) || !group_check_index(&following))
    return false;
  if (transfer == WB_TRANSFER_SCOPE_OPEN && step->scope != 0 && !group_note_scope(&following))
    return false;
  if (transfer == WB_TRANSFER_SCOPE_BREAK || (transfer == WB_TRANSFER_SCOPE_SYNC && replay->never))
    if (!group_check_leaving(&following))
      return false;
  if (!follow_results(&following) || !check_ends(&following))
    return false;
  group_update_instances(&following);
  return group_check_parts(&following);
}
