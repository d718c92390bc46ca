/* The invariants of a warp-level graph. */
#include "cfg/warp_graph/warp_graph.h"

static const char *check_contexts(const struct wb_warp_graph *graph)
{
  if (graph->context_count == 0 || graph->contexts[0].caller != UINT32_MAX)
    return "context 0 is not that of the function itself";
  for (size_t c = 1; c < graph->context_count; c++) {
    if (graph->contexts[c].caller >= c)
      return "a context stands before its caller";
    if (graph->contexts[c].site >= graph->function->instruction_count)
      return "a context is entered by no instruction";
  }
  return NULL;
}

static const char *check_blocks(const struct wb_warp_graph *graph)
{
  const struct wb_warp_block *blocks = graph->blocks;
  if (graph->entry_block >= graph->block_count || blocks[graph->entry_block].first != 0 ||
      blocks[graph->entry_block].context != 0)
    return "the warp does not begin with the function's first instruction";
  for (size_t b = 0; b < graph->block_count; b++) {
    if (blocks[b].first > blocks[b].last || blocks[b].last >= graph->function->instruction_count ||
        blocks[b].context >= graph->context_count)
      return "a block has no instructions of the function";
    if (b == 0)
      continue;
    const struct wb_warp_block *before = &blocks[b - 1];
    if (blocks[b].first == before->first) {
      if (blocks[b].context <= before->context || blocks[b].last != before->last)
        return "blocks of two contexts that begin together do not end together, or are not sorted";
    } else if (blocks[b].first <= before->last) {
      return "blocks overlap, or are not sorted";
    }
  }
  return NULL;
}

/* Whether edge e stands after the one before it. */
static bool ascends(const struct wb_warp_edge *edges, size_t e)
{
  const struct wb_warp_edge *edge = &edges[e];
  if (e == 0 || edge->from != edge[-1].from)
    return e == 0 || edge->from > edge[-1].from;
  if (edge->to != edge[-1].to)
    return edge->to > edge[-1].to;
  return edge->kind > edge[-1].kind;
}

static const char *check_edges(const struct wb_warp_graph *graph)
{
  size_t e = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    const size_t first = e;
    for (; e < graph->edge_count && graph->edges[e].from == b; e++) {
      const struct wb_warp_edge *edge = &graph->edges[e];
      if (edge->to >= graph->block_count || edge->kind > WB_EDGE_REACTIVATION)
        return "an edge leads to no block, or is of no kind";
      if (!ascends(graph->edges, e))
        return "edges are not sorted, or two are equal";
      if (edge->kind == WB_EDGE_FALLTHROUGH &&
          graph->blocks[edge->to].first != graph->blocks[b].last + 1)
        return "a block falls into one that does not follow it";
    }
    if (e == first && !graph->ends[b])
      return "a block has no successor, and the warp does not end there";
  }
  return e == graph->edge_count ? NULL : "an edge comes from no block, or edges are not sorted";
}

static const char *check_pushes(const struct wb_warp_graph *graph)
{
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    if (push->block >= graph->block_count || push->entry >= graph->entry_count)
      return "a push has no block, or no entry";
    if (p > 0 && (push->block < push[-1].block ||
                  (push->block == push[-1].block && push->entry < push[-1].entry)))
      return "pushes are not sorted";
  }
  return NULL;
}

static const char *check_pops(const struct wb_warp_graph *graph)
{
  size_t p = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const size_t first = p;
    for (; p < graph->pop_count && graph->pops[p].edge == e; p++) {
      if (graph->pops[p].entry >= graph->entry_count ||
          (p > first && graph->pops[p].entry <= graph->pops[p - 1].entry))
        return "pops are not sorted, or have no entry";
      const struct wb_warp_entry *entry = &graph->entries[graph->pops[p].entry];
      const struct wb_warp_block *to = &graph->blocks[edge->to];
      if (entry->point != to->first || entry->context != to->context)
        return "an edge does not lead to where the entry that it pops goes on";
    }
    if (graph->entry_count > 0 && p == first && edge->kind == WB_EDGE_REACTIVATION)
      return "a reactivation pops no entry";
    if (p > first && edge->kind == WB_EDGE_CALL)
      return "a call pops an entry";
  }
  return p == graph->pop_count ? NULL : "a pop has no edge, or pops are not sorted";
}

/* Both lists ascend and have no instruction in common. */
static const char *check_branches(const struct wb_warp_graph *graph)
{
  const uint32_t *divergent = graph->divergence_points;
  const uint32_t *uniform = graph->uniform_branches;
  size_t u = 0;
  for (size_t d = 0; d < graph->divergence_point_count; d++) {
    if (divergent[d] >= graph->function->instruction_count ||
        (d > 0 && divergent[d] <= divergent[d - 1]))
      return "divergence points do not ascend";
    while (u < graph->uniform_branch_count && uniform[u] < divergent[d])
      u++;
    if (u < graph->uniform_branch_count && uniform[u] == divergent[d])
      return "a divergence point is a uniform branch";
  }
  for (u = 0; u < graph->uniform_branch_count; u++) {
    if (uniform[u] >= graph->function->instruction_count || (u > 0 && uniform[u] <= uniform[u - 1]))
      return "uniform branches do not ascend";
  }
  return NULL;
}

const char *wb_warp_graph_check(const struct wb_warp_graph *graph)
{
  static const char *(*const checks[])(const struct wb_warp_graph *) = {
      check_contexts, check_blocks, check_edges, check_pushes, check_pops, check_branches};
  const char *broken = NULL;
  for (size_t c = 0; broken == NULL && c < sizeof checks / sizeof checks[0]; c++)
    broken = checks[c](graph);
  return broken;
}
