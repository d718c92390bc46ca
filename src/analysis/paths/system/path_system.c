#include "analysis/paths/system/path_system.h"

#include "base/arena.h"
#include "ipet/system/ipet_system.h"
#include "isa/opcode.h"

#include <string.h>

bool wb_path_system_doubts_barriers(const struct wb_path_system *system)
{
  return system->used[WB_UNIT_BARRIER] && !system->sure;
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
    status = wb_path_phases_find(wcet, system, error);
  wb_arena_free(&scratch);
  if (status != WARPBOUND_OK)
    wb_path_system_free(system);
  return status;
}
