/* The edges that lanes take, and the parts and loops that they come to. */
#include "group_following.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

/* The edge of the block and the kind to a block that begins at `next`, in `context` if that is
 * not GROUP_NOWHERE; GROUP_NOWHERE for none. */
uint32_t group_find_edge(const struct group_replay *replay, uint32_t block, enum wb_edge_kind kind,
                         uint32_t next, uint32_t context)
{
  const struct wb_warp_graph *graph = replay->graph;
  for (uint32_t e = replay->first_edge[block]; e < replay->first_edge[block + 1]; e++) {
    const struct wb_warp_block *to = &graph->blocks[graph->edges[e].to];
    if (graph->edges[e].kind == kind && to->first == next &&
        (context == GROUP_NOWHERE || to->context == context))
      return e;
  }
  return GROUP_NOWHERE;
}

/* The edge by which a lane returns to an instruction: after its latest call that goes on there. */
static uint32_t return_edge(struct group_replay *replay, uint32_t lane, uint32_t next)
{
  const uint32_t block = group_part_at(replay, lane)->block;
  for (unsigned p = replay->pending_count[lane]; p > 0; p--) {
    const struct group_pending *call = &replay->pending[lane][p - 1];
    if (call->site + 1 != next)
      continue;
    const uint32_t edge = group_find_edge(replay, block, WB_EDGE_RETURN, next, call->context);
    if (edge == GROUP_NOWHERE)
      continue;
    replay->pending_count[lane] = p - 1;
    return edge;
  }
  const uint32_t edge = group_find_edge(replay, block, WB_EDGE_RETURN, next, GROUP_NOWHERE);
  return edge != GROUP_NOWHERE ? edge
                               : group_find_edge(replay, block, WB_EDGE_BRANCH, next,
                                                 group_block_at(replay, lane)->context);
}

static uint32_t call_edge(struct group_replay *replay, uint32_t lane, uint32_t next)
{
  const uint32_t block = group_part_at(replay, lane)->block;
  const struct wb_warp_block *from = &replay->graph->blocks[block];
  const uint32_t edge = group_find_edge(replay, block, WB_EDGE_CALL, next, GROUP_NOWHERE);
  if (edge == GROUP_NOWHERE)
    return group_find_edge(replay, block, WB_EDGE_BRANCH, next, from->context);
  if (replay->pending_count[lane] == GROUP_MOST_PENDING)
    memmove(replay->pending[lane], replay->pending[lane] + 1,
            --replay->pending_count[lane] * sizeof replay->pending[lane][0]);
  replay->pending[lane][replay->pending_count[lane]++] =
      (struct group_pending){from->last, from->context};
  return edge;
}

/* The edge by which a lane goes on at `next` by the step's instruction. */
uint32_t group_edge_of(const struct group_following *following, uint32_t lane, uint32_t next)
{
  struct group_replay *replay = following->replay;
  const uint32_t block = group_part_at(replay, lane)->block;
  const uint32_t context = replay->graph->blocks[block].context;
  enum wb_edge_kind kind = WB_EDGE_FALLTHROUGH;
  if ((following->step->doing & group_bit(lane)) != 0) {
    switch (following->what->transfer) {
    case WB_TRANSFER_CALL_LINKED:
      return call_edge(replay, lane, next);
    case WB_TRANSFER_RETURN_LINKED:
      return return_edge(replay, lane, next);
    case WB_TRANSFER_BRANCH:
    case WB_TRANSFER_INDEXED_BRANCH:
      kind = WB_EDGE_BRANCH;
      break;
    default:
      if (next != following->step->instruction + 1)
        kind = WB_EDGE_BRANCH;
      break;
    }
  }
  return group_find_edge(replay, block, kind, next, context);
}

/* ---- rates ---- */

bool group_can_take(const struct group_replay *replay, const struct group_part *part, uint32_t edge)
{
  uint32_t times = 1;
  for (uint32_t w = 0; w < part->ways; w++)
    times += part->edges[w] == edge;
  switch (replay->graph->edges[edge].rate) {
  case WB_RATE_SHARED:
    return part->shared == 0;
  case WB_RATE_EACH:
    return times == 1;
  default:
    return times <= group_lane_count(part->lanes);
  }
}

static bool take(const struct group_following *following, struct group_part *part, uint32_t edge)
{
  struct group_replay *replay = following->replay;
  const struct wb_warp_edge *taken = &replay->graph->edges[edge];
  if (!group_can_take(replay, part, edge) || part->ways == GROUP_MOST_WAYS)
    return group_replay_refute(replay, replay->graph->blocks[taken->from].last,
                               "the edge to L%u is taken more often than its rate %u allows",
                               replay->graph->blocks[taken->to].first, taken->rate);
  part->edges[part->ways++] = edge;
  part->shared += taken->rate == WB_RATE_SHARED;
  replay->group_edges[edge]++;
  replay->group_runs[taken->to]++;
  return true;
}

/* ---- loops ---- */

static void iterate(struct group_loop *loop, uint32_t lane)
{
  if (loop->entry[lane] == GROUP_NOWHERE)
    return;
  uint64_t *most = &loop->most[loop->entry[lane]];
  if (++loop->made[lane] > *most) {
    loop->bound += loop->made[lane] - *most;
    *most = loop->made[lane];
  }
}

/* What the lanes' edges say of a loop. */
static void follow_lanes(const struct group_replay *replay, struct group_loop *loop, uint32_t lanes,
                         const uint32_t edges[WB_LANE_LIMIT])
{
  uint32_t entering = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & group_bit(lane)) == 0)
      continue;
    if (loop->enters[edges[lane]])
      entering |= group_bit(lane);
    else if (loop->returns[edges[lane]])
      iterate(loop, lane);
    else if (!loop->body[replay->graph->edges[edges[lane]].to])
      loop->entry[lane] = GROUP_NOWHERE;
  }
  if (entering != 0)
    group_replay_enter(loop, entering);
}

/* Lanes came to a block by edges of theirs; the part by `edge`, GROUP_NOWHERE where they join one.
 */
static bool follow_loops(const struct group_following *following, uint32_t lanes,
                         const uint32_t edges[WB_LANE_LIMIT], uint32_t edge)
{
  struct group_replay *replay = following->replay;
  for (size_t l = 0; l < replay->loop_count; l++) {
    struct group_loop *loop = &replay->loops[l];
    follow_lanes(replay, loop, lanes, edges);
    if (!loop->balanced || edge == GROUP_NOWHERE || !loop->returns[edge])
      continue;
    replay->back_edge_count++;
    if (++loop->taken > loop->bound)
      return group_replay_refute(
          replay, replay->graph->blocks[replay->graph->edges[edge].to].first,
          "groups begin %llu iterations of a balanced loop, of at most %llu of their lanes",
          (unsigned long long)loop->taken, (unsigned long long)loop->bound);
  }
  return true;
}

/* ---- parts ---- */

/* Lanes come to the block that all their edges lead to; as a part of their own, whose edge is that
 * of lane `first`, or, where `join` is not GROUP_NOWHERE, as more lanes of a part that is there. */
bool group_arrive(const struct group_following *following, uint32_t lanes,
                  const uint32_t edges[WB_LANE_LIMIT], uint32_t first, uint32_t join)
{
  struct group_replay *replay = following->replay;
  const uint32_t to = replay->graph->edges[edges[first]].to;
  uint32_t part = join;
  if (part == GROUP_NOWHERE) {
    if (!take(following, group_part_at(replay, first), edges[first]))
      return false;
    if (!wb_grow(replay->parts, &replay->part_capacity, replay->part_count + 1))
      abort();
    part = (uint32_t)replay->part_count++;
    replay->parts[part] = (struct group_part){.block = to};
  }
  replay->parts[part].lanes |= lanes;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & group_bit(lane)) == 0)
      continue;
    replay->lane_edges[edges[lane]]++;
    replay->lane_runs[to]++;
    replay->part_of[lane] = part;
  }
  return follow_loops(following, lanes, edges,
                      join == GROUP_NOWHERE ? edges[first] : GROUP_NOWHERE);
}
