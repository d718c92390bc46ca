#include "cfg/graph/irreducible_regions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The waves. component is 0 for all active nodes at first, then the region of a node, NONE for what
 * is not active. */
struct region_finder {
  const struct wb_edge_lists *incoming;   /* borrowed */
  const struct wb_dominators *dominators; /* borrowed */
  const uint32_t *source;                 /* by edge, as in struct wb_natural_loops; borrowed */
  struct wb_irreducible_regions *result;  /* the outcome */
  uint32_t *memory;                       /* of the arrays below */
  uint32_t *component; /* by node: active nodes of one component can be in one region */
  uint32_t *settled;   /* by node: its component after the wave under way */
  uint32_t *active;    /* nodes: at first all, then those of regions without headers */
  uint32_t *stack;     /* nodes whose component is not settled */
  uint32_t *path;      /* nodes: where the search is */
  uint32_t *index;     /* by node: when the search met it */
  uint32_t *low;       /* by node: the earliest open node that it is known to come from; NONE once
                        * its component is settled */
  uint32_t *next;      /* by node: the edge to look at next */
};

static bool add_region(struct region_finder *finder, uint32_t outer)
{
  struct wb_irreducible_regions *result = finder->result;
  if (!wb_grow(result->outer, &result->capacity, result->count + 1))
    return false;
  result->outer[result->count++] = outer;
  return true;
}

/* Whether the edge leads from one node to another of the component that both are in. */
static bool inside(const struct region_finder *finder, uint32_t edge, uint32_t node)
{
  uint32_t source = finder->source[edge];
  return source != node && finder->component[source] == finder->component[node];
}

/* A search for components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), against
 * the edges. */
struct search {
  uint32_t clock;
  size_t depth;      /* of path */
  size_t open_count; /* in stack: nodes whose component is not settled */
};

static void enter(struct region_finder *finder, struct search *search, uint32_t node)
{
  finder->index[node] = finder->low[node] = search->clock++;
  finder->next[node] = finder->incoming->first[node];
  finder->path[search->depth++] = node;
  finder->stack[search->open_count++] = node;
}

/* Settles the component of which `root` is the first node: all that was opened since. Several
 * nodes are a region; a single one is in no cycle. */
static bool settle(struct region_finder *finder, struct search *search, uint32_t root)
{
  size_t first = search->open_count;
  while (finder->stack[--first] != root)
    ;
  bool is_region = search->open_count - first > 1;
  uint32_t region = is_region ? (uint32_t)finder->result->count : NONE;
  if (is_region && !add_region(finder, finder->result->region[root]))
    return false;
  for (size_t i = first; i < search->open_count; i++) {
    uint32_t node = finder->stack[i];
    finder->low[node] = NONE;
    if (is_region)
      finder->result->region[node] = region;
    finder->settled[node] = region;
  }
  search->open_count = first;
  return true;
}

/* Goes on with the node at the end of the path: to the next source, or back. */
static bool step(struct region_finder *finder, struct search *search)
{
  uint32_t node = finder->path[search->depth - 1];
  while (finder->next[node] < finder->incoming->first[node + 1]) {
    uint32_t edge = finder->incoming->list[finder->next[node]++];
    if (!inside(finder, edge, node))
      continue;
    uint32_t source = finder->source[edge];
    if (finder->index[source] == NONE) {
      enter(finder, search, source);
      return true;
    }
    if (finder->low[source] != NONE && finder->index[source] < finder->low[node])
      finder->low[node] = finder->index[source];
  }
  search->depth--;
  if (finder->low[node] == finder->index[node])
    return settle(finder, search, node);
  uint32_t before = finder->path[search->depth - 1];
  if (finder->low[node] < finder->low[before])
    finder->low[before] = finder->low[node];
  return true;
}

/* One wave: the components of what is active. */
static bool find_regions(struct region_finder *finder, size_t active_count)
{
  for (size_t i = 0; i < active_count; i++)
    finder->index[finder->active[i]] = NONE;
  struct search search = {0};
  for (size_t i = 0; i < active_count; i++) {
    if (finder->index[finder->active[i]] != NONE)
      continue;
    enter(finder, &search, finder->active[i]);
    while (search.depth > 0) {
      if (!step(finder, &search))
        return false;
    }
  }
  return true;
}

/* Whether an edge leads to the node from outside its component. */
static bool is_entered(const struct region_finder *finder, uint32_t node)
{
  const uint32_t *first = finder->incoming->first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t source = finder->source[finder->incoming->list[i]];
    if (finder->component[source] != finder->component[node])
      return true;
  }
  return false;
}

/* Leaves the nodes of regions active, but not their headers; returns how many. */
static size_t remove_headers(struct region_finder *finder, size_t active_count, bool all)
{
  for (size_t i = 0; i < active_count; i++)
    finder->component[finder->active[i]] = finder->settled[finder->active[i]];
  size_t kept = 0;
  for (size_t i = 0; i < active_count; i++) {
    uint32_t node = finder->active[i];
    if (finder->component[node] == NONE)
      continue;
    finder->result->is_header[node] = all || is_entered(finder, node);
    finder->active[kept++] = node;
  }
  active_count = kept;
  kept = 0;
  for (size_t i = 0; i < active_count; i++) {
    uint32_t node = finder->active[i];
    if (finder->result->is_header[node])
      finder->component[node] = NONE;
    else
      finder->active[kept++] = node;
  }
  return kept;
}

static bool find_all_regions(struct region_finder *finder)
{
  size_t active_count = finder->dominators->reached;
  memcpy(finder->active, finder->dominators->order, active_count * sizeof *finder->active);
  for (unsigned depth = 1; active_count > 0; depth++) {
    if (!find_regions(finder, active_count))
      return false;
    active_count = remove_headers(finder, active_count, depth == WB_IRREDUCIBLE_DEPTH_LIMIT);
  }
  return true;
}

static bool allocate(struct region_finder *finder, size_t nodes)
{
  uint32_t **arrays[] = {&finder->component, &finder->settled, &finder->active, &finder->stack,
                         &finder->path,      &finder->index,   &finder->low,    &finder->next};
  size_t count = sizeof arrays / sizeof arrays[0];
  finder->memory = wb_allocate(nodes, count * sizeof *finder->memory);
  for (size_t a = 0; a < count && finder->memory != NULL; a++)
    *arrays[a] = finder->memory + a * nodes;
  finder->result->region = wb_allocate(nodes, sizeof *finder->result->region);
  finder->result->is_header = wb_allocate(nodes, sizeof *finder->result->is_header);
  if (finder->memory == NULL || finder->result->region == NULL || finder->result->is_header == NULL)
    return false;
  memset(finder->result->region, 0xff, nodes * sizeof *finder->result->region);
  return true;
}

bool wb_irreducible_regions_make(const struct wb_edge_lists *incoming,
                                 const struct wb_dominators *dominators, const uint32_t *source,
                                 size_t node_count, struct wb_irreducible_regions *regions)
{
  *regions = (struct wb_irreducible_regions){0};
  struct region_finder finder = {
      .incoming = incoming, .dominators = dominators, .source = source, .result = regions};
  bool complete = allocate(&finder, node_count) && find_all_regions(&finder);
  if (!complete)
    wb_irreducible_regions_free(regions);
  free(finder.memory);
  return complete;
}

void wb_irreducible_regions_free(struct wb_irreducible_regions *regions)
{
  free(regions->region);
  free(regions->is_header);
  free(regions->outer);
  *regions = (struct wb_irreducible_regions){0};
}
