#include "cfg/graph/dominators.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

bool wb_edge_lists_make(const uint32_t *ends, size_t edge_count, size_t node_count,
                        struct wb_edge_lists *lists)
{
  lists->first = wb_allocate(node_count + 2, sizeof *lists->first);
  lists->list = wb_allocate(edge_count, sizeof *lists->list);
  if (lists->first == NULL || lists->list == NULL) {
    wb_edge_lists_free(lists);
    return false;
  }
  /* Counted two places on, so that filling moves each start to where it belongs. */
  for (size_t e = 0; e < edge_count; e++)
    lists->first[ends[e] + 2]++;
  for (size_t n = 2; n <= node_count; n++)
    lists->first[n] += lists->first[n - 1];
  for (size_t e = 0; e < edge_count; e++)
    lists->list[lists->first[ends[e] + 1]++] = (uint32_t)e;
  return true;
}

void wb_edge_lists_free(struct wb_edge_lists *lists)
{
  free(lists->first);
  free(lists->list);
  *lists = (struct wb_edge_lists){0};
}

/* Work under way. Nodes go by their numbers here, except in `next` and `path`.
 *   parent    in the depth-first tree
 *   next      by node: the edge to look at next, an index into outgoing
 *   path      the nodes from the entry to where the search is
 *   semi      the semidominator; the node itself until it is known
 *   ancestor  the forest of links, with paths compressed; NONE for a root
 *   label     of those passed on the compressed path, the one with the least semi
 *   waiting   by semidominator: the first node whose dominator it will help to find, the
 *             others follow by `behind` */
struct work {
  const struct wb_flow_graph *graph;
  const struct wb_edge_lists *incoming;
  struct wb_edge_lists outgoing;
  struct wb_dominators *result;
  uint32_t *memory;
  uint32_t *parent;
  uint32_t *next;
  uint32_t *path;
  uint32_t *semi;
  uint32_t *ancestor;
  uint32_t *label;
  uint32_t *waiting;
  uint32_t *behind;
  uint32_t *dominator;
};

static void visit(struct work *work, uint32_t node, uint32_t parent)
{
  uint32_t number = (uint32_t)work->result->reached++;
  work->result->number[node] = number;
  work->result->order[number] = node;
  work->parent[number] = parent;
  work->next[node] = work->outgoing.first[node];
}

static void number_nodes(struct work *work)
{
  struct wb_dominators *result = work->result;
  size_t depth = 0;
  visit(work, work->graph->entry, NONE);
  work->path[depth++] = work->graph->entry;
  while (depth > 0) {
    uint32_t node = work->path[depth - 1];
    if (work->next[node] == work->outgoing.first[node + 1]) {
      depth--;
      continue;
    }
    uint32_t to = work->graph->to[work->outgoing.list[work->next[node]++]];
    if (result->number[to] != NONE)
      continue;
    visit(work, to, result->number[node]);
    work->path[depth++] = to;
  }
}

/* The node with the least semidominator on the way from v up to its root, that excluded. */
static uint32_t least(struct work *work, uint32_t v)
{
  uint32_t *ancestor = work->ancestor;
  uint32_t *label = work->label;
  size_t depth = 0;
  if (ancestor[v] == NONE)
    return label[v];
  for (uint32_t x = v; ancestor[ancestor[x]] != NONE; x = ancestor[x])
    work->path[depth++] = x;
  while (depth > 0) {
    uint32_t x = work->path[--depth];
    uint32_t above = ancestor[x];
    if (work->semi[label[above]] < work->semi[label[x]])
      label[x] = label[above];
    ancestor[x] = ancestor[above];
  }
  return label[v];
}

static void find_semidominator(struct work *work, uint32_t v)
{
  const struct wb_edge_lists *incoming = work->incoming;
  uint32_t node = work->result->order[v];
  for (uint32_t i = incoming->first[node]; i < incoming->first[node + 1]; i++) {
    uint32_t from = work->result->number[work->graph->from[incoming->list[i]]];
    if (from == NONE)
      continue;
    uint32_t semi = work->semi[least(work, from)];
    if (semi < work->semi[v])
      work->semi[v] = semi;
  }
}

/* Dominators of those that wait for v; some only as the one whose dominator they share. */
static void serve_waiting(struct work *work, uint32_t v)
{
  for (uint32_t w = work->waiting[v]; w != NONE; w = work->behind[w]) {
    uint32_t u = least(work, w);
    work->dominator[w] = work->semi[u] < work->semi[w] ? u : v;
  }
  work->waiting[v] = NONE;
}

static void find_dominators(struct work *work)
{
  uint32_t count = (uint32_t)work->result->reached;
  for (uint32_t v = 0; v < count; v++) {
    work->semi[v] = v;
    work->label[v] = v;
    work->ancestor[v] = NONE;
    work->waiting[v] = NONE;
  }
  for (uint32_t v = count - 1; v > 0; v--) {
    find_semidominator(work, v);
    work->behind[v] = work->waiting[work->semi[v]];
    work->waiting[work->semi[v]] = v;
    work->ancestor[v] = work->parent[v];
    serve_waiting(work, work->parent[v]);
  }
  work->dominator[0] = 0;
  for (uint32_t v = 1; v < count; v++) {
    if (work->dominator[v] != work->semi[v])
      work->dominator[v] = work->dominator[work->dominator[v]];
  }
}

/* Numbers of dominators are below those of what they dominate: sizes gather upwards, and
 * positions are handed out downwards; `free` is each node's next free position. */
static void place_nodes(struct work *work)
{
  struct wb_dominators *result = work->result;
  const uint32_t *order = result->order;
  uint32_t *free_position = work->semi;
  for (uint32_t v = (uint32_t)result->reached; v-- > 0;) {
    uint32_t above = order[work->dominator[v]];
    result->immediate[order[v]] = above;
    result->size[order[v]]++;
    if (v > 0)
      result->size[above] += result->size[order[v]];
  }
  for (uint32_t v = 0; v < result->reached; v++) {
    uint32_t *above = &free_position[work->dominator[v]];
    result->position[order[v]] = v > 0 ? *above : 0;
    if (v > 0)
      *above += result->size[order[v]];
    free_position[v] = result->position[order[v]] + 1;
  }
}

static bool allocate(struct work *work)
{
  size_t nodes = work->graph->node_count;
  struct wb_dominators *result = work->result;
  uint32_t **result_arrays[] = {&result->order, &result->number, &result->immediate,
                                &result->position, &result->size};
  uint32_t **arrays[] = {&work->parent,  &work->next,     &work->path,
                         &work->semi,    &work->ancestor, &work->label,
                         &work->waiting, &work->behind,   &work->dominator};
  size_t count = sizeof arrays / sizeof arrays[0];
  work->memory = wb_allocate(nodes, count * sizeof *work->memory);
  for (size_t a = 0; a < count && work->memory != NULL; a++)
    *arrays[a] = work->memory + a * nodes;
  bool complete = work->memory != NULL;
  for (size_t a = 0; a < sizeof result_arrays / sizeof result_arrays[0]; a++) {
    *result_arrays[a] = wb_allocate(nodes, sizeof **result_arrays[a]);
    complete = complete && *result_arrays[a] != NULL;
  }
  return complete &&
         wb_edge_lists_make(work->graph->from, work->graph->edge_count, nodes, &work->outgoing);
}

warpbound_status wb_dominators_make(const struct wb_flow_graph *graph,
                                    const struct wb_edge_lists *incoming,
                                    struct wb_dominators *dominators, warpbound_error *error)
{
  *dominators = (struct wb_dominators){0};
  struct work work = {.graph = graph, .incoming = incoming, .result = dominators};
  bool complete = allocate(&work);
  if (complete) {
    memset(dominators->number, 0xff, graph->node_count * sizeof *dominators->number);
    memset(dominators->immediate, 0xff, graph->node_count * sizeof *dominators->immediate);
    number_nodes(&work);
    find_dominators(&work);
    place_nodes(&work);
  }
  free(work.memory);
  wb_edge_lists_free(&work.outgoing);
  if (complete)
    return WARPBOUND_OK;
  wb_dominators_free(dominators);
  return wb_out_of_memory(error);
}

void wb_dominators_free(struct wb_dominators *dominators)
{
  free(dominators->order);
  free(dominators->number);
  free(dominators->immediate);
  free(dominators->position);
  free(dominators->size);
  *dominators = (struct wb_dominators){0};
}

bool wb_dominates(const struct wb_dominators *dominators, uint32_t a, uint32_t b)
{
  return dominators->position[b] - dominators->position[a] < dominators->size[a];
}
