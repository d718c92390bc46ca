#include "analysis/path_system.h"

#include "base/memory.h"
#include "ipet/system.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  const struct wb_wcet *wcet;
  struct wb_path_system *system;
  uint32_t *first_piece; /* by block; one more at the end */
  warpbound_error *error;
};

static const struct wb_machine_instruction *instruction_at(const struct maker *m, uint32_t index)
{
  return &m->wcet->function->instructions[index];
}

/* The unit type that an instruction stands for: one that no lane does only takes its slot. */
static enum wb_unit unit_of(const struct wb_machine_instruction *instruction)
{
  return instruction->never ? WB_UNIT_NONE : (enum wb_unit)instruction->unit;
}

/* A barrier that is not one of all warps of the block. */
static bool is_partial_barrier(const struct wb_machine_instruction *instruction)
{
  return strncmp(instruction->opcode, "BAR.", 4) == 0 && !instruction->never &&
         instruction->unit != WB_UNIT_BARRIER;
}

/* ---- nodes ---- */

static size_t count_pieces(const struct maker *m)
{
  const struct wb_warp_graph *graph = m->wcet->graph;
  size_t pieces = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    pieces++;
    for (uint32_t i = graph->blocks[b].first; i < graph->blocks[b].last; i++)
      pieces += unit_of(instruction_at(m, i)) == WB_UNIT_BARRIER;
  }
  return pieces;
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

/* Fills the nodes; each begins at a block's start or behind a barrier. */
static void fill_nodes(struct maker *m)
{
  const struct wb_warp_graph *graph = m->wcet->graph;
  struct wb_path_system *system = m->system;
  uint32_t node = 0;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    m->first_piece[b] = node;
    uint32_t first = graph->blocks[b].first;
    for (uint32_t i = first; i <= graph->blocks[b].last; i++) {
      const enum wb_unit unit = unit_of(instruction_at(m, i));
      if (is_partial_barrier(instruction_at(m, i)) && system->partial == NULL)
        system->partial = instruction_at(m, i);
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
  m->first_piece[graph->block_count] = node;
}

/* ---- edges and limits ---- */

static void fill_edges(struct maker *m)
{
  const struct wb_warp_graph *graph = m->wcet->graph;
  struct wb_flow_system *flow = &m->system->flow;
  size_t edge = 0;
  for (; edge < graph->edge_count; edge++) {
    flow->from[edge] = m->first_piece[graph->edges[edge].from + 1] - 1;
    flow->to[edge] = m->first_piece[graph->edges[edge].to];
  }
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t piece = m->first_piece[b]; piece + 1 < m->first_piece[b + 1]; piece++) {
      flow->from[edge] = piece;
      flow->to[edge++] = piece + 1;
    }
    flow->ends[m->first_piece[b + 1] - 1] = graph->ends[b];
  }
  flow->start = m->first_piece[graph->entry_block];
}

/* Whether a limit is a choice of one of the cases that exclusive facts make. */
static bool is_of_case(const struct wb_flow_limit *limit)
{
  return limit->origin >= WB_IPET_ORIGIN_CASE && limit->origin < WB_IPET_ORIGIN_FACT;
}

static warpbound_status copy_limits(struct maker *m)
{
  const struct wb_flow_system *from = &m->wcet->system;
  struct wb_flow_system *to = &m->system->flow;
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
  return to->failed ? wb_out_of_memory(m->error) : WARPBOUND_OK;
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

static bool phase_walk_make(struct phase_walk *w)
{
  w->end = wb_allocate(w->flow->node_count + 1, sizeof *w->end);
  w->leaving = wb_allocate(w->flow->edge_count, sizeof *w->leaving);
  w->queue = wb_allocate(w->flow->node_count, sizeof *w->queue);
  w->closed = wb_allocate(w->flow->edge_count, sizeof *w->closed);
  if (w->end == NULL || w->leaving == NULL || w->queue == NULL || w->closed == NULL)
    return false;
  close_edges(w->flow, w->closed);
  for (size_t e = 0; e < w->flow->edge_count; e++)
    w->end[w->flow->from[e] + 1]++;
  for (size_t v = 0; v < w->flow->node_count; v++)
    w->end[v + 1] += w->end[v];
  for (size_t e = 0; e < w->flow->edge_count; e++)
    w->leaving[w->end[w->flow->from[e]]++] = (uint32_t)e;
  return true;
}

static bool ends_with_barrier(const struct wb_path_system *system, uint32_t node)
{
  return system->count[node][WB_UNIT_BARRIER] > 0;
}

/* Numbers the phases; false where two walks to a node, or to two ends, pass different numbers of
 * barriers. */
static bool number_phases(struct wb_path_system *system, struct phase_walk *w)
{
  size_t head = 0;
  size_t tail = 0;
  uint32_t whole = NOT_MET;
  for (size_t v = 0; v < w->flow->node_count; v++)
    system->phase[v] = NOT_MET;
  system->phase[w->flow->start] = 0;
  w->queue[tail++] = w->flow->start;
  while (head < tail) {
    const uint32_t node = w->queue[head++];
    const uint32_t after = system->phase[node] + ends_with_barrier(system, node);
    if (after >= WB_PHASE_LIMIT || (w->flow->ends[node] && whole != NOT_MET && whole != after))
      return false;
    if (w->flow->ends[node])
      whole = after;
    for (size_t i = node > 0 ? w->end[node - 1] : 0; i < w->end[node]; i++) {
      const uint32_t next = w->flow->to[w->leaving[i]];
      if (w->closed[w->leaving[i]])
        continue;
      if (system->phase[next] != NOT_MET && system->phase[next] != after)
        return false;
      if (system->phase[next] == NOT_MET)
        w->queue[tail++] = next;
      system->phase[next] = after;
    }
  }
  system->phases = whole != NOT_MET ? whole + 1 : 1;
  return whole != NOT_MET;
}

/* Whether each barrier is passed by all lanes, and all k-th ones name the same barrier. */
static bool agree_on_barriers(const struct maker *m)
{
  const struct wb_path_system *system = m->system;
  const char *operands[WB_PHASE_LIMIT] = {NULL};
  for (uint32_t v = 0; v < system->flow.node_count; v++) {
    const uint32_t phase = system->phase[v];
    if (phase == NOT_MET || !ends_with_barrier(system, v))
      continue;
    const struct wb_machine_instruction *barrier = instruction_at(m, system->last[v]);
    if (wb_machine_instruction_conditional(barrier))
      return false;
    const size_t length = strcspn(barrier->operands, ", ");
    if (operands[phase] == NULL)
      operands[phase] = barrier->operands;
    else if (strncmp(operands[phase], barrier->operands, length) != 0 ||
             strcspn(operands[phase], ", ") != length)
      return false;
  }
  return true;
}

static warpbound_status find_phases(struct maker *m)
{
  struct wb_path_system *system = m->system;
  struct phase_walk walk = {.flow = &system->flow};
  warpbound_status status = WARPBOUND_OK;
  if (!phase_walk_make(&walk))
    status = wb_out_of_memory(m->error);
  else
    system->phased = number_phases(system, &walk) && agree_on_barriers(m);
  for (size_t v = 0; v < system->flow.node_count; v++) {
    if (!system->phased || system->phase[v] == NOT_MET)
      system->phase[v] = 0;
  }
  system->phases = system->phased ? system->phases : 1;
  free(walk.end);
  free(walk.leaving);
  free(walk.queue);
  free(walk.closed);
  return status;
}

warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error)
{
  const struct wb_warp_graph *graph = wcet->graph;
  *system = (struct wb_path_system){0};
  struct maker m = {.wcet = wcet,
                    .system = system,
                    .first_piece = wb_allocate(graph->block_count + 1, sizeof *m.first_piece),
                    .error = error};
  const size_t nodes = count_pieces(&m);
  const size_t edges = graph->edge_count + nodes - graph->block_count;
  warpbound_status status = WARPBOUND_OK;
  if (m.first_piece == NULL || !allocate_nodes(system, nodes))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_flow_system_make(&system->flow, nodes, edges, error);
  if (status == WARPBOUND_OK) {
    fill_nodes(&m);
    fill_edges(&m);
    status = copy_limits(&m);
  }
  if (status == WARPBOUND_OK)
    status = find_phases(&m);
  free(m.first_piece);
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
  *system = (struct wb_path_system){0};
}
