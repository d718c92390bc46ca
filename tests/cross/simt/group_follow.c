/* A step of a run, followed on the graph: the edges that lanes take, the scopes that they are in,
 * and what the graph claims of branches and blocks. */
#include "cfg/warp_graph/warp_graph.h"
#include "group_trial.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_NOWHERE UINT32_MAX

/* The step that is followed. */
struct group_following {
  struct group_replay *replay;
  const struct wb_group_step *step;
  const struct wb_instruction *what; /* its instruction */
  uint32_t handled;                  /* lanes that are known to have gone somewhere */
  size_t first_new;                  /* the first part that the step made */
};

static uint32_t group_bit(uint32_t lane)
{
  return UINT32_C(1) << lane;
}

static uint32_t group_lane_count(uint32_t lanes)
{
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

static struct group_part *group_part_at(const struct group_replay *replay, uint32_t lane)
{
  return &replay->parts[replay->part_of[lane]];
}

static const struct wb_warp_block *group_block_at(const struct group_replay *replay, uint32_t lane)
{
  return &replay->graph->blocks[group_part_at(replay, lane)->block];
}

/* Those of the lanes that are in one part with a lane. */
static uint32_t group_lanes_of_part(const struct group_replay *replay, uint32_t lane,
                                    uint32_t lanes)
{
  uint32_t same = 0;
  for (uint32_t other = 0; other < WB_LANE_LIMIT; other++) {
    if ((lanes & group_bit(other)) != 0 && replay->part_of[other] == replay->part_of[lane])
      same |= group_bit(other);
  }
  return same;
}

/* ---- edges ---- */

/* The edge of the block and the kind to a block that begins at `next`, in `context` if that is
 * not GROUP_NOWHERE; GROUP_NOWHERE for none. */
static uint32_t group_find_edge(const struct group_replay *replay, uint32_t block,
                                enum wb_edge_kind kind, uint32_t next, uint32_t context)
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

/* Whether as many calls of a function are under way in a lane as the options say there are. */
static bool is_deepest(const struct group_replay *replay, uint32_t lane, uint32_t entry)
{
  uint32_t count = 0;
  for (unsigned p = 0; p < replay->pending_count[lane]; p++)
    count += replay->pending[lane][p].entered == entry;
  for (size_t d = 0; replay->options != NULL && d < replay->options->depth_count; d++) {
    if (replay->options->depths[d].entry == entry)
      return count >= replay->options->depths[d].most;
  }
  return false;
}

static uint32_t call_edge(struct group_replay *replay, uint32_t lane, uint32_t next)
{
  const uint32_t block = group_part_at(replay, lane)->block;
  const struct wb_warp_block *from = &replay->graph->blocks[block];
  const uint32_t edge = group_find_edge(replay, block, WB_EDGE_CALL, next, GROUP_NOWHERE);
  replay->too_deep |= edge == GROUP_NOWHERE && is_deepest(replay, lane, next);
  if (edge == GROUP_NOWHERE)
    return group_find_edge(replay, block, WB_EDGE_BRANCH, next, from->context);
  if (replay->pending_count[lane] == GROUP_MOST_PENDING)
    memmove(replay->pending[lane], replay->pending[lane] + 1,
            --replay->pending_count[lane] * sizeof replay->pending[lane][0]);
  replay->pending[lane][replay->pending_count[lane]++] =
      (struct group_pending){from->last, from->context, next};
  return edge;
}

/* The edge by which a lane goes on at `next` by the step's instruction. */
static uint32_t group_edge_of(const struct group_following *following, uint32_t lane, uint32_t next)
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

static bool group_can_take(const struct group_replay *replay, const struct group_part *part,
                           uint32_t edge)
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

/* How often a lane goes round a loop in an iteration of the loop around. */
static void note_round(struct group_loop *loop, const struct group_loop *around, uint32_t lane)
{
  if (around->entry[lane] == GROUP_NOWHERE || around->made[lane] >= GROUP_MOST_ROUNDS) {
    loop->sum = UINT32_MAX; /* this run shows nothing */
    return;
  }
  uint64_t *round = &loop->rounds[around->made[lane]];
  if (loop->made[lane] > *round) {
    loop->sum += loop->made[lane] - *round;
    *round = loop->made[lane];
  }
}

static void iterate(struct group_replay *replay, struct group_loop *loop, uint32_t lane)
{
  if (loop->entry[lane] == GROUP_NOWHERE)
    return;
  uint64_t *most = &loop->most[loop->entry[lane]];
  if (++loop->made[lane] > *most) {
    loop->bound += loop->made[lane] - *most;
    *most = loop->made[lane];
  }
  if (loop->summed)
    note_round(loop, &replay->loops[loop->parent], lane);
}

/* What the lanes' edges say of a loop. */
static void follow_lanes(struct group_replay *replay, struct group_loop *loop, uint32_t lanes,
                         const uint32_t edges[WB_LANE_LIMIT])
{
  uint32_t entering = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & group_bit(lane)) == 0)
      continue;
    if (loop->enters[edges[lane]])
      entering |= group_bit(lane);
    else if (loop->returns[edges[lane]])
      iterate(replay, loop, lane);
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
    if (!loop->summed)
      continue;
    const uint64_t entries = replay->loops[loop->parent].entry_count;
    replay->sum_count++;
    if (loop->taken > loop->sum * entries)
      return group_replay_refute(replay, replay->graph->blocks[replay->graph->edges[edge].to].first,
                                 "groups begin %llu iterations in %llu entries of the loop around, "
                                 "of at most %llu in each",
                                 (unsigned long long)loop->taken, (unsigned long long)entries,
                                 (unsigned long long)loop->sum);
  }
  return true;
}

/* ---- parts ---- */

/* Lanes come to the block that all their edges lead to; as a part of their own, whose edge is that
 * of lane `first`, or, where `join` is not GROUP_NOWHERE, as more lanes of a part that is there. */
static bool group_arrive(const struct group_following *following, uint32_t lanes,
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

/* ---- scopes ---- */

static struct group_instance *group_instance_at(const struct group_replay *replay, uint64_t number)
{
  for (size_t i = replay->instance_count; i > 0; i--) {
    if (replay->instances[i - 1].number == number)
      return &replay->instances[i - 1];
  }
  return NULL;
}

static const struct wb_warp_scope *group_scope_at(const struct wb_warp_graph *graph,
                                                  uint32_t opener)
{
  for (size_t s = 0; s < graph->scope_count; s++) {
    if (graph->scopes[s].open == opener)
      return &graph->scopes[s];
  }
  return NULL;
}

static bool group_scope_lists(const struct wb_warp_graph *graph, size_t first, size_t count,
                              uint32_t instruction)
{
  for (size_t i = first; i < first + count; i++) {
    if (graph->scope_instructions[i] == instruction)
      return true;
  }
  return false;
}

static bool is_pushed(const struct wb_warp_graph *graph, uint32_t block, uint32_t point)
{
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_entry *entry = &graph->entries[graph->pushes[p].entry];
    if (graph->pushes[p].block == block && entry->point == point &&
        entry->token == WB_TOKEN_SCOPE && entry->context == graph->blocks[block].context)
      return true;
  }
  return false;
}

/* A BSSY makes a scope. */
static bool group_note_scope(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const uint32_t point = replay->graph->function->targets[following->what->first_target];
  const struct wb_warp_scope *scope = group_scope_at(replay->graph, step->instruction);
  if (scope == NULL || scope->point != point)
    return group_replay_refute(replay, step->instruction, "the graph has no such scope");
  for (size_t i = 0; i < replay->instance_count; i++) {
    if (replay->instances[i].opener == step->instruction)
      replay->instances[i].members &= ~step->doing;
  }
  if (!wb_grow(replay->instances, &replay->instance_capacity, replay->instance_count + 1))
    abort();
  struct group_instance *made = &replay->instances[replay->instance_count++];
  *made = (struct group_instance){.number = step->scope,
                                  .opener = step->instruction,
                                  .participants = step->doing,
                                  .members = step->doing};
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((step->doing & group_bit(lane)) == 0)
      continue;
    made->makers[lane] = group_part_at(replay, lane)->block;
    if (!replay->never && !is_pushed(replay->graph, made->makers[lane], point))
      return group_replay_refute(replay, step->instruction, "its block does not make its entry");
  }
  return true;
}

static uint32_t participants_now(const struct wb_group_step *step, uint64_t number)
{
  for (size_t s = 0; s < step->state->scope_count; s++) {
    if (step->state->scopes[s].number == number)
      return step->state->scopes[s].participants;
  }
  return 0;
}

/* Lanes that leave a scope by a BREAK, or a BSYNC that does not wait: it is listed. */
static bool group_check_leaving(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const bool breaks = following->what->transfer == WB_TRANSFER_SCOPE_BREAK;
  for (size_t i = 0; i < replay->instance_count; i++) {
    const struct group_instance *instance = &replay->instances[i];
    const uint32_t gone = instance->participants & ~participants_now(step, instance->number);
    const struct wb_warp_scope *scope = group_scope_at(replay->graph, instance->opener);
    if ((gone & step->doing) == 0)
      continue;
    if (breaks && !group_scope_lists(replay->graph, scope->first_break, scope->break_count,
                                     step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
    if (!breaks &&
        !group_scope_lists(replay->graph, scope->first_sync, scope->sync_count, step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
  }
  return true;
}

static void group_update_instances(const struct group_following *following)
{
  struct group_replay *replay = following->replay;
  size_t kept = 0;
  for (size_t i = 0; i < replay->instance_count; i++) {
    struct group_instance instance = replay->instances[i];
    const uint32_t participants = participants_now(following->step, instance.number);
    const bool breaks = following->what->transfer == WB_TRANSFER_SCOPE_BREAK;
    const uint32_t broken = breaks ? following->step->doing : 0;
    instance.members &= ~(instance.participants & ~participants & ~broken);
    instance.participants = participants;
    replay->instances[kept] = instance;
    kept += (participants | instance.members) != 0;
  }
  replay->instance_count = kept;
}

/* ---- what is said of blocks and branches ---- */

/* What the lists of branches say of the instruction. */
static bool group_check_condition(const struct group_following *following)
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

/* A block that is said to be run by the whole warp is: no other lane has not ended. */
static bool group_check_whole(const struct group_following *following)
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
static bool group_check_index(const struct group_following *following)
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

static bool group_check_parts(const struct group_following *following)
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
