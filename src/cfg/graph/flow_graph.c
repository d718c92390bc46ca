#include "cfg/graph/flow_graph.h"

#include "base/memory.h"

#include <assert.h>
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
  assert(wb_edge_lists_check(lists, ends, edge_count, node_count) == NULL);
  return true;
}

void wb_edge_lists_free(struct wb_edge_lists *lists)
{
  free(lists->first);
  free(lists->list);
  *lists = (struct wb_edge_lists){0};
}

const char *wb_flow_graph_check(const struct wb_flow_graph *graph)
{
  if (graph->entry >= graph->node_count)
    return "the entry is no node";
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->from[e] >= graph->node_count || graph->to[e] >= graph->node_count)
      return "an edge ends at no node";
  }
  return NULL;
}

const char *wb_edge_lists_check(const struct wb_edge_lists *lists, const uint32_t *ends,
                                size_t edge_count, size_t node_count)
{
  if (lists->first[0] != 0 || lists->first[node_count] != edge_count)
    return "the lists do not hold each edge once";
  for (size_t n = 0; n < node_count; n++) {
    if (lists->first[n + 1] < lists->first[n] || lists->first[n + 1] > edge_count)
      return "a list ends before it begins";
    for (uint32_t i = lists->first[n]; i < lists->first[n + 1]; i++) {
      if (lists->list[i] >= edge_count || ends[lists->list[i]] != n)
        return "an edge is in the list of another node";
      if (i > lists->first[n] && lists->list[i] <= lists->list[i - 1])
        return "a list does not ascend";
    }
  }
  return NULL;
}

/* ---- dominators ---- */

/* The search. Nodes go by their numbers here, except in `next` and `path`. */
struct search {
  const struct wb_flow_graph *graph; /* borrowed */
  struct wb_edge_lists outgoing;     /* the graph's edges by their beginnings */
  struct wb_dominators *result;      /* under way */
  uint32_t *parent;                  /* in the depth-first tree */
  uint32_t *next;                    /* by node: the edge to look at next, index of outgoing */
  uint32_t *path;                    /* the nodes from the entry to where the search is */
  uint32_t *semi;                    /* the semidominator; the node itself until it is known */
  uint32_t *ancestor;                /* links, with paths compressed; NONE for a root */
  uint32_t *label;                   /* on the compressed path, the node of the least semi */
  uint32_t *waiting;                 /* by semidominator: the first node that waits for it */
  uint32_t *following;               /* the next node that waits for the same one */
  uint32_t *dominator;               /* the immediate dominator, or one that shares it */
};

static void visit(struct search *search, uint32_t node, uint32_t parent)
{
  uint32_t number = (uint32_t)search->result->reached++;
  search->result->number[node] = number;
  search->result->order[number] = node;
  search->parent[number] = parent;
  search->next[node] = search->outgoing.first[node];
}

static void number_nodes(struct search *search)
{
  struct wb_dominators *result = search->result;
  size_t depth = 0;
  visit(search, search->graph->entry, NONE);
  search->path[depth++] = search->graph->entry;
  while (depth > 0) {
    uint32_t node = search->path[depth - 1];
    if (search->next[node] == search->outgoing.first[node + 1]) {
      depth--;
      continue;
    }
    uint32_t to = search->graph->to[search->outgoing.list[search->next[node]++]];
    if (result->number[to] != NONE)
      continue;
    visit(search, to, result->number[node]);
    search->path[depth++] = to;
  }
}

/* The node with the least semidominator on the way from v up to its root, that excluded. */
static uint32_t least(struct search *search, uint32_t v)
{
  uint32_t *ancestor = search->ancestor;
  uint32_t *label = search->label;
  size_t depth = 0;
  if (ancestor[v] == NONE)
    return label[v];
  for (uint32_t x = v; ancestor[ancestor[x]] != NONE; x = ancestor[x])
    search->path[depth++] = x;
  while (depth > 0) {
    uint32_t x = search->path[--depth];
    uint32_t above = ancestor[x];
    if (search->semi[label[above]] < search->semi[label[x]])
      label[x] = label[above];
    ancestor[x] = ancestor[above];
  }
  return label[v];
}

static void find_dominators(struct search *search, const struct wb_edge_lists *incoming)
{
  const struct wb_dominators *result = search->result;
  uint32_t *semi = search->semi;
  uint32_t count = (uint32_t)result->reached;
  for (uint32_t v = 0; v < count; v++) {
    semi[v] = v;
    search->label[v] = v;
    search->ancestor[v] = NONE;
    search->waiting[v] = NONE;
  }
  for (uint32_t v = count - 1; v > 0; v--) {
    uint32_t node = result->order[v];
    uint32_t parent = search->parent[v];
    for (uint32_t i = incoming->first[node]; i < incoming->first[node + 1]; i++) {
      uint32_t from = result->number[search->graph->from[incoming->list[i]]];
      uint32_t through = from == NONE ? v : semi[least(search, from)];
      if (through < semi[v])
        semi[v] = through;
    }
    search->following[v] = search->waiting[semi[v]];
    search->waiting[semi[v]] = v;
    search->ancestor[v] = parent;
    /* Dominators of those that wait for the parent; some only as the one whose dominator they
     * share. */
    for (uint32_t w = search->waiting[parent]; w != NONE; w = search->following[w]) {
      uint32_t u = least(search, w);
      search->dominator[w] = semi[u] < semi[w] ? u : parent;
    }
    search->waiting[parent] = NONE;
  }
  search->dominator[0] = 0;
  for (uint32_t v = 1; v < count; v++) {
    if (search->dominator[v] != semi[v])
      search->dominator[v] = search->dominator[search->dominator[v]];
  }
}

/* Numbers of dominators are below those of what they dominate: sizes gather upwards, and
 * positions are handed out downwards; `free_position` is each node's next free one. */
static void place_nodes(struct search *search)
{
  struct wb_dominators *result = search->result;
  const uint32_t *order = result->order;
  uint32_t *free_position = search->semi;
  for (uint32_t v = (uint32_t)result->reached; v-- > 0;) {
    uint32_t above = order[search->dominator[v]];
    result->immediate[order[v]] = above;
    result->size[order[v]]++;
    if (v > 0)
      result->size[above] += result->size[order[v]];
  }
  for (uint32_t v = 0; v < result->reached; v++) {
    uint32_t *above = &free_position[search->dominator[v]];
    result->position[order[v]] = v > 0 ? *above : 0;
    if (v > 0)
      *above += result->size[order[v]];
    free_position[v] = result->position[order[v]] + 1;
  }
}

warpbound_status wb_dominators_make(const struct wb_flow_graph *graph,
                                    const struct wb_edge_lists *incoming,
                                    struct wb_dominators *dominators, warpbound_error *error)
{
  *dominators = (struct wb_dominators){0};
  const size_t nodes = graph->node_count;
  struct wb_arena scratch = {0};
  struct search search = {.graph = graph, .result = dominators};
  uint32_t **kept[] = {&dominators->order, &dominators->number, &dominators->immediate,
                       &dominators->position, &dominators->size};
  uint32_t **arrays[] = {&search.parent,  &search.next,      &search.path,
                         &search.semi,    &search.ancestor,  &search.label,
                         &search.waiting, &search.following, &search.dominator};
  for (size_t a = 0; a < sizeof kept / sizeof kept[0]; a++)
    *kept[a] = wb_arena_array(&dominators->arena, uint32_t, nodes);
  for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
    *arrays[a] = wb_arena_array(&scratch, uint32_t, nodes);
  const bool complete = !dominators->arena.failed && !scratch.failed &&
                        wb_edge_lists_make(graph->from, graph->edge_count, nodes, &search.outgoing);
  if (complete) {
    memset(dominators->number, 0xff, nodes * sizeof *dominators->number);
    memset(dominators->immediate, 0xff, nodes * sizeof *dominators->immediate);
    number_nodes(&search);
    find_dominators(&search, incoming);
    place_nodes(&search);
    assert(wb_dominators_check(graph, dominators) == NULL);
  }
  wb_arena_free(&scratch);
  wb_edge_lists_free(&search.outgoing);
  if (complete)
    return WARPBOUND_OK;
  wb_dominators_free(dominators);
  return wb_out_of_memory(error);
}

const char *wb_dominators_check(const struct wb_flow_graph *graph,
                                const struct wb_dominators *dominators)
{
  if (dominators->number[graph->entry] != 0 ||
      dominators->immediate[graph->entry] != graph->entry ||
      dominators->size[graph->entry] != dominators->reached)
    return "the entry does not dominate what it reaches";
  for (uint32_t i = 0; i < dominators->reached; i++) {
    const uint32_t node = dominators->order[i];
    const uint32_t above = dominators->immediate[node];
    if (dominators->number[node] != i)
      return "a node has another number than its place in the order";
    if (i > 0 && (dominators->number[above] >= i || !wb_dominates(dominators, above, node)))
      return "a node is not below its immediate dominator";
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    const uint32_t from = graph->from[e];
    const uint32_t to = graph->to[e];
    if (dominators->number[from] == NONE)
      continue;
    if (dominators->number[to] == NONE)
      return "a node that is reached has no number";
    if (to != graph->entry && !wb_dominates(dominators, dominators->immediate[to], from))
      return "an edge goes past an immediate dominator";
  }
  return NULL;
}

void wb_dominators_free(struct wb_dominators *dominators)
{
  wb_arena_free(&dominators->arena);
  *dominators = (struct wb_dominators){0};
}

bool wb_dominates(const struct wb_dominators *dominators, uint32_t a, uint32_t b)
{
  return dominators->position[b] - dominators->position[a] < dominators->size[a];
}
