#include "analysis/paths/path_system.h"

#include "base/checked.h"
#include "base/memory.h"
#include "ipet/system/ipet_system.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  const struct wb_wcet *wcet;
  struct wb_path_system *system;
  uint32_t *new_port;      /* by port of the WCET's system */
  uint32_t *first_segment; /* by node of the WCET's system: blocks, then those of lanes; one more at
                              the end */
  warpbound_error *error;
};

static const struct wb_instruction *instruction_at(const struct maker *maker, uint32_t index)
{
  return &maker->wcet->function->instructions[index];
}

/* A barrier that is not one of all warps of the block. */
static bool is_partial_barrier(const struct wb_instruction *instruction)
{
  return strncmp(instruction->opcode, "BAR.", 4) == 0 && !instruction->never &&
         instruction->unit != WB_UNIT_BARRIER;
}

/* ---- nodes ---- */

static size_t count_segments(const struct maker *maker)
{
  const struct wb_warp_graph *graph = maker->wcet->graph;
  size_t segments = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    segments++;
    for (uint32_t i = graph->blocks[b].first; i < graph->blocks[b].last; i++)
      segments += wb_instruction_unit(instruction_at(maker, i)) == WB_UNIT_BARRIER;
  }
  return segments;
}

static bool allocate_nodes(struct wb_path_system *system, size_t nodes)
{
  system->first = wb_allocate(nodes, sizeof *system->first);
  system->last = wb_allocate(nodes, sizeof *system->last);
  system->block = wb_allocate(nodes, sizeof *system->block);
  system->count = wb_allocate(nodes, sizeof *system->count);
  system->phase = wb_allocate(nodes, sizeof *system->phase);
  return system->first != NULL && system->last != NULL && system->block != NULL &&
         system->count != NULL && system->phase != NULL;
}

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
      const enum wb_unit unit = wb_instruction_unit(instruction_at(maker, i));
      if (is_partial_barrier(instruction_at(maker, i)) && system->partial == NULL)
        system->partial = instruction_at(maker, i);
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

/* Whether a limit is a choice of one of the cases that exclusive facts make. */
static bool is_of_case(const struct wb_flow_limit *limit)
{
  return limit->origin >= WB_IPET_ORIGIN_CASE && limit->origin < WB_IPET_ORIGIN_FACT;
}

static warpbound_status copy_limits(struct maker *maker)
{
  const struct wb_flow_system *from = &maker->wcet->system;
  struct wb_flow_system *to = &maker->system->flow;
  for (size_t l = 0; l < from->limit_count; l++) {
    const struct wb_flow_limit *limit = &from->limits[l];
    if (is_of_case(limit))
      continue;
    wb_flow_limit_add(to, limit->constant, limit->origin);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &from->terms[limit->first_term + t];
      (void)wb_flow_term_add(to, term->edge, term->factor); /* each edge once: no sum */
    }
  }
  return to->failed ? wb_out_of_memory(maker->error) : WARPBOUND_OK;
}

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

/* The edges that no path takes: those of a loop that is never done again, or of code that a fact
 * says never to run. */
static void close_edges(const struct wb_flow_system *flow, bool *closed)
{
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_term *terms = flow->terms + flow->limits[l].first_term;
    const bool all = closes(flow, &flow->limits[l]);
    for (size_t t = 0; t < flow->limits[l].term_count && all; t++)
      closed[terms[t].edge] |= terms[t].factor > 0;
  }
}

#define NOT_MET UINT32_MAX

struct phase_walk {
  const struct wb_flow_system *flow;
  size_t *end;       /* by node: one past its edges in `leaving` */
  uint32_t *leaving; /* edges by the node that they leave */
  uint32_t *queue;
  bool *closed; /* by edge */
};

static bool phase_walk_make(struct phase_walk *walk)
{
  walk->end = wb_allocate(walk->flow->node_count + 1, sizeof *walk->end);
  walk->leaving = wb_allocate(walk->flow->edge_count, sizeof *walk->leaving);
  walk->queue = wb_allocate(walk->flow->node_count, sizeof *walk->queue);
  walk->closed = wb_allocate(walk->flow->edge_count, sizeof *walk->closed);
  if (walk->end == NULL || walk->leaving == NULL || walk->queue == NULL || walk->closed == NULL)
    return false;
  close_edges(walk->flow, walk->closed);
  for (size_t e = 0; e < walk->flow->edge_count; e++)
    walk->end[walk->flow->from[e] + 1]++;
  for (size_t v = 0; v < walk->flow->node_count; v++)
    walk->end[v + 1] += walk->end[v];
  for (size_t e = 0; e < walk->flow->edge_count; e++)
    walk->leaving[walk->end[walk->flow->from[e]]++] = (uint32_t)e;
  return true;
}

static bool ends_with_barrier(const struct wb_path_system *system, uint32_t node)
{
  return system->count[node][WB_UNIT_BARRIER] > 0;
}

/* Numbers the phases; false where two walks to a node, or to two ends, pass different numbers of
 * barriers. */
static bool number_phases(struct wb_path_system *system, struct phase_walk *walk)
{
  size_t head = 0;
  size_t tail = 0;
  uint32_t whole = NOT_MET;
  for (size_t v = 0; v < walk->flow->node_count; v++)
    system->phase[v] = NOT_MET;
  system->phase[walk->flow->starts[0].node] = 0;
  walk->queue[tail++] = walk->flow->starts[0].node;
  while (head < tail) {
    const uint32_t node = walk->queue[head++];
    const uint32_t after = system->phase[node] + ends_with_barrier(system, node);
    if (walk->flow->ends[node] && whole != NOT_MET && whole != after)
      return false;
    if (walk->flow->ends[node])
      whole = after;
    for (size_t i = node > 0 ? walk->end[node - 1] : 0; i < walk->end[node]; i++) {
      const uint32_t next = walk->flow->to[walk->leaving[i]];
      if (walk->closed[walk->leaving[i]])
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

/* The number of a barrier, as its operands begin. */
static size_t number_length(const struct wb_instruction *barrier)
{
  return strcspn(barrier->operands, ", ");
}

/* Whether no barrier is guarded, and all k-th ones have one number. */
static warpbound_status agree_on_barriers(const struct maker *maker, bool *agree)
{
  const struct wb_path_system *system = maker->system;
  const struct wb_instruction **of = wb_allocate(system->phases, sizeof(void *));
  if (of == NULL)
    return wb_out_of_memory(maker->error);
  *agree = true;
  for (uint32_t v = 0; v < system->flow.node_count; v++) {
    const uint32_t phase = system->phase[v];
    if (phase == NOT_MET || phase >= system->phases || !ends_with_barrier(system, v))
      continue;
    const struct wb_instruction *barrier = instruction_at(maker, system->last[v]);
    const size_t length = number_length(barrier);
    if (of[phase] == NULL)
      of[phase] = barrier;
    *agree &= !wb_instruction_conditional(barrier) && length == number_length(of[phase]) &&
              strncmp(of[phase]->operands, barrier->operands, length) == 0;
  }
  free(of);
  return WARPBOUND_OK;
}

/* ---- composite paths ---- */

/* Most steps for finding out which limits hold of composite paths. */
#define COMPOSITE_STEPS UINT64_C(50000000)

/* The sums of a limit over the walks between two barriers. */
struct stretch_walk {
  const struct wb_path_system *system;
  const struct phase_walk *graph;
  int64_t *factor;   /* by edge: of the limit under way */
  int64_t *sum;      /* by node: of the way to it from a barrier */
  bool *met;         /* by node */
  bool *meets_again; /* by node: a barrier can be reached from it */
  uint32_t *queue;
};

static bool stretch_walk_make(struct stretch_walk *walk)
{
  const struct wb_flow_system *flow = &walk->system->flow;
  walk->factor = wb_allocate(flow->edge_count, sizeof *walk->factor);
  walk->sum = wb_allocate(flow->node_count, sizeof *walk->sum);
  walk->met = wb_allocate(flow->node_count, sizeof *walk->met);
  walk->meets_again = wb_allocate(flow->node_count, sizeof *walk->meets_again);
  walk->queue = wb_allocate(flow->node_count, sizeof *walk->queue);
  return walk->factor != NULL && walk->sum != NULL && walk->met != NULL &&
         walk->meets_again != NULL && walk->queue != NULL;
}

static void stretch_walk_free(struct stretch_walk *walk)
{
  free(walk->factor);
  free(walk->sum);
  free(walk->met);
  free(walk->meets_again);
  free(walk->queue);
}

/* From which nodes a barrier can still be reached: passes until one changes nothing. False where
 * steps run out. */
static bool mark_meets_again(struct stretch_walk *walk, uint64_t *steps)
{
  const struct wb_flow_system *flow = &walk->system->flow;
  bool changed = true;
  for (uint32_t v = 0; v < flow->node_count; v++)
    walk->meets_again[v] = ends_with_barrier(walk->system, v);
  while (changed && *steps <= COMPOSITE_STEPS) {
    changed = false;
    *steps += flow->edge_count;
    for (size_t e = flow->edge_count; e-- > 0;) {
      if (walk->graph->closed[e] || !walk->meets_again[flow->to[e]] ||
          walk->meets_again[flow->from[e]])
        continue;
      walk->meets_again[flow->from[e]] = true;
      changed = true;
    }
  }
  return !changed;
}

/* Whether all walks from a node (after its barrier if it has one) to a next barrier have the same
 * sum of the limit, for each barrier that may be the next. Nodes that lead to no barrier do not
 * count. */
static bool is_fixed_from(struct stretch_walk *walk, uint32_t source)
{
  const struct wb_flow_system *flow = &walk->system->flow;
  size_t tail = 0;
  bool first = true;
  bool fixed = true;
  memset(walk->met, 0, flow->node_count * sizeof *walk->met);
  /* The source is expanded once, and is met only where a way comes back to it. */
  for (size_t head = 0; (first || head < tail) && fixed; first = false) {
    const uint32_t node = first ? source : walk->queue[head++];
    const int64_t so_far = first ? 0 : walk->sum[node];
    if (!first && ends_with_barrier(walk->system, node))
      continue;
    for (size_t i = node > 0 ? walk->graph->end[node - 1] : 0; i < walk->graph->end[node]; i++) {
      const uint32_t edge = walk->graph->leaving[i];
      const uint32_t next = flow->to[edge];
      int64_t sum;
      if (walk->graph->closed[edge] || !walk->meets_again[next])
        continue;
      if (!wb_add_signed(so_far, walk->factor[edge], &sum))
        return false;
      fixed &= !walk->met[next] || walk->sum[next] == sum;
      if (!walk->met[next])
        walk->queue[tail++] = next;
      walk->met[next] = true;
      walk->sum[next] = sum;
    }
  }
  return fixed;
}

/* Whether what a path sums up of a limit before its last barrier is settled by which barriers it
 * passes. */
static bool is_fixed(struct stretch_walk *walk, const struct wb_flow_limit *limit)
{
  const struct wb_flow_system *flow = &walk->system->flow;
  const struct wb_flow_term *terms = flow->terms + limit->first_term;
  for (size_t t = 0; t < limit->term_count; t++)
    walk->factor[terms[t].edge] = terms[t].factor;
  bool fixed = is_fixed_from(walk, flow->starts[0].node);
  for (uint32_t v = 0; v < flow->node_count && fixed; v++)
    fixed = !ends_with_barrier(walk->system, v) || is_fixed_from(walk, v);
  for (size_t t = 0; t < limit->term_count; t++)
    walk->factor[terms[t].edge] = 0;
  return fixed;
}

/* Whether a limit is the bound of a loop that has no barrier, and is entered from outside by the
 * edges alone that the limit counts as entries: each visit is then over before the next barrier,
 * and the bound holds of each. */
static bool is_local(const struct maker *maker, const struct wb_flow_limit *limit, bool *entry,
                     bool *inside)
{
  const struct wb_loop_forest *forest = &maker->wcet->forest;
  const struct wb_path_system *system = maker->system;
  const struct wb_flow_system *flow = &system->flow;
  if (limit->origin >= forest->loop_count || limit->constant != 0)
    return false;
  const struct wb_loop *loop = &forest->loops[limit->origin];
  bool local = true;
  memset(entry, 0, flow->edge_count * sizeof *entry);
  memset(inside, 0, maker->wcet->graph->block_count * sizeof *inside);
  for (size_t i = 0; i < loop->node_count; i++)
    inside[forest->nodes[loop->first_node + i]] = true;
  for (size_t t = 0; t < limit->term_count; t++) {
    const struct wb_flow_term *term = &flow->terms[limit->first_term + t];
    entry[term->edge] = term->factor < 0;
    local &= term->factor <= 0 || inside[system->block[flow->from[term->edge]]];
  }
  for (size_t e = 0; e < flow->edge_count; e++)
    local &=
        entry[e] || !inside[system->block[flow->to[e]]] || inside[system->block[flow->from[e]]];
  for (uint32_t v = 0; v < flow->node_count; v++)
    local &=
        !inside[system->block[v]] || (!ends_with_barrier(system, v) && v != flow->starts[0].node);
  return local;
}

static warpbound_status find_local(struct maker *maker)
{
  struct wb_path_system *system = maker->system;
  const struct wb_flow_system *flow = &system->flow;
  bool *entry = wb_allocate(flow->edge_count, sizeof *entry);
  bool *inside = wb_allocate(maker->wcet->graph->block_count, sizeof *inside);
  system->local = wb_allocate(flow->limit_count, sizeof *system->local);
  const bool ok = entry != NULL && inside != NULL && system->local != NULL;
  for (size_t l = 0; l < flow->limit_count && ok; l++)
    system->local[l] = is_local(maker, &flow->limits[l], entry, inside);
  free(entry);
  free(inside);
  return ok ? WARPBOUND_OK : wb_out_of_memory(maker->error);
}

/* Finds the limits of composite paths, if that takes few steps. */
static warpbound_status find_composed(struct maker *maker, const struct phase_walk *graph)
{
  struct wb_path_system *system = maker->system;
  const struct wb_flow_system *flow = &system->flow;
  struct stretch_walk walk = {.system = system, .graph = graph};
  uint64_t steps = 0;
  uint64_t sources = 1;
  for (uint32_t v = 0; v < flow->node_count; v++)
    sources += ends_with_barrier(system, v);
  const uint64_t each = sources * (flow->edge_count + flow->node_count);
  if (each > COMPOSITE_STEPS / (flow->limit_count + 1))
    return WARPBOUND_OK;
  warpbound_status status = find_local(maker);
  if (status != WARPBOUND_OK)
    return status;
  system->composed = wb_allocate(flow->limit_count, sizeof *system->composed);
  if (system->composed == NULL || !stretch_walk_make(&walk))
    status = wb_out_of_memory(maker->error);
  const bool marked = status == WARPBOUND_OK && mark_meets_again(&walk, &steps);
  for (size_t l = 0; l < flow->limit_count && marked; l++)
    system->composed[l] = system->local[l] || is_fixed(&walk, &flow->limits[l]);
  stretch_walk_free(&walk);
  return status;
}

static warpbound_status find_phases(struct maker *maker)
{
  struct wb_path_system *system = maker->system;
  struct phase_walk walk = {.flow = &system->flow};
  if (!wb_flow_system_is_walk(&system->flow)) {
    /* Several groups of a warp come to a barrier, in any order: no phases are told apart. */
    system->phases = 1;
    system->phased = !system->used[WB_UNIT_BARRIER];
    return WARPBOUND_OK;
  }
  bool numbered = false;
  warpbound_status status = phase_walk_make(&walk) ? WARPBOUND_OK : wb_out_of_memory(maker->error);
  if (status == WARPBOUND_OK)
    numbered = number_phases(system, &walk);
  if (status == WARPBOUND_OK && numbered)
    status = agree_on_barriers(maker, &system->sure);
  system->phased = numbered && system->phases <= WB_PHASE_LIMIT;
  for (size_t v = 0; v < system->flow.node_count; v++) {
    if (!system->phased || system->phase[v] == NOT_MET)
      system->phase[v] = 0;
  }
  system->phases = system->phased ? system->phases : 1;
  if (status == WARPBOUND_OK && !numbered && system->used[WB_UNIT_BARRIER])
    status = find_composed(maker, &walk);
  free(walk.end);
  free(walk.leaving);
  free(walk.queue);
  free(walk.closed);
  return status;
}

warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error)
{
  *system = (struct wb_path_system){0};
  const struct wb_flow_system *source = &wcet->system;
  struct maker maker = {.wcet = wcet,
                        .system = system,
                        .new_port = wb_allocate(source->port_count, sizeof *maker.new_port),
                        .first_segment =
                            wb_allocate(source->node_count + 1, sizeof *maker.first_segment),
                        .error = error};
  const size_t more = count_segments(&maker) - wcet->graph->block_count;
  const size_t nodes = source->node_count + more;
  const size_t edges = source->edge_count + more;
  warpbound_status status = WARPBOUND_OK;
  if (maker.new_port == NULL || maker.first_segment == NULL || !allocate_nodes(system, nodes))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_flow_system_make(&system->flow, nodes, edges, source->port_count + more, error);
  if (status == WARPBOUND_OK) {
    fill_nodes(&maker);
    fill_edges(&maker);
    status = copy_limits(&maker);
  }
  if (status == WARPBOUND_OK)
    status = find_phases(&maker);
  free(maker.new_port);
  free(maker.first_segment);
  if (status != WARPBOUND_OK)
    wb_path_system_free(system);
  return status;
}

void wb_path_system_free(struct wb_path_system *system)
{
  wb_flow_system_free(&system->flow);
  free(system->first);
  free(system->last);
  free(system->block);
  free(system->count);
  free(system->phase);
  free(system->composed);
  free(system->local);
  *system = (struct wb_path_system){0};
}
