#include "flow/paths/path_graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A graph being made. leaders: by instruction, it begins a block. line_end: the last instruction
 * of the line where the path is to end, or NONE. */
struct making {
  struct wb_path_graph *graph;
  const struct wb_path_calls *calls;
  struct wb_path_place place;
  uint32_t line_end;
  bool *leaders;
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

static void mark_leaders(struct making *making)
{
  const struct wb_function *function = making->graph->function;
  size_t count = function->instruction_count;
  making->leaders[0] = true;
  for (size_t t = 0; t < function->target_count; t++)
    making->leaders[function->targets[t]] = true;
  for (size_t i = 0; i < count; i++) {
    if (function->instructions[i].transfer != WB_TRANSFER_NEXT)
      making->leaders[i + 1] = true;
  }
  if (making->place.index != NONE)
    making->leaders[making->place.index] = true;
  if (making->line_end != NONE)
    making->leaders[making->line_end + 1] = true;
}

static bool make_blocks(struct making *making)
{
  struct wb_path_graph *graph = making->graph;
  size_t count = graph->function->instruction_count;
  for (size_t i = 0; i < count; i++)
    graph->block_count += making->leaders[i] ? 1 : 0;
  graph->blocks = wb_allocate(graph->block_count, sizeof *graph->blocks);
  if (graph->blocks == NULL)
    return false;
  uint32_t block = 0;
  for (size_t i = 0; i < count; i++) {
    if (making->leaders[i])
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

static bool add(struct making *making, struct wb_path_edge edge)
{
  struct wb_path_graph *graph = making->graph;
  bool grown = wb_grow(graph->edges, &making->edge_capacity, graph->edge_count + 1);
  if (grown)
    graph->edges[graph->edge_count++] = edge;
  return grown;
}

static bool add_end(struct making *making, uint32_t block, enum wb_path_edge_kind kind, bool taken)
{
  return add(making,
             (struct wb_path_edge){block, making->graph->block_count, NONE, (uint8_t)kind, taken});
}

/* An edge to an instruction, or to the end of the function. */
static bool add_way(struct making *making, uint32_t block, uint32_t to, uint32_t target, bool taken)
{
  const struct wb_path_graph *graph = making->graph;
  struct wb_path_edge edge = {block, graph->block_count, target, WB_PATH_ON, taken};
  if (to == making->place.index)
    edge.kind = WB_PATH_PLACE;
  else if (to == graph->function->instruction_count)
    edge.kind = WB_PATH_RETURN;
  else
    edge.to = wb_path_graph_block(graph, to);
  return add(making, edge);
}

static bool add_targets(struct making *making, uint32_t block, const struct wb_instruction *last)
{
  for (uint32_t t = 0; t < last->target_count; t++) {
    uint32_t target = last->first_target + t;
    if (!add_way(making, block, making->graph->function->targets[target], target, last->guarded))
      return false;
  }
  return true;
}

static bool add_edges(struct making *making, uint32_t block)
{
  const struct wb_path_graph *graph = making->graph;
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  uint32_t next = graph->blocks[block].first + graph->blocks[block].count;
  if (next - 1 == making->line_end)
    return add_end(making, block, WB_PATH_PLACE, false);
  bool ends = last->transfer == WB_TRANSFER_CALL_FUNCTION &&
              wb_path_calls_find(making->calls, last).ends_thread;
  bool goes_on = last->guarded || last->transfer == WB_TRANSFER_NEXT ||
                 last->transfer == WB_TRANSFER_CALL_INDIRECT ||
                 (last->transfer == WB_TRANSFER_CALL_FUNCTION && !ends);
  if (goes_on && !add_way(making, block, next, NONE, false))
    return false;
  switch (last->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    return add_targets(making, block, last);
  case WB_TRANSFER_CALL_FUNCTION:
    return add_end(making, block, ends ? WB_PATH_EXIT : WB_PATH_CALLEE, ends && last->guarded);
  case WB_TRANSFER_RETURN:
    return add_end(making, block, WB_PATH_RETURN, last->guarded);
  case WB_TRANSFER_EXIT:
    return add_end(making, block, WB_PATH_EXIT, last->guarded);
  case WB_TRANSFER_INDIRECT_BRANCH:
    return add_end(making, block, WB_PATH_UNKNOWN, last->guarded);
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
  struct making making = {.graph = graph,
                          .calls = calls,
                          .place = place,
                          .line_end = find_line_end(function, place.line)};
  making.leaders = wb_allocate(function->instruction_count + 2, sizeof *making.leaders);
  bool made = making.leaders != NULL;
  if (made) {
    mark_leaders(&making);
    made = make_blocks(&making);
  }
  for (uint32_t b = 0; made && b < graph->block_count; b++)
    made = add_edges(&making, b);
  free(making.leaders);
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
