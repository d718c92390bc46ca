/* Sums of back edges over the iterations of the loop around: whether they are bounds of the warp
 * (doc/ipet.md, "Sums over the iterations of a loop around"). */
#include "analysis/wcet/wcet_steps.h"

#include "base/buckets.h"
#include "ipet/system/ipet_system.h"

#include <string.h>

#define NONE UINT32_MAX

/* A loop and the one right around it. The arena owns all. */
struct nest {
  const struct wb_wcet *wcet;
  uint32_t inner, outer;           /* loops of the forest */
  bool *inside;                    /* by block: in the outer loop */
  struct wb_ipet_edge_marks of[2]; /* of the inner loop, of the outer one */
  bool *seen;                      /* by block: scratch */
  uint32_t *stack;                 /* by block: scratch */
  struct wb_buckets leaving;       /* edges by origin */
  struct wb_buckets reaching;      /* edges by target */
};

static bool make_nest(struct wb_arena *arena, struct nest *nest)
{
  const struct wb_warp_graph *graph = nest->wcet->graph;
  uint32_t *from = wb_arena_array(arena, uint32_t, graph->edge_count);
  uint32_t *to = wb_arena_array(arena, uint32_t, graph->edge_count);
  nest->inside = wb_arena_array(arena, bool, graph->block_count);
  nest->seen = wb_arena_array(arena, bool, graph->block_count);
  nest->stack = wb_arena_array(arena, uint32_t, graph->block_count);
  for (size_t i = 0; i < 2; i++)
    nest->of[i] =
        (struct wb_ipet_edge_marks){.enters = wb_arena_array(arena, bool, graph->edge_count),
                                    .returns = wb_arena_array(arena, bool, graph->edge_count)};
  if (arena->failed)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    from[e] = graph->edges[e].from;
    to[e] = graph->edges[e].to;
  }
  return wb_buckets_make(arena, from, graph->edge_count, graph->block_count, &nest->leaving) &&
         wb_buckets_make(arena, to, graph->edge_count, graph->block_count, &nest->reaching);
}

static bool mark_nest(struct nest *nest)
{
  const struct wb_loop_forest *forest = &nest->wcet->forest;
  const struct wb_loop *outer = &forest->loops[nest->outer];
  memset(nest->inside, 0, nest->wcet->graph->block_count * sizeof *nest->inside);
  for (size_t i = 0; i < outer->node_count; i++)
    nest->inside[forest->nodes[outer->first_node + i]] = true;
  return wb_ipet_loop_edges(nest->wcet->graph, forest, false, nest->inner, &nest->of[0], NULL) ==
             WARPBOUND_OK &&
         wb_ipet_loop_edges(nest->wcet->graph, forest, false, nest->outer, &nest->of[1], NULL) ==
             WARPBOUND_OK;
}

/* Where one group runs at a time: each visit of the outer header begins an entry or an iteration of
 * the outer loop, and it is entered nowhere else. */
static bool header_counts(const struct nest *nest)
{
  const struct wb_warp_graph *graph = nest->wcet->graph;
  const uint32_t header = nest->wcet->forest.loops[nest->outer].header;
  bool counts = true;
  for (size_t e = 0; e < graph->edge_count && counts; e++) {
    const bool at_header = graph->edges[e].to == header;
    counts = at_header ? nest->of[1].enters[e] || nest->of[1].returns[e] : !nest->of[1].enters[e];
  }
  return counts;
}

/* Where one group runs at a time: between two entries of the inner loop the warp comes to the outer
 * header. */
static bool enters_once(const struct nest *nest)
{
  const struct wb_warp_graph *graph = nest->wcet->graph;
  const struct wb_loop_forest *forest = &nest->wcet->forest;
  const struct wb_loop *inner = &forest->loops[nest->inner];
  size_t count = 0;
  memset(nest->seen, 0, graph->block_count * sizeof *nest->seen);
  for (size_t i = 0; i < inner->node_count; i++) {
    nest->stack[count++] = forest->nodes[inner->first_node + i];
    nest->seen[nest->stack[i]] = true;
  }
  while (count > 0) {
    const uint32_t block = nest->stack[--count];
    for (size_t i = nest->leaving.first[block]; i < nest->leaving.first[block + 1]; i++) {
      const uint32_t e = nest->leaving.item[i];
      const uint32_t to = graph->edges[e].to;
      if (nest->of[0].enters[e])
        return false;
      if (to == forest->loops[nest->outer].header || nest->seen[to])
        continue;
      nest->seen[to] = true;
      nest->stack[count++] = to;
    }
  }
  return true;
}

/* The one edge, in a set of edges, that is marked (marks: NULL for all), where it brings no lanes
 * that waited and at most one group for each run of its block; NONE where there is none. */
static uint32_t only_way(const struct nest *nest, uint32_t block, const bool *marks)
{
  const struct wb_warp_graph *graph = nest->wcet->graph;
  uint32_t only = NONE;
  for (size_t i = nest->reaching.first[block]; i < nest->reaching.first[block + 1]; i++) {
    const uint32_t e = nest->reaching.item[i];
    if (marks != NULL && !marks[e])
      continue;
    if (only != NONE || graph->edges[e].rate == WB_RATE_LANES)
      return NONE;
    only = e;
  }
  for (size_t p = 0; p < graph->pop_count && only != NONE; p++) {
    if (graph->pops[p].edge == only)
      return NONE;
  }
  return only;
}

/* Where lanes run in groups: in an iteration of the outer loop one group at most enters the inner
 * one. */
static bool one_group_enters(const struct nest *nest)
{
  const struct wb_wcet *wcet = nest->wcet;
  const struct wb_loop *outer = &wcet->forest.loops[nest->outer];
  const uint32_t header = wcet->forest.loops[nest->inner].header;
  size_t entries = 0;
  for (size_t e = 0; e < wcet->graph->edge_count; e++)
    entries += nest->of[0].enters[e];
  uint32_t way = entries == 1 ? only_way(nest, header, nest->of[0].enters) : NONE;
  while (way != NONE) {
    const uint32_t block = wcet->graph->edges[way].from;
    if (wcet->forest.innermost[block] != nest->outer)
      return false;
    /* All lanes that are still in the loop come to the block as one group. */
    memset(nest->seen, 0, wcet->graph->block_count * sizeof *nest->seen);
    nest->seen[outer->header] = nest->seen[block] = true;
    if (wb_simt_loop_balanced(wcet->flow.analysis, nest->seen, nest->inside))
      return true;
    way = block == outer->header ? NONE : only_way(nest, block, NULL);
  }
  return false;
}

warpbound_status wb_wcet_judge_sums(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_arena arena = {0};
  struct nest nest = {.wcet = wcet};
  bool made = false;
  bool failed = false;
  for (uint32_t l = 0; l < wcet->forest.loop_count && !failed; l++) {
    struct wb_wcet_loop *loop = &wcet->loops[l];
    nest.inner = l;
    nest.outer = wcet->forest.loops[l].parent;
    if (loop->sum == UINT64_MAX || !loop->balanced || !wcet->loops[nest.outer].balanced)
      continue;
    failed = (!made && !make_nest(&arena, &nest)) || !mark_nest(&nest);
    made = true;
    loop->sum_of_warp =
        !failed && (wcet->graph->groups ? one_group_enters(&nest)
                                        : header_counts(&nest) && enters_once(&nest));
  }
  wb_arena_free(&arena);
  return failed ? wb_out_of_memory(analysis->error) : WARPBOUND_OK;
}

bool wb_wcet_limit_sum(const struct wb_wcet *wcet, uint32_t loop, struct wb_ipet_loop_limit *limit)
{
  const struct wb_wcet_loop *it = &wcet->loops[loop];
  if (it->sum > INT64_MAX || (!it->sum_of_warp && !wcet->graph->groups))
    return false;
  *limit =
      (struct wb_ipet_loop_limit){.loop = loop,
                                  .per = wcet->forest.loops[loop].parent,
                                  .bound = it->sum_of_warp ? (int64_t)it->sum : WB_IPET_NO_BOUND,
                                  .thread_bound = (int64_t)it->sum};
  return true;
}
