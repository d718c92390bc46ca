#include "cfg/graph/natural_loops.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The merging of loops into their headers, under way. */
struct loop_merger {
  const struct wb_flow_graph *graph;      /* borrowed */
  const struct wb_edge_lists *incoming;   /* borrowed */
  const struct wb_dominators *dominators; /* borrowed */
  struct wb_natural_loops *result;        /* the outcome */
  uint32_t *merged; /* by node: on the way to the header that it went into, itself where it is
                     * not merged */
  uint32_t *body;   /* the loop that is being found, without its header */
};

static uint32_t find(struct loop_merger *merger, uint32_t node)
{
  uint32_t *merged = merger->merged;
  while (merged[node] != node) {
    merged[node] = merged[merged[node]];
    node = merged[node];
  }
  return node;
}

/* Puts a node into the body of the header's loop. */
static void absorb(struct loop_merger *merger, uint32_t node, uint32_t header, size_t *count)
{
  if (node == header || merger->result->around[node] == header)
    return;
  merger->result->around[node] = header;
  merger->body[(*count)++] = node;
}

/* Notes where each edge into a node that is about to be merged begins, as far as things are
 * merged by now. Edges from nowhere and back edges are marked already. */
static void note_sources(struct loop_merger *merger, uint32_t node, uint32_t header, size_t *count)
{
  const uint32_t *first = merger->incoming->first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t edge = merger->incoming->list[i];
    if (merger->result->source[edge] == node)
      continue;
    uint32_t from = find(merger, merger->graph->from[edge]);
    merger->result->source[edge] = from;
    if (header != NONE)
      absorb(merger, from, header, count);
  }
}

/* Marks the edges into the node that do not matter to regions, and returns how many nodes
 * its back edges bring into its body. */
static size_t start_body(struct loop_merger *merger, uint32_t header)
{
  const uint32_t *first = merger->incoming->first;
  size_t count = 0;
  for (uint32_t i = first[header]; i < first[header + 1]; i++) {
    uint32_t edge = merger->incoming->list[i];
    uint32_t from = merger->graph->from[edge];
    bool from_nowhere = merger->dominators->number[from] == NONE;
    if (!from_nowhere && !wb_dominates(merger->dominators, header, from))
      continue;
    merger->result->source[edge] = header;
    if (from_nowhere)
      continue;
    merger->result->is_header[header] = true;
    absorb(merger, find(merger, from), header, &count);
  }
  return count;
}

/* Inner headers have higher numbers: their loops are merged before. */
static void find_natural_loops(struct loop_merger *merger)
{
  const struct wb_dominators *dominators = merger->dominators;
  for (size_t n = dominators->reached; n-- > 0;) {
    uint32_t header = dominators->order[n];
    size_t count = start_body(merger, header);
    for (size_t i = 0; i < count; i++)
      note_sources(merger, merger->body[i], header, &count);
    for (size_t i = 0; i < count; i++)
      merger->merged[merger->body[i]] = header;
  }
  for (size_t n = 0; n < dominators->reached; n++) {
    if (merger->result->around[dominators->order[n]] == NONE)
      note_sources(merger, dominators->order[n], NONE, NULL);
  }
}

static bool allocate(struct loop_merger *merger)
{
  size_t nodes = merger->graph->node_count;
  size_t edges = merger->graph->edge_count;
  struct wb_natural_loops *result = merger->result;
  result->around = wb_allocate(nodes, sizeof *result->around);
  result->is_header = wb_allocate(nodes, sizeof *result->is_header);
  result->source = wb_allocate(edges, sizeof *result->source);
  merger->merged = wb_allocate(nodes, sizeof *merger->merged);
  merger->body = wb_allocate(nodes, sizeof *merger->body);
  if (result->around == NULL || result->is_header == NULL || result->source == NULL ||
      merger->merged == NULL || merger->body == NULL)
    return false;
  memset(result->around, 0xff, nodes * sizeof *result->around);
  memset(result->source, 0xff, edges * sizeof *result->source);
  for (size_t n = 0; n < nodes; n++)
    merger->merged[n] = (uint32_t)n;
  return true;
}

bool wb_natural_loops_make(const struct wb_flow_graph *graph, const struct wb_edge_lists *incoming,
                           const struct wb_dominators *dominators, struct wb_natural_loops *loops)
{
  *loops = (struct wb_natural_loops){0};
  struct loop_merger merger = {
      .graph = graph, .incoming = incoming, .dominators = dominators, .result = loops};
  bool complete = allocate(&merger);
  if (complete)
    find_natural_loops(&merger);
  else
    wb_natural_loops_free(loops);
  free(merger.merged);
  free(merger.body);
  return complete;
}

void wb_natural_loops_free(struct wb_natural_loops *loops)
{
  free(loops->around);
  free(loops->is_header);
  free(loops->source);
  *loops = (struct wb_natural_loops){0};
}
