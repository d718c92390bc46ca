/* A step of a run, followed on the graph. */
#include "group_replay.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* The step that is followed. */
struct following {
  struct group_replay *replay;
  const struct wb_group_step *step;
  const struct wb_instruction *what; /* its instruction */
  uint32_t handled;                  /* lanes that are known to have gone somewhere */
  size_t first_new;                  /* the first part that the step made */
};

static uint32_t bit(uint32_t lane)
{
  return UINT32_C(1) << lane;
}

static uint32_t lane_count(uint32_t lanes)
{
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

static struct group_part *part_of(const struct group_replay *replay, uint32_t lane)
{
  return &replay->parts[replay->part_of[lane]];
}

static const struct wb_warp_block *block_of(const struct group_replay *replay, uint32_t lane)
{
  return &replay->graph->blocks[part_of(replay, lane)->block];
}

/* Those of the lanes that are in one part with a lane. */
static uint32_t lanes_of_part(const struct group_replay *replay, uint32_t lane, uint32_t lanes)
{
  uint32_t same = 0;
  for (uint32_t other = 0; other < WB_LANE_LIMIT; other++) {
    if ((lanes & bit(other)) != 0 && replay->part_of[other] == replay->part_of[lane])
      same |= bit(other);
  }
  return same;
}

/* ---- edges ---- */

/* The edge of the block and the kind to a block that begins at `next`, in `context` if that is
 * not NOWHERE; NOWHERE for none. */
static uint32_t find_edge(const struct group_replay *replay, uint32_t block, enum wb_edge_kind kind,
                          uint32_t next, uint32_t context)
{
  const struct wb_warp_graph *graph = replay->graph;
  for (uint32_t e = replay->first_edge[block]; e < replay->first_edge[block + 1]; e++) {
    const struct wb_warp_block *to = &graph->blocks[graph->edges[e].to];
    if (graph->edges[e].kind == kind && to->first == next &&
        (context == NOWHERE || to->context == context))
      return e;
  }
  return NOWHERE;
}

/* The edge by which a lane returns to an instruction: after its latest call that goes on there. */
static uint32_t return_edge(struct group_replay *replay, uint32_t lane, uint32_t next)
{
  const uint32_t block = part_of(replay, lane)->block;
  for (unsigned p = replay->pending_count[lane]; p > 0; p--) {
    const struct group_pending *call = &replay->pending[lane][p - 1];
    if (call->site + 1 != next)
      continue;
    const uint32_t edge = find_edge(replay, block, WB_EDGE_RETURN, next, call->context);
    if (edge == NOWHERE)
      continue;
    replay->pending_count[lane] = p - 1;
    return edge;
  }
  const uint32_t edge = find_edge(replay, block, WB_EDGE_RETURN, next, NOWHERE);
  return edge != NOWHERE
             ? edge
             : find_edge(replay, block, WB_EDGE_BRANCH, next, block_of(replay, lane)->context);
}

static uint32_t call_edge(struct group_replay *replay, uint32_t lane, uint32_t next)
{
  const uint32_t block = part_of(replay, lane)->block;
  const struct wb_warp_block *from = &replay->graph->blocks[block];
  const uint32_t edge = find_edge(replay, block, WB_EDGE_CALL, next, NOWHERE);
  if (edge == NOWHERE)
    return find_edge(replay, block, WB_EDGE_BRANCH, next, from->context);
  if (replay->pending_count[lane] == GROUP_MOST_PENDING)
    memmove(replay->pending[lane], replay->pending[lane] + 1,
            --replay->pending_count[lane] * sizeof replay->pending[lane][0]);
  replay->pending[lane][replay->pending_count[lane]++] =
      (struct group_pending){from->last, from->context};
  return edge;
}

/* The edge by which a lane goes on at `next` by the step's instruction. */
static uint32_t edge_of(const struct following *following, uint32_t lane, uint32_t next)
{
  struct group_replay *replay = following->replay;
  const uint32_t block = part_of(replay, lane)->block;
  const uint32_t context = replay->graph->blocks[block].context;
  enum wb_edge_kind kind = WB_EDGE_FALLTHROUGH;
  if ((following->step->doing & bit(lane)) != 0) {
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
  return find_edge(replay, block, kind, next, context);
}

/* ---- rates ---- */

static bool can_take(const struct group_replay *replay, const struct group_part *part,
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
    return times <= lane_count(part->lanes);
  }
}

static bool take(const struct following *following, struct group_part *part, uint32_t edge)
{
  struct group_replay *replay = following->replay;
  const struct wb_warp_edge *taken = &replay->graph->edges[edge];
  if (!can_take(replay, part, edge) || part->ways == GROUP_MOST_WAYS)
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
  if (loop->entry[lane] == NOWHERE)
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
    if ((lanes & bit(lane)) == 0)
      continue;
    if (loop->enters[edges[lane]])
      entering |= bit(lane);
    else if (loop->returns[edges[lane]])
      iterate(loop, lane);
    else if (!loop->body[replay->graph->edges[edges[lane]].to])
      loop->entry[lane] = NOWHERE;
  }
  if (entering != 0)
    group_replay_enter(loop, entering);
}

/* Lanes came to a block by edges of theirs; the part by `edge`, NOWHERE where they join one. */
static bool follow_loops(const struct following *following, uint32_t lanes,
                         const uint32_t edges[WB_LANE_LIMIT], uint32_t edge)
{
  struct group_replay *replay = following->replay;
  for (size_t l = 0; l < replay->loop_count; l++) {
    struct group_loop *loop = &replay->loops[l];
    follow_lanes(replay, loop, lanes, edges);
    if (!loop->balanced || edge == NOWHERE || !loop->returns[edge])
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
 * of lane `first`, or, where `join` is not NOWHERE, as more lanes of a part that is there. */
static bool arrive(const struct following *following, uint32_t lanes,
                   const uint32_t edges[WB_LANE_LIMIT], uint32_t first, uint32_t join)
{
  struct group_replay *replay = following->replay;
  const uint32_t to = replay->graph->edges[edges[first]].to;
  uint32_t part = join;
  if (part == NOWHERE) {
    if (!take(following, part_of(replay, first), edges[first]))
      return false;
    if (!wb_grow(replay->parts, &replay->part_capacity, replay->part_count + 1))
      abort();
    part = (uint32_t)replay->part_count++;
    replay->parts[part] = (struct group_part){.block = to};
  }
  replay->parts[part].lanes |= lanes;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & bit(lane)) == 0)
      continue;
    replay->lane_edges[edges[lane]]++;
    replay->lane_runs[to]++;
    replay->part_of[lane] = part;
  }
  return follow_loops(following, lanes, edges, join == NOWHERE ? edges[first] : NOWHERE);
}

/* ---- by the step's instruction ---- */

/* In the middle of a block: the whole part goes on at the next instruction. */
static bool stay_in_block(const struct following *following, uint32_t lane,
                          const struct group_replay *replay, const struct wb_lane_group *group)
{
  const struct wb_group_step *step = following->step;
  const uint32_t whole = lanes_of_part(replay, lane, step->active);
  return (group->wait == WB_GROUP_READY && group->instruction == step->instruction + 1 &&
          (whole & ~group->lanes) == 0) ||
         group_replay_refute(following->replay, step->instruction,
                             "control leaves in the middle of a block");
}

/* A part of the same block among the lanes of a group; NOWHERE for none. */
static uint32_t partner_of(const struct group_replay *replay, uint32_t lanes, uint32_t block)
{
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes & bit(lane)) != 0 && part_of(replay, lane)->block == block)
      return replay->part_of[lane];
  }
  return NOWHERE;
}

/* Lanes of the step's group go on, or wait. */
static bool follow_went(struct following *following, const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const struct wb_lane_group *group = &result->group;
  uint32_t left = group->lanes & step->active & ~following->handled;
  const uint32_t others = group->lanes & ~left;
  uint32_t edges[WB_LANE_LIMIT];
  following->handled |= left;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((left & bit(lane)) == 0)
      continue;
    if (step->instruction < block_of(replay, lane)->last) {
      if (!stay_in_block(following, lane, replay, group))
        return false;
      left &= ~bit(lane);
    } else if (group->wait != WB_GROUP_READY) {
      left &= ~bit(lane);
    } else {
      edges[lane] = edge_of(following, lane, group->instruction);
      if (edges[lane] == NOWHERE)
        return group_replay_refute(replay, step->instruction, "context %u has no edge to L%u",
                                   block_of(replay, lane)->context, group->instruction);
    }
  }
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((left & bit(lane)) == 0)
      continue;
    uint32_t lanes = 0;
    const uint32_t same = lanes_of_part(replay, lane, left);
    for (uint32_t other = lane; other < WB_LANE_LIMIT; other++)
      lanes |= (same & bit(other)) != 0 && edges[other] == edges[lane] ? bit(other) : 0;
    left &= ~lanes;
    if (!arrive(following, lanes, edges, lane,
                partner_of(replay, others, replay->graph->edges[edges[lane]].to)))
      return false;
  }
  return true;
}

/* ---- scopes ---- */

static struct group_instance *instance_at(const struct group_replay *replay, uint64_t number)
{
  for (size_t i = replay->instance_count; i > 0; i--) {
    if (replay->instances[i - 1].number == number)
      return &replay->instances[i - 1];
  }
  return NULL;
}

static const struct wb_warp_scope *scope_at(const struct wb_warp_graph *graph, uint32_t opener)
{
  for (size_t s = 0; s < graph->scope_count; s++) {
    if (graph->scopes[s].open == opener)
      return &graph->scopes[s];
  }
  return NULL;
}

static bool lists(const struct wb_warp_graph *graph, size_t first, size_t count,
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
static bool note_scope(const struct following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const uint32_t point = replay->graph->function->targets[following->what->first_target];
  const struct wb_warp_scope *scope = scope_at(replay->graph, step->instruction);
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
    if ((step->doing & bit(lane)) == 0)
      continue;
    made->makers[lane] = part_of(replay, lane)->block;
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
static bool check_leaving(const struct following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  const bool breaks = following->what->transfer == WB_TRANSFER_SCOPE_BREAK;
  for (size_t i = 0; i < replay->instance_count; i++) {
    const struct group_instance *instance = &replay->instances[i];
    const uint32_t gone = instance->participants & ~participants_now(step, instance->number);
    const struct wb_warp_scope *scope = scope_at(replay->graph, instance->opener);
    if ((gone & step->doing) == 0)
      continue;
    if (breaks && !lists(replay->graph, scope->first_break, scope->break_count, step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
    if (!breaks && !lists(replay->graph, scope->first_sync, scope->sync_count, step->instruction))
      return group_replay_refute(replay, step->instruction, "the scope of L%u lacks it",
                                 instance->opener);
  }
  return true;
}

static void update_instances(const struct following *following)
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
static uint32_t release_edge(const struct following *following, uint32_t lane,
                             const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  const struct wb_warp_block *from = block_of(replay, lane);
  const uint32_t next = result->group.instruction;
  const struct group_instance *instance =
      result->scope != 0 ? instance_at(replay, result->scope) : NULL;
  const uint32_t context =
      instance != NULL ? replay->graph->blocks[instance->makers[lane]].context : from->context;
  const uint32_t edge =
      find_edge(replay, part_of(replay, lane)->block,
                next == from->last + 1 ? WB_EDGE_FALLTHROUGH : WB_EDGE_BRANCH, next, context);
  if (edge == NOWHERE)
    group_replay_refute(replay, from->last, "context %u has no edge to L%u in context %u",
                        from->context, next, context);
  else if (!wakes(replay, edge, instance != NULL ? WB_TOKEN_SCOPE : WB_TOKEN_WARP, next, context))
    group_replay_refute(replay, from->last, "its edge to L%u wakes something else", next);
  if (instance != NULL) {
    const struct wb_warp_scope *scope = scope_at(replay->graph, instance->opener);
    if (!lists(replay->graph, scope->first_sync, scope->sync_count, from->last))
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
static bool follow_released(const struct following *following, const struct wb_group_result *result)
{
  struct group_replay *replay = following->replay;
  uint32_t left = result->group.lanes;
  uint32_t edges[WB_LANE_LIMIT];
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT && !replay->failed; lane++) {
    if ((left & bit(lane)) != 0)
      edges[lane] = release_edge(following, lane, result);
  }
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT && !replay->failed; lane++) {
    if ((left & bit(lane)) == 0)
      continue;
    uint32_t lanes = 0;
    uint32_t first = NOWHERE;
    for (uint32_t other = lane; other < WB_LANE_LIMIT; other++) {
      if ((left & bit(other)) == 0 || !is_one_release(replay, edges[lane], edges[other]))
        continue;
      lanes |= bit(other);
      if (first == NOWHERE && can_take(replay, part_of(replay, other), edges[other]))
        first = other;
    }
    left &= ~lanes;
    arrive(following, lanes, edges, first == NOWHERE ? lane : first, NOWHERE);
  }
  return !replay->failed;
}

/* ---- what is said of blocks and branches ---- */

/* What the lists of branches say of the instruction. */
static bool check_condition(const struct following *following)
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
    if ((step->active & bit(lane)) == 0)
      continue;
    const uint32_t lanes = lanes_of_part(replay, lane, step->active);
    const uint32_t doing = lanes & step->doing;
    if (replay->uniform[at] && doing != 0 && doing != lanes)
      return group_replay_refute(replay, at, "a branch called uniform splits %08x to %08x", lanes,
                                 doing);
  }
  return true;
}

/* Lanes of an indexed branch that is called uniform go to one place. */
static bool check_index(const struct following *following)
{
  struct group_replay *replay = following->replay;
  const struct wb_group_step *step = following->step;
  if (following->what->transfer != WB_TRANSFER_INDEXED_BRANCH ||
      !replay->uniform[step->instruction])
    return true;
  return step->result_count <= 1 ||
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
  while (visit != NOWHERE && replay->visits[visit].instance != instance)
    visit = replay->visits[visit].next;
  if (visit == NOWHERE) {
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

static bool check_parts(const struct following *following)
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

/* ---- a step ---- */

static bool check_blocks(const struct following *following)
{
  struct group_replay *replay = following->replay;
  const uint32_t at = following->step->instruction;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((following->step->active & bit(lane)) != 0 &&
        (at < block_of(replay, lane)->first || at > block_of(replay, lane)->last))
      return group_replay_refute(replay, at, "the block is another one");
  }
  return true;
}

static bool check_ends(const struct following *following)
{
  struct group_replay *replay = following->replay;
  const uint32_t at = following->step->instruction;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((following->step->active & ~following->handled & bit(lane)) != 0 &&
        (at != block_of(replay, lane)->last || !replay->graph->ends[part_of(replay, lane)->block]))
      return group_replay_refute(replay, at, "lanes end here, but not in the graph");
  }
  return true;
}

static bool follow_results(struct following *following)
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
  struct following following = {.replay = replay,
                                .step = step,
                                .what = &replay->graph->function->instructions[step->instruction],
                                .first_new = replay->part_count};
  const uint8_t transfer = following.what->transfer;
  replay->steps++;
  replay->split_count += step->split;
  if (!check_blocks(&following) || !check_condition(&following) || !check_index(&following))
    return false;
  if (transfer == WB_TRANSFER_SCOPE_OPEN && step->scope != 0 && !note_scope(&following))
    return false;
  if (transfer == WB_TRANSFER_SCOPE_BREAK || (transfer == WB_TRANSFER_SCOPE_SYNC && replay->never))
    if (!check_leaving(&following))
      return false;
  if (!follow_results(&following) || !check_ends(&following))
    return false;
  update_instances(&following);
  return check_parts(&following);
}
