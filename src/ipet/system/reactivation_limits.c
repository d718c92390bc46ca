#include "ipet/system/reactivation_limits.h"

#include "base/arena.h"
#include "ipet/system/loop_edges.h"
#include "ipet/system/system_builder.h"

#include <string.h>

/* The arrays live in the builder's arena. */
struct limiter {
  struct wb_system_builder *builder;
  struct wb_entry_groups groups;
  uint32_t *popper; /* by edge: the group whose entries it pops, or UINT32_MAX */
};

/* How often an indexed branch is repeated at most for each arrival: the lanes that arrive go to its
 * targets one side after the other. 0 for other pushes. */
static int64_t repetitions(const struct limiter *limiter, const struct wb_warp_push *push)
{
  const struct wb_warp_block *block = &limiter->builder->graph->blocks[push->block];
  uint32_t targets = limiter->builder->graph->function->instructions[block->last].target_count;
  uint32_t sides = targets < WB_IPET_LANES ? targets : WB_IPET_LANES;
  return wb_ipet_push_repeats(limiter->builder->graph, push) && sides > 1 ? sides - 1 : 0;
}

/* factor * (arrivals at the block of the push). An edge that pops the group of its entry is none
 * here: it reactivates lanes that repeat the branch, or others; limit_group counts them. */
static bool add_arrivals(struct limiter *limiter, const struct wb_warp_push *push, int64_t factor)
{
  uint32_t group = wb_entry_group_of(&limiter->groups, push->entry);
  for (size_t i = limiter->builder->reaching.first[push->block];
       i < limiter->builder->reaching.first[push->block + 1]; i++) {
    uint32_t edge = limiter->builder->reaching.item[i];
    if (limiter->popper[edge] != group && !wb_flow_term_add(limiter->builder->system, edge, factor))
      return false;
  }
  return push->block != limiter->builder->graph->entry_block ||
         wb_system_add_constant(limiter->builder, factor);
}

/* factor * (how often the push happens). A branch or call pushes because of divergence only where
 * lanes do it, and then the block is left by another edge than to the next instruction; what
 * pushes a token goes on there itself. */
static bool add_push(struct limiter *limiter, const struct wb_warp_push *push, int64_t factor)
{
  uint32_t last = limiter->builder->graph->blocks[push->block].last;
  if (!push->divergent ||
      limiter->builder->graph->function->instructions[last].transfer == WB_TRANSFER_PUSH)
    return wb_system_add_runs(limiter->builder, push->block, factor);
  for (size_t i = limiter->builder->leaving.first[push->block];
       i < limiter->builder->leaving.first[push->block + 1]; i++) {
    uint32_t edge = limiter->builder->leaving.item[i];
    if (limiter->builder->graph->edges[edge].kind != WB_EDGE_FALLTHROUGH &&
        !wb_flow_term_add(limiter->builder->system, edge, factor))
      return false;
  }
  return true;
}

/* Each push is popped at most once: a pop takes the entry from the stack. The entries of a group
 * go on at one place; where that is an indexed branch, lanes that are reactivated there may repeat
 * it as those that arrive otherwise do. */
static warpbound_status limit_group(struct limiter *limiter, uint32_t group)
{
  const struct wb_entry_groups *groups = &limiter->groups;
  wb_flow_limit_add(limiter->builder->system, 0, WB_IPET_ORIGIN_ENTRY + group);
  uint32_t last = UINT32_MAX;
  for (uint32_t p = groups->first_pop[group]; p != UINT32_MAX; p = groups->next_pop[p]) {
    if (limiter->builder->graph->pops[p].edge != last &&
        !wb_flow_term_add(limiter->builder->system, limiter->builder->graph->pops[p].edge, 1))
      return wb_system_too_large(limiter->builder);
    last = limiter->builder->graph->pops[p].edge;
  }
  int64_t anew = 0;
  for (uint32_t p = groups->first_push[group]; p != UINT32_MAX; p = groups->next_push[p])
    anew += repetitions(limiter, &limiter->builder->graph->pushes[p]);
  for (uint32_t p = groups->first_push[group]; p != UINT32_MAX; p = groups->next_push[p]) {
    const struct wb_warp_push *push = &limiter->builder->graph->pushes[p];
    if (!(wb_ipet_push_repeats(limiter->builder->graph, push)
              ? add_arrivals(limiter, push, -repetitions(limiter, push))
              : add_push(limiter, push, -1 - anew)))
      return wb_system_too_large(limiter->builder);
  }
  return WARPBOUND_OK;
}

static warpbound_status limit_groups(struct limiter *limiter)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  for (size_t e = 0; e < graph->edge_count; e++)
    limiter->popper[e] = UINT32_MAX;
  for (size_t p = 0; p < graph->pop_count; p++)
    limiter->popper[graph->pops[p].edge] =
        wb_entry_group_of(&limiter->groups, graph->pops[p].entry);
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t n = 0; n < graph->entry_count && status == WARPBOUND_OK; n++) {
    if (limiter->groups.group[n] == n && limiter->groups.first_pop[n] != UINT32_MAX)
      status = limit_group(limiter, n);
  }
  return status;
}

/* Marks the groups of entries that the indexed branch of a block pushes, without those in which
 * lanes wait to repeat another branch. Returns their number. */
static size_t mark_sides(const struct limiter *limiter, uint32_t block, bool *sides)
{
  size_t count = 0;
  for (size_t p = 0; p < limiter->builder->graph->push_count; p++) {
    const struct wb_warp_push *push = &limiter->builder->graph->pushes[p];
    sides[wb_entry_group_of(&limiter->groups, push->entry)] |=
        push->block == block && push->divergent;
  }
  for (size_t p = 0; p < limiter->builder->graph->push_count; p++) {
    const struct wb_warp_push *push = &limiter->builder->graph->pushes[p];
    if (push->block != block && wb_ipet_push_repeats(limiter->builder->graph, push))
      sides[wb_entry_group_of(&limiter->groups, push->entry)] = false;
  }
  for (size_t n = 0; n < limiter->builder->graph->entry_count; n++)
    count += sides[n];
  return count;
}

/* Limits what an indexed branch leaves waiting. The lanes that arrive there go to its targets one
 * side after the other: some of them are left waiting, to repeat the branch or at a target, at most
 * once less than it has targets. Lanes that other blocks leave waiting in the same entries are
 * added; where those wait at the branch itself, with all of its sides. again: the push of the lanes
 * that repeat the branch. */
static warpbound_status limit_sides(struct limiter *limiter, const struct wb_warp_push *again,
                                    bool *sides)
{
  const int64_t anew = repetitions(limiter, again);
  const struct wb_instruction *branch =
      &limiter->builder->graph->function
           ->instructions[limiter->builder->graph->blocks[again->block].last];
  const bool tested = branch->guard != WB_NO_REGISTER || branch->conditional_code ||
                      branch->second_predicate; /* it then leaves those waiting that pass it by */
  memset(sides, 0, limiter->builder->graph->entry_count * sizeof *sides);
  if (tested || mark_sides(limiter, again->block, sides) < 2)
    return WARPBOUND_OK;
  wb_flow_limit_add(limiter->builder->system, 0, WB_IPET_ORIGIN_SIDES + again->block);
  bool fits = add_arrivals(limiter, again, -anew);
  for (uint32_t e = 0; e < limiter->builder->graph->edge_count && fits; e++) {
    if (limiter->popper[e] != UINT32_MAX && sides[limiter->popper[e]])
      fits = wb_flow_term_add(limiter->builder->system, e, 1);
  }
  for (size_t p = 0; p < limiter->builder->graph->push_count && fits; p++) {
    const struct wb_warp_push *push = &limiter->builder->graph->pushes[p];
    const uint32_t group = wb_entry_group_of(&limiter->groups, push->entry);
    if (push->block != again->block && sides[group])
      fits = add_push(limiter, push,
                      group == wb_entry_group_of(&limiter->groups, again->entry) ? -1 - anew : -1);
  }
  return fits ? WARPBOUND_OK : wb_system_too_large(limiter->builder);
}

/* Whether the push is the first one by which its block's lanes repeat its branch: a branch that has
 * itself as a target has two. */
static bool is_first_repeat(const struct wb_warp_graph *graph, size_t push)
{
  if (!wb_ipet_push_repeats(graph, &graph->pushes[push]))
    return false;
  for (size_t p = 0; p < push; p++) {
    if (graph->pushes[p].block == graph->pushes[push].block &&
        wb_ipet_push_repeats(graph, &graph->pushes[p]))
      return false;
  }
  return true;
}

static warpbound_status limit_indexed_branches(struct limiter *limiter)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  bool *sides = wb_arena_array(&limiter->builder->arena, bool, graph->entry_count);
  warpbound_status status =
      sides != NULL ? WARPBOUND_OK : wb_out_of_memory(limiter->builder->error);
  for (size_t p = 0; p < graph->push_count && status == WARPBOUND_OK; p++) {
    if (is_first_repeat(graph, p))
      status = limit_sides(limiter, &graph->pushes[p], sides);
  }
  return status;
}

/* Limits the executions of a block by those of lanes. Each execution is one of at least one lane
 * (of an indexed branch: of a lane that does not repeat it). A lane executes the block at most once
 * for each time that it reaches a header of the innermost loop around it, and the warp reaches the
 * header at least 1/32 of those times; outside of loops a lane executes it at most once. Without
 * these limits, lanes that wait outside of loops could multiply at each divergence. */
static warpbound_status limit_lanes(struct limiter *limiter, uint32_t block)
{
  uint32_t loop = limiter->builder->input->forest->innermost[block];
  wb_flow_limit_add(limiter->builder->system, loop == UINT32_MAX ? WB_IPET_LANES : 0,
                    WB_IPET_ORIGIN_LANES + block);
  if (!wb_system_add_runs(limiter->builder, block, 1))
    return wb_system_too_large(limiter->builder);
  if (loop == UINT32_MAX)
    return WARPBOUND_OK;
  warpbound_status status = wb_system_add_arrivals(limiter->builder, loop, -WB_IPET_LANES);
  return status == WARPBOUND_OK ? wb_system_subtract_entries(limiter->builder, loop, WB_IPET_LANES)
                                : status;
}

/* Limits the blocks where reactivated lanes go on: only these can be executed more often than the
 * edges of threads lead there. */
static warpbound_status limit_reactivated_blocks(struct limiter *limiter)
{
  const struct wb_warp_graph *graph = limiter->builder->graph;
  bool *reactivated = wb_arena_array(&limiter->builder->arena, bool, graph->block_count);
  warpbound_status status =
      reactivated != NULL ? WARPBOUND_OK : wb_out_of_memory(limiter->builder->error);
  for (size_t e = 0; status == WARPBOUND_OK && e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || reactivated[edge->to])
      continue;
    reactivated[edge->to] = true;
    status = limit_lanes(limiter, edge->to);
  }
  return status;
}

warpbound_status wb_system_limit_reactivations(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct limiter limiter = {.builder = builder,
                            .popper = wb_arena_array(&builder->arena, uint32_t, graph->edge_count)};
  if (!wb_entry_groups_make(&builder->arena, graph, &limiter.groups))
    return wb_out_of_memory(builder->error);
  warpbound_status status = limit_groups(&limiter);
  if (status == WARPBOUND_OK)
    status = limit_indexed_branches(&limiter);
  return status == WARPBOUND_OK ? limit_reactivated_blocks(&limiter) : status;
}
