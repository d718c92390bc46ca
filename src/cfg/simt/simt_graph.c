/* From the fixpoint to the graph: the blocks that were cut before anything was known are put
 * together again where control only ever falls from one into the next. */
#include "cfg/simt/simt_record.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* States by (instruction, context), and what becomes of each. */
struct building {
  uint32_t *order;   /* states, sorted */
  bool *entered;     /* by instruction: control comes here otherwise than by falling in */
  uint32_t *blocks;  /* by state: the block of the graph that it is part of */
  uint32_t *entries; /* by node: its entry in the graph */
};

/* ---- sorting; C17 sorts know no context, so what is sorted carries its key ---- */

struct ordered {
  uint64_t key;
  uint32_t item;
};

static int by_key(const void *a, const void *b)
{
  const struct ordered *x = a;
  const struct ordered *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

static int by_ends(const void *a, const void *b)
{
  const struct wb_simt_edge *x = a;
  const struct wb_simt_edge *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->popped > y->popped) - (x->popped < y->popped);
}

static int by_block_and_entry(const void *a, const void *b)
{
  const struct wb_warp_push *x = a;
  const struct wb_warp_push *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  if (x->entry != y->entry)
    return x->entry < y->entry ? -1 : 1;
  return (int)x->divergent - (int)y->divergent;
}

static int by_edge_and_entry(const void *a, const void *b)
{
  const struct wb_warp_pop *x = a;
  const struct wb_warp_pop *y = b;
  if (x->edge != y->edge)
    return x->edge < y->edge ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

/* ---- blocks ---- */

static bool order_states(const struct wb_simt_analysis *analysis, struct building *building)
{
  const size_t count = analysis->state_count;
  struct ordered *ordered = wb_allocate(count, sizeof *ordered);
  if (ordered == NULL)
    return false;
  for (size_t s = 0; s < count; s++) {
    const struct wb_simt_place place = analysis->states[s].place;
    ordered[s] = (struct ordered){(uint64_t)place.instruction << 32 | place.context, (uint32_t)s};
  }
  qsort(ordered, count, sizeof *ordered, by_key);
  for (size_t s = 0; s < count; s++)
    building->order[s] = ordered[s].item;
  free(ordered);
  return true;
}

static void find_entered(const struct wb_simt_analysis *analysis,
                         const struct wb_simt_record *record, struct building *building)
{
  building->entered[0] = true;
  for (size_t e = 0; e < record->edge_count; e++) {
    if (!record->edges[e].plain)
      building->entered[analysis->states[record->edges[e].to].place.instruction] = true;
  }
}

static bool make_blocks(struct wb_simt_analysis *analysis, const struct wb_simt_record *record,
                        struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  graph->blocks = wb_allocate(analysis->state_count, sizeof *graph->blocks);
  graph->ends = wb_allocate(analysis->state_count, sizeof *graph->ends);
  analysis->block_states = wb_allocate(analysis->state_count, sizeof *analysis->block_states);
  uint32_t *before = wb_allocate(analysis->state_count, sizeof *before);
  const bool memory = graph->blocks != NULL && graph->ends != NULL &&
                      analysis->block_states != NULL && before != NULL;
  for (size_t e = 0; memory && e < record->edge_count; e++) {
    if (record->edges[e].plain)
      before[record->edges[e].to] = record->edges[e].from;
  }
  for (size_t i = 0; memory && i < analysis->state_count; i++) {
    const uint32_t state = building->order[i];
    const struct wb_simt_place place = analysis->states[state].place;
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
  free(before);
  return memory;
}

/* ---- entries, edges, pushes, pops ---- */

static bool make_entries(struct wb_simt_analysis *analysis, struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  const size_t count = analysis->stacks.count - WB_NODE_FIRST;
  struct ordered *ordered = wb_allocate(count, sizeof *ordered);
  graph->entries = wb_allocate(count, sizeof *graph->entries);
  if (ordered == NULL || graph->entries == NULL) {
    free(ordered);
    return false;
  }
  for (size_t n = 0; n < count; n++) {
    const struct wb_stack_node *node = &analysis->stacks.nodes[n + WB_NODE_FIRST];
    ordered[n].key = ((uint64_t)node->point << 32 | node->context) * WB_TOKEN_COUNT + node->token;
    ordered[n].item = (uint32_t)(n + WB_NODE_FIRST);
  }
  qsort(ordered, count, sizeof *ordered, by_key);
  for (size_t n = 0; n < count; n++) {
    const struct wb_stack_node *node = &analysis->stacks.nodes[ordered[n].item];
    if (n == 0 || ordered[n].key != ordered[n - 1].key)
      graph->entries[graph->entry_count++] =
          (struct wb_warp_entry){node->point, node->context, node->token};
    building->entries[ordered[n].item] = (uint32_t)graph->entry_count - 1;
  }
  free(ordered);
  return true;
}

/* Turns the noted edges from states to blocks, and drops those within a block. */
static void find_edges(const struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  size_t kept = 0;
  for (size_t e = 0; e < record->edge_count; e++) {
    struct wb_simt_edge edge = record->edges[e];
    if (edge.plain && !building->entered[analysis->states[edge.to].place.instruction])
      continue;
    edge.from = building->blocks[edge.from];
    edge.to = building->blocks[edge.to];
    record->edges[kept++] = edge;
  }
  record->edge_count = kept;
  if (kept > 0)
    qsort(record->edges, kept, sizeof *record->edges, by_ends);
}

static bool make_edges(struct wb_simt_analysis *analysis, struct wb_simt_record *record,
                       const struct building *building)
{
  struct wb_warp_graph *graph = &analysis->graph;
  find_edges(analysis, record, building);
  graph->edges = wb_allocate(record->edge_count, sizeof *graph->edges);
  graph->pops = wb_allocate(record->edge_count, sizeof *graph->pops);
  analysis->popped = wb_allocate(record->edge_count, sizeof *analysis->popped);
  if (graph->edges == NULL || graph->pops == NULL || analysis->popped == NULL)
    return false;
  for (size_t e = 0; e < record->edge_count; e++) {
    const struct wb_simt_edge *edge = &record->edges[e];
    const struct wb_simt_edge *last = e > 0 ? edge - 1 : NULL;
    const bool known = last != NULL && last->from == edge->from && last->to == edge->to &&
                       last->kind == edge->kind;
    if (!known)
      graph->edges[graph->edge_count++] = (struct wb_warp_edge){edge->from, edge->to, edge->kind};
    if (edge->popped == WB_NOWHERE || (known && last->popped == edge->popped))
      continue;
    const uint32_t number = (uint32_t)graph->edge_count - 1;
    analysis->popped[analysis->popped_count++] = (struct wb_simt_popped){number, edge->popped};
    graph->pops[graph->pop_count++] = (struct wb_warp_pop){number, building->entries[edge->popped]};
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
  graph->pushes = wb_allocate(record->push_count, sizeof *graph->pushes);
  analysis->pushers = wb_allocate(analysis->stacks.count, sizeof *analysis->pushers);
  if (graph->pushes == NULL || analysis->pushers == NULL)
    return false;
  for (size_t n = 0; n < analysis->stacks.count; n++)
    analysis->pushers[n] = WB_NOWHERE;
  /* A node is pushed in one block; one that is noted twice may or must be pushed there. Two
   * nodes of one entry are two pushes. */
  for (size_t p = 0; p < record->push_count; p++) {
    const struct wb_simt_pushed *push = &record->pushes[p];
    if (analysis->pushers[push->node] != WB_NOWHERE)
      continue;
    analysis->pushers[push->node] = building->blocks[push->state];
    graph->pushes[graph->push_count++] = (struct wb_warp_push){
        building->blocks[push->state], building->entries[push->node], push->divergent};
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

static bool make(struct wb_simt_analysis *analysis, struct wb_simt_record *record)
{
  struct building building = {
      .order = wb_allocate(analysis->state_count, sizeof *building.order),
      .entered = wb_allocate(analysis->function->instruction_count, sizeof *building.entered),
      .blocks = wb_allocate(analysis->state_count, sizeof *building.blocks),
      .entries = wb_allocate(analysis->stacks.count, sizeof *building.entries),
  };
  bool memory = building.order != NULL && building.entered != NULL && building.blocks != NULL &&
                building.entries != NULL && order_states(analysis, &building);
  if (memory) {
    find_entered(analysis, record, &building);
    memory = make_blocks(analysis, record, &building) && make_entries(analysis, &building) &&
             make_edges(analysis, record, &building) && make_pushes(analysis, record, &building) &&
             make_conditions(analysis, record) && make_contexts(analysis);
  }
  free(building.order);
  free(building.entered);
  free(building.blocks);
  free(building.entries);
  return memory;
}

void wb_simt_make_graph(struct wb_simt_analysis *analysis)
{
  struct wb_simt_record record = {0};
  analysis->graph.function = analysis->function;
  if (wb_simt_record_make(analysis, &record)) {
    wb_simt_remark(analysis, &record);
    if (!make(analysis, &record))
      wb_simt_no_memory(analysis);
  }
  wb_simt_record_free(&record);
}
