#include "analysis/hybrid/next_points.h"

#include "base/memory.h"

#include <stdlib.h>

/* Most next points that are kept, over all blocks: 4 bytes each. */
#define MOST_NEXT ((size_t)1 << 26)

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
static size_t walk_on(struct wb_next_points *next, uint32_t block)
{
  size_t head = 0;
  size_t tail = 0;
  next->walk++;
  next->mark[block] = next->walk;
  next->queue[tail++] = block;
  while (head < tail) {
    const uint32_t at = next->queue[head++];
    if (next->blocks[at].after != WB_AFTER_SAME)
      continue;
    for (uint32_t i = next->leaving.first[at]; i < next->leaving.first[at + 1]; i++) {
      const uint32_t to = next->graph->edges[next->leaving.list[i]].to;
      if (meet(next->mark, to, next->walk))
        next->queue[tail++] = to;
    }
  }
  return tail;
}

static warpbound_status add_next(struct wb_next_points *next, struct wb_next_list *list,
                                 uint32_t place, warpbound_error *error)
{
  if (!meet(next->place_mark, place, next->walk))
    return WARPBOUND_OK;
  if (next->count >= MOST_NEXT)
    return wb_fail(error, WARPBOUND_LIMIT, "%.120s: the times have too many segments",
                   next->graph->function->name);
  if (!wb_grow(next->places, &next->capacity, next->count + 1))
    return wb_out_of_memory(error);
  next->places[next->count++] = place;
  list->count++;
  return WARPBOUND_OK;
}

warpbound_status wb_next_points_of(struct wb_next_points *next, uint32_t block,
                                   const struct wb_next_list **found, warpbound_error *error)
{
  struct wb_next_list *list = &next->lists[block];
  *found = list;
  if (list->made)
    return WARPBOUND_OK;
  *list = (struct wb_next_list){.first = next->count, .made = true};
  const size_t met = walk_on(next, block);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < met && status == WARPBOUND_OK; i++) {
    const uint32_t at = next->queue[i];
    if (next->blocks[at].after != WB_AFTER_SAME)
      status = add_next(next, list, next->blocks[at].first, error);
    else if (next->graph->ends[at])
      status = add_next(next, list, next->stop, error);
  }
  if (wb_control_stopped(next->control) != WB_STOP_NONE)
    status = wb_fail(error, WARPBOUND_LIMIT,
                     "%.120s: a limit was reached before the segments of the times were found",
                     next->graph->function->name);
  return status;
}

/* ---- the code before them ---- */

void wb_next_points_open(struct wb_next_points *next, uint32_t block)
{
  const size_t met = walk_on(next, block);
  for (size_t i = 0; i < met; i++)
    next->blocks[next->queue[i]].head_open = true;
}

/* Whether a walk to a place (or the stop) can end in the block. */
static bool arrives(const struct wb_next_points *next, uint32_t block, uint32_t place)
{
  return next->blocks[block].after != WB_AFTER_SAME
             ? next->blocks[block].first == place
             : place == next->stop && next->graph->ends[block];
}

void wb_next_points_open_ways(struct wb_next_points *next, uint32_t block, uint32_t place)
{
  const size_t met = walk_on(next, block);
  size_t head = 0;
  size_t tail = 0;
  next->back_walk++;
  /* The queue is used again: what stands in front of `tail` has been read. */
  for (size_t i = 0; i < met; i++) {
    const uint32_t at = next->queue[i];
    if (arrives(next, at, place)) {
      next->back_mark[at] = next->back_walk;
      next->queue[tail++] = at;
    }
  }
  while (head < tail) {
    const uint32_t at = next->queue[head++];
    next->blocks[at].head_open = true;
    for (uint32_t i = next->reaching.first[at]; i < next->reaching.first[at + 1]; i++) {
      const uint32_t from = next->graph->edges[next->reaching.list[i]].from;
      if (next->mark[from] == next->walk && next->blocks[from].after == WB_AFTER_SAME &&
          meet(next->back_mark, from, next->back_walk))
        next->queue[tail++] = from;
    }
  }
}

uint32_t wb_next_points_instruction(struct wb_next_points *next, uint32_t block, uint32_t place)
{
  const size_t met = walk_on(next, block);
  for (size_t i = 0; i < met; i++) {
    const struct wb_block_points *at = &next->blocks[next->queue[i]];
    if (at->after != WB_AFTER_SAME && at->first == place)
      return at->first_at;
  }
  return WB_HYBRID_NOWHERE;
}

/* ---- all of it ---- */

static bool make_lists(struct wb_next_points *next)
{
  const struct wb_warp_graph *graph = next->graph;
  uint32_t *from = wb_allocate(graph->edge_count, sizeof *from);
  uint32_t *to = wb_allocate(graph->edge_count, sizeof *to);
  for (size_t e = 0; from != NULL && to != NULL && e < graph->edge_count; e++) {
    from[e] = graph->edges[e].from;
    to[e] = graph->edges[e].to;
  }
  const bool made =
      from != NULL && to != NULL &&
      wb_edge_lists_make(from, graph->edge_count, graph->block_count, &next->leaving) &&
      wb_edge_lists_make(to, graph->edge_count, graph->block_count, &next->reaching);
  free(from);
  free(to);
  return made;
}

warpbound_status wb_next_points_make(const struct wb_next_points *from, struct wb_next_points *next,
                                     warpbound_error *error)
{
  const size_t blocks = from->graph->block_count;
  *next = (struct wb_next_points){
      .graph = from->graph,
      .blocks = from->blocks,
      .stop = from->stop,
      .control = from->control,
      .lists = wb_allocate(blocks, sizeof *next->lists),
      .queue = wb_allocate(blocks, sizeof *next->queue),
      .mark = wb_allocate(blocks, sizeof *next->mark),
      .back_mark = wb_allocate(blocks, sizeof *next->back_mark),
      .place_mark = wb_allocate((size_t)from->stop + 1, sizeof *next->place_mark)};
  const bool made = next->lists != NULL && next->queue != NULL && next->mark != NULL &&
                    next->back_mark != NULL && next->place_mark != NULL && make_lists(next);
  if (made)
    return WARPBOUND_OK;
  wb_next_points_free(next);
  return wb_out_of_memory(error);
}

void wb_next_points_free(struct wb_next_points *next)
{
  free(next->lists);
  free(next->places);
  free(next->queue);
  free(next->mark);
  free(next->back_mark);
  free(next->place_mark);
  wb_edge_lists_free(&next->leaving);
  wb_edge_lists_free(&next->reaching);
  *next = (struct wb_next_points){0};
}
