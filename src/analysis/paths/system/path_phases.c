#include "analysis/paths/system/path_phases.h"

#include "analysis/paths/system/path_composites.h"
#include "base/arena.h"
#include "base/buckets.h"
#include "base/memory.h"
#include "cfg/warp_graph/whole_warp.h"

#include <stdlib.h>
#include <string.h>

/* The context of the search. All borrowed. */
struct job {
  const struct wb_wcet *wcet;
  struct wb_path_system *system;
  bool walk; /* one group of lanes runs at a time */
  warpbound_error *error;
};

/* ---- phases ---- */

/* Whether a limit alone forbids the edges that it counts. */
static bool closes(const struct wb_flow_system *flow, const struct wb_flow_limit *limit)
{
  for (size_t t = 0; t < limit->term_count; t++) {
    if (flow->terms[limit->first_term + t].factor < 0)
      return false;
  }
  return limit->constant <= 0;
}

#define NOT_MET UINT32_MAX

static bool phase_walk_make(struct wb_path_edges *walk)
{
  walk->queue = wb_arena_array(&walk->arena, uint32_t, walk->flow->node_count);
  walk->closed = wb_arena_array(&walk->arena, bool, walk->flow->edge_count);
  if (walk->arena.failed)
    return false;
  /* The edges that no path takes: those of a loop that is never done again, or of code that a fact
   * says never to run. */
  const struct wb_flow_system *flow = walk->flow;
  bool *closed = walk->closed;
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_term *terms = flow->terms + flow->limits[l].first_term;
    const bool all = closes(flow, &flow->limits[l]);
    for (size_t t = 0; t < flow->limits[l].term_count && all; t++)
      closed[terms[t].edge] |= terms[t].factor > 0;
  }
  return wb_buckets_make(&walk->arena, flow->from, flow->edge_count, flow->node_count,
                         &walk->leaving);
}

/* Whether an execution, or where lanes run in several groups a lane of it, can end after a node. */
static bool may_end(const struct job *job, uint32_t node)
{
  const struct wb_path_system *system = job->system;
  const struct wb_warp_graph *graph = job->wcet->graph;
  const uint32_t block = system->block[node];
  if (job->walk)
    return system->flow.ends[node];
  return block != UINT32_MAX && graph->ends[block] &&
         system->last[node] == graph->blocks[block].last;
}

/* Whether the warp as a whole passes each barrier: all of its lanes that have not ended, at once.
 * Each lane has then passed as many barriers as the warp. */
static bool are_barriers_whole(const struct job *job)
{
  const struct wb_path_system *system = job->system;
  for (uint32_t v = 0; v < system->flow.node_count; v++) {
    if (wb_path_node_ends_with_barrier(system, v) &&
        !wb_block_is_whole(job->wcet->graph, system->block[v]))
      return false;
  }
  return true;
}

/* Numbers the phases; false where two walks to a node, or to two ends, pass different numbers of
 * barriers. The walks are those of the warp; where lanes run in several groups, those of each lane:
 * every edge is one that a lane goes. */
static bool number_phases(const struct job *job, struct wb_path_edges *walk)
{
  struct wb_path_system *system = job->system;
  size_t head = 0;
  size_t tail = 0;
  uint32_t whole = NOT_MET;
  for (size_t v = 0; v < walk->flow->node_count; v++)
    system->phase[v] = NOT_MET;
  system->phase[walk->flow->starts[0].node] = 0;
  walk->queue[tail++] = walk->flow->starts[0].node;
  while (head < tail) {
    const uint32_t node = walk->queue[head++];
    const uint32_t after = system->phase[node] + wb_path_node_ends_with_barrier(system, node);
    const bool ends = may_end(job, node);
    if (ends && whole != NOT_MET && whole != after)
      return false;
    if (ends)
      whole = after;
    for (size_t i = walk->leaving.first[node]; i < walk->leaving.first[node + 1]; i++) {
      const uint32_t next = walk->flow->to[walk->leaving.item[i]];
      if (walk->closed[walk->leaving.item[i]])
        continue;
      if (system->phase[next] != NOT_MET && system->phase[next] != after)
        return false;
      if (system->phase[next] == NOT_MET)
        walk->queue[tail++] = next;
      system->phase[next] = after;
    }
  }
  system->phases = whole != NOT_MET ? whole + 1 : 1;
  return whole != NOT_MET;
}

/* Whether two barriers have the same number: a register may hold any. */
static bool same_number(const struct job *job, const struct wb_instruction *one,
                        const struct wb_instruction *other)
{
  const struct wb_function *function = job->wcet->function;
  if (one->operand_count == 0 || other->operand_count == 0)
    return false;
  const struct wb_operand *a = wb_operand_of(function, one, 0);
  const struct wb_operand *b = wb_operand_of(function, other, 0);
  return a->kind == WB_OPERAND_NUMBER && b->kind == WB_OPERAND_NUMBER && a->value == b->value;
}

/* Whether no barrier is guarded, and all k-th ones have one number. */
static warpbound_status agree_on_barriers(const struct job *job, bool *agree)
{
  const struct wb_path_system *system = job->system;
  const struct wb_instruction **of = wb_allocate(system->phases, sizeof(void *));
  if (of == NULL)
    return wb_out_of_memory(job->error);
  *agree = true;
  for (uint32_t v = 0; v < system->flow.node_count; v++) {
    const uint32_t phase = system->phase[v];
    if (phase == NOT_MET || phase >= system->phases || !wb_path_node_ends_with_barrier(system, v))
      continue;
    const struct wb_instruction *barrier = &job->wcet->function->instructions[system->last[v]];
    if (of[phase] == NULL)
      of[phase] = barrier;
    *agree &= !wb_instruction_conditional(barrier) && same_number(job, of[phase], barrier);
  }
  free(of);
  return WARPBOUND_OK;
}

warpbound_status wb_path_phases_find(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error)
{
  struct job phases = {.wcet = wcet,
                       .system = system,
                       .walk = wb_flow_system_is_walk(&system->flow),
                       .error = error};
  struct job *job = &phases;
  struct wb_path_edges walk = {.flow = &system->flow};
  if (!job->walk && (!system->used[WB_UNIT_BARRIER] || !are_barriers_whole(job))) {
    /* Several groups of a warp come to a barrier, in any order: no phases are told apart. */
    system->phases = 1;
    system->phased = !system->used[WB_UNIT_BARRIER];
    return WARPBOUND_OK;
  }
  bool numbered = false;
  warpbound_status status = phase_walk_make(&walk) ? WARPBOUND_OK : wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK)
    numbered = number_phases(job, &walk);
  if (status == WARPBOUND_OK && numbered)
    status = agree_on_barriers(job, &system->sure);
  system->phased = numbered && system->phases <= WB_PHASE_LIMIT;
  for (size_t v = 0; v < system->flow.node_count; v++) {
    if (!system->phased || system->phase[v] == NOT_MET)
      system->phase[v] = 0;
  }
  system->phases = system->phased ? system->phases : 1;
  if (status == WARPBOUND_OK && !numbered && system->used[WB_UNIT_BARRIER])
    status = wb_path_composites_find(wcet, system, &walk, error);
  wb_arena_free(&walk.arena);
  return status;
}
