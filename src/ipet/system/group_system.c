#include "ipet/system/group_system.h"

#include "base/buckets.h"

uint32_t wb_group_lane_edge(const struct wb_warp_graph *graph, uint32_t edge)
{
  return (uint32_t)graph->edge_count + edge;
}

bool wb_group_system_needed(const struct wb_warp_graph *graph)
{
  bool needed = false;
  for (size_t e = 0; e < graph->edge_count; e++)
    needed |= graph->edges[e].rate != WB_RATE_SHARED;
  return graph->groups && needed;
}

size_t wb_group_system_ports(const struct wb_warp_graph *graph)
{
  size_t ports = graph->block_count;
  uint32_t shared =
      UINT32_MAX; /* the newest block with a port for shared edges; edges stand by it */
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    ports += edge->rate == WB_RATE_EACH;
    if (edge->rate != WB_RATE_SHARED || edge->from == shared)
      continue;
    shared = edge->from;
    ports++;
  }
  return ports;
}

/* Whether each run of the block by a group is followed by exactly one of its edges: nothing parts
 * the group there, none of its lanes ends, and it does not wait. */
static bool goes_on(const struct wb_system_builder *builder, uint32_t block)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_buckets *leaving = &builder->leaving;
  const uint8_t transfer = graph->function->instructions[graph->blocks[block].last].transfer;
  bool goes = !graph->ends[block] && transfer != WB_TRANSFER_SCOPE_SYNC &&
              transfer != WB_TRANSFER_WARP_SYNC;
  for (size_t i = leaving->first[block]; i < leaving->first[block + 1]; i++) {
    const uint32_t edge = leaving->item[i];
    goes = goes && graph->edges[edge].rate == WB_RATE_SHARED && !builder->arrives[edge];
  }
  return goes;
}

/* A group takes edges at most as often as their rates say, and those with which all of its runs go
 * on exactly so often. */
static void fill_groups(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_flow_system *system = builder->system;
  uint32_t ports = 0;
  uint32_t shared_port = WB_FLOW_NO_PORT;
  /* Marks in `arrives` the edges that lanes which waited can take. */
  for (size_t e = 0; e < graph->edge_count; e++)
    builder->arrives[e] = false;
  for (size_t p = 0; p < graph->pop_count; p++)
    builder->arrives[graph->pops[p].edge] = true;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const bool shares = edge->rate == WB_RATE_SHARED && shared_port != WB_FLOW_NO_PORT &&
                        system->port_node[shared_port] == edge->from;
    system->from[e] = edge->from;
    system->to[e] = edge->to;
    system->port[e] = WB_FLOW_NO_PORT;
    if (edge->rate == WB_RATE_LANES)
      continue;
    system->port[e] = shares ? shared_port : ports;
    if (shares)
      continue;
    system->port_node[ports] = edge->from;
    system->ends[ports] = !goes_on(builder, edge->from);
    if (edge->rate == WB_RATE_SHARED)
      shared_port = ports;
    ports++;
  }
}

/* A lane takes one edge, or ends. */
static void fill_lanes(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_flow_system *system = builder->system;
  const uint32_t blocks = (uint32_t)graph->block_count;
  const uint32_t first = (uint32_t)(system->port_count - graph->block_count);
  for (uint32_t b = 0; b < blocks; b++) {
    system->port_node[first + b] = blocks + b;
    system->ends[first + b] = graph->ends[b];
  }
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    const uint32_t lane = wb_group_lane_edge(graph, e);
    system->from[lane] = blocks + graph->edges[e].from;
    system->to[lane] = blocks + graph->edges[e].to;
    system->port[lane] = first + graph->edges[e].from;
  }
}

void wb_group_system_fill(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_flow_system *system = builder->system;
  fill_groups(builder);
  fill_lanes(builder);
  for (size_t b = 0; b < graph->block_count; b++)
    system->cycles[b] = builder->input->cycles[b];
  system->starts[0] = (struct wb_flow_start){.node = graph->entry_block, .runs = 1};
  system->starts[1] = (struct wb_flow_start){
      .node = (uint32_t)graph->block_count + graph->entry_block, .runs = WB_IPET_LANES};
  system->start_count = 2;
}
