#include "analysis/hybrid/segment_costs.h"

#include "analysis/hybrid/next_points.h"
#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct maker {
  const struct wb_segment_input *input;
  const struct wb_warp_graph *graph;
  struct wb_measured_points *points;
  struct wb_segment_costs *costs;
  struct wb_hybrid *hybrid;
  struct wb_block_points *blocks;
  struct wb_next_points next;
  bool observed;  /* what was not observed does not happen */
  bool too_large; /* a sum did not fit */
  warpbound_error *error;
};

static void add(struct maker *maker, int64_t *sum, int64_t cycles)
{
  maker->too_large |= !wb_add_signed(*sum, cycles, sum);
}

/* The static cost of instructions first .. last, of none where first is above last. */
static int64_t static_cost(struct maker *maker, uint32_t first, uint32_t last)
{
  int64_t sum = 0;
  for (uint32_t i = first; i <= last && first <= last; i++)
    add(maker, &sum, maker->input->cycles[i]);
  return sum;
}

/* ---- gaps ---- */

static warpbound_status add_gap(struct maker *maker, bool segment, uint32_t first, uint32_t last)
{
  struct wb_hybrid *hybrid = maker->hybrid;
  if (!wb_grow(hybrid->gaps, &hybrid->gap_capacity, hybrid->gap_count + 1))
    return wb_out_of_memory(maker->error);
  hybrid->gaps[hybrid->gap_count++] =
      (struct wb_hybrid_gap){.segment = segment, .first = first, .last = last};
  return WARPBOUND_OK;
}

/* Charges instructions of a block that no row covers. */
static void charge_static(struct maker *maker, uint32_t block, uint32_t first, uint32_t last)
{
  const int64_t cycles = static_cost(maker, first, last);
  add(maker, &maker->costs->node[block], cycles);
  add(maker, &maker->costs->node_unmeasured[block], cycles);
}

/* ---- inside a block ---- */

/* The time of a transition inside a block. */
static warpbound_status charge_inside(struct maker *maker, uint32_t block, uint32_t from,
                                      uint32_t to)
{
  const uint32_t *place_of = maker->points->place_of;
  struct wb_transition *found = wb_measured_transition(maker->points, place_of[from], place_of[to]);
  if (found != NULL) {
    found->used = true;
    add(maker, &maker->costs->node[block], found->cycles);
    return WARPBOUND_OK;
  }
  if (maker->observed) {
    maker->costs->never_block[block] = true;
    return WARPBOUND_OK;
  }
  charge_static(maker, block, from, to - 1);
  return add_gap(maker, true, from, to);
}

/* The time of a whole block that begins at an instruction, its point. */
static void charge_whole(struct maker *maker, uint32_t block, uint32_t at)
{
  struct wb_transition *found =
      wb_measured_transition(maker->points, maker->points->place_of[at], maker->points->block);
  found->used = true; /* it is there: the block is whole by such a row */
  add(maker, &maker->costs->node[block], found->cycles);
}

/* Code of the block behind a whole one, up to the next point. */
static warpbound_status charge_rest(struct maker *maker, uint32_t block, uint32_t first,
                                    uint32_t last)
{
  if (first > last)
    return WARPBOUND_OK;
  if (maker->observed && !maker->points->segments) {
    maker->costs->never_block[block] = true;
    return WARPBOUND_OK;
  }
  charge_static(maker, block, first, last);
  return add_gap(maker, false, first, last);
}

static warpbound_status scan_block(struct maker *maker, uint32_t index)
{
  const struct wb_warp_block *block = &maker->graph->blocks[index];
  struct wb_block_points *own = &maker->blocks[index];
  *own = (struct wb_block_points){.first = WB_NO_PLACE, .after = WB_AFTER_SAME};
  warpbound_status status = WARPBOUND_OK;
  uint32_t open = block->first; /* behind a whole block: the first instruction that is not in it */
  for (uint32_t i = block->first; i <= block->last && status == WARPBOUND_OK; i++) {
    const uint32_t place = maker->points->place_of[i];
    if (place == WB_NO_PLACE)
      continue;
    if (own->after == WB_AFTER_SAME) {
      own->first = place;
      own->first_at = i;
    } else if (own->after == WB_AFTER_POINT) {
      status = charge_inside(maker, index, own->last_at, i);
    } else {
      status = charge_rest(maker, index, open, i - 1);
    }
    own->last_at = i;
    own->after = maker->points->whole_at[i] ? WB_AFTER_NOTHING : WB_AFTER_POINT;
    if (own->after == WB_AFTER_NOTHING) {
      charge_whole(maker, index, i);
      i = maker->points->block_last[i] < block->last ? maker->points->block_last[i] : block->last;
      open = i + 1;
    }
  }
  if (status == WARPBOUND_OK && own->after == WB_AFTER_NOTHING)
    status = charge_rest(maker, index, open, block->last);
  maker->costs->last_place[index] =
      own->after == WB_AFTER_POINT ? maker->points->place_of[own->last_at] : WB_NO_PLACE;
  return status;
}

/* ---- code without a row ---- */

/* A segment that no row has: from an instruction, or WB_HYBRID_NOWHERE for the start, over the
 * beginning of a block to a place or the stop. */
static warpbound_status miss(struct maker *maker, uint32_t from, uint32_t block, uint32_t place)
{
  if (wb_control_stopped(maker->input->control) != WB_STOP_NONE)
    return wb_fail(maker->error, WARPBOUND_LIMIT,
                   "%.120s: a limit was reached before all segments without a row were found",
                   maker->hybrid->function->name);
  wb_next_points_open_ways(&maker->next, block, place);
  return add_gap(maker, true, from, wb_next_points_instruction(&maker->next, block, place));
}

/* ---- leaving a block ---- */

/* The longest segment from a place over the beginning of a block. *missed: some segment has no row;
 * *measured: some has one. at: the instruction that it begins at. */
static warpbound_status longest(struct maker *maker, uint32_t place, uint32_t at, uint32_t block,
                                int64_t *cycles, bool *missed, bool *measured)
{
  const struct wb_next_list *list;
  *cycles = 0;
  *missed = *measured = false;
  warpbound_status status = wb_next_points_of(&maker->next, block, &list, maker->error);
  for (size_t i = 0; status == WARPBOUND_OK && i < list->count; i++) {
    const uint32_t to = maker->next.places[list->first + i];
    struct wb_transition *found = wb_measured_transition(maker->points, place, to);
    if (found != NULL) {
      found->used = *measured = true;
      *cycles = found->cycles > *cycles ? found->cycles : *cycles;
      continue;
    }
    *missed = true;
    if (!maker->observed)
      status = miss(maker, at, block, to);
  }
  return status;
}

/* The segment that leaves a block by an edge. */
static warpbound_status charge_edge(struct maker *maker, uint32_t edge)
{
  const struct wb_warp_edge *over = &maker->graph->edges[edge];
  struct wb_segment_costs *costs = maker->costs;
  const uint32_t at = maker->blocks[over->from].last_at;
  bool missed, measured;
  int64_t cycles;
  warpbound_status status =
      longest(maker, costs->last_place[over->from], at, over->to, &cycles, &missed, &measured);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_next_list *list = &maker->next.lists[over->to];
  costs->only_next[edge] = list->count == 1 ? maker->next.places[list->first] : WB_NO_PLACE;
  costs->never_edge[edge] = maker->observed && missed && !measured;
  const int64_t tail = missed && !maker->observed
                           ? static_cost(maker, at, maker->graph->blocks[over->from].last)
                           : 0;
  costs->edge[edge] = tail > cycles ? tail : cycles;
  costs->edge_unmeasured[edge] = tail > cycles ? tail : 0;
  return WARPBOUND_OK;
}

/* The segment that ends with the warp in its own block. */
static warpbound_status charge_end(struct maker *maker, uint32_t block)
{
  struct wb_segment_costs *costs = maker->costs;
  const uint32_t at = maker->blocks[block].last_at;
  struct wb_transition *found =
      wb_measured_transition(maker->points, costs->last_place[block], maker->points->stop);
  if (found != NULL) {
    found->used = true;
    costs->end[block] = found->cycles;
    return WARPBOUND_OK;
  }
  if (maker->observed) {
    costs->never_end[block] = true;
    return WARPBOUND_OK;
  }
  costs->end[block] = static_cost(maker, at, maker->graph->blocks[block].last);
  costs->end_unmeasured[block] = costs->end[block];
  return add_gap(maker, true, at, WB_HYBRID_NOWHERE);
}

static warpbound_status leave_block(struct maker *maker, uint32_t block)
{
  warpbound_status status = WARPBOUND_OK;
  const uint32_t first = maker->next.leaving.first[block];
  const uint32_t end = maker->next.leaving.first[block + 1];
  for (uint32_t i = first; i < end && status == WARPBOUND_OK; i++) {
    const uint32_t edge = maker->next.leaving.list[i];
    if (maker->blocks[block].after == WB_AFTER_POINT)
      status = charge_edge(maker, edge);
    else if (maker->blocks[block].after == WB_AFTER_NOTHING)
      wb_next_points_open(&maker->next, maker->graph->edges[edge].to);
  }
  if (status == WARPBOUND_OK && maker->blocks[block].after == WB_AFTER_POINT &&
      maker->graph->ends[block])
    status = charge_end(maker, block);
  return status;
}

/* From the start to the first point. */
static warpbound_status leave_start(struct maker *maker)
{
  const uint32_t entry = maker->graph->entry_block;
  const struct wb_block_points *first = &maker->blocks[entry];
  bool missed, measured;
  if (!maker->points->has_start) {
    wb_next_points_open(&maker->next, entry);
    return WARPBOUND_OK;
  }
  if (first->after != WB_AFTER_SAME && first->first_at == maker->graph->blocks[entry].first &&
      wb_measured_transition(maker->points, maker->points->start, first->first) == NULL)
    return WARPBOUND_OK; /* the first point is at the start */
  warpbound_status status = longest(maker, maker->points->start, WB_HYBRID_NOWHERE, entry,
                                    &maker->costs->start, &missed, &measured);
  if (status != WARPBOUND_OK || !maker->observed || measured || !missed)
    return status;
  maker->observed = false; /* a start that no row has at all is a gap in any case */
  status = longest(maker, maker->points->start, WB_HYBRID_NOWHERE, entry, &maker->costs->start,
                   &missed, &measured);
  maker->observed = maker->input->observed;
  return status;
}

/* Charges what no segment covers at the beginnings of blocks; where only whole blocks are observed,
 * a block without a row is one that never runs. */
static warpbound_status close_heads(struct maker *maker)
{
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t b = 0; b < maker->graph->block_count && status == WARPBOUND_OK; b++) {
    const struct wb_warp_block *block = &maker->graph->blocks[b];
    const struct wb_block_points *own = &maker->blocks[b];
    const uint32_t end = own->after == WB_AFTER_SAME ? block->last + 1 : own->first_at;
    if (!own->head_open || end == block->first)
      continue;
    if (maker->observed && !maker->points->segments && b != maker->graph->entry_block) {
      maker->costs->never_block[b] = true;
      continue;
    }
    charge_static(maker, b, block->first, end - 1);
    status = add_gap(maker, false, block->first, end - 1);
  }
  return status;
}

/* ---- all of it ---- */

static int by_gap(const void *a, const void *b)
{
  const struct wb_hybrid_gap *x = a;
  const struct wb_hybrid_gap *y = b;
  if (x->first != y->first) /* what begins at the start comes first */
    return x->first + 1 < y->first + 1 ? -1 : 1;
  if (x->segment != y->segment)
    return x->segment ? 1 : -1;
  return (x->last > y->last) - (x->last < y->last);
}

/* Calling contexts have the same gaps: each is named once. */
static void sort_gaps(struct wb_hybrid *hybrid)
{
  size_t count = 0;
  if (hybrid->gap_count > 1)
    qsort(hybrid->gaps, hybrid->gap_count, sizeof *hybrid->gaps, by_gap);
  for (size_t g = 0; g < hybrid->gap_count; g++) {
    if (count == 0 || by_gap(&hybrid->gaps[count - 1], &hybrid->gaps[g]) != 0)
      hybrid->gaps[count++] = hybrid->gaps[g];
  }
  hybrid->gap_count = count;
}

static bool make_room(struct maker *maker)
{
  const size_t blocks = maker->graph->block_count;
  const size_t edges = maker->graph->edge_count;
  struct wb_segment_costs *costs = maker->costs;
  *costs = (struct wb_segment_costs){.node = wb_allocate(blocks, sizeof *costs->node),
                                     .node_unmeasured = wb_allocate(blocks, sizeof *costs->node),
                                     .edge = wb_allocate(edges, sizeof *costs->edge),
                                     .edge_unmeasured = wb_allocate(edges, sizeof *costs->edge),
                                     .end = wb_allocate(blocks, sizeof *costs->end),
                                     .end_unmeasured = wb_allocate(blocks, sizeof *costs->end),
                                     .last_place = wb_allocate(blocks, sizeof *costs->last_place),
                                     .never_block = wb_allocate(blocks, sizeof(bool)),
                                     .never_end = wb_allocate(blocks, sizeof(bool)),
                                     .never_edge = wb_allocate(edges, sizeof(bool)),
                                     .only_next = wb_allocate(edges, sizeof *costs->only_next)};
  maker->blocks = wb_allocate(blocks, sizeof *maker->blocks);
  for (size_t e = 0; costs->only_next != NULL && e < edges; e++)
    costs->only_next[e] = WB_NO_PLACE;
  return costs->node != NULL && costs->node_unmeasured != NULL && costs->edge != NULL &&
         costs->edge_unmeasured != NULL && costs->end != NULL && costs->end_unmeasured != NULL &&
         costs->last_place != NULL && costs->never_block != NULL && costs->never_end != NULL &&
         costs->never_edge != NULL && costs->only_next != NULL && maker->blocks != NULL;
}

static warpbound_status make(struct maker *maker)
{
  warpbound_status status = make_room(maker) ? WARPBOUND_OK : wb_out_of_memory(maker->error);
  const struct wb_next_points next = {.graph = maker->graph,
                                      .blocks = maker->blocks,
                                      .stop = maker->points->stop,
                                      .control = maker->input->control};
  if (status == WARPBOUND_OK)
    status = wb_next_points_make(&next, &maker->next, maker->error);
  for (uint32_t b = 0; b < maker->graph->block_count && status == WARPBOUND_OK; b++)
    status = scan_block(maker, b);
  if (status == WARPBOUND_OK)
    status = leave_start(maker);
  for (uint32_t b = 0; b < maker->graph->block_count && status == WARPBOUND_OK; b++)
    status = leave_block(maker, b);
  if (status == WARPBOUND_OK)
    status = close_heads(maker);
  if (status == WARPBOUND_OK && maker->too_large)
    status = wb_fail(maker->error, WARPBOUND_INVALID_INPUT,
                     "%.120s: the cycles of a segment do not fit into 64 bits",
                     maker->hybrid->function->name);
  return status;
}

warpbound_status wb_segment_costs_make(const struct wb_segment_input *input,
                                       struct wb_hybrid *hybrid, struct wb_segment_costs *costs,
                                       warpbound_error *error)
{
  struct maker maker = {.input = input,
                        .graph = input->graph,
                        .points = input->points,
                        .costs = costs,
                        .hybrid = hybrid,
                        .observed = input->observed,
                        .error = error};
  const warpbound_status status = make(&maker);
  sort_gaps(hybrid);
  free(maker.blocks);
  wb_next_points_free(&maker.next);
  if (status != WARPBOUND_OK)
    wb_segment_costs_free(costs);
  return status;
}

void wb_segment_costs_free(struct wb_segment_costs *costs)
{
  free(costs->node);
  free(costs->node_unmeasured);
  free(costs->edge);
  free(costs->edge_unmeasured);
  free(costs->end);
  free(costs->end_unmeasured);
  free(costs->last_place);
  free(costs->never_block);
  free(costs->never_end);
  free(costs->never_edge);
  free(costs->only_next);
  *costs = (struct wb_segment_costs){0};
}
