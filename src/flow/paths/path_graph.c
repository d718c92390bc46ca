#include "flow/paths/path_graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The context of a graph that is being made. */
struct graph_maker {
  struct wb_path_graph *graph;
  const struct wb_path_calls *calls;
  struct wb_path_place place;
  uint32_t line_end; /* the last instruction of the line where the path is to end, or NONE */
  bool *leaders;     /* by instruction: it begins a block */
  size_t edge_capacity;
};

/* The last instruction of a line, or NONE. */
static uint32_t find_line_end(const struct wb_function *function, uint32_t line)
{
  uint32_t end = NONE;
  for (size_t i = 0; line > 0 && i < function->instruction_count; i++) {
    if (function->instructions[i].line == line)
      end = (uint32_t)i;
  }
  return end;
}

bool wb_path_graph_has(const struct wb_function *function, struct wb_path_place place)
{
  return place.index != NONE || find_line_end(function, place.line) != NONE;
}

static void mark_leaders(struct graph_maker *maker)
{
  const struct wb_function *function = maker->graph->function;
  size_t count = function->instruction_count;
  maker->leaders[0] = true;
  for (size_t t = 0; t < function->target_count; t++)
    maker->leaders[function->targets[t]] = true;
  for (size_t i = 0; i < count; i++) {
    if (function->instructions[i].transfer != WB_TRANSFER_NEXT)
      maker->leaders[i + 1] = true;
  }
  if (maker->place.index != NONE)
    maker->leaders[maker->place.index] = true;
  if (maker->line_end != NONE)
    maker->leaders[maker->line_end + 1] = true;
}

static bool make_blocks(struct graph_maker *maker)
{
  struct wb_path_graph *graph = maker->graph;
  size_t count = graph->function->instruction_count;
  for (size_t i = 0; i < count; i++)
    graph->block_count += maker->leaders[i] ? 1 : 0;
  graph->blocks = wb_allocate(graph->block_count, sizeof *graph->blocks);
  if (graph->blocks == NULL)
    return false;
  uint32_t block = 0;
  for (size_t i = 0; i < count; i++) {
    if (maker->leaders[i])
      graph->blocks[block++].first = (uint32_t)i;
    graph->blocks[block - 1].count++;
  }
  return true;
}

uint32_t wb_path_graph_block(const struct wb_path_graph *graph, uint32_t instruction)
{
  uint32_t low = 0;
  uint32_t high = graph->block_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (graph->blocks[middle].first <= instruction)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const struct wb_instruction *wb_path_graph_last(const struct wb_path_graph *graph, uint32_t block)
{
  const struct wb_path_block *row = &graph->blocks[block];
  return &graph->function->instructions[row->first + row->count - 1];
}

bool wb_path_graph_jumps(const struct wb_path_graph *graph, uint32_t block)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  return graph->blocks[block].count == 1 && last->transfer == WB_TRANSFER_BRANCH && !last->guarded;
}

static bool add(struct graph_maker *maker, struct wb_path_edge edge)
{
  struct wb_path_graph *graph = maker->graph;
  bool grown = wb_grow(graph->edges, &maker->edge_capacity, graph->edge_count + 1);
  if (grown)
    graph->edges[graph->edge_count++] = edge;
  return grown;
}

static bool add_end(struct graph_maker *maker, uint32_t block, enum wb_path_edge_kind kind,
                    bool taken)
{
  return add(maker,
             (struct wb_path_edge){block, maker->graph->block_count, NONE, (uint8_t)kind, taken});
}

/* An edge to an instruction, or to the end of the function. */
static bool add_edge(struct graph_maker *maker, uint32_t block, uint32_t to, uint32_t target,
                     bool taken)
{
  const struct wb_path_graph *graph = maker->graph;
  struct wb_path_edge edge = {block, graph->block_count, target, WB_PATH_ON, taken};
  if (to == maker->place.index)
    edge.kind = WB_PATH_PLACE;
  else if (to == graph->function->instruction_count)
    edge.kind = WB_PATH_RETURN;
  else
    edge.to = wb_path_graph_block(graph, to);
  return add(maker, edge);
}

static bool add_targets(struct graph_maker *maker, uint32_t block,
                        const struct wb_instruction *last)
{
  for (uint32_t t = 0; t < last->target_count; t++) {
    uint32_t target = last->first_target + t;
    if (!add_edge(maker, block, maker->graph->function->targets[target], target, last->guarded))
      return false;
  }
  return true;
}

static bool add_edges(struct graph_maker *maker, uint32_t block)
{
  const struct wb_path_graph *graph = maker->graph;
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  uint32_t next = graph->blocks[block].first + graph->blocks[block].count;
  if (next - 1 == maker->line_end)
    return add_end(maker, block, WB_PATH_PLACE, false);
  bool ends = last->transfer == WB_TRANSFER_CALL_FUNCTION &&
              wb_path_calls_find(maker->calls, last).ends_thread;
  bool goes_on = last->guarded || last->transfer == WB_TRANSFER_NEXT ||
                 last->transfer == WB_TRANSFER_CALL_INDIRECT ||
                 (last->transfer == WB_TRANSFER_CALL_FUNCTION && !ends);
  if (goes_on && !add_edge(maker, block, next, NONE, false))
    return false;
  switch (last->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    return add_targets(maker, block, last);
  case WB_TRANSFER_CALL_FUNCTION:
    return add_end(maker, block, ends ? WB_PATH_EXIT : WB_PATH_CALLEE, ends && last->guarded);
  case WB_TRANSFER_RETURN:
    return add_end(maker, block, WB_PATH_RETURN, last->guarded);
  case WB_TRANSFER_EXIT:
    return add_end(maker, block, WB_PATH_EXIT, last->guarded);
  case WB_TRANSFER_INDIRECT_BRANCH:
    return add_end(maker, block, WB_PATH_UNKNOWN, last->guarded);
  default:
    break;
  }
  return true;
}

warpbound_status wb_path_graph_make(const struct wb_function *function,
                                    const struct wb_path_calls *calls, struct wb_path_place place,
                                    struct wb_path_graph *graph, warpbound_error *error)
{
  *graph = (struct wb_path_graph){.function = function};
  struct graph_maker maker = {.graph = graph,
                              .calls = calls,
                              .place = place,
                              .line_end = find_line_end(function, place.line)};
  maker.leaders = wb_allocate(function->instruction_count + 2, sizeof *maker.leaders);
  bool made = maker.leaders != NULL;
  if (made) {
    mark_leaders(&maker);
    made = make_blocks(&maker);
  }
  for (uint32_t b = 0; made && b < graph->block_count; b++)
    made = add_edges(&maker, b);
  free(maker.leaders);
  if (made)
    return WARPBOUND_OK;
  wb_path_graph_free(graph);
  return wb_out_of_memory(error);
}

warpbound_status wb_path_graph_copy(const struct wb_path_graph *from, struct wb_path_graph *to,
                                    warpbound_error *error)
{
  *to = *from;
  to->blocks = wb_allocate(from->block_count, sizeof *to->blocks);
  to->edges = wb_allocate(from->edge_count, sizeof *to->edges);
  if (to->blocks == NULL || to->edges == NULL) {
    wb_path_graph_free(to);
    return wb_out_of_memory(error);
  }
  memcpy(to->blocks, from->blocks, from->block_count * sizeof *to->blocks);
  memcpy(to->edges, from->edges, from->edge_count * sizeof *to->edges);
  return WARPBOUND_OK;
}

void wb_path_graph_free(struct wb_path_graph *graph)
{
  free(graph->blocks);
  free(graph->edges);
  *graph = (struct wb_path_graph){0};
}

warpbound_status wb_path_flow_make(const struct wb_path_graph *graph, struct wb_path_flow *flow,
                                   warpbound_error *error)
{
  *flow = (struct wb_path_flow){0};
  flow->from = wb_allocate(graph->edge_count, sizeof *flow->from);
  flow->to = wb_allocate(graph->edge_count, sizeof *flow->to);
  if (flow->from == NULL || flow->to == NULL) {
    wb_path_flow_free(flow);
    return wb_out_of_memory(error);
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    flow->from[e] = graph->edges[e].from;
    flow->to[e] = graph->edges[e].to;
  }
  flow->graph = (struct wb_flow_graph){.node_count = (size_t)graph->block_count + 1,
                                       .edge_count = graph->edge_count,
                                       .from = flow->from,
                                       .to = flow->to,
                                       .entry = 0};
  return WARPBOUND_OK;
}

void wb_path_flow_free(struct wb_path_flow *flow)
{
  free(flow->from);
  free(flow->to);
  *flow = (struct wb_path_flow){0};
}

bool wb_path_graph_is_valid(const struct wb_path_graph *graph)
{
  uint32_t next = 0;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (graph->blocks[b].first != next || graph->blocks[b].count == 0)
      return false;
    next += graph->blocks[b].count;
  }
  if (graph->block_count > 0 && next != graph->function->instruction_count)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (edge->from >= graph->block_count || edge->to > graph->block_count ||
        (edge->to < graph->block_count) != (edge->kind == WB_PATH_ON) ||
        (edge->target != NONE && edge->target >= graph->function->target_count) ||
        (e > 0 && edge->from < graph->edges[e - 1].from))
      return false;
  }
  return true;
}
