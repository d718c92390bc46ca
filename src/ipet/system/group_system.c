/* The layers of groups and of lanes, and their limits, with proofs in doc/group-flow.md. */
#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "ipet/system/ipet_system.h"
#include "ipet/system/system_builder.h"

/* ---- nodes, edges and ports ---- */

/* The edge of the lanes that belongs to an edge of the graph. */
static uint32_t lane_edge(const struct wb_warp_graph *graph, uint32_t edge)
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
 * the group there, none of its lanes ends, and it does not wait. pops: by edge, lanes that waited
 * can take it. */
static bool goes_on(const struct wb_system_builder *builder, const bool *pops, uint32_t block)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_buckets *leaving = &builder->leaving;
  const uint8_t transfer = graph->function->instructions[graph->blocks[block].last].transfer;
  bool goes = !graph->ends[block] && transfer != WB_TRANSFER_SCOPE_SYNC &&
              transfer != WB_TRANSFER_WARP_SYNC;
  for (size_t i = leaving->first[block]; i < leaving->first[block + 1]; i++) {
    const uint32_t edge = leaving->item[i];
    goes = goes && graph->edges[edge].rate == WB_RATE_SHARED && !pops[edge];
  }
  return goes;
}

/* A group takes edges at most as often as their rates say, and those with which all of its runs go
 * on exactly so often. */
static void fill_groups(struct wb_system_builder *builder, const bool *pops)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_flow_system *system = builder->system;
  uint32_t ports = 0;
  uint32_t shared_port = WB_FLOW_NO_PORT;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const bool shares = edge->rate == WB_RATE_SHARED && shared_port != WB_FLOW_NO_PORT &&
                        system->port_node[shared_port] == edge->from;
    system->port[e] = WB_FLOW_NO_PORT;
    if (edge->rate == WB_RATE_LANES)
      continue;
    system->port[e] = shares ? shared_port : ports;
    if (shares)
      continue;
    system->port_node[ports] = edge->from;
    system->ends[ports] = !goes_on(builder, pops, edge->from);
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
    const uint32_t lane = lane_edge(graph, e);
    system->from[lane] = blocks + graph->edges[e].from;
    system->to[lane] = blocks + graph->edges[e].to;
    system->port[lane] = first + graph->edges[e].from;
  }
}

/* ---- limits ---- */

/* Limits how often lanes come back to a loop, by the bound of a thread, and groups, by that of the
 * warp where it is not just that of a thread times the lanes. */
static void limit_loops(struct wb_system_builder *builder)
{
  for (size_t l = 0; l < builder->input->loop_limit_count; l++) {
    const struct wb_ipet_loop_limit *limit = &builder->input->loop_limits[l];
    const bool threads = limit->thread_bound != WB_IPET_NO_BOUND;
    if (threads)
      wb_system_limit_loop(builder, l, limit->thread_bound, true);
    if (limit->bound != WB_IPET_NO_BOUND && (!threads || limit->bound <= limit->thread_bound))
      wb_system_limit_loop(builder, l, limit->bound, false);
  }
}

/* The most runs of a block by one lane; -1 where a loop around it has no bound of threads for each
 * of its own entries, or where the number does not fit. */
static int64_t runs_of_lane(const struct wb_ipet_input *input, uint32_t block)
{
  int64_t runs = 1;
  uint32_t loop = input->forest->innermost[block];
  for (; loop != UINT32_MAX && runs > 0; loop = input->forest->loops[loop].parent) {
    int64_t rounds = -1;
    for (size_t l = 0; l < input->loop_limit_count; l++) {
      const struct wb_ipet_loop_limit *limit = &input->loop_limits[l];
      if (limit->loop == loop && limit->per == loop && limit->thread_bound != WB_IPET_NO_BOUND &&
          limit->thread_bound < INT64_MAX && (rounds < 0 || limit->thread_bound + 1 < rounds))
        rounds = limit->thread_bound + 1;
    }
    if (rounds < 0 || !wb_multiply_signed(runs, rounds, &runs))
      runs = -1;
  }
  return runs;
}

/* Edges over which the lanes of the warp come together, and no others. Where all lanes of the warp
 * that have not ended come together, the lane that ends last is among them each time. */
static void limit_meetings(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  for (size_t p = 0; p < graph->pop_count; p++) {
    const uint32_t edge = graph->pops[p].edge;
    bool all = p == 0 || graph->pops[p - 1].edge != edge;
    for (size_t q = p; all && q < graph->pop_count && graph->pops[q].edge == edge; q++) {
      const struct wb_warp_entry *entry = &graph->entries[graph->pops[q].entry];
      all = entry->token == WB_TOKEN_WARP && entry->once;
    }
    const int64_t runs = all ? runs_of_lane(builder->input, graph->edges[edge].from) : -1;
    if (runs < 0)
      continue;
    wb_flow_limit_add(builder->system, runs, WB_IPET_ORIGIN_MEETING + edge);
    wb_system_add_edge(builder, edge, 1);
  }
}

/* Limits the releases of groups of entries, where each push of each entry is popped at most once.
 * once: scratch by entry, the same by group. */
static void limit_entries(struct wb_system_builder *builder, bool *once)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_entry_groups *groups = &builder->groups;
  for (uint32_t n = 0; n < graph->entry_count; n++)
    once[n] = true;
  for (uint32_t n = 0; n < graph->entry_count; n++)
    once[wb_entry_group_of(groups, n)] &= graph->entries[n].once;
  for (uint32_t n = 0; n < graph->entry_count; n++) {
    if (groups->group[n] != n || !once[n] || groups->first_pop[n] == UINT32_MAX)
      continue;
    /* The group is popped at most as often as it is pushed, in all. */
    uint32_t last = UINT32_MAX;
    wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_ENTRY + n);
    for (uint32_t p = groups->first_pop[n]; p != UINT32_MAX; p = groups->next_pop[p]) {
      if (graph->pops[p].edge != last)
        wb_system_add_edge(builder, graph->pops[p].edge, 1);
      last = graph->pops[p].edge;
    }
    for (uint32_t p = groups->first_push[n]; p != UINT32_MAX; p = groups->next_push[p])
      wb_system_add_runs(builder, graph->pushes[p].block, -1);
  }
}

/* Whether a run of the edge's block leads to the edge and to nothing else: then the block's rows
 * hold of the edge too. */
static bool is_only_way(const struct wb_system_builder *builder, uint32_t edge)
{
  const uint32_t from = builder->graph->edges[edge].from;
  return builder->leaving.first[from + 1] - builder->leaving.first[from] == 1 &&
         !builder->graph->ends[from] && builder->graph->edges[edge].rate != WB_RATE_LANES;
}

/* The edges and blocks where lanes are limited by groups: the edges that are not the only way from
 * their block, those back to loops that have a bound of the warp alone, and blocks in facts. */
static void mark_full(struct wb_system_builder *builder, const bool *pops, bool *full_edge,
                      bool *full_block)
{
  const struct wb_ipet_input *input = builder->input;
  const struct wb_warp_graph *graph = builder->graph;
  for (uint32_t e = 0; e < graph->edge_count; e++)
    full_edge[e] = !is_only_way(builder, e);
  for (size_t l = 0; l < input->loop_limit_count; l++) {
    if (input->loop_limits[l].thread_bound != WB_IPET_NO_BOUND)
      continue;
    wb_system_mark_loop(builder, input->loop_limits[l].loop);
    for (uint32_t e = 0; e < graph->edge_count; e++)
      full_edge[e] |= builder->marks.returns[e];
  }
  for (size_t f = 0; f < input->fact_count; f++) {
    for (size_t t = 0; t < input->facts[f].term_count; t++)
      full_block[input->facts[f].terms[t].block] = true;
  }
  /* A release is charged to one of the edges at which its lanes waited. */
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    full_block[graph->edges[e].to] |= full_edge[e] && pops[e];
    full_edge[e] &= !pops[e];
  }
}

static void limit_lanes_and_groups(struct wb_system_builder *builder, const bool *full_edge,
                                   const bool *full_block)
{
  const struct wb_warp_graph *graph = builder->graph;
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (!is_only_way(builder, e)) {
      /* Each time that a group takes the edge, one of its lanes does. */
      wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_ABOVE + e);
      wb_system_add_edge(builder, e, 1);
      wb_system_add_edge(builder, lane_edge(graph, e), -1);
    }
    if (full_edge[e]) {
      /* Each time that a group takes the edge, at most 32 lanes do. */
      wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_BELOW + e);
      wb_system_add_edge(builder, lane_edge(graph, e), 1);
      wb_system_add_edge(builder, e, -WB_IPET_LANES);
    }
  }
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (!full_block[b])
      continue;
    /* In each run of the block by a group there are at most 32 lanes; at the start as many as
     * that. */
    wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_FULL + b);
    for (size_t i = builder->reaching.first[b]; i < builder->reaching.first[b + 1]; i++) {
      const uint32_t edge = builder->reaching.item[i];
      wb_system_add_edge(builder, lane_edge(graph, edge), 1);
      wb_system_add_edge(builder, edge, -WB_IPET_LANES);
    }
  }
}

void wb_group_system_add(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  struct wb_flow_system *system = builder->system;
  struct wb_arena *arena = &builder->arena;
  bool *pops = wb_arena_array(arena, bool, graph->edge_count);
  bool *once = wb_arena_array(arena, bool, graph->entry_count);
  bool *full_edge = wb_arena_array(arena, bool, graph->edge_count);
  bool *full_block = wb_arena_array(arena, bool, graph->block_count);
  if (arena->failed)
    return;
  for (size_t p = 0; p < graph->pop_count; p++)
    pops[graph->pops[p].edge] = true;
  fill_groups(builder, pops);
  fill_lanes(builder);
  system->starts[0] = (struct wb_flow_start){.node = graph->entry_block, .runs = 1};
  system->starts[1] = (struct wb_flow_start){
      .node = (uint32_t)graph->block_count + graph->entry_block, .runs = WB_IPET_LANES};
  system->start_count = 2;
  limit_loops(builder);
  limit_entries(builder, once);
  limit_meetings(builder);
  mark_full(builder, pops, full_edge, full_block);
  limit_lanes_and_groups(builder, full_edge, full_block);
}
