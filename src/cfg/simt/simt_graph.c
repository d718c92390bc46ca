#include "cfg/simt/simt_graph.h"

#include "base/arena.h"
#include "base/memory.h"
#include "cfg/simt/simt_record.h"

#include <stdlib.h>
#include <string.h>

/* From states and continuations to blocks and entries. */
struct building {
  struct wb_arena arena; /* of the arrays and of what is scratch */
  bool *entered;         /* by instruction: control comes here otherwise than by falling in */
  uint32_t *blocks;      /* by state: the block of the graph that it is part of */
  uint32_t *entries;     /* by continuation: its entry in the graph */
};

/* ---- sorting: the comparisons of C17's qsort know no context, so items carry their keys ---- */

struct ordered {
  uint64_t key;  /* what is compared first */
  uint32_t item; /* the number of a state or continuation */
};

static int by_key(const void *a, const void *b)
{
  const struct ordered *left = a;
  const struct ordered *right = b;
  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return (left->item > right->item) - (left->item < right->item);
}

static int by_ends(const void *a, const void *b)
{
  const struct wb_simt_edge *left = a;
  const struct wb_simt_edge *right = b;
  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return (left->continuation > right->continuation) - (left->continuation < right->continuation);
}

static int by_block_and_entry(const void *a, const void *b)
{
  const struct wb_warp_push *left = a;
  const struct wb_warp_push *right = b;
  if (left->block != right->block)
    return left->block < right->block ? -1 : 1;
  if (left->entry != right->entry)
    return left->entry < right->entry ? -1 : 1;
  return (int)left->divergent - (int)right->divergent;
}

static int by_edge_and_entry(const void *a, const void *b)
{
  const struct wb_warp_pop *left = a;
  const struct wb_warp_pop *right = b;
  if (left->edge != right->edge)
    return left->edge < right->edge ? -1 : 1;
  return (left->entry > right->entry) - (left->entry < right->entry);
}

/* ---- blocks ---- */

/* Blocks by (instruction, context), as the graph has them. */
static bool make_blocks(struct wb_simt_analysis *analysis, const struct wb_simt_record *record,
                        struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = analysis->fixpoint.state_count;
  graph->blocks = wb_allocate(count, sizeof *graph->blocks);
  graph->ends = wb_allocate(count, sizeof *graph->ends);
  analysis->block_states = wb_allocate(count, sizeof *analysis->block_states);
  uint32_t *before = wb_arena_array(&building->arena, uint32_t, count);
  struct ordered *ordered = wb_arena_array(&building->arena, struct ordered, count);
  if (graph->blocks == NULL || graph->ends == NULL || analysis->block_states == NULL ||
      building->arena.failed)
    return false;
  for (size_t s = 0; s < count; s++) {
    const struct wb_simt_place place = analysis->fixpoint.states[s].place;
    ordered[s] = (struct ordered){(uint64_t)place.instruction << 32 | place.context, (uint32_t)s};
  }
  qsort(ordered, count, sizeof *ordered, by_key);
  building->entered[0] = true;
  for (size_t e = 0; e < record->edge_count; e++) {
    const struct wb_simt_edge *edge = &record->edges[e];
    if (edge->plain)
      before[edge->to] = edge->from;
    else
      building->entered[analysis->fixpoint.states[edge->to].place.instruction] = true;
  }
  for (size_t i = 0; i < count; i++) {
    const uint32_t state = ordered[i].item;
    const struct wb_simt_place place = analysis->fixpoint.states[state].place;
    if (building->entered[place.instruction]) {
      graph->blocks[graph->block_count] =
          (struct wb_warp_block){.first = place.instruction, .context = place.context};
      analysis->block_states[graph->block_count] = state;
      building->blocks[state] = (uint32_t)graph->block_count++;
    } else { /* what falls in comes from a lower instruction: its block is known */
      building->blocks[state] = building->blocks[before[state]];
    }
    struct wb_warp_block *block = &graph->blocks[building->blocks[state]];
    block->last = record->last[state];
    graph->ends[building->blocks[state]] = record->ends[state];
  }
  return true;
}

/* ---- entries, edges, pushes, pops ---- */

/* Continuations with one point, context and token are one entry. */
static bool make_entries(struct wb_simt_analysis *analysis, struct building *building)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = mechanism->continuation_count(analysis);
  struct ordered *ordered = wb_arena_array(&building->arena, struct ordered, count);
  graph->entries = wb_allocate(count, sizeof *graph->entries);
  if (ordered == NULL || graph->entries == NULL)
    return false;
  struct wb_warp_entry entry;
  size_t kept = 0;
  for (uint32_t c = 0; c < count; c++) {
    if (mechanism->continuation(analysis, c, &entry))
      ordered[kept++] = (struct ordered){
          ((uint64_t)entry.point << 32 | entry.context) * WB_TOKEN_COUNT + entry.token, c};
  }
  if (kept > 0)
    qsort(ordered, kept, sizeof *ordered, by_key);
  for (size_t i = 0; i < kept; i++) {
    mechanism->continuation(analysis, ordered[i].item, &entry);
    if (i == 0 || ordered[i].key != ordered[i - 1].key)
      graph->entries[graph->entry_count++] = entry;
    graph->entries[graph->entry_count - 1].once &= entry.once;
    building->entries[ordered[i].item] = (uint32_t)graph->entry_count - 1;
  }
  return true;
}

/* Turns the noted edges from states to blocks, and drops those within a block. */
static void find_edges(const struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  size_t kept = 0;
  for (size_t e = 0; e < record->edge_count; e++) {
    struct wb_simt_edge edge = record->edges[e];
    if (edge.plain && !building->entered[analysis->fixpoint.states[edge.to].place.instruction])
      continue;
    edge.from = building->blocks[edge.from];
    edge.to = building->blocks[edge.to];
    record->edges[kept++] = edge;
  }
  record->edge_count = kept;
  if (kept > 0)
    qsort(record->edges, kept, sizeof *record->edges, by_ends);
}

/* The newest edge is taken for another reason, too: released lanes go on at a scope's point, and
 * others that did not wait, or waited for another scope, as well. A run of the block can then take
 * it several times, unless it takes shared edges alone; and not each time that it is taken it pops
 * its entries. Edges are sorted by continuation, those without one last. */
static void join_departures(struct wb_warp_graph *graph, uint32_t continuation)
{
  const uint32_t number = (uint32_t)graph->edge_count - 1;
  struct wb_warp_edge *edge = &graph->edges[number];
  if (edge->rate != WB_RATE_SHARED)
    edge->rate = WB_RATE_LANES;
  for (size_t p = graph->pop_count;
       continuation == WB_NOWHERE && p-- > 0 && graph->pops[p].edge == number;)
    graph->entries[graph->pops[p].entry].once = false;
}

static bool make_edges(struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  find_edges(analysis, record, building);
  graph->edges = wb_allocate(record->edge_count, sizeof *graph->edges);
  graph->pops = wb_allocate(record->edge_count, sizeof *graph->pops);
  analysis->resumptions = wb_allocate(record->edge_count, sizeof *analysis->resumptions);
  if (graph->edges == NULL || graph->pops == NULL || analysis->resumptions == NULL)
    return false;
  for (size_t e = 0; e < record->edge_count; e++) {
    const struct wb_simt_edge *edge = &record->edges[e];
    const struct wb_simt_edge *last = e > 0 ? edge - 1 : NULL;
    const bool known = last != NULL && last->from == edge->from && last->to == edge->to &&
                       last->kind == edge->kind;
    if (!known)
      graph->edges[graph->edge_count++] =
          (struct wb_warp_edge){edge->from, edge->to, edge->kind, WB_RATE_SHARED};
    if (analysis->mechanism->groups && edge->rate > graph->edges[graph->edge_count - 1].rate)
      graph->edges[graph->edge_count - 1].rate = edge->rate;
    if (analysis->mechanism->groups && known && last->continuation != edge->continuation)
      join_departures(graph, edge->continuation);
    if (edge->continuation == WB_NOWHERE || (known && last->continuation == edge->continuation))
      continue;
    const uint32_t number = (uint32_t)graph->edge_count - 1;
    analysis->resumptions[analysis->resumption_count++] =
        (struct wb_simt_resumption){number, edge->continuation};
    graph->pops[graph->pop_count++] =
        (struct wb_warp_pop){number, building->entries[edge->continuation]};
  }
  if (graph->pop_count > 0)
    qsort(graph->pops, graph->pop_count, sizeof *graph->pops, by_edge_and_entry);
  size_t kept = 0;
  for (size_t p = 0; p < graph->pop_count; p++) {
    if (kept == 0 || by_edge_and_entry(&graph->pops[kept - 1], &graph->pops[p]) != 0)
      graph->pops[kept++] = graph->pops[p];
  }
  graph->pop_count = kept;
  return true;
}

static bool make_pushes(struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                        const struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t continuations = analysis->mechanism->continuation_count(analysis);
  graph->pushes = wb_allocate(record->making_count, sizeof *graph->pushes);
  analysis->makers = wb_allocate(continuations, sizeof *analysis->makers);
  if (graph->pushes == NULL || analysis->makers == NULL)
    return false;
  for (size_t c = 0; c < continuations; c++)
    analysis->makers[c] = WB_NOWHERE;
  /* A continuation is made in one block; one that is noted twice may or must be made there. Two
   * continuations of one entry are two pushes. */
  for (size_t m = 0; m < record->making_count; m++) {
    const struct wb_simt_making *making = &record->makings[m];
    if (analysis->makers[making->continuation] != WB_NOWHERE)
      continue;
    analysis->makers[making->continuation] = building->blocks[making->state];
    graph->pushes[graph->push_count++] =
        (struct wb_warp_push){building->blocks[making->state],
                              building->entries[making->continuation], making->divergent};
  }
  if (graph->push_count > 0)
    qsort(graph->pushes, graph->push_count, sizeof *graph->pushes, by_block_and_entry);
  return true;
}

/* ---- conditions, contexts ---- */

static bool make_conditions(struct wb_simt_analysis *analysis, const struct wb_simt_record *record)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = analysis->function->instruction_count;
  size_t conditional = 0;
  for (size_t i = 0; i < count; i++)
    conditional += (record->notes[i] & WB_NOTED_CONDITIONAL) != 0;
  graph->divergence_points = wb_allocate(conditional, sizeof *graph->divergence_points);
  graph->uniform_branches = wb_allocate(conditional, sizeof *graph->uniform_branches);
  if (graph->divergence_points == NULL || graph->uniform_branches == NULL)
    return false;
  for (size_t i = 0; i < count; i++) {
    if ((record->notes[i] & WB_NOTED_CONDITIONAL) == 0)
      continue;
    if ((record->notes[i] & WB_NOTED_DIVERGENT) != 0)
      graph->divergence_points[graph->divergence_point_count++] = (uint32_t)i;
    else
      graph->uniform_branches[graph->uniform_branch_count++] = (uint32_t)i;
  }
  return true;
}

static bool make_contexts(struct wb_simt_analysis *analysis)
{
  struct wb_warp_graph *graph = &analysis->graph;
  graph->context_count = analysis->contexts.count;
  graph->contexts = wb_allocate(graph->context_count, sizeof *graph->contexts);
  if (graph->contexts == NULL)
    return false;
  memcpy(graph->contexts, analysis->contexts.items, graph->context_count * sizeof *graph->contexts);
  return true;
}

void wb_simt_graph_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  const struct wb_reconvergence *mechanism = analysis->mechanism;
  struct wb_warp_graph *graph = &analysis->graph;
  struct building building = {0};
  graph->function = analysis->function;
  graph->groups = mechanism->groups;
  building.entered = wb_arena_array(&building.arena, bool, graph->function->instruction_count);
  building.blocks = wb_arena_array(&building.arena, uint32_t, analysis->fixpoint.state_count);
  building.entries =
      wb_arena_array(&building.arena, uint32_t, mechanism->continuation_count(analysis));
  if (building.arena.failed || !make_blocks(analysis, record, &building) ||
      !make_entries(analysis, &building) || !make_edges(analysis, record, &building) ||
      !make_pushes(analysis, record, &building) || !make_conditions(analysis, record) ||
      !make_contexts(analysis) ||
      (mechanism->describe != NULL && !mechanism->describe(analysis, graph)))
    wb_simt_no_memory(analysis);
  wb_arena_free(&building.arena);
}
