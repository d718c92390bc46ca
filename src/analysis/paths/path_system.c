#include "analysis/paths/path_system.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/barriers/barrier_visits.h"
#include "ipet/system/ipet_system.h"
#include "isa/opcode.h"

#include <stdlib.h>
#include <string.h>

bool wb_path_system_doubts_barriers(const struct wb_path_system *system)
{
  return (system->used[WB_UNIT_BARRIER] && !system->sure) || system->partial != NULL;
}

bool wb_path_node_ends_with_barrier(const struct wb_path_system *system, uint32_t node)
{
  return system->count[node][WB_UNIT_BARRIER] > 0;
}

bool wb_path_system_is_composite(const struct wb_path_system *system)
{
  return !system->phased && system->composed != NULL;
}

void wb_path_system_free(struct wb_path_system *system)
{
  wb_flow_system_free(&system->flow);
  wb_arena_free(&system->arena);
  *system = (struct wb_path_system){0};
}

struct maker {
  const struct wb_wcet *wcet;
  struct wb_path_system *system;
  uint32_t *new_port;      /* by port of the WCET's system */
  uint32_t *first_segment; /* by node of the WCET's system: blocks, then those of lanes; one more at
                              the end */
};

/* ---- nodes ---- */

/* Fills the nodes; each begins at a block's start or after a barrier. */
static void fill_nodes(struct maker *maker)
{
  const struct wb_warp_graph *graph = maker->wcet->graph;
  struct wb_path_system *system = maker->system;
  uint32_t node = 0;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    maker->first_segment[b] = node;
    uint32_t first = graph->blocks[b].first;
    for (uint32_t i = first; i <= graph->blocks[b].last; i++) {
      const struct wb_instruction *instruction = &maker->wcet->function->instructions[i];
      const enum wb_unit unit = wb_instruction_unit(instruction);
      /* A barrier that is not one of all warps of the block. */
      if (wb_instruction_is(instruction, WB_TRAIT_BLOCK_BARRIER) && !instruction->never &&
          instruction->unit != WB_UNIT_BARRIER && system->partial == NULL)
        system->partial = instruction;
      system->used[unit] = true;
      system->count[node][unit]++;
      if (unit != WB_UNIT_BARRIER && i < graph->blocks[b].last)
        continue;
      system->first[node] = first;
      system->last[node] = i;
      system->block[node++] = b;
      first = i + 1;
    }
  }
  for (size_t v = graph->block_count; v < maker->wcet->system.node_count; v++) {
    maker->first_segment[v] = node;
    system->first[node] = 1;
    system->last[node] = 0;
    system->block[node++] = UINT32_MAX;
  }
  maker->first_segment[maker->wcet->system.node_count] = node;
}

/* ---- edges and limits ---- */

/* Ports of a node are those of its last segment; each other segment is always left to the next one.
 */
static void fill_edges(struct maker *maker)
{
  const struct wb_flow_system *source = &maker->wcet->system;
  struct wb_flow_system *flow = &maker->system->flow;
  uint32_t port = 0;
  size_t source_port = 0;
  size_t edge = source->edge_count;
  for (uint32_t v = 0; v < source->node_count; v++) {
    uint32_t segment = maker->first_segment[v];
    for (; segment + 1 < maker->first_segment[v + 1]; segment++) {
      flow->from[edge] = segment;
      flow->to[edge] = segment + 1;
      flow->port[edge++] = port;
      flow->port_node[port++] = segment;
    }
    for (; source_port < source->port_count && source->port_node[source_port] == v; source_port++) {
      maker->new_port[source_port] = port;
      flow->ends[port] = source->ends[source_port];
      flow->port_node[port++] = segment;
    }
  }
  for (size_t e = 0; e < source->edge_count; e++) {
    flow->from[e] = maker->first_segment[source->from[e] + 1] - 1;
    flow->to[e] = maker->first_segment[source->to[e]];
    flow->port[e] =
        source->port[e] != WB_FLOW_NO_PORT ? maker->new_port[source->port[e]] : WB_FLOW_NO_PORT;
  }
  flow->start_count = source->start_count;
  for (size_t s = 0; s < source->start_count; s++)
    flow->starts[s] = (struct wb_flow_start){maker->first_segment[source->starts[s].node],
                                             source->starts[s].runs};
}

/* ---- phases between barriers, and which limits hold of paths that are composed of several warps'
 * between barriers (doc/all-paths.md, "Barriers"; doc/group-flow.md, "Barriers") ---- */

/* Most steps for finding out which limits hold of composite paths. */
#define COMPOSITE_STEPS UINT64_C(50000000)

/* The search for phases. The arena owns the arrays. */
struct search {
  const struct wb_wcet *wcet;
  struct wb_path_system *system;
  const struct wb_flow_system *flow; /* of the system */
  bool walk;                         /* one group of lanes runs at a time */
  struct wb_arena arena;
  struct wb_buckets leaving; /* edges by the node that they leave */
  bool *closed;              /* by edge: no path takes it */
  uint32_t *queue;           /* scratch: room for all nodes */
  /* The sums of a limit over the walks between two barriers. */
  int64_t *factor;   /* by edge: of the limit under way */
  int64_t *sum;      /* by node: of the way to it from a barrier */
  bool *met;         /* by node */
  bool *meets_again; /* by node: a barrier can be reached from it */
};

/* From which nodes a barrier can still be reached: passes until one changes nothing. False where
 * steps run out. */
static bool mark_meets_again(struct search *search, uint64_t *steps)
{
  const struct wb_flow_system *flow = search->flow;
  bool changed = true;
  for (uint32_t v = 0; v < flow->node_count; v++)
    search->meets_again[v] = wb_path_node_ends_with_barrier(search->system, v);
  while (changed && *steps <= COMPOSITE_STEPS) {
    changed = false;
    *steps += flow->edge_count;
    for (size_t e = flow->edge_count; e-- > 0;) {
      if (search->closed[e] || !search->meets_again[flow->to[e]] ||
          search->meets_again[flow->from[e]])
        continue;
      search->meets_again[flow->from[e]] = true;
      changed = true;
    }
  }
  return !changed;
}

/* Whether all walks from a node (after its barrier if it has one) to a next barrier have the same
 * sum of the limit, for each barrier that may be the next. Nodes that lead to no barrier do not
 * count. */
static bool is_fixed_from(struct search *search, uint32_t source)
{
  const struct wb_flow_system *flow = search->flow;
  const struct wb_buckets *leaving = &search->leaving;
  size_t tail = 0;
  bool first = true;
  bool fixed = true;
  memset(search->met, 0, flow->node_count * sizeof *search->met);
  /* The source is expanded once, and is met only where a way comes back to it. */
  for (size_t head = 0; (first || head < tail) && fixed; first = false) {
    const uint32_t node = first ? source : search->queue[head++];
    const int64_t so_far = first ? 0 : search->sum[node];
    if (!first && wb_path_node_ends_with_barrier(search->system, node))
      continue;
    for (size_t i = leaving->first[node]; i < leaving->first[node + 1]; i++) {
      const uint32_t edge = leaving->item[i];
      const uint32_t next = flow->to[edge];
      int64_t sum;
      if (search->closed[edge] || !search->meets_again[next])
        continue;
      if (!wb_add_signed(so_far, search->factor[edge], &sum))
        return false;
      fixed &= !search->met[next] || search->sum[next] == sum;
      if (!search->met[next])
        search->queue[tail++] = next;
      search->met[next] = true;
      search->sum[next] = sum;
    }
  }
  return fixed;
}

/* Whether what a path sums up of a limit before its last barrier is settled by which barriers it
 * passes. */
static bool is_fixed(struct search *search, const struct wb_flow_limit *limit)
{
  const struct wb_flow_system *flow = search->flow;
  const struct wb_flow_term *terms = flow->terms + limit->first_term;
  for (size_t t = 0; t < limit->term_count; t++)
    search->factor[terms[t].edge] = terms[t].factor;
  bool fixed = is_fixed_from(search, flow->starts[0].node);
  for (uint32_t v = 0; v < flow->node_count && fixed; v++)
    fixed = !wb_path_node_ends_with_barrier(search->system, v) || is_fixed_from(search, v);
  for (size_t t = 0; t < limit->term_count; t++)
    search->factor[terms[t].edge] = 0;
  return fixed;
}

/* Whether a node is of a block of the loop; one of lanes is of none. */
static bool is_inside(const struct wb_path_system *system, const bool *inside, uint32_t node)
{
  return system->block[node] != UINT32_MAX && inside[system->block[node]];
}

/* Whether a limit is the bound of a loop that has no barrier, and is entered from outside by the
 * edges alone that the limit counts as entries: each visit is then over before the next barrier,
 * and the bound holds of each. */
static bool is_local_loop(struct search *search, const struct wb_flow_limit *limit, bool *entry,
                          bool *inside)
{
  const struct wb_loop_forest *forest = &search->wcet->forest;
  const struct wb_path_system *system = search->system;
  const struct wb_flow_system *flow = &system->flow;
  if (limit->origin >= forest->loop_count || limit->constant != 0)
    return false;
  const struct wb_loop *loop = &forest->loops[limit->origin];
  bool local = true;
  memset(entry, 0, flow->edge_count * sizeof *entry);
  memset(inside, 0, search->wcet->graph->block_count * sizeof *inside);
  for (size_t i = 0; i < loop->node_count; i++)
    inside[forest->nodes[loop->first_node + i]] = true;
  for (size_t t = 0; t < limit->term_count; t++) {
    const struct wb_flow_term *term = &flow->terms[limit->first_term + t];
    entry[term->edge] = term->factor < 0;
    local &= term->factor <= 0 || is_inside(system, inside, flow->from[term->edge]);
  }
  for (size_t e = 0; e < flow->edge_count; e++)
    local &= entry[e] || !is_inside(system, inside, flow->to[e]) ||
             is_inside(system, inside, flow->from[e]);
  for (uint32_t v = 0; v < flow->node_count; v++)
    local &= !is_inside(system, inside, v) ||
             (!wb_path_node_ends_with_barrier(system, v) && v != flow->starts[0].node);
  return local;
}

/* Whether a limit is that of a scope, releases by the times that it is made, and each release is of
 * one made since the last barrier: no walk leads from a barrier, or from a release, to a release
 * without an edge to a block that makes it. (Two scopes of one entry at a time, of which the second
 * release could be of an older one, are a way from release to release.) */
static bool is_local_scope(struct search *search, const struct wb_flow_limit *limit)
{
  const struct wb_flow_system *flow = search->flow;
  const struct wb_flow_term *terms = flow->terms + limit->first_term;
  const struct wb_buckets *leaving = &search->leaving;
  bool local = limit->constant == 0;
  size_t tail = 0;
  memset(search->met, 0, flow->node_count * sizeof *search->met);
  for (size_t t = 0; t < limit->term_count; t++) {
    search->factor[terms[t].edge] = terms[t].factor;
    if (terms[t].factor > 0 && !search->met[flow->to[terms[t].edge]]) {
      search->met[flow->to[terms[t].edge]] = true;
      search->queue[tail++] = flow->to[terms[t].edge];
    }
  }
  for (uint32_t v = 0; v < flow->node_count; v++) {
    if (wb_path_node_ends_with_barrier(search->system, v) && !search->met[v]) {
      search->met[v] = true;
      search->queue[tail++] = v;
    }
  }
  for (size_t head = 0; head < tail && local; head++) {
    const uint32_t node = search->queue[head];
    for (size_t i = leaving->first[node]; i < leaving->first[node + 1]; i++) {
      const uint32_t edge = leaving->item[i];
      local &= search->factor[edge] <= 0;
      if (search->closed[edge] || search->factor[edge] != 0 || search->met[flow->to[edge]])
        continue;
      search->met[flow->to[edge]] = true;
      search->queue[tail++] = flow->to[edge];
    }
  }
  for (size_t t = 0; t < limit->term_count; t++)
    search->factor[terms[t].edge] = 0;
  return local;
}

/* Whether each edge that a limit counts joins two blocks that the warp runs as a whole: each of its
 * lanes that lives at the next barrier then takes the edge exactly when the warp does. */
static bool is_of_whole_warp(struct search *search, const struct wb_flow_limit *limit)
{
  const struct wb_path_system *system = search->system;
  const struct wb_flow_term *terms = system->flow.terms + limit->first_term;
  bool whole = true;
  for (size_t t = 0; t < limit->term_count && whole; t++) {
    const uint32_t from = system->block[system->flow.from[terms[t].edge]];
    const uint32_t to = system->block[system->flow.to[terms[t].edge]];
    whole = from != UINT32_MAX && to != UINT32_MAX &&
            wb_block_is_whole(search->wcet->graph, from) &&
            wb_block_is_whole(search->wcet->graph, to);
  }
  return whole;
}

/* Fills composed and local, if that takes few steps; all barriers are of the whole warp. */
static warpbound_status find_composites(struct search *search, warpbound_error *error)
{
  struct wb_path_system *system = search->system;
  const struct wb_flow_system *flow = &system->flow;
  uint64_t steps = 0;
  uint64_t sources = 1;
  for (uint32_t v = 0; v < flow->node_count; v++)
    sources += wb_path_node_ends_with_barrier(system, v);
  const uint64_t each = sources * (flow->edge_count + flow->node_count);
  if (each > COMPOSITE_STEPS / (flow->limit_count + 1))
    return WARPBOUND_OK;
  struct wb_arena *arena = &search->arena;
  bool *entry = wb_arena_array(arena, bool, flow->edge_count);
  bool *inside = wb_arena_array(arena, bool, search->wcet->graph->block_count);
  search->factor = wb_arena_array(arena, int64_t, flow->edge_count);
  search->sum = wb_arena_array(arena, int64_t, flow->node_count);
  search->met = wb_arena_array(arena, bool, flow->node_count);
  search->meets_again = wb_arena_array(arena, bool, flow->node_count);
  system->local = wb_arena_array(&system->arena, bool, flow->limit_count);
  system->composed = wb_arena_array(&system->arena, bool, flow->limit_count);
  const bool made = !arena->failed && !system->arena.failed;
  for (size_t l = 0; l < flow->limit_count && made; l++)
    system->local[l] = is_local_loop(search, &flow->limits[l], entry, inside);
  const bool marked = made && mark_meets_again(search, &steps);
  for (size_t l = 0; l < flow->limit_count && marked; l++) {
    const struct wb_flow_limit *limit = &flow->limits[l];
    if (!search->walk && limit->origin >= WB_IPET_ORIGIN_ENTRY &&
        limit->origin < WB_IPET_ORIGIN_ABOVE)
      system->local[l] = is_local_scope(search, limit);
    system->composed[l] = system->local[l] || ((search->walk || is_of_whole_warp(search, limit)) &&
                                               is_fixed(search, limit));
  }
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- phases ---- */

#define NOT_MET UINT32_MAX

/* Whether an execution, or where lanes run in several groups a lane of it, can end in a node. */
static bool can_end(const struct search *search, uint32_t node)
{
  const struct wb_path_system *system = search->system;
  const struct wb_warp_graph *graph = search->wcet->graph;
  const uint32_t block = system->block[node];
  return search->walk ? system->flow.ends[node]
                      : block != UINT32_MAX && graph->ends[block] &&
                            system->last[node] == graph->blocks[block].last;
}

/* Lists the edges by the node that they leave, and finds those that no path takes: of a loop that
 * is never done again, or of code that a fact says never to run, which a limit forbids alone. */
static warpbound_status find_edges(struct search *search, warpbound_error *error)
{
  const struct wb_flow_system *flow = search->flow;
  search->queue = wb_arena_array(&search->arena, uint32_t, flow->node_count);
  search->closed = wb_arena_array(&search->arena, bool, flow->edge_count);
  if (!wb_buckets_make(&search->arena, flow->from, flow->edge_count, flow->node_count,
                       &search->leaving) ||
      search->arena.failed)
    return wb_out_of_memory(error);
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_limit *limit = &flow->limits[l];
    const struct wb_flow_term *terms = flow->terms + limit->first_term;
    bool closes = limit->constant <= 0;
    for (size_t t = 0; t < limit->term_count; t++)
      closes &= terms[t].factor >= 0;
    for (size_t t = 0; t < limit->term_count && closes; t++)
      search->closed[terms[t].edge] |= terms[t].factor > 0;
  }
  return WARPBOUND_OK;
}

/* Numbers the phases; false where two walks to a node, or unless early_ends to two ends, pass
 * different numbers of barriers. The walks are those of the warp; where lanes run in several
 * groups, those of each lane: every edge is one that a lane goes. */
static bool number_phases(struct search *search, bool early_ends)
{
  struct wb_path_system *system = search->system;
  size_t head = 0;
  size_t tail = 0;
  uint32_t whole = NOT_MET;
  for (size_t v = 0; v < search->flow->node_count; v++)
    system->phase[v] = NOT_MET;
  system->phase[search->flow->starts[0].node] = 0;
  search->queue[tail++] = search->flow->starts[0].node;
  while (head < tail) {
    const uint32_t node = search->queue[head++];
    const uint32_t after = system->phase[node] + wb_path_node_ends_with_barrier(system, node);
    const bool ends = can_end(search, node);
    if (ends && whole != NOT_MET && whole != after && !early_ends)
      return false;
    if (ends && (whole == NOT_MET || after > whole))
      whole = after;
    for (size_t i = search->leaving.first[node]; i < search->leaving.first[node + 1]; i++) {
      const uint32_t next = search->flow->to[search->leaving.item[i]];
      if (search->closed[search->leaving.item[i]])
        continue;
      if (system->phase[next] != NOT_MET && system->phase[next] != after)
        return false;
      if (system->phase[next] == NOT_MET)
        search->queue[tail++] = next;
      system->phase[next] = after;
    }
  }
  system->phases = whole != NOT_MET ? whole + 1 : 1;
  return whole != NOT_MET;
}

/* Whether no barrier is guarded, and all k-th ones have one number, and all or none a count: a
 * register may hold any number. */
static warpbound_status agree_on_barriers(struct search *search, bool *agree,
                                          warpbound_error *error)
{
  const struct wb_path_system *system = search->system;
  const struct wb_function *function = search->wcet->function;
  const struct wb_instruction **of = wb_allocate(system->phases, sizeof(void *));
  if (of == NULL)
    return wb_out_of_memory(error);
  *agree = true;
  for (uint32_t v = 0; v < system->flow.node_count; v++) {
    const uint32_t phase = system->phase[v];
    if (phase == NOT_MET || phase >= system->phases || !wb_path_node_ends_with_barrier(system, v))
      continue;
    const struct wb_instruction *barrier = &function->instructions[system->last[v]];
    const struct wb_operand *number =
        barrier->operand_count > 0 ? wb_operand_of(function, barrier, 0) : NULL;
    const bool numbered = number != NULL && number->kind == WB_OPERAND_NUMBER;
    if (of[phase] == NULL && numbered)
      of[phase] = barrier;
    *agree &=
        numbered && !wb_instruction_conditional(barrier) &&
        wb_operand_of(function, of[phase], 0)->value == number->value &&
        wb_barrier_is_counted(function, of[phase]) == wb_barrier_is_counted(function, barrier);
  }
  free(of);
  return WARPBOUND_OK;
}

/* Where lanes run in several groups the warp as a whole is to pass each barrier: all of its lanes
 * that have not ended, at once. Each lane has then passed as many barriers as the warp. */
static bool barriers_are_whole(const struct search *search)
{
  const struct wb_path_system *system = search->system;
  bool whole = search->walk || system->used[WB_UNIT_BARRIER];
  for (uint32_t v = 0; v < system->flow.node_count && !search->walk && whole; v++)
    whole = !wb_path_node_ends_with_barrier(system, v) ||
            wb_block_is_whole(search->wcet->graph, system->block[v]);
  return whole;
}

/* Where phases are not told apart, all nodes are of one; so are nodes that no path comes to. */
static void keep_phases(struct wb_path_system *system)
{
  for (size_t v = 0; v < system->flow.node_count; v++) {
    if (!system->phased || system->phase[v] == NOT_MET)
      system->phase[v] = 0;
  }
  system->phases = system->phased ? system->phases : 1;
}

/* Fills phase, phases, phased and sure of a system that has all else; composed and local where it
 * is a walk and phases are not numbered. Errors: WARPBOUND_INTERNAL (memory). */
static warpbound_status find_phases(const struct wb_wcet *wcet, struct wb_path_system *system,
                                    warpbound_error *error)
{
  const struct wb_flow_system *flow = &system->flow;
  struct search search = {
      .wcet = wcet, .system = system, .flow = flow, .walk = wb_flow_system_is_walk(flow)};
  if (!barriers_are_whole(&search) || system->partial != NULL) {
    /* Several groups of a warp come to a barrier, in any order, or a part of the block's warps: no
     * phases are told apart. */
    system->phases = 1;
    system->phased = !system->used[WB_UNIT_BARRIER] && system->partial == NULL;
    return WARPBOUND_OK;
  }
  bool numbered = false;
  warpbound_status status = find_edges(&search, error);
  if (status == WARPBOUND_OK)
    numbered = number_phases(&search, false);
  if (status == WARPBOUND_OK && numbered)
    status = agree_on_barriers(&search, &system->sure, error);
  system->phased = numbered && system->phases <= WB_PHASE_LIMIT;
  keep_phases(system);
  if (status == WARPBOUND_OK && !numbered && system->used[WB_UNIT_BARRIER])
    status = find_composites(&search, error);
  wb_arena_free(&search.arena);
  return status;
}

warpbound_status wb_path_system_number_early_ends(const struct wb_wcet *wcet,
                                                  struct wb_path_system *system,
                                                  warpbound_error *error)
{
  const struct wb_flow_system *flow = &system->flow;
  struct search search = {
      .wcet = wcet, .system = system, .flow = flow, .walk = wb_flow_system_is_walk(flow)};
  bool ends[WB_PHASE_LIMIT] = {false};
  if (!barriers_are_whole(&search))
    return WARPBOUND_OK;
  warpbound_status status = find_edges(&search, error);
  if (status == WARPBOUND_OK && number_phases(&search, true) && system->phases <= WB_PHASE_LIMIT)
    status = agree_on_barriers(&search, &system->phased, error);
  system->sure = system->phased;
  system->early_ends = 0;
  for (uint32_t v = 0; v < flow->node_count && system->phased; v++) {
    if (system->phase[v] != NOT_MET && can_end(&search, v))
      ends[system->phase[v] + wb_path_node_ends_with_barrier(system, v)] = true;
  }
  for (uint32_t p = 0; p + 1 < system->phases && system->phased; p++)
    system->early_ends += ends[p];
  keep_phases(system);
  wb_arena_free(&search.arena);
  return status;
}

/* ---- the system ---- */

warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error)
{
  *system = (struct wb_path_system){0};
  const struct wb_flow_system *source = &wcet->system;
  struct wb_arena scratch = {0};
  struct maker maker = {.wcet = wcet,
                        .system = system,
                        .new_port = wb_arena_array(&scratch, uint32_t, source->port_count),
                        .first_segment =
                            wb_arena_array(&scratch, uint32_t, source->node_count + 1)};
  const struct wb_warp_graph *graph = wcet->graph;
  size_t segments = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    segments++;
    for (uint32_t i = graph->blocks[b].first; i < graph->blocks[b].last; i++)
      segments += wb_instruction_unit(&wcet->function->instructions[i]) == WB_UNIT_BARRIER;
  }
  const size_t more = segments - wcet->graph->block_count;
  const size_t nodes = source->node_count + more;
  const size_t edges = source->edge_count + more;
  warpbound_status status = WARPBOUND_OK;
  system->first = wb_arena_array(&system->arena, uint32_t, nodes);
  system->last = wb_arena_array(&system->arena, uint32_t, nodes);
  system->block = wb_arena_array(&system->arena, uint32_t, nodes);
  system->count = wb_arena_allocate(&system->arena, nodes, sizeof *system->count);
  system->phase = wb_arena_array(&system->arena, uint32_t, nodes);
  if (scratch.failed || system->arena.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_flow_system_make(&system->flow, nodes, edges, source->port_count + more, error);
  if (status == WARPBOUND_OK) {
    fill_nodes(&maker);
    fill_edges(&maker);
    for (size_t l = 0; l < source->limit_count; l++) {
      const struct wb_flow_limit *limit = &source->limits[l];
      const struct wb_flow_term *terms = &source->terms[limit->first_term];
      /* A choice of one of the cases that exclusive facts make. */
      if (limit->origin >= WB_IPET_ORIGIN_CASE && limit->origin < WB_IPET_ORIGIN_FACT)
        continue;
      wb_flow_limit_add(&system->flow, limit->constant, limit->origin);
      for (size_t t = 0; t < limit->term_count; t++) /* each edge once: no sum */
        (void)wb_flow_term_add(&system->flow, terms[t].edge, terms[t].factor);
    }
    status = system->flow.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK)
    status = find_phases(wcet, system, error);
  wb_arena_free(&scratch);
  if (status != WARPBOUND_OK)
    wb_path_system_free(system);
  return status;
}
