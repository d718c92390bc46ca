#include "cfg/reconvergence_barriers/several_groups.h"

#include "base/arena.h"
#include "base/memory.h"
#include "cfg/reconvergence_barriers/barrier_machine.h"
#include "cfg/simt/simt_fixpoint.h"
#include "cfg/warp_graph/component_order.h"

#include <stdlib.h>
#include <string.h>

/* Steps that all walks together may take. */
#define STEP_LIMIT ((size_t)1 << 22)

struct search {
  const struct wb_simt_analysis *analysis;
  struct wb_warp_graph *graph;
  size_t *first_edge; /* by block: its first edge; one more at the end */
  bool *merges;       /* by edge: it releases a scope once */
  uint32_t *scope;    /* by such an edge: the scope */
  uint32_t *order;    /* by block: its component; walks come to no higher one */
  uint32_t *met;      /* by block: the latest walk that came to it */
  uint32_t *pending;  /* blocks to go on from */
  uint32_t walk;      /* the present walk, from 1 */
  uint32_t *seeds;    /* where lanes of all ways go on together, as edges */
  size_t seed_count;
  uint8_t *ways;     /* by block: how many of the present ways lead to it; at most two */
  uint32_t *touched; /* the blocks whose ways are not 0 */
  size_t touched_count;
  bool made_anew; /* a way leads to where a scope that the lanes come apart in is made */
  bool alone;     /* no release brings the lanes of all ways together */
  size_t steps;   /* of all walks */
};

static const struct wb_group *group_at(const struct search *search, uint32_t block)
{
  return (const void *)wb_simt_abstract_of(search->analysis, search->analysis->block_states[block]);
}

static void meet(struct search *search, uint32_t block, size_t *count)
{
  if (search->met[block] == search->walk)
    return;
  search->met[block] = search->walk;
  search->pending[(*count)++] = block;
}

static void count_way(struct search *search, uint32_t block)
{
  if (search->ways[block] == 0)
    search->touched[search->touched_count++] = block;
  if (search->ways[block] < 2)
    search->ways[block]++;
}

/* Whether the lanes that come apart at a block are in the scope. */
static bool comes_apart_in(const struct search *search, uint32_t apart, uint32_t scope)
{
  return wb_group_scope(group_at(search, apart), scope) != SIZE_MAX ||
         search->analysis->makers[wb_continuation_of_scope(scope)] == apart;
}

/* Whether a block makes a scope in which the lanes of another come apart: beyond it each group is
 * in an execution of its own. */
static bool makes_anew(const struct search *search, uint32_t apart, uint32_t block)
{
  const uint32_t *makers = search->analysis->makers;
  const size_t count = wb_barrier_machine_of(search->analysis)->scope_count;
  const struct wb_group *group = group_at(search, apart);
  for (size_t s = 0; s < group->scope_count; s++) {
    if (makers[wb_continuation_of_scope(group->scopes[s].scope)] == block)
      return true;
  }
  for (uint32_t s = 0; block == apart && s < count; s++) {
    if (makers[wb_continuation_of_scope(s)] == block)
      return true;
  }
  return false;
}

/* Follows one way from a block where lanes come apart, up to where scopes that they were in release
 * the lanes of all ways. */
static void follow(struct search *search, uint32_t apart, uint32_t to)
{
  size_t count = 0;
  search->walk++;
  meet(search, to, &count);
  while (count > 0 && search->steps < STEP_LIMIT) {
    const uint32_t block = search->pending[--count];
    count_way(search, block);
    search->made_anew = search->made_anew || makes_anew(search, apart, block);
    for (size_t e = search->first_edge[block]; e < search->first_edge[block + 1]; e++) {
      search->steps++;
      if (!search->merges[e] || search->alone || !comes_apart_in(search, apart, search->scope[e]))
        meet(search, search->graph->edges[e].to, &count);
      else if (search->seed_count < search->graph->edge_count)
        search->seeds[search->seed_count++] = (uint32_t)e;
    }
  }
}

/* Follows released lanes: with lanes that left the scope by a BREAK they are two groups. They
 * matter only in blocks to which ways lead, none of which is in a component below `least`. */
static void follow_released(struct search *search, uint32_t edge, uint32_t least)
{
  size_t count = 0;
  search->walk++;
  if (search->order[search->graph->edges[edge].to] >= least)
    meet(search, search->graph->edges[edge].to, &count);
  while (count > 0 && search->steps < STEP_LIMIT) {
    const uint32_t block = search->pending[--count];
    search->steps++;
    /* In the scope again it is another execution, of which each group makes its own. */
    if (search->ways[block] > 0 && !wb_group_is_in(group_at(search, block), search->scope[edge]))
      search->ways[block] = 2;
    for (size_t e = search->first_edge[block]; e < search->first_edge[block + 1]; e++) {
      search->steps++;
      if (search->order[search->graph->edges[e].to] >= least)
        meet(search, search->graph->edges[e].to, &count);
    }
  }
}

/* Follows all ways from a block. */
static void follow_all(struct search *search, uint32_t apart)
{
  for (size_t e = search->first_edge[apart]; e < search->first_edge[apart + 1]; e++) {
    const struct wb_warp_edge *edge = &search->graph->edges[e];
    follow(search, apart, edge->to);
    if (edge->rate == WB_RATE_LANES)
      follow(search, apart, edge->to);
  }
}

/* Marks the blocks to which two of a block's ways lead, each with lanes of its own. */
static void mark_from(struct search *search, uint32_t apart)
{
  search->seed_count = 0;
  search->touched_count = 0;
  search->made_anew = false;
  search->alone = false;
  follow_all(search, apart);
  search->alone = search->made_anew;
  if (search->made_anew) {
    for (size_t t = 0; t < search->touched_count; t++)
      search->ways[search->touched[t]] = 0;
    search->touched_count = 0;
    search->seed_count = 0;
    follow_all(search, apart);
  }
  uint32_t least = UINT32_MAX; /* component of the blocks to which ways lead */
  for (size_t t = 0; t < search->touched_count; t++) {
    const uint32_t order = search->order[search->touched[t]];
    least = order < least ? order : least;
  }
  for (size_t s = 0; s < search->seed_count; s++) {
    bool done = false;
    for (size_t before = 0; before < s; before++)
      done = done || search->seeds[before] == search->seeds[s];
    if (!done)
      follow_released(search, search->seeds[s], least);
  }
  for (size_t t = 0; t < search->touched_count; t++) {
    const uint32_t block = search->touched[t];
    if (search->ways[block] > 1)
      search->graph->several[block] = true;
    search->ways[block] = 0;
  }
}

static bool comes_apart(const struct search *search, uint32_t block)
{
  size_t ways = 0;
  bool shared = false;
  for (size_t e = search->first_edge[block]; e < search->first_edge[block + 1]; e++) {
    const uint8_t rate = search->graph->edges[e].rate;
    ways += rate == WB_RATE_LANES ? 2 : rate == WB_RATE_EACH;
    shared = shared || rate == WB_RATE_SHARED;
  }
  return ways + shared > 1;
}

static void list_edges(struct search *search)
{
  const struct wb_warp_graph *graph = search->graph;
  for (size_t e = 0; e < graph->edge_count; e++)
    search->first_edge[graph->edges[e].from + 1] = e + 1;
  for (size_t b = 0; b < graph->block_count; b++) {
    if (search->first_edge[b + 1] < search->first_edge[b])
      search->first_edge[b + 1] = search->first_edge[b];
  }
  for (size_t r = 0; r < search->analysis->resumption_count; r++) {
    const struct wb_simt_resumption *resumption = &search->analysis->resumptions[r];
    struct wb_warp_entry entry;
    if (search->analysis->mechanism->continuation(search->analysis, resumption->continuation,
                                                  &entry) &&
        entry.token == WB_TOKEN_SCOPE && entry.once) {
      search->merges[resumption->edge] = true;
      search->scope[resumption->edge] = resumption->continuation / 2;
    }
  }
}

bool wb_several_groups(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  struct wb_arena arena = {0};
  struct search search = {
      .analysis = analysis,
      .graph = graph,
      .first_edge = wb_arena_array(&arena, size_t, graph->block_count + 1),
      .merges = wb_arena_array(&arena, bool, graph->edge_count),
      .scope = wb_arena_array(&arena, uint32_t, graph->edge_count),
      .order = wb_component_order_make(graph),
      .met = wb_arena_array(&arena, uint32_t, graph->block_count),
      .pending = wb_arena_array(&arena, uint32_t, graph->block_count),
      .seeds = wb_arena_array(&arena, uint32_t, graph->edge_count),
      .ways = wb_arena_array(&arena, uint8_t, graph->block_count),
      .touched = wb_arena_array(&arena, uint32_t, graph->block_count),
  };
  graph->several = wb_allocate(graph->block_count, sizeof *graph->several);
  const bool memory = !arena.failed && search.order != NULL && graph->several != NULL;
  if (memory)
    list_edges(&search);
  for (uint32_t b = 0; memory && b < graph->block_count && search.steps < STEP_LIMIT; b++) {
    if (comes_apart(&search, b))
      mark_from(&search, b);
  }
  for (size_t b = 0; memory && search.steps >= STEP_LIMIT && b < graph->block_count; b++)
    graph->several[b] = true;
  free(search.order);
  wb_arena_free(&arena);
  return memory;
}
