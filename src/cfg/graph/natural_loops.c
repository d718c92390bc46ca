#include "cfg/graph/natural_loops.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Work under way. merged: by node, the way to the header that it went into, itself where it is
 * not merged. body: the loop that is being found, without its header. */
struct work {
  const struct wb_flow_graph *graph;
  const struct wb_edge_lists *incoming;
  const struct wb_dominators *dominators;
  struct wb_natural_loops *result;
  uint32_t *merged;
  uint32_t *body;
};

static uint32_t find(struct work *work, uint32_t node)
{
  uint32_t *merged = work->merged;
  while (merged[node] != node) {
    merged[node] = merged[merged[node]];
    node = merged[node];
  }
  return node;
}

/* Puts a node into the body of the header's loop. */
static void absorb(struct work *work, uint32_t node, uint32_t header, size_t *count)
{
  if (node == header || work->result->around[node] == header)
    return;
  work->result->around[node] = header;
  work->body[(*count)++] = node;
}

/* Notes where each edge into a node that is about to be merged begins, as far as things are
 * merged by now. Edges from nowhere and back edges are marked already. */
static void note_sources(struct work *work, uint32_t node, uint32_t header, size_t *count)
{
  const uint32_t *first = work->incoming->first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t edge = work->incoming->list[i];
    if (work->result->source[edge] == node)
      continue;
    uint32_t from = find(work, work->graph->from[edge]);
    work->result->source[edge] = from;
    if (header != NONE)
      absorb(work, from, header, count);
  }
}

/* Marks the edges into the node that do not matter to regions, and returns how many nodes
 * its back edges bring into its body. */
static size_t start_body(struct work *work, uint32_t header)
{
  const uint32_t *first = work->incoming->first;
  size_t count = 0;
  for (uint32_t i = first[header]; i < first[header + 1]; i++) {
    uint32_t edge = work->incoming->list[i];
    uint32_t from = work->graph->from[edge];
    bool from_nowhere = work->dominators->number[from] == NONE;
    if (!from_nowhere && !wb_dominates(work->dominators, header, from))
      continue;
    work->result->source[edge] = header;
    if (from_nowhere)
      continue;
    work->result->is_header[header] = true;
    absorb(work, find(work, from), header, &count);
  }
  return count;
}

/* Inner headers have higher numbers: their loops are merged before. */
static void find_natural_loops(struct work *work)
{
  const struct wb_dominators *dominators = work->dominators;
  for (size_t n = dominators->reached; n-- > 0;) {
    uint32_t header = dominators->order[n];
    size_t count = start_body(work, header);
    for (size_t i = 0; i < count; i++)
      note_sources(work, work->body[i], header, &count);
    for (size_t i = 0; i < count; i++)
      work->merged[work->body[i]] = header;
  }
  for (size_t n = 0; n < dominators->reached; n++) {
    if (work->result->around[dominators->order[n]] == NONE)
      note_sources(work, dominators->order[n], NONE, NULL);
  }
}

static bool allocate(struct work *work)
{
  size_t nodes = work->graph->node_count;
  size_t edges = work->graph->edge_count;
  struct wb_natural_loops *result = work->result;
  result->around = wb_allocate(nodes, sizeof *result->around);
  result->is_header = wb_allocate(nodes, sizeof *result->is_header);
  result->source = wb_allocate(edges, sizeof *result->source);
  work->merged = wb_allocate(nodes, sizeof *work->merged);
  work->body = wb_allocate(nodes, sizeof *work->body);
  if (result->around == NULL || result->is_header == NULL || result->source == NULL ||
      work->merged == NULL || work->body == NULL)
    return false;
  memset(result->around, 0xff, nodes * sizeof *result->around);
  memset(result->source, 0xff, edges * sizeof *result->source);
  for (size_t n = 0; n < nodes; n++)
    work->merged[n] = (uint32_t)n;
  return true;
}

bool wb_natural_loops_make(const struct wb_flow_graph *graph, const struct wb_edge_lists *incoming,
                           const struct wb_dominators *dominators, struct wb_natural_loops *loops)
{
  *loops = (struct wb_natural_loops){0};
  struct work work = {
      .graph = graph, .incoming = incoming, .dominators = dominators, .result = loops};
  bool complete = allocate(&work);
  if (complete)
    find_natural_loops(&work);
  else
    wb_natural_loops_free(loops);
  free(work.merged);
  free(work.body);
  return complete;
}

void wb_natural_loops_free(struct wb_natural_loops *loops)
{
  free(loops->around);
  free(loops->is_header);
  free(loops->source);
  *loops = (struct wb_natural_loops){0};
}
