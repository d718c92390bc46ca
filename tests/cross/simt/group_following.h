/* A step of a run that is followed on the graph; for the files group_*.c here alone. */
#ifndef TESTS_CROSS_GROUP_FOLLOWING_H
#define TESTS_CROSS_GROUP_FOLLOWING_H

#include "group_replay.h"

#define GROUP_NOWHERE UINT32_MAX

/* The step that is followed. */
struct group_following {
  struct group_replay *replay;
  const struct wb_group_step *step;
  const struct wb_instruction *what; /* its instruction */
  uint32_t handled;                  /* lanes that are known to have gone somewhere */
  size_t first_new;                  /* the first part that the step made */
};

static inline uint32_t group_bit(uint32_t lane)
{
  return UINT32_C(1) << lane;
}

static inline uint32_t group_lane_count(uint32_t lanes)
{
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

static inline struct group_part *group_part_at(const struct group_replay *replay, uint32_t lane)
{
  return &replay->parts[replay->part_of[lane]];
}

static inline const struct wb_warp_block *group_block_at(const struct group_replay *replay,
                                                         uint32_t lane)
{
  return &replay->graph->blocks[group_part_at(replay, lane)->block];
}

/* Those of the lanes that are in one part with a lane. */
static inline uint32_t group_lanes_of_part(const struct group_replay *replay, uint32_t lane,
                                           uint32_t lanes)
{
  uint32_t same = 0;
  for (uint32_t other = 0; other < WB_LANE_LIMIT; other++) {
    if ((lanes & group_bit(other)) != 0 && replay->part_of[other] == replay->part_of[lane])
      same |= group_bit(other);
  }
  return same;
}

/* ---- group_edges.c ---- */

/* The edge of the block and the kind to a block that begins at `next`, in `context` if that is
 * not GROUP_NOWHERE; GROUP_NOWHERE for none. */
uint32_t group_find_edge(const struct group_replay *replay, uint32_t block, enum wb_edge_kind kind,
                         uint32_t next, uint32_t context);
/* The edge by which a lane goes on at `next` by the step's instruction. */
uint32_t group_edge_of(const struct group_following *following, uint32_t lane, uint32_t next);
bool group_can_take(const struct group_replay *replay, const struct group_part *part,
                    uint32_t edge);
/* Lanes come to the block that all their edges lead to; as a part of their own, whose edge is that
 * of lane `first`, or, where `join` is not GROUP_NOWHERE, as more lanes of a part that is there. */
bool group_arrive(const struct group_following *following, uint32_t lanes,
                  const uint32_t edges[WB_LANE_LIMIT], uint32_t first, uint32_t join);

/* ---- group_scopes.c ---- */

struct group_instance *group_instance_at(const struct group_replay *replay, uint64_t number);
const struct wb_warp_scope *group_scope_at(const struct wb_warp_graph *graph, uint32_t opener);
bool group_scope_lists(const struct wb_warp_graph *graph, size_t first, size_t count,
                       uint32_t instruction);
/* A BSSY makes a scope. */
bool group_note_scope(const struct group_following *following);
/* Lanes that leave a scope by a BREAK, or a BSYNC that does not wait: it is listed. */
bool group_check_leaving(const struct group_following *following);
void group_update_instances(const struct group_following *following);

/* ---- group_claims.c: false where something does not hold ---- */

/* What the lists of branches say of the instruction. */
bool group_check_condition(const struct group_following *following);
/* Lanes of an indexed branch that is called uniform go to one place. */
bool group_check_index(const struct group_following *following);
/* A block that is said to be run by the whole warp is: no other lane has not ended. */
bool group_check_whole(const struct group_following *following);
bool group_check_parts(const struct group_following *following);

#endif
