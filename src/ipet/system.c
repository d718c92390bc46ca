#include "ipet/system.h"

#include "base/checked.h"
#include "base/memory.h"
#include "cfg/warp_graph/warp_loops.h"

#include <stdlib.h>
#include <string.h>

#define WARP_LANES 32u

/* Lists of edges by the block that they reach or leave: those of block b are
 * edge[first[b]] .. edge[first[b + 1] - 1]. */
struct incidence {
  size_t *first;
  uint32_t *edge;
};

struct builder {
  const struct wb_ipet_input *input;
  const struct wb_warp_graph *graph;
  struct wb_flow_system *system;
  struct incidence reaching, leaving;
  uint32_t *group;  /* by entry: entries that one edge may pop stand for each other */
  uint32_t *popper; /* by edge: the group whose entries it pops, or UINT32_MAX */
  bool *enters;     /* scratch, by edge */
  bool *returns;    /* scratch, by edge */
  bool *arrives;    /* scratch, by edge */
  warpbound_error *error;
};

static warpbound_status too_large(struct builder *b)
{
  return wb_fail(b->error, WARPBOUND_INVALID_INPUT,
                 "a sum over bounds and facts does not fit into 64 bits");
}

/* ---- loops ---- */

static warpbound_status loops_of_all_edges(const struct wb_warp_graph *graph,
                                           struct wb_loop_forest *forest, warpbound_error *error)
{
  uint32_t *from = wb_allocate(graph->edge_count, sizeof *from);
  uint32_t *to = wb_allocate(graph->edge_count, sizeof *to);
  warpbound_status status;
  if (from == NULL || to == NULL) {
    status = wb_out_of_memory(error);
  } else {
    for (size_t e = 0; e < graph->edge_count; e++) {
      from[e] = graph->edges[e].from;
      to[e] = graph->edges[e].to;
    }
    struct wb_flow_graph flow = {.node_count = graph->block_count,
                                 .edge_count = graph->edge_count,
                                 .from = from,
                                 .to = to,
                                 .entry = graph->entry_block};
    status = wb_loop_forest_make(&flow, forest, error);
  }
  free(from);
  free(to);
  return status;
}

warpbound_status wb_ipet_loops(const struct wb_warp_graph *graph, bool with_reactivations,
                               struct wb_loop_forest *forest, warpbound_error *error)
{
  return with_reactivations ? loops_of_all_edges(graph, forest, error)
                            : wb_warp_loops_make(graph, forest, error);
}

bool wb_ipet_push_repeats(const struct wb_warp_graph *graph, const struct wb_warp_push *push)
{
  const struct wb_warp_block *block = &graph->blocks[push->block];
  const struct wb_warp_entry *entry = &graph->entries[push->entry];
  return push->divergent && entry->token == WB_TOKEN_NONE && entry->point == block->last &&
         entry->context == block->context;
}

/* What of a loop decides which edges enter it and which come back to its header. */
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
  /* A token pushed inside, for which lanes leave from outside: of irreducible loops. */
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
  /* Where reactivations make the forest too, those that are returns are marked above. */
  for (size_t i = 0; i < marks->loop->back_edge_count; i++) {
    uint32_t e = forest->back_edges[marks->loop->first_back_edge + i];
    if (marks->all_edges || graph->edges[e].kind != WB_EDGE_REACTIVATION)
      returns[e] = true;
  }
}

/* arrives: by edge, whether it leads to a header and does not enter; or NULL. */
static warpbound_status find_edges(const struct wb_warp_graph *graph,
                                   const struct wb_loop_forest *forest, bool with_reactivations,
                                   uint32_t loop, bool *enters, bool *returns, bool *arrives,
                                   warpbound_error *error)
{
  struct loop_marks marks = {
      .graph = graph,
      .all_edges = with_reactivations,
      .loop = &forest->loops[loop],
      .inside = wb_allocate(graph->block_count, sizeof *marks.inside),
      .headers = wb_allocate(graph->block_count, sizeof *marks.headers),
      .from_outside = wb_allocate(graph->entry_count, sizeof *marks.from_outside),
      .repeats = wb_allocate(graph->entry_count, sizeof *marks.repeats),
  };
  warpbound_status status = WARPBOUND_OK;
  if (marks.inside == NULL || marks.headers == NULL || marks.from_outside == NULL ||
      marks.repeats == NULL) {
    status = wb_out_of_memory(error);
  } else {
    mark_loop(forest, &marks);
    wb_ipet_loop_headers(graph, forest, loop, marks.inside, marks.headers);
    mark_edges(forest, &marks, enters, returns);
    for (size_t e = 0; arrives != NULL && e < graph->edge_count; e++)
      arrives[e] = marks.headers[graph->edges[e].to] && !enters[e];
  }
  free(marks.inside);
  free(marks.headers);
  free(marks.from_outside);
  free(marks.repeats);
  return status;
}

warpbound_status wb_ipet_loop_edges(const struct wb_warp_graph *graph,
                                    const struct wb_loop_forest *forest, bool with_reactivations,
                                    uint32_t loop, bool *enters, bool *returns,
                                    warpbound_error *error)
{
  return find_edges(graph, forest, with_reactivations, loop, enters, returns, NULL, error);
}

/* ---- terms ---- */

static bool incidence_make(struct incidence *incidence, const struct wb_warp_graph *graph,
                           bool reaching)
{
  incidence->first = wb_allocate(graph->block_count + 2, sizeof *incidence->first);
  incidence->edge = wb_allocate(graph->edge_count, sizeof *incidence->edge);
  if (incidence->first == NULL || incidence->edge == NULL)
    return false;
  /* Counted two places further on, so that filling moves each first to its place. */
  size_t *fill = incidence->first + 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    fill[(reaching ? graph->edges[e].to : graph->edges[e].from) + 1]++;
  for (size_t b = 1; b <= graph->block_count; b++)
    fill[b] += fill[b - 1];
  for (size_t e = 0; e < graph->edge_count; e++)
    incidence->edge[fill[reaching ? graph->edges[e].to : graph->edges[e].from]++] = (uint32_t)e;
  return true;
}

/* A number on the left of the newest limit, where the start is counted. */
static bool add_constant(struct builder *b, int64_t number)
{
  if (b->system->failed)
    return true;
  int64_t *constant = &b->system->limits[b->system->limit_count - 1].constant;
  return wb_subtract_signed(*constant, number, constant);
}

/* factor * (runs of the block): its incoming edges, and the start. */
static bool add_runs(struct builder *b, uint32_t block, int64_t factor)
{
  for (size_t i = b->reaching.first[block]; i < b->reaching.first[block + 1]; i++) {
    if (!wb_flow_term_add(b->system, b->reaching.edge[i], factor))
      return false;
  }
  return block != b->graph->entry_block || add_constant(b, factor);
}

/* The entry that stands for those of its group. */
static uint32_t group_of(uint32_t *group, uint32_t entry)
{
  while (group[entry] != entry) {
    group[entry] = group[group[entry]];
    entry = group[entry];
  }
  return entry;
}

/* How often at most an indexed branch is done anew for each arrival: those who arrive go to its
 * targets one side after the other. 0 for other pushes. */
static int64_t repetitions(const struct builder *b, const struct wb_warp_push *push)
{
  const struct wb_warp_block *block = &b->graph->blocks[push->block];
  uint32_t targets = b->graph->function->instructions[block->last].target_count;
  uint32_t sides = targets < WARP_LANES ? targets : WARP_LANES;
  return wb_ipet_push_repeats(b->graph, push) && sides > 1 ? sides - 1 : 0;
}

/* factor * (arrivals at the block of the push). An edge that pops the group of its entry is none
 * here: it wakes those who are to do the branch anew, or others, which limit_group counts. */
static bool add_arrivals(struct builder *b, const struct wb_warp_push *push, int64_t factor)
{
  uint32_t group = group_of(b->group, push->entry);
  for (size_t i = b->reaching.first[push->block]; i < b->reaching.first[push->block + 1]; i++) {
    uint32_t edge = b->reaching.edge[i];
    if (b->popper[edge] != group && !wb_flow_term_add(b->system, edge, factor))
      return false;
  }
  return push->block != b->graph->entry_block || add_constant(b, factor);
}

/* factor * (how often the push happens). A branch or call pushes because of divergence only where
 * lanes do it, and then the block is left by another edge than to the next instruction; what
 * pushes a token goes on there itself. */
static bool add_push(struct builder *b, const struct wb_warp_push *push, int64_t factor)
{
  uint32_t last = b->graph->blocks[push->block].last;
  if (!push->divergent || b->graph->function->instructions[last].transfer == WB_TRANSFER_PUSH)
    return add_runs(b, push->block, factor);
  for (size_t i = b->leaving.first[push->block]; i < b->leaving.first[push->block + 1]; i++) {
    uint32_t edge = b->leaving.edge[i];
    if (b->graph->edges[edge].kind != WB_EDGE_FALLTHROUGH &&
        !wb_flow_term_add(b->system, edge, factor))
      return false;
  }
  return true;
}

static bool starts_inside(const struct builder *b, uint32_t loop)
{
  const struct wb_loop *it = &b->input->forest->loops[loop];
  for (size_t i = 0; i < it->node_count; i++) {
    if (b->input->forest->nodes[it->first_node + i] == b->graph->entry_block)
      return true;
  }
  return false;
}

/* ---- limits ---- */

/* Which edges enter the loop and which come back to its header, into the scratch. */
static warpbound_status find_loop_edges(struct builder *b, uint32_t loop)
{
  return wb_ipet_loop_edges(b->graph, b->input->forest, b->input->free_reactivations, loop,
                            b->enters, b->returns, b->error);
}

/* factor * (takings of the marked edges). */
static warpbound_status add_marked(struct builder *b, const bool *marked, int64_t factor)
{
  for (size_t e = 0; e < b->graph->edge_count; e++) {
    if (marked[e] && !wb_flow_term_add(b->system, (uint32_t)e, factor))
      return too_large(b);
  }
  return WARPBOUND_OK;
}

/* -factor * (entries of the loop). */
static warpbound_status take_entries(struct builder *b, uint32_t loop, int64_t factor)
{
  warpbound_status status = find_loop_edges(b, loop);
  if (status == WARPBOUND_OK)
    status = add_marked(b, b->enters, -factor);
  if (status == WARPBOUND_OK && starts_inside(b, loop) && !add_constant(b, -factor))
    status = too_large(b);
  return status;
}

/* factor * (how often the warp comes to a header of the loop but by the ways that enter): the
 * returns, and the wakings of lanes there that may be none. */
static warpbound_status add_arrivals_at_headers(struct builder *b, uint32_t loop, int64_t factor)
{
  warpbound_status status = find_edges(b->graph, b->input->forest, b->input->free_reactivations,
                                       loop, b->enters, b->returns, b->arrives, b->error);
  return status == WARPBOUND_OK ? add_marked(b, b->arrives, factor) : status;
}

/* factor * (how often the warp comes back to the loop's header). */
static warpbound_status add_returns(struct builder *b, uint32_t loop, int64_t factor)
{
  warpbound_status status = find_loop_edges(b, loop);
  return status == WARPBOUND_OK ? add_marked(b, b->returns, factor) : status;
}

static warpbound_status limit_loop(struct builder *b, size_t index)
{
  const struct wb_ipet_loop_limit *limit = &b->input->loop_limits[index];
  wb_flow_limit_add(b->system, 0, WB_IPET_ORIGIN_LOOP + (uint32_t)index);
  warpbound_status status = add_returns(b, limit->loop, 1);
  return status == WARPBOUND_OK ? take_entries(b, limit->per, limit->bound) : status;
}

/* Entries that one edge may pop are counted together: which of them it was is not known.
 * The least entry stands for its group. pops are sorted by edge. */
static void unite_entries(struct builder *b)
{
  for (uint32_t n = 0; n < b->graph->entry_count; n++)
    b->group[n] = n;
  for (size_t p = 1; p < b->graph->pop_count; p++) {
    if (b->graph->pops[p].edge != b->graph->pops[p - 1].edge)
      continue;
    uint32_t first = group_of(b->group, b->graph->pops[p - 1].entry);
    uint32_t second = group_of(b->group, b->graph->pops[p].entry);
    if (first < second)
      b->group[second] = first;
    else
      b->group[first] = second;
  }
}

/* Each push is popped at most once: a pop takes the entry from the stack. The entries of a group
 * go on at one place; where that is an indexed branch, lanes woken there may do it anew as those
 * do that arrive otherwise. The pops and pushes of a group stand in lists of next[]. */
static warpbound_status limit_group(struct builder *b, uint32_t group, const uint32_t *first_pop,
                                    const uint32_t *next_pop, const uint32_t *first_push,
                                    const uint32_t *next_push)
{
  wb_flow_limit_add(b->system, 0, WB_IPET_ORIGIN_ENTRY + group);
  uint32_t last = UINT32_MAX;
  for (uint32_t p = first_pop[group]; p != UINT32_MAX; p = next_pop[p]) {
    if (b->graph->pops[p].edge != last && !wb_flow_term_add(b->system, b->graph->pops[p].edge, 1))
      return too_large(b);
    last = b->graph->pops[p].edge;
  }
  int64_t anew = 0;
  for (uint32_t p = first_push[group]; p != UINT32_MAX; p = next_push[p])
    anew += repetitions(b, &b->graph->pushes[p]);
  for (uint32_t p = first_push[group]; p != UINT32_MAX; p = next_push[p]) {
    const struct wb_warp_push *push = &b->graph->pushes[p];
    if (!(wb_ipet_push_repeats(b->graph, push) ? add_arrivals(b, push, -repetitions(b, push))
                                               : add_push(b, push, -1 - anew)))
      return too_large(b);
  }
  return WARPBOUND_OK;
}

static warpbound_status limit_groups(struct builder *b, uint32_t *first_pop, uint32_t *next_pop,
                                     uint32_t *first_push, uint32_t *next_push)
{
  for (size_t n = 0; n < b->graph->entry_count; n++)
    first_pop[n] = first_push[n] = UINT32_MAX;
  for (size_t e = 0; e < b->graph->edge_count; e++)
    b->popper[e] = UINT32_MAX;
  for (size_t p = b->graph->pop_count; p-- > 0;) {
    uint32_t group = group_of(b->group, b->graph->pops[p].entry);
    b->popper[b->graph->pops[p].edge] = group;
    next_pop[p] = first_pop[group];
    first_pop[group] = (uint32_t)p;
  }
  for (size_t p = b->graph->push_count; p-- > 0;) {
    uint32_t group = group_of(b->group, b->graph->pushes[p].entry);
    next_push[p] = first_push[group];
    first_push[group] = (uint32_t)p;
  }
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t n = 0; n < b->graph->entry_count && status == WARPBOUND_OK; n++) {
    if (b->group[n] == n && first_pop[n] != UINT32_MAX)
      status = limit_group(b, n, first_pop, next_pop, first_push, next_push);
  }
  return status;
}

/* The groups of entries that the indexed branch of a block pushes, but for those in which lanes
 * wait to do another one anew. Returns how many. */
static size_t mark_sides(const struct builder *b, uint32_t block, bool *sides)
{
  size_t count = 0;
  for (size_t p = 0; p < b->graph->push_count; p++) {
    const struct wb_warp_push *push = &b->graph->pushes[p];
    sides[group_of(b->group, push->entry)] |= push->block == block && push->divergent;
  }
  for (size_t p = 0; p < b->graph->push_count; p++) {
    const struct wb_warp_push *push = &b->graph->pushes[p];
    if (push->block != block && wb_ipet_push_repeats(b->graph, push))
      sides[group_of(b->group, push->entry)] = false;
  }
  for (size_t n = 0; n < b->graph->entry_count; n++)
    count += sides[n];
  return count;
}

/* Those who arrive at an indexed branch go to its targets one side after the other: it leaves some
 * of them waiting, to do it anew or at a target, at most once less than it has targets. What
 * others leave waiting in the same entries comes on top; where that is at the branch, with all its
 * sides. again: the push of those who are to do it anew. */
static warpbound_status limit_sides(struct builder *b, const struct wb_warp_push *again,
                                    bool *sides)
{
  const int64_t anew = repetitions(b, again);
  const struct wb_instruction *branch =
      &b->graph->function->instructions[b->graph->blocks[again->block].last];
  const bool tested = branch->guard != WB_NO_REGISTER || branch->conditional_code ||
                      branch->second_predicate; /* it then leaves those waiting that pass it by */
  memset(sides, 0, b->graph->entry_count * sizeof *sides);
  if (tested || mark_sides(b, again->block, sides) < 2)
    return WARPBOUND_OK;
  wb_flow_limit_add(b->system, 0, WB_IPET_ORIGIN_SIDES + again->block);
  bool fits = add_arrivals(b, again, -anew);
  for (uint32_t e = 0; e < b->graph->edge_count && fits; e++) {
    if (b->popper[e] != UINT32_MAX && sides[b->popper[e]])
      fits = wb_flow_term_add(b->system, e, 1);
  }
  for (size_t p = 0; p < b->graph->push_count && fits; p++) {
    const struct wb_warp_push *push = &b->graph->pushes[p];
    const uint32_t group = group_of(b->group, push->entry);
    if (push->block != again->block && sides[group])
      fits = add_push(b, push, group == group_of(b->group, again->entry) ? -1 - anew : -1);
  }
  return fits ? WARPBOUND_OK : too_large(b);
}

/* Whether the push is the first one by which its block's lanes are to do its branch anew: a branch
 * that has itself as a target has two. */
static bool is_first_repeat(const struct wb_warp_graph *graph, size_t push)
{
  if (!wb_ipet_push_repeats(graph, &graph->pushes[push]))
    return false;
  for (size_t p = 0; p < push; p++) {
    if (graph->pushes[p].block == graph->pushes[push].block &&
        wb_ipet_push_repeats(graph, &graph->pushes[p]))
      return false;
  }
  return true;
}

static warpbound_status limit_indexed_branches(struct builder *b)
{
  bool *sides = wb_allocate(b->graph->entry_count, sizeof *sides);
  warpbound_status status = sides != NULL ? WARPBOUND_OK : wb_out_of_memory(b->error);
  for (size_t p = 0; p < b->graph->push_count && status == WARPBOUND_OK; p++) {
    if (is_first_repeat(b->graph, p))
      status = limit_sides(b, &b->graph->pushes[p], sides);
  }
  free(sides);
  return status;
}

static warpbound_status limit_reactivations(struct builder *b)
{
  uint32_t *first_pop = wb_allocate(b->graph->entry_count, sizeof *first_pop);
  uint32_t *next_pop = wb_allocate(b->graph->pop_count, sizeof *next_pop);
  uint32_t *first_push = wb_allocate(b->graph->entry_count, sizeof *first_push);
  uint32_t *next_push = wb_allocate(b->graph->push_count, sizeof *next_push);
  warpbound_status status;
  if (first_pop == NULL || next_pop == NULL || first_push == NULL || next_push == NULL) {
    status = wb_out_of_memory(b->error);
  } else {
    unite_entries(b);
    status = limit_groups(b, first_pop, next_pop, first_push, next_push);
    if (status == WARPBOUND_OK)
      status = limit_indexed_branches(b);
  }
  free(first_pop);
  free(next_pop);
  free(first_push);
  free(next_push);
  return status;
}

/* Each run of a block is one of at least one lane (of an indexed branch, of one that does not do it
 * anew), and a lane runs it at most once for each time that it reaches a header of the innermost
 * loop around it, which for the warp is at least a thirty-second of that; once in all outside of
 * loops. Without these rows, lanes that wait outside of loops could multiply at each divergence. */
static warpbound_status limit_lanes(struct builder *b, uint32_t block)
{
  uint32_t loop = b->input->forest->innermost[block];
  wb_flow_limit_add(b->system, loop == UINT32_MAX ? WARP_LANES : 0, WB_IPET_ORIGIN_LANES + block);
  if (!add_runs(b, block, 1))
    return too_large(b);
  if (loop == UINT32_MAX)
    return WARPBOUND_OK;
  warpbound_status status = add_arrivals_at_headers(b, loop, -(int64_t)WARP_LANES);
  return status == WARPBOUND_OK ? take_entries(b, loop, WARP_LANES) : status;
}

/* Where lanes that waited run on: there alone a block runs more often than the ways to it. */
static warpbound_status limit_woken_blocks(struct builder *b)
{
  bool *woken = wb_allocate(b->graph->block_count, sizeof *woken);
  warpbound_status status = woken != NULL ? WARPBOUND_OK : wb_out_of_memory(b->error);
  for (size_t e = 0; status == WARPBOUND_OK && e < b->graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &b->graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || woken[edge->to])
      continue;
    woken[edge->to] = true;
    status = limit_lanes(b, edge->to);
  }
  free(woken);
  return status;
}

static warpbound_status limit_fact(struct builder *b, size_t index)
{
  const struct wb_ipet_fact *fact = &b->input->facts[index];
  wb_flow_limit_add(b->system, fact->constant, WB_IPET_ORIGIN_FACT + (uint32_t)index);
  for (size_t t = 0; t < fact->term_count; t++) {
    if (!add_runs(b, fact->terms[t].block, fact->terms[t].factor))
      return too_large(b);
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < fact->per_count && status == WARPBOUND_OK; p++)
    status = take_entries(b, fact->per[p], fact->per_factor);
  return status;
}

static void fill_graph(struct builder *b)
{
  for (size_t e = 0; e < b->graph->edge_count; e++) {
    b->system->from[e] = b->graph->edges[e].from;
    b->system->to[e] = b->graph->edges[e].to;
  }
  for (size_t v = 0; v < b->graph->block_count; v++) {
    b->system->cycles[v] = b->input->cycles[v];
    b->system->ends[v] = b->graph->ends[v];
  }
  b->system->start = b->graph->entry_block;
}

static warpbound_status add_limits(struct builder *b)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < b->input->loop_limit_count && status == WARPBOUND_OK; l++)
    status = limit_loop(b, l);
  if (status == WARPBOUND_OK && !b->input->free_reactivations)
    status = limit_reactivations(b);
  if (status == WARPBOUND_OK && !b->input->free_reactivations)
    status = limit_woken_blocks(b);
  for (size_t f = 0; f < b->input->fact_count && status == WARPBOUND_OK; f++)
    status = limit_fact(b, f);
  if (status == WARPBOUND_OK && b->system->failed)
    status = wb_out_of_memory(b->error);
  return status;
}

warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error)
{
  const struct wb_warp_graph *graph = input->graph;
  struct builder b = {.input = input, .graph = graph, .system = system, .error = error};
  warpbound_status status =
      wb_flow_system_make(system, graph->block_count, graph->edge_count, error);
  if (status != WARPBOUND_OK)
    return status;
  fill_graph(&b);
  b.group = wb_allocate(graph->entry_count, sizeof *b.group);
  b.popper = wb_allocate(graph->edge_count, sizeof *b.popper);
  b.enters = wb_allocate(graph->edge_count, sizeof *b.enters);
  b.returns = wb_allocate(graph->edge_count, sizeof *b.returns);
  b.arrives = wb_allocate(graph->edge_count, sizeof *b.arrives);
  if (!incidence_make(&b.reaching, graph, true) || !incidence_make(&b.leaving, graph, false) ||
      b.group == NULL || b.popper == NULL || b.enters == NULL || b.returns == NULL ||
      b.arrives == NULL)
    status = wb_out_of_memory(error);
  else
    status = add_limits(&b);
  free(b.reaching.first);
  free(b.reaching.edge);
  free(b.leaving.first);
  free(b.leaving.edge);
  free(b.group);
  free(b.popper);
  free(b.enters);
  free(b.returns);
  free(b.arrives);
  if (status != WARPBOUND_OK)
    wb_flow_system_free(system);
  return status;
}
