#include "analysis/hybrid/segment_costs.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

/* Most next points that are kept, over all blocks: 4 bytes each. */
#define MOST_NEXT ((size_t)1 << 26)

/* What is at a block's end. */
enum after {
  AFTER_SAME,   /* the block has no point: as before it */
  AFTER_POINT,  /* a segment that began at its last point */
  AFTER_NOTHING /* no segment: the end of a block that was measured as a whole */
};

/* The points of a block. */
struct block_points {
  uint32_t first; /* the place of its first one; WB_NO_PLACE: it has none */
  uint32_t first_at,
      last_at;    /* instructions: the first, and the last one that a segment begins at */
  uint8_t after;  /* enum after */
  bool head_open; /* it can be reached without a segment: what is before its first point
                     is not measured */
};

/* The next points from a block's beginning: places[first] .. places[first + count - 1]. */
struct next_list {
  size_t first, count;
  bool made;
};

/* Which measured points can come next from the beginning of a block on, over blocks without points.
 * The lists are made when they are asked for. */
struct next_points {
  struct wb_buckets leaving, reaching; /* edges by the block that they leave, and by target */
  struct next_list *lists;             /* by block */
  uint32_t *places;                    /* of all lists: places, and the stop; owned */
  size_t count, capacity;
  uint32_t *queue;      /* scratch: blocks */
  uint32_t *mark;       /* by block: the newest walk that met it */
  uint32_t *back_mark;  /* the same of walks backwards */
  uint32_t *place_mark; /* by place and stop: the newest walk that met it */
  uint32_t walk, back_walk;
};

struct maker {
  const struct wb_segment_input *input;
  const struct wb_warp_graph *graph;
  struct wb_measured_points *points;
  struct wb_segment_costs *costs;
  struct wb_hybrid *hybrid;
  struct block_points *blocks; /* by block */
  struct next_points next;
  bool observed;           /* what was not observed does not happen */
  bool too_large;          /* a sum did not fit */
  warpbound_status status; /* of the first failure, after which nothing is done */
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

/* ---- next points ---- */

/* Whether a walk meets it for the first time. */
static bool meet(uint32_t *marks, uint32_t number, uint32_t walk)
{
  if (marks[number] == walk)
    return false;
  marks[number] = walk;
  return true;
}

/* Walks from the beginning of a block over blocks without points: the queue then has all blocks
 * that it meets, those with points too, and next->mark says which. */
static size_t walk_on(struct maker *maker, uint32_t block)
{
  struct next_points *next = &maker->next;
  size_t head = 0;
  size_t tail = 0;
  next->walk++;
  next->mark[block] = next->walk;
  next->queue[tail++] = block;
  while (head < tail) {
    const uint32_t at = next->queue[head++];
    if (maker->blocks[at].after != AFTER_SAME)
      continue;
    for (size_t i = next->leaving.first[at]; i < next->leaving.first[at + 1]; i++) {
      const uint32_t to = maker->graph->edges[next->leaving.item[i]].to;
      if (meet(next->mark, to, next->walk))
        next->queue[tail++] = to;
    }
  }
  return tail;
}

static void add_next(struct maker *maker, struct next_list *list, uint32_t place)
{
  struct next_points *next = &maker->next;
  if (maker->status != WARPBOUND_OK || !meet(next->place_mark, place, next->walk))
    return;
  if (next->count >= MOST_NEXT) {
    maker->status =
        wb_fail(maker->error, WARPBOUND_LIMIT, "%.120s: the times have too many segments",
                maker->graph->function->name);
  } else if (!wb_grow(next->places, &next->capacity, next->count + 1)) {
    maker->status = wb_out_of_memory(maker->error);
  } else {
    next->places[next->count++] = place;
    list->count++;
  }
}

static void stop_at_limit(struct maker *maker, const char *before)
{
  if (maker->status == WARPBOUND_OK && wb_control_stopped(maker->input->control) != WB_STOP_NONE)
    maker->status =
        wb_fail(maker->error, WARPBOUND_LIMIT, "%.120s: a limit was reached before %s were found",
                maker->graph->function->name, before);
}

/* The places, and the stop, that can come first from the beginning of a block on; next.places moves
 * with each new list. */
static const struct next_list *find_next(struct maker *maker, uint32_t block)
{
  struct next_points *next = &maker->next;
  struct next_list *list = &next->lists[block];
  if (list->made)
    return list;
  *list = (struct next_list){.first = next->count, .made = true};
  const size_t met = walk_on(maker, block);
  for (size_t i = 0; i < met; i++) {
    const uint32_t at = next->queue[i];
    if (maker->blocks[at].after != AFTER_SAME)
      add_next(maker, list, maker->blocks[at].first);
    else if (maker->graph->ends[at])
      add_next(maker, list, maker->points->stop);
  }
  stop_at_limit(maker, "the segments of the times");
  return list;
}

/* Nothing covers the code from the block's beginning to the next points: opens its heads. */
static void open_heads(struct maker *maker, uint32_t block)
{
  const size_t met = walk_on(maker, block);
  for (size_t i = 0; i < met; i++)
    maker->blocks[maker->next.queue[i]].head_open = true;
}

/* Opens the heads of all blocks on ways from the block's beginning to the next point `place`. */
static void open_ways(struct maker *maker, uint32_t block, uint32_t place)
{
  struct next_points *next = &maker->next;
  const size_t met = walk_on(maker, block);
  size_t head = 0;
  size_t tail = 0;
  next->back_walk++;
  /* The queue is used again: what stands in front of `tail` has been read. */
  for (size_t i = 0; i < met; i++) {
    const uint32_t at = next->queue[i];
    const bool arrives = maker->blocks[at].after != AFTER_SAME
                             ? maker->blocks[at].first == place
                             : place == maker->points->stop && maker->graph->ends[at];
    if (arrives) {
      next->back_mark[at] = next->back_walk;
      next->queue[tail++] = at;
    }
  }
  while (head < tail) {
    const uint32_t at = next->queue[head++];
    maker->blocks[at].head_open = true;
    for (size_t i = next->reaching.first[at]; i < next->reaching.first[at + 1]; i++) {
      const uint32_t from = maker->graph->edges[next->reaching.item[i]].from;
      if (next->mark[from] == next->walk && maker->blocks[from].after == AFTER_SAME &&
          meet(next->back_mark, from, next->back_walk))
        next->queue[tail++] = from;
    }
  }
}

/* ---- code that no row covers ---- */

static void add_gap(struct maker *maker, bool segment, uint32_t first, uint32_t last)
{
  struct wb_hybrid *hybrid = maker->hybrid;
  if (maker->status != WARPBOUND_OK)
    return;
  if (wb_grow(hybrid->gaps, &hybrid->gap_capacity, hybrid->gap_count + 1))
    hybrid->gaps[hybrid->gap_count++] =
        (struct wb_hybrid_gap){.segment = segment, .first = first, .last = last};
  else
    maker->status = wb_out_of_memory(maker->error);
}

/* Charges instructions of a block that no row covers. */
static void charge_static(struct maker *maker, uint32_t block, uint32_t first, uint32_t last)
{
  const int64_t cycles = static_cost(maker, first, last);
  add(maker, &maker->costs->node[block], cycles);
  add(maker, &maker->costs->node_unmeasured[block], cycles);
}

/* Charges instructions first .. last of a block that are in no segment, if there are any; where
 * only whole blocks are observed, a block without a row is one that never runs. */
static void charge_gap(struct maker *maker, uint32_t block, uint32_t first, uint32_t last,
                       bool runs)
{
  if (first > last)
    return;
  if (maker->observed && !maker->points->segments && !runs) {
    maker->costs->never_block[block] = true;
    return;
  }
  charge_static(maker, block, first, last);
  add_gap(maker, false, first, last);
}

/* ---- inside a block ---- */

/* The time of a transition inside a block. */
static void charge_inside(struct maker *maker, uint32_t block, uint32_t from, uint32_t to)
{
  const uint32_t *place_of = maker->points->place_of;
  struct wb_transition *found = wb_measured_transition(maker->points, place_of[from], place_of[to]);
  if (found != NULL) {
    found->used = true;
    add(maker, &maker->costs->node[block], found->cycles);
  } else if (maker->observed) {
    maker->costs->never_block[block] = true;
  } else {
    charge_static(maker, block, from, to - 1);
    add_gap(maker, true, from, to);
  }
}

static void scan_block(struct maker *maker, uint32_t index)
{
  const struct wb_warp_block *block = &maker->graph->blocks[index];
  struct block_points *own = &maker->blocks[index];
  *own = (struct block_points){.first = WB_NO_PLACE, .after = AFTER_SAME};
  uint32_t open = block->first; /* behind a whole block: the first instruction that is not in it */
  for (uint32_t i = block->first; i <= block->last; i++) {
    const uint32_t place = maker->points->place_of[i];
    if (place == WB_NO_PLACE)
      continue;
    if (own->after == AFTER_SAME) {
      own->first = place;
      own->first_at = i;
    } else if (own->after == AFTER_POINT) {
      charge_inside(maker, index, own->last_at, i);
    } else if (open < i) {
      charge_gap(maker, index, open, i - 1, false);
    }
    own->last_at = i;
    own->after = maker->points->whole_at[i] ? AFTER_NOTHING : AFTER_POINT;
    if (own->after == AFTER_NOTHING) {
      /* It is there: the block is whole by such a row. */
      struct wb_transition *found =
          wb_measured_transition(maker->points, place, maker->points->block);
      found->used = true;
      add(maker, &maker->costs->node[index], found->cycles);
      i = maker->points->block_last[i] < block->last ? maker->points->block_last[i] : block->last;
      open = i + 1;
    }
  }
  if (own->after == AFTER_NOTHING)
    charge_gap(maker, index, open, block->last, false);
  maker->costs->last_place[index] =
      own->after == AFTER_POINT ? maker->points->place_of[own->last_at] : WB_NO_PLACE;
}

/* ---- leaving a block ---- */

/* The longest segment from a place over the beginning of a block. *missed: some segment has no row;
 * *measured: some has one. at: the instruction that it begins at. */
static int64_t longest(struct maker *maker, uint32_t place, uint32_t at, uint32_t block,
                       bool *missed, bool *measured)
{
  const struct next_list *list = find_next(maker, block);
  int64_t cycles = 0;
  *missed = *measured = false;
  for (size_t i = 0; maker->status == WARPBOUND_OK && i < list->count; i++) {
    const uint32_t to = maker->next.places[list->first + i];
    struct wb_transition *found = wb_measured_transition(maker->points, place, to);
    if (found != NULL) {
      found->used = *measured = true;
      cycles = found->cycles > cycles ? found->cycles : cycles;
      continue;
    }
    *missed = true;
    if (maker->observed)
      continue;
    stop_at_limit(maker, "all segments without a row");
    open_ways(maker, block, to);
    /* The instruction of the place that a walk from the block's beginning comes to first. */
    const size_t met = walk_on(maker, block);
    uint32_t end = WB_HYBRID_NOWHERE;
    for (size_t m = met; m-- > 0;) {
      const struct block_points *own = &maker->blocks[maker->next.queue[m]];
      if (own->after != AFTER_SAME && own->first == to)
        end = own->first_at;
    }
    add_gap(maker, true, at, end);
  }
  return cycles;
}

/* The segment that leaves a block by an edge. */
static void charge_edge(struct maker *maker, uint32_t edge)
{
  const struct wb_warp_edge *over = &maker->graph->edges[edge];
  const struct next_list *list = &maker->next.lists[over->to];
  struct wb_segment_costs *costs = maker->costs;
  const uint32_t at = maker->blocks[over->from].last_at;
  bool missed, measured;
  const int64_t cycles =
      longest(maker, costs->last_place[over->from], at, over->to, &missed, &measured);
  costs->only_next[edge] = list->count == 1 ? maker->next.places[list->first] : WB_NO_PLACE;
  costs->never_edge[edge] = maker->observed && missed && !measured;
  const int64_t tail = missed && !maker->observed
                           ? static_cost(maker, at, maker->graph->blocks[over->from].last)
                           : 0;
  costs->edge[edge] = tail > cycles ? tail : cycles;
  costs->edge_unmeasured[edge] = tail > cycles ? tail : 0;
}

/* The segment that ends with the warp in its own block. */
static void charge_end(struct maker *maker, uint32_t block)
{
  struct wb_segment_costs *costs = maker->costs;
  const uint32_t at = maker->blocks[block].last_at;
  struct wb_transition *found =
      wb_measured_transition(maker->points, costs->last_place[block], maker->points->stop);
  if (found != NULL) {
    found->used = true;
    costs->end[block] = found->cycles;
  } else if (maker->observed) {
    costs->never_end[block] = true;
  } else {
    costs->end[block] = static_cost(maker, at, maker->graph->blocks[block].last);
    costs->end_unmeasured[block] = costs->end[block];
    add_gap(maker, true, at, WB_HYBRID_NOWHERE);
  }
}

static void leave_block(struct maker *maker, uint32_t block)
{
  const struct wb_buckets *leaving = &maker->next.leaving;
  const uint8_t after = maker->blocks[block].after;
  for (size_t i = leaving->first[block]; i < leaving->first[block + 1]; i++) {
    if (after == AFTER_POINT)
      charge_edge(maker, leaving->item[i]);
    else if (after == AFTER_NOTHING)
      open_heads(maker, maker->graph->edges[leaving->item[i]].to);
  }
  if (after == AFTER_POINT && maker->graph->ends[block])
    charge_end(maker, block);
}

/* From the start to the first point. */
static void leave_start(struct maker *maker)
{
  const uint32_t entry = maker->graph->entry_block;
  const struct block_points *first = &maker->blocks[entry];
  const uint32_t start = maker->points->start;
  bool missed, measured;
  if (!maker->points->has_start) {
    open_heads(maker, entry);
    return;
  }
  if (first->after != AFTER_SAME && first->first_at == maker->graph->blocks[entry].first &&
      wb_measured_transition(maker->points, start, first->first) == NULL)
    return; /* the first point is at the start */
  maker->costs->start = longest(maker, start, WB_HYBRID_NOWHERE, entry, &missed, &measured);
  if (!maker->observed || measured || !missed)
    return;
  maker->observed = false; /* a start that no row has at all is a gap in any case */
  maker->costs->start = longest(maker, start, WB_HYBRID_NOWHERE, entry, &missed, &measured);
  maker->observed = maker->input->observed;
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

/* Room for the costs and the next points; false where memory is out. */
static bool make_room(struct maker *maker, struct wb_arena *arena)
{
  const struct wb_warp_graph *graph = maker->graph;
  const size_t blocks = graph->block_count;
  const size_t edges = graph->edge_count;
  struct next_points *next = &maker->next;
  *maker->costs =
      (struct wb_segment_costs){.node = wb_arena_array(arena, int64_t, blocks),
                                .node_unmeasured = wb_arena_array(arena, int64_t, blocks),
                                .edge = wb_arena_array(arena, int64_t, edges),
                                .edge_unmeasured = wb_arena_array(arena, int64_t, edges),
                                .end = wb_arena_array(arena, int64_t, blocks),
                                .end_unmeasured = wb_arena_array(arena, int64_t, blocks),
                                .last_place = wb_arena_array(arena, uint32_t, blocks),
                                .never_block = wb_arena_array(arena, bool, blocks),
                                .never_end = wb_arena_array(arena, bool, blocks),
                                .never_edge = wb_arena_array(arena, bool, edges),
                                .only_next = wb_arena_array(arena, uint32_t, edges)};
  maker->blocks = wb_arena_array(arena, struct block_points, blocks);
  next->lists = wb_arena_array(arena, struct next_list, blocks);
  next->queue = wb_arena_array(arena, uint32_t, blocks);
  next->mark = wb_arena_array(arena, uint32_t, blocks);
  next->back_mark = wb_arena_array(arena, uint32_t, blocks);
  next->place_mark = wb_arena_array(arena, uint32_t, (size_t)maker->points->stop + 1);
  uint32_t *from = wb_arena_array(arena, uint32_t, edges);
  uint32_t *to = wb_arena_array(arena, uint32_t, edges);
  if (arena->failed)
    return false;
  for (size_t e = 0; e < edges; e++) {
    maker->costs->only_next[e] = WB_NO_PLACE;
    from[e] = graph->edges[e].from;
    to[e] = graph->edges[e].to;
  }
  return wb_buckets_make(arena, from, edges, blocks, &next->leaving) &&
         wb_buckets_make(arena, to, edges, blocks, &next->reaching);
}

warpbound_status wb_segment_costs_make(const struct wb_segment_input *input, struct wb_arena *arena,
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
  const struct wb_warp_graph *graph = input->graph;
  if (!make_room(&maker, arena))
    return wb_out_of_memory(error);
  for (uint32_t b = 0; b < graph->block_count; b++)
    scan_block(&maker, b);
  leave_start(&maker);
  for (uint32_t b = 0; b < graph->block_count && maker.status == WARPBOUND_OK; b++)
    leave_block(&maker, b);
  /* What no segment covers at the beginnings of blocks. */
  for (uint32_t b = 0; b < graph->block_count; b++) {
    const struct block_points *own = &maker.blocks[b];
    const uint32_t end = own->after == AFTER_SAME ? graph->blocks[b].last + 1 : own->first_at;
    if (own->head_open && end > graph->blocks[b].first)
      charge_gap(&maker, b, graph->blocks[b].first, end - 1, b == graph->entry_block);
  }
  if (maker.status == WARPBOUND_OK && maker.too_large)
    maker.status =
        wb_fail(error, WARPBOUND_INVALID_INPUT,
                "%.120s: the cycles of a segment do not fit into 64 bits", hybrid->function->name);
  /* Calling contexts have the same gaps: each is named once. */
  size_t count = 0;
  if (hybrid->gap_count > 1)
    qsort(hybrid->gaps, hybrid->gap_count, sizeof *hybrid->gaps, by_gap);
  for (size_t g = 0; g < hybrid->gap_count; g++) {
    if (count == 0 || by_gap(&hybrid->gaps[count - 1], &hybrid->gaps[g]) != 0)
      hybrid->gaps[count++] = hybrid->gaps[g];
  }
  hybrid->gap_count = count;
  free(maker.next.places);
  return maker.status;
}
