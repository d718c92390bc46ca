#include "ipet/system/system_builder.h"

#include "base/arena.h"
#include "base/checked.h"
#include "cfg/warp_graph/warp_loops.h"
#include "ipet/system/ipet_system.h"

#include <assert.h>
#include <string.h>

/* ---- loops ---- */

warpbound_status wb_ipet_loops(const struct wb_warp_graph *graph, bool with_reactivations,
                               struct wb_loop_forest *forest, warpbound_error *error)
{
  if (!with_reactivations)
    return wb_warp_loops_make(graph, forest, error);
  struct wb_arena arena = {0};
  uint32_t *from = wb_arena_array(&arena, uint32_t, graph->edge_count);
  uint32_t *to = wb_arena_array(&arena, uint32_t, graph->edge_count);
  warpbound_status status;
  if (arena.failed) {
    status = wb_out_of_memory(error);
  } else {
    for (size_t e = 0; e < graph->edge_count; e++) {
      from[e] = graph->edges[e].from;
      to[e] = graph->edges[e].to;
    }
    const struct wb_flow_graph flow = {.node_count = graph->block_count,
                                       .edge_count = graph->edge_count,
                                       .from = from,
                                       .to = to,
                                       .entry = graph->entry_block};
    status = wb_loop_forest_make(&flow, forest, error);
  }
  wb_arena_free(&arena);
  return status;
}

bool wb_ipet_push_repeats(const struct wb_warp_graph *graph, const struct wb_warp_push *push)
{
  const struct wb_warp_block *block = &graph->blocks[push->block];
  const struct wb_warp_entry *entry = &graph->entries[push->entry];
  return push->divergent && entry->token == WB_TOKEN_NONE && entry->point == block->last &&
         entry->context == block->context;
}

/* The properties of blocks and entries that decide which edges enter a loop and which return to its
 * header. */
struct loop_marks {
  const struct wb_warp_graph *graph;
  const struct wb_loop *loop;
  bool all_edges;     /* the forest is that of all edges */
  bool *inside;       /* by block */
  bool *headers;      /* by block */
  bool *from_outside; /* by entry: lanes that were outside may wait in it */
  bool *repeats;      /* by entry: lanes that are to do an indexed branch anew may wait in it */
};

void wb_ipet_loop_headers(const struct wb_warp_graph *graph, const struct wb_loop_forest *forest,
                          uint32_t loop, const bool *inside, bool *headers)
{
  const struct wb_loop *it = &forest->loops[loop];
  for (size_t i = 0; i < it->node_count; i++) {
    const uint32_t block = forest->nodes[it->first_node + i];
    headers[block] = block == it->header || block == graph->entry_block;
  }
  for (size_t i = 0; i < it->back_edge_count; i++)
    headers[graph->edges[forest->back_edges[it->first_back_edge + i]].to] = true;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION && inside[edge->to] && !inside[edge->from])
      headers[edge->to] = true;
  }
}

static void mark_loop(const struct wb_loop_forest *forest, struct loop_marks *marks)
{
  for (size_t i = 0; i < marks->loop->node_count; i++)
    marks->inside[forest->nodes[marks->loop->first_node + i]] = true;
  for (size_t p = 0; p < marks->graph->push_count; p++) {
    const struct wb_warp_push *push = &marks->graph->pushes[p];
    if (!marks->inside[push->block])
      marks->from_outside[push->entry] = true;
    if (wb_ipet_push_repeats(marks->graph, push))
      marks->repeats[push->entry] = true;
  }
  /* In irreducible loops lanes may leave for a token from outside that was pushed inside. */
  for (size_t p = 0; p < marks->graph->pop_count; p++) {
    const struct wb_warp_edge *edge = &marks->graph->edges[marks->graph->pops[p].edge];
    if (edge->kind != WB_EDGE_REACTIVATION && marks->inside[edge->to] && !marks->inside[edge->from])
      marks->from_outside[marks->graph->pops[p].entry] = true;
  }
}

static void mark_edges(const struct wb_loop_forest *forest, const struct loop_marks *marks,
                       bool *enters, bool *returns)
{
  const struct wb_warp_graph *graph = marks->graph;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const bool wakes = !marks->all_edges && edge->kind == WB_EDGE_REACTIVATION;
    enters[e] = !wakes && marks->inside[edge->to] && !marks->inside[edge->from];
    returns[e] = wakes && marks->headers[edge->to];
  }
  for (size_t p = 0; p < graph->pop_count && !marks->all_edges; p++) {
    uint32_t e = graph->pops[p].edge;
    if (graph->edges[e].kind != WB_EDGE_REACTIVATION)
      continue;
    if (marks->inside[graph->edges[e].to] && marks->from_outside[graph->pops[p].entry]) {
      enters[e] = true;
      returns[e] = false;
    }
    if (marks->repeats[graph->pops[p].entry])
      returns[e] = false;
  }
  /* Reactivations among the back edges are marked above, where they are returns. */
  for (size_t i = 0; i < marks->loop->back_edge_count; i++) {
    uint32_t e = forest->back_edges[marks->loop->first_back_edge + i];
    if (marks->all_edges || graph->edges[e].kind != WB_EDGE_REACTIVATION)
      returns[e] = true;
  }
}

warpbound_status wb_ipet_loop_edges(const struct wb_warp_graph *graph,
                                    const struct wb_loop_forest *forest, bool with_reactivations,
                                    uint32_t loop, const struct wb_ipet_edge_marks *edges,
                                    warpbound_error *error)
{
  struct wb_arena arena = {0};
  struct loop_marks marks = {
      .graph = graph,
      .all_edges = with_reactivations,
      .loop = &forest->loops[loop],
      .inside = wb_arena_array(&arena, bool, graph->block_count),
      .headers = wb_arena_array(&arena, bool, graph->block_count),
      .from_outside = wb_arena_array(&arena, bool, graph->entry_count),
      .repeats = wb_arena_array(&arena, bool, graph->entry_count),
  };
  warpbound_status status = WARPBOUND_OK;
  if (arena.failed) {
    status = wb_out_of_memory(error);
  } else {
    mark_loop(forest, &marks);
    wb_ipet_loop_headers(graph, forest, loop, marks.inside, marks.headers);
    mark_edges(forest, &marks, edges->enters, edges->returns);
    for (size_t e = 0; edges->arrives != NULL && e < graph->edge_count; e++)
      edges->arrives[e] = marks.headers[graph->edges[e].to] && !edges->enters[e];
  }
  wb_arena_free(&arena);
  return status;
}

/* ---- terms ---- */

/* Adds a number to the left side, for the start of the execution. */
static void add_constant(struct wb_system_builder *builder, int64_t number)
{
  if (builder->system->failed)
    return;
  int64_t *constant = &builder->system->limits[builder->system->limit_count - 1].constant;
  builder->too_large |= !wb_subtract_signed(*constant, number, constant);
}

void wb_system_add_edge(struct wb_system_builder *builder, uint32_t edge, int64_t factor)
{
  builder->too_large |= !wb_flow_term_add(builder->system, edge, factor);
}

void wb_system_add_runs(struct wb_system_builder *builder, uint32_t block, int64_t factor)
{
  for (size_t i = builder->reaching.first[block]; i < builder->reaching.first[block + 1]; i++)
    wb_system_add_edge(builder, builder->reaching.item[i], factor);
  if (block == builder->graph->entry_block)
    add_constant(builder, factor);
}

/* Adds factor * (executions of the marked edges), in the layer whose first edge is given. */
static void add_marked(struct wb_system_builder *builder, const bool *marked, uint32_t first_edge,
                       int64_t factor)
{
  for (uint32_t e = 0; e < builder->graph->edge_count; e++) {
    if (marked[e])
      wb_system_add_edge(builder, first_edge + e, factor);
  }
}

void wb_system_mark_loop(struct wb_system_builder *builder, uint32_t loop)
{
  const struct wb_loop_forest *forest = builder->input->forest;
  const uint32_t *nodes = forest->nodes + forest->loops[loop].first_node;
  builder->starts_inside = false;
  for (size_t i = 0; i < forest->loops[loop].node_count; i++)
    builder->starts_inside |= nodes[i] == builder->graph->entry_block;
  if (wb_ipet_loop_edges(builder->graph, forest, builder->input->free_reactivations, loop,
                         &builder->marks, NULL) != WARPBOUND_OK)
    builder->arena.failed = true;
}

/* Subtracts factor * (entries of the loop marked last), of which the start is `starts`. */
static void subtract_entries(struct wb_system_builder *builder, uint32_t first_edge, int64_t starts,
                             int64_t factor)
{
  int64_t at_start;
  add_marked(builder, builder->marks.enters, first_edge, -factor);
  if (!builder->starts_inside)
    return;
  if (wb_multiply_signed(factor, starts, &at_start))
    add_constant(builder, -at_start);
  else
    builder->too_large = true;
}

void wb_system_limit_loop(struct wb_system_builder *builder, size_t index, int64_t bound,
                          bool lanes)
{
  const struct wb_ipet_loop_limit *limit = &builder->input->loop_limits[index];
  const uint32_t first_edge = lanes ? (uint32_t)builder->graph->edge_count : 0;
  const uint32_t origin = lanes ? WB_IPET_ORIGIN_THREADS : WB_IPET_ORIGIN_LOOP;
  wb_flow_limit_add(builder->system, 0, origin + (uint32_t)index);
  wb_system_mark_loop(builder, limit->loop);
  add_marked(builder, builder->marks.returns, first_edge, 1);
  wb_system_mark_loop(builder, limit->per);
  subtract_entries(builder, first_edge, lanes ? WB_IPET_LANES : 1, bound);
}

/* ---- reactivations ---- */

/* How often an indexed branch is repeated at most for each arrival: the lanes that arrive go to its
 * targets one side after the other. 0 for other pushes. */
static int64_t repetitions(const struct wb_warp_graph *graph, const struct wb_warp_push *push)
{
  const uint32_t last = graph->blocks[push->block].last;
  const uint32_t targets = graph->function->instructions[last].target_count;
  const uint32_t sides = targets < WB_IPET_LANES ? targets : WB_IPET_LANES;
  return wb_ipet_push_repeats(graph, push) && sides > 1 ? sides - 1 : 0;
}

/* factor * (arrivals at the block of the push). An edge that pops the group of its entry is none
 * here: it reactivates lanes that repeat the branch, or others; limit_pops counts them. popper: by
 * edge, the group whose entries it pops, or UINT32_MAX. */
static void add_arrivals(struct wb_system_builder *builder, const uint32_t *popper,
                         const struct wb_warp_push *push, int64_t factor)
{
  const struct wb_buckets *reaching = &builder->reaching;
  const uint32_t group = wb_entry_group_of(&builder->groups, push->entry);
  for (size_t i = reaching->first[push->block]; i < reaching->first[push->block + 1]; i++) {
    if (popper[reaching->item[i]] != group)
      wb_system_add_edge(builder, reaching->item[i], factor);
  }
  if (push->block == builder->graph->entry_block)
    add_constant(builder, factor);
}

/* factor * (how often the push happens). A branch or call pushes because of divergence only where
 * lanes do it, and then the block is left by another edge than to the next instruction; what
 * pushes a token goes on there itself. */
static void add_push(struct wb_system_builder *builder, const struct wb_warp_push *push,
                     int64_t factor)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_buckets *leaving = &builder->leaving;
  const uint32_t last = graph->blocks[push->block].last;
  if (!push->divergent || graph->function->instructions[last].transfer == WB_TRANSFER_PUSH) {
    wb_system_add_runs(builder, push->block, factor);
    return;
  }
  for (size_t i = leaving->first[push->block]; i < leaving->first[push->block + 1]; i++) {
    if (graph->edges[leaving->item[i]].kind != WB_EDGE_FALLTHROUGH)
      wb_system_add_edge(builder, leaving->item[i], factor);
  }
}

/* Each push is popped at most once: a pop takes the entry from the stack. The entries of a group
 * go on at one place; where that is an indexed branch, lanes that are reactivated there may repeat
 * it as those that arrive otherwise do. */
static void limit_pops(struct wb_system_builder *builder, const uint32_t *popper, uint32_t group)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_entry_groups *groups = &builder->groups;
  uint32_t last = UINT32_MAX;
  int64_t anew = 0;
  wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_ENTRY + group);
  for (uint32_t p = groups->first_pop[group]; p != UINT32_MAX; p = groups->next_pop[p]) {
    if (graph->pops[p].edge != last)
      wb_system_add_edge(builder, graph->pops[p].edge, 1);
    last = graph->pops[p].edge;
  }
  for (uint32_t p = groups->first_push[group]; p != UINT32_MAX; p = groups->next_push[p])
    anew += repetitions(graph, &graph->pushes[p]);
  for (uint32_t p = groups->first_push[group]; p != UINT32_MAX; p = groups->next_push[p]) {
    const struct wb_warp_push *push = &graph->pushes[p];
    if (wb_ipet_push_repeats(graph, push))
      add_arrivals(builder, popper, push, -repetitions(graph, push));
    else
      add_push(builder, push, -1 - anew);
  }
}

/* Marks the groups of entries that the indexed branch of a block pushes, without those in which
 * lanes wait to repeat another branch. Returns their number. */
static size_t mark_sides(const struct wb_system_builder *builder, uint32_t block, bool *sides)
{
  const struct wb_warp_graph *graph = builder->graph;
  size_t count = 0;
  memset(sides, 0, graph->entry_count * sizeof *sides);
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    sides[wb_entry_group_of(&builder->groups, push->entry)] |=
        push->block == block && push->divergent;
  }
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    if (push->block != block && wb_ipet_push_repeats(graph, push))
      sides[wb_entry_group_of(&builder->groups, push->entry)] = false;
  }
  for (size_t n = 0; n < graph->entry_count; n++)
    count += sides[n];
  return count;
}

/* Limits what an indexed branch leaves waiting. The lanes that arrive there go to its targets one
 * side after the other: some of them are left waiting, to repeat the branch or at a target, at most
 * once less than it has targets. Lanes that other blocks leave waiting in the same entries are
 * added; where those wait at the branch itself, with all of its sides. again: the push of the lanes
 * that repeat the branch. sides: scratch by entry. */
static void limit_sides(struct wb_system_builder *builder, const uint32_t *popper,
                        const struct wb_warp_push *again, bool *sides)
{
  const struct wb_warp_graph *graph = builder->graph;
  const int64_t anew = repetitions(graph, again);
  const struct wb_instruction *branch =
      &graph->function->instructions[graph->blocks[again->block].last];
  const bool tested = branch->guard != WB_NO_REGISTER || branch->conditional_code ||
                      branch->second_predicate; /* it then leaves those waiting that pass it by */
  if (tested || mark_sides(builder, again->block, sides) < 2)
    return;
  wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_SIDES + again->block);
  add_arrivals(builder, popper, again, -anew);
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (popper[e] != UINT32_MAX && sides[popper[e]])
      wb_system_add_edge(builder, e, 1);
  }
  const uint32_t own_group = wb_entry_group_of(&builder->groups, again->entry);
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    const uint32_t group = wb_entry_group_of(&builder->groups, push->entry);
    if (push->block != again->block && sides[group])
      add_push(builder, push, group == own_group ? -1 - anew : -1);
  }
}

/* Limits the executions of a block by those of lanes. Each execution is one of at least one lane
 * (of an indexed branch: of a lane that does not repeat it). A lane executes the block at most once
 * for each time that it reaches a header of the innermost loop around it, and the warp reaches the
 * header at least 1/32 of those times; outside of loops a lane executes it at most once. Without
 * these limits, lanes that wait outside of loops could multiply at each divergence. */
static void limit_lanes(struct wb_system_builder *builder, uint32_t block)
{
  const uint32_t loop = builder->input->forest->innermost[block];
  wb_flow_limit_add(builder->system, loop == UINT32_MAX ? WB_IPET_LANES : 0,
                    WB_IPET_ORIGIN_LANES + block);
  wb_system_add_runs(builder, block, 1);
  if (loop == UINT32_MAX)
    return;
  wb_system_mark_loop(builder, loop);
  add_marked(builder, builder->marks.arrives, 0, -WB_IPET_LANES);
  subtract_entries(builder, 0, 1, WB_IPET_LANES);
}

/* Limits how often waiting lanes are reactivated: each entry of the stack is popped at most as
 * often as it is pushed; an indexed branch leaves at most one side less waiting than it has
 * targets; each lane executes a block at most once for each time that it reaches the header of the
 * loop around it. Time: pushes times entries for indexed branches, else near linear in the graph
 * times its reactivations. */
static void limit_reactivations(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_entry_groups *groups = &builder->groups;
  uint32_t *popper = wb_arena_array(&builder->arena, uint32_t, graph->edge_count);
  bool *sides = wb_arena_array(&builder->arena, bool, graph->entry_count);
  bool *repeats = wb_arena_array(&builder->arena, bool, graph->block_count);
  bool *reactivated = wb_arena_array(&builder->arena, bool, graph->block_count);
  if (builder->arena.failed)
    return;
  for (size_t e = 0; e < graph->edge_count; e++)
    popper[e] = UINT32_MAX;
  for (size_t p = 0; p < graph->pop_count; p++)
    popper[graph->pops[p].edge] = wb_entry_group_of(groups, graph->pops[p].entry);
  for (uint32_t n = 0; n < graph->entry_count; n++) {
    if (groups->group[n] == n && groups->first_pop[n] != UINT32_MAX)
      limit_pops(builder, popper, n);
  }
  /* A branch that has itself as a target has two pushes by which its lanes repeat it. */
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    if (!wb_ipet_push_repeats(graph, push) || repeats[push->block])
      continue;
    repeats[push->block] = true;
    limit_sides(builder, popper, push, sides);
  }
  /* Only blocks where reactivated lanes go on can be executed more often than the edges of threads
   * lead there. */
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || reactivated[edge->to])
      continue;
    reactivated[edge->to] = true;
    limit_lanes(builder, edge->to);
  }
}

/* ---- entries that one edge may pop ---- */

uint32_t wb_entry_group_of(const struct wb_entry_groups *groups, uint32_t entry)
{
  uint32_t *group = groups->group;
  while (group[entry] != entry) {
    group[entry] = group[group[entry]];
    entry = group[entry];
  }
  return entry;
}

/* Makes the groups of a graph's entries. Near linear. */
static void make_entry_groups(struct wb_arena *arena, const struct wb_warp_graph *graph,
                              struct wb_entry_groups *groups)
{
  *groups =
      (struct wb_entry_groups){.group = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .first_pop = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .first_push = wb_arena_array(arena, uint32_t, graph->entry_count),
                               .next_pop = wb_arena_array(arena, uint32_t, graph->pop_count),
                               .next_push = wb_arena_array(arena, uint32_t, graph->push_count)};
  if (arena->failed)
    return;
  for (uint32_t n = 0; n < graph->entry_count; n++) {
    groups->group[n] = n;
    groups->first_pop[n] = groups->first_push[n] = UINT32_MAX;
  }
  /* Pops are sorted by edge. */
  for (size_t p = 1; p < graph->pop_count; p++) {
    if (graph->pops[p].edge != graph->pops[p - 1].edge)
      continue;
    const uint32_t first = wb_entry_group_of(groups, graph->pops[p - 1].entry);
    const uint32_t second = wb_entry_group_of(groups, graph->pops[p].entry);
    groups->group[wb_maximum(first, second)] = (uint32_t)wb_minimum(first, second);
  }
  for (size_t p = graph->pop_count; p-- > 0;) {
    const uint32_t group = wb_entry_group_of(groups, graph->pops[p].entry);
    groups->next_pop[p] = groups->first_pop[group];
    groups->first_pop[group] = (uint32_t)p;
  }
  for (size_t p = graph->push_count; p-- > 0;) {
    const uint32_t group = wb_entry_group_of(groups, graph->pushes[p].entry);
    groups->next_push[p] = groups->first_push[group];
    groups->first_push[group] = (uint32_t)p;
  }
}

/* ---- the system ---- */

/* Makes the lists and the marks, and the edges of the first layer. */
static void start_builder(struct wb_system_builder *builder)
{
  const struct wb_warp_graph *graph = builder->graph;
  const struct wb_flow_system *system = builder->system;
  struct wb_arena *arena = &builder->arena;
  const size_t edges = graph->edge_count;
  for (size_t e = 0; e < edges; e++) {
    system->from[e] = graph->edges[e].from;
    system->to[e] = graph->edges[e].to;
  }
  for (size_t b = 0; b < graph->block_count; b++)
    system->cycles[b] = builder->input->cycles[b];
  builder->marks = (struct wb_ipet_edge_marks){.enters = wb_arena_array(arena, bool, edges),
                                               .returns = wb_arena_array(arena, bool, edges),
                                               .arrives = wb_arena_array(arena, bool, edges)};
  make_entry_groups(arena, graph, &builder->groups);
  (void)wb_buckets_make(arena, system->to, edges, graph->block_count, &builder->reaching);
  (void)wb_buckets_make(arena, system->from, edges, graph->block_count, &builder->leaving);
}

static void add_limits(struct wb_system_builder *builder, bool groups)
{
  const struct wb_ipet_input *input = builder->input;
  if (groups) {
    wb_group_system_add(builder);
  } else {
    for (size_t b = 0; b < builder->graph->block_count; b++)
      builder->system->ends[b] = builder->graph->ends[b];
    wb_flow_system_walk(builder->system, builder->graph->entry_block);
    for (size_t l = 0; l < input->loop_limit_count; l++) {
      const struct wb_ipet_loop_limit *limit = &input->loop_limits[l];
      /* Where lanes are in one group all the time, those that come back last came back each time.
       */
      const bool by_thread =
          builder->graph->groups && limit->thread_bound != WB_IPET_NO_BOUND &&
          (limit->bound == WB_IPET_NO_BOUND || limit->thread_bound < limit->bound);
      wb_system_limit_loop(builder, l, by_thread ? limit->thread_bound : limit->bound, false);
    }
  }
  if (!builder->graph->groups && !input->free_reactivations)
    limit_reactivations(builder);
  for (size_t f = 0; f < input->fact_count; f++) {
    const struct wb_ipet_fact *fact = &input->facts[f];
    wb_flow_limit_add(builder->system, fact->constant, WB_IPET_ORIGIN_FACT + (uint32_t)f);
    for (size_t t = 0; t < fact->term_count; t++)
      wb_system_add_runs(builder, fact->terms[t].block, fact->terms[t].factor);
    for (size_t p = 0; p < fact->per_count; p++) {
      wb_system_mark_loop(builder, fact->per[p]);
      subtract_entries(builder, 0, 1, fact->per_factor);
    }
  }
}

warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error)
{
  const struct wb_warp_graph *graph = input->graph;
  struct wb_system_builder builder = {.input = input, .graph = graph, .system = system};
  const bool groups = wb_group_system_needed(graph);
  const size_t layers = groups ? 2 : 1;
  const size_t ports = groups ? wb_group_system_ports(graph) : graph->block_count;
  warpbound_status status = wb_flow_system_make(system, layers * graph->block_count,
                                                layers * graph->edge_count, ports, error);
  if (status != WARPBOUND_OK)
    return status;
  start_builder(&builder);
  if (!builder.arena.failed)
    add_limits(&builder, groups);
  if (builder.arena.failed || system->failed)
    status = wb_out_of_memory(error);
  else if (builder.too_large)
    status = wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "a sum over bounds and facts does not fit into 64 bits");
  wb_arena_free(&builder.arena);
  assert(status != WARPBOUND_OK || wb_flow_system_is_valid(system));
  if (status != WARPBOUND_OK)
    wb_flow_system_free(system);
  return status;
}
