#include "cfg/warp_graph/component_order.h"

#include "base/arena.h"
#include "base/memory.h"

#include <stdlib.h>

#define UNSEEN 0u

/* A search for components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), without
 * recursion. */
struct search {
  const struct wb_warp_graph *graph;
  size_t *next_edge; /* by block: the edge to follow next */
  uint32_t *visit;   /* by block: when it was found, from 1; UNSEEN before */
  uint32_t *low;     /* by block: the earliest open block that it is known to lead to */
  uint32_t *path;    /* the blocks that are being followed */
  uint32_t *open;    /* blocks that are found and in no component yet */
  uint32_t *order;   /* by block: its component, UINT32_MAX while it is open */
  size_t path_count;
  size_t open_count;
  uint32_t visits;
  uint32_t components;
};

static void find(struct search *search, uint32_t block)
{
  search->visit[block] = search->low[block] = ++search->visits;
  search->order[block] = UINT32_MAX;
  search->path[search->path_count++] = block;
  search->open[search->open_count++] = block;
}

/* All edges of the last block of the path are followed. */
static void finish(struct search *search)
{
  const uint32_t block = search->path[--search->path_count];
  if (search->low[block] == search->visit[block]) {
    uint32_t member;
    do {
      member = search->open[--search->open_count];
      search->order[member] = search->components;
    } while (member != block);
    search->components++;
  }
  if (search->path_count > 0) {
    const uint32_t before = search->path[search->path_count - 1];
    if (search->low[block] < search->low[before])
      search->low[before] = search->low[block];
  }
}

static void search_from(struct search *search, uint32_t start)
{
  const struct wb_warp_graph *graph = search->graph;
  find(search, start);
  while (search->path_count > 0) {
    const uint32_t block = search->path[search->path_count - 1];
    const size_t e = search->next_edge[block];
    if (e == graph->edge_count || graph->edges[e].from != block) {
      finish(search);
      continue;
    }
    search->next_edge[block]++;
    const uint32_t to = graph->edges[e].to;
    if (search->visit[to] == UNSEEN)
      find(search, to);
    else if (search->order[to] == UINT32_MAX && search->visit[to] < search->low[block])
      search->low[block] = search->visit[to];
  }
}

uint32_t *wb_component_order_make(const struct wb_warp_graph *graph)
{
  const size_t count = graph->block_count;
  struct wb_arena arena = {0};
  struct search search = {.graph = graph,
                          .next_edge = wb_arena_array(&arena, size_t, count),
                          .visit = wb_arena_array(&arena, uint32_t, count),
                          .low = wb_arena_array(&arena, uint32_t, count),
                          .path = wb_arena_array(&arena, uint32_t, count),
                          .open = wb_arena_array(&arena, uint32_t, count),
                          .order = wb_allocate(count, sizeof *search.order)};
  if (arena.failed || search.order == NULL) {
    free(search.order);
    wb_arena_free(&arena);
    return NULL;
  }
  size_t e = 0;
  for (uint32_t b = 0; b < count; b++) {
    while (e < graph->edge_count && graph->edges[e].from < b)
      e++;
    search.next_edge[b] = e;
  }
  for (uint32_t b = 0; b < count; b++) {
    if (search.visit[b] == UNSEEN)
      search_from(&search, b);
  }
  wb_arena_free(&arena);
  return search.order;
}
