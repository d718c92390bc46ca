#include "cfg/graph/irreducible_regions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Work under way; arrays by node, but active, stack and path, which hold nodes.
 *   source       by edge, as in struct wb_natural_loops
 *   active       what the waves still look at: at first all, then regions without headers
 *   component    which active nodes can be in one region: 0 at first, then the region, NONE for
 *                what is not active
 *   settled      the same after the wave under way
 *   index, low   of the search: when the node was met, and the earliest open node that it
 *                is known to come from; low is NONE once its component is settled
 *   next         the edge to look at next
 *   stack        the nodes whose component is not settled
 *   path         where the search is */
struct work {
  const struct wb_edge_lists *incoming;
  const struct wb_dominators *dominators;
  const uint32_t *source;
  struct wb_irreducible_regions *result;
  uint32_t *memory;
  uint32_t *component;
  uint32_t *settled;
  uint32_t *active;
  uint32_t *stack;
  uint32_t *path;
  uint32_t *index;
  uint32_t *low;
  uint32_t *next;
};

static bool add_region(struct work *work, uint32_t outer)
{
  struct wb_irreducible_regions *result = work->result;
  if (!wb_grow(result->outer, &result->capacity, result->count + 1))
    return false;
  result->outer[result->count++] = outer;
  return true;
}

/* Whether the edge leads from one node to another of the component that both are in. */
static bool inside(const struct work *work, uint32_t edge, uint32_t node)
{
  uint32_t source = work->source[edge];
  return source != node && work->component[source] == work->component[node];
}

/* A search for components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), against
 * the edges. */
struct search {
  uint32_t clock;
  size_t depth;      /* of path */
  size_t open_count; /* in stack: nodes whose component is not settled */
};

static void enter(struct work *work, struct search *search, uint32_t node)
{
  work->index[node] = work->low[node] = search->clock++;
  work->next[node] = work->incoming->first[node];
  work->path[search->depth++] = node;
  work->stack[search->open_count++] = node;
}

/* Settles the component of which `root` is the first node: all that was opened since. Several
 * nodes are a region; a single one is in no cycle. */
static bool settle(struct work *work, struct search *search, uint32_t root)
{
  size_t first = search->open_count;
  while (work->stack[--first] != root)
    ;
  bool is_region = search->open_count - first > 1;
  uint32_t region = is_region ? (uint32_t)work->result->count : NONE;
  if (is_region && !add_region(work, work->result->region[root]))
    return false;
  for (size_t i = first; i < search->open_count; i++) {
    uint32_t node = work->stack[i];
    work->low[node] = NONE;
    if (is_region)
      work->result->region[node] = region;
    work->settled[node] = region;
  }
  search->open_count = first;
  return true;
}

/* Goes on with the node at the end of the path: to the next source, or back. */
static bool step(struct work *work, struct search *search)
{
  uint32_t node = work->path[search->depth - 1];
  while (work->next[node] < work->incoming->first[node + 1]) {
    uint32_t edge = work->incoming->list[work->next[node]++];
    if (!inside(work, edge, node))
      continue;
    uint32_t source = work->source[edge];
    if (work->index[source] == NONE) {
      enter(work, search, source);
      return true;
    }
    if (work->low[source] != NONE && work->index[source] < work->low[node])
      work->low[node] = work->index[source];
  }
  search->depth--;
  if (work->low[node] == work->index[node])
    return settle(work, search, node);
  uint32_t before = work->path[search->depth - 1];
  if (work->low[node] < work->low[before])
    work->low[before] = work->low[node];
  return true;
}

/* One wave: the components of what is active. */
static bool find_regions(struct work *work, size_t active_count)
{
  for (size_t i = 0; i < active_count; i++)
    work->index[work->active[i]] = NONE;
  struct search search = {0};
  for (size_t i = 0; i < active_count; i++) {
    if (work->index[work->active[i]] != NONE)
      continue;
    enter(work, &search, work->active[i]);
    while (search.depth > 0) {
      if (!step(work, &search))
        return false;
    }
  }
  return true;
}

/* Whether an edge leads to the node from outside its component. */
static bool is_entered(const struct work *work, uint32_t node)
{
  const uint32_t *first = work->incoming->first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t source = work->source[work->incoming->list[i]];
    if (work->component[source] != work->component[node])
      return true;
  }
  return false;
}

/* What a wave leaves active: the nodes of regions but their headers. */
static size_t remove_headers(struct work *work, size_t active_count, bool all)
{
  for (size_t i = 0; i < active_count; i++)
    work->component[work->active[i]] = work->settled[work->active[i]];
  size_t kept = 0;
  for (size_t i = 0; i < active_count; i++) {
    uint32_t node = work->active[i];
    if (work->component[node] == NONE)
      continue;
    work->result->is_header[node] = all || is_entered(work, node);
    work->active[kept++] = node;
  }
  active_count = kept;
  kept = 0;
  for (size_t i = 0; i < active_count; i++) {
    uint32_t node = work->active[i];
    if (work->result->is_header[node])
      work->component[node] = NONE;
    else
      work->active[kept++] = node;
  }
  return kept;
}

static bool find_all_regions(struct work *work)
{
  size_t active_count = work->dominators->reached;
  memcpy(work->active, work->dominators->order, active_count * sizeof *work->active);
  for (unsigned depth = 1; active_count > 0; depth++) {
    if (!find_regions(work, active_count))
      return false;
    active_count = remove_headers(work, active_count, depth == WB_IRREDUCIBLE_DEPTH_LIMIT);
  }
  return true;
}

static bool allocate(struct work *work, size_t nodes)
{
  uint32_t **arrays[] = {&work->component, &work->settled, &work->active, &work->stack,
                         &work->path,      &work->index,   &work->low,    &work->next};
  size_t count = sizeof arrays / sizeof arrays[0];
  work->memory = wb_allocate(nodes, count * sizeof *work->memory);
  for (size_t a = 0; a < count && work->memory != NULL; a++)
    *arrays[a] = work->memory + a * nodes;
  work->result->region = wb_allocate(nodes, sizeof *work->result->region);
  work->result->is_header = wb_allocate(nodes, sizeof *work->result->is_header);
  if (work->memory == NULL || work->result->region == NULL || work->result->is_header == NULL)
    return false;
  memset(work->result->region, 0xff, nodes * sizeof *work->result->region);
  return true;
}

bool wb_irreducible_regions_make(const struct wb_edge_lists *incoming,
                                 const struct wb_dominators *dominators, const uint32_t *source,
                                 size_t node_count, struct wb_irreducible_regions *regions)
{
  *regions = (struct wb_irreducible_regions){0};
  struct work work = {
      .incoming = incoming, .dominators = dominators, .source = source, .result = regions};
  bool complete = allocate(&work, node_count) && find_all_regions(&work);
  if (!complete)
    wb_irreducible_regions_free(regions);
  free(work.memory);
  return complete;
}

void wb_irreducible_regions_free(struct wb_irreducible_regions *regions)
{
  free(regions->region);
  free(regions->is_header);
  free(regions->outer);
  *regions = (struct wb_irreducible_regions){0};
}
