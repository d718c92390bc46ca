#include "cfg/warp_graph/warp_loops.h"

#include "base/sorting.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

/* ---- loops of the calling contexts ---- */

/* The edges that count, as a flow graph. */
struct selection {
  uint32_t *from; /* blocks */
  uint32_t *to;   /* blocks */
  uint32_t *kept; /* by edge: which one of the warp graph it is, or NONE */
  size_t count;   /* edges */
};

static void select_edge(struct selection *selection, uint32_t from, uint32_t to, uint32_t kept)
{
  selection->from[selection->count] = from;
  selection->to[selection->count] = to;
  selection->kept[selection->count++] = kept;
}

/* The loop forest of the graph, with its reactivations or without. */
static warpbound_status make_forest(const struct wb_warp_graph *graph, bool reactivations,
                                    struct wb_loop_forest *forest, warpbound_error *error)
{
  const size_t most = graph->edge_count + graph->push_count;
  struct wb_arena arena = {0};
  struct selection selection = {.from = wb_arena_array(&arena, uint32_t, most),
                                .to = wb_arena_array(&arena, uint32_t, most),
                                .kept = wb_arena_array(&arena, uint32_t, most)};
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t e = 0; status == WARPBOUND_OK && e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || reactivations)
      select_edge(&selection, edge->from, edge->to, (uint32_t)e);
  }
  /* Where lanes split, those that are pushed go on to their entry's point, later; but those that
   * are to do the split anew (an indexed branch) have not done it. */
  for (size_t p = 0; status == WARPBOUND_OK && p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    const struct wb_warp_entry *entry = &graph->entries[push->entry];
    const uint32_t to = entry->token == WB_TOKEN_NONE
                            ? wb_block_that_begins(graph, entry->point, entry->context)
                            : NONE;
    if (to != NONE && to != push->block)
      select_edge(&selection, push->block, to, NONE);
  }
  struct wb_flow_graph flow = {graph->block_count, selection.count, selection.from, selection.to,
                               graph->entry_block};
  if (status == WARPBOUND_OK)
    status = wb_loop_forest_make(&flow, forest, error);
  /* Back edges of the selection become edges of the graph; those that are none are left out. */
  size_t count = 0;
  for (size_t l = 0; status == WARPBOUND_OK && l < forest->loop_count; l++) {
    struct wb_loop *loop = &forest->loops[l];
    const size_t first = count;
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const uint32_t edge = selection.kept[forest->back_edges[loop->first_back_edge + i]];
      if (edge != NONE)
        forest->back_edges[count++] = edge;
    }
    loop->first_back_edge = first;
    loop->back_edge_count = count - first;
  }
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_warp_loops_make(const struct wb_warp_graph *graph,
                                    struct wb_loop_forest *forest, warpbound_error *error)
{
  warpbound_status status = make_forest(graph, false, forest, error);
  bool complete = true;
  for (size_t b = 0; status == WARPBOUND_OK && b < graph->block_count; b++)
    complete = complete && forest->dominators[b] != NONE;
  if (status != WARPBOUND_OK || complete)
    return status;
  wb_loop_forest_free(forest);
  return make_forest(graph, true, forest, error);
}

/* ---- with contexts united ---- */

/* A block of a loop. */
struct member {
  uint32_t loop;  /* of the united graph */
  uint32_t block; /* of the united graph */
};

/* The loops of all contexts, on their way to those of the united graph. */
struct loop_uniter {
  const struct wb_warp_graph *graph;  /* borrowed */
  const struct wb_warp_graph *united; /* borrowed */
  struct wb_united_loops *result;     /* the outcome */
  struct wb_loop_forest forest;       /* the loops of `graph` */
  struct wb_arena arena;              /* of the arrays below */
  uint32_t *block_of;        /* by instruction: the block of `united`, NONE where unreachable */
  uint32_t *united_of;       /* by loop of the forest: the united loop */
  uint32_t *deepest;         /* by united loop: the deepest loop of the forest that it unites */
  uint32_t *position;        /* by block of `graph`: where it stands in the forest's nodes, NONE
                              * where it is in no loop */
  struct member *back_edges; /* with repetitions until they are sorted */
  size_t back_edge_count;    /* back edges */
  struct member *entries;    /* with repetitions until they are sorted */
  size_t entry_count;        /* entries */
};

static uint32_t header_of(const struct loop_uniter *uniter, const struct wb_loop *loop)
{
  return uniter->block_of[uniter->graph->blocks[loop->header].first];
}

/* Allocates all arrays and fills block_of and position. False where memory is out. */
static bool start(struct loop_uniter *uniter)
{
  const struct wb_warp_graph *united = uniter->united;
  const size_t edges = uniter->graph->edge_count;
  const size_t loops = uniter->forest.loop_count;
  struct wb_united_loops *result = uniter->result;
  struct wb_arena *arena = &uniter->arena;
  result->loops = wb_arena_array(&result->arena, struct wb_united_loop, loops);
  result->innermost = wb_arena_array(&result->arena, uint32_t, united->block_count);
  result->members = wb_arena_array(&result->arena, uint32_t, 2 * edges + loops);
  uniter->block_of = wb_arena_array(arena, uint32_t, united->function->instruction_count);
  uniter->position = wb_arena_array(arena, uint32_t, uniter->graph->block_count);
  uniter->united_of = wb_arena_array(arena, uint32_t, loops);
  uniter->deepest = wb_arena_array(arena, uint32_t, loops);
  uniter->back_edges = wb_arena_array(arena, struct member, edges);
  uniter->entries = wb_arena_array(arena, struct member, edges + loops);
  if (arena->failed || result->arena.failed)
    return false;
  memset(uniter->block_of, 0xff, united->function->instruction_count * sizeof *uniter->block_of);
  memset(uniter->position, 0xff, uniter->graph->block_count * sizeof *uniter->position);
  for (size_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      uniter->block_of[i] = (uint32_t)b;
  }
  for (size_t l = 0; l < loops; l++) {
    const struct wb_loop *loop = &uniter->forest.loops[l];
    for (size_t i = loop->first_node; i < loop->first_node + loop->node_count; i++)
      uniter->position[uniter->forest.nodes[i]] = (uint32_t)i;
  }
  return true;
}

/* One united loop for each block that is a header, in the order of blocks, with its parent. */
static void make_loops(struct loop_uniter *uniter)
{
  uint32_t *at = uniter->result->innermost; /* by block: its loop, while loops are numbered */
  for (size_t b = 0; b < uniter->united->block_count; b++)
    at[b] = NONE;
  for (size_t l = 0; l < uniter->forest.loop_count; l++)
    at[header_of(uniter, &uniter->forest.loops[l])] = 0;
  for (size_t b = 0; b < uniter->united->block_count; b++) {
    if (at[b] == NONE)
      continue;
    at[b] = (uint32_t)uniter->result->count;
    uniter->result->loops[uniter->result->count++] =
        (struct wb_united_loop){.header = (uint32_t)b, .parent = NONE};
  }
  for (size_t l = 0; l < uniter->forest.loop_count; l++) {
    const struct wb_loop *loop = &uniter->forest.loops[l];
    uniter->united_of[l] = at[header_of(uniter, loop)];
    struct wb_united_loop *united = &uniter->result->loops[uniter->united_of[l]];
    united->irreducible = united->irreducible || loop->irreducible;
    if (loop->depth > united->depth) {
      united->depth = loop->depth;
      uniter->deepest[uniter->united_of[l]] = (uint32_t)l;
    }
  }
  /* The parent is the loop around the deepest of the contexts. Contexts of a recursion could nest
   * two loops either way: a parent that is no less deep than its child is none. */
  for (size_t u = 0; u < uniter->result->count; u++) {
    struct wb_united_loop *loop = &uniter->result->loops[u];
    uint32_t around = uniter->forest.loops[uniter->deepest[u]].parent;
    if (around != NONE && uniter->result->loops[uniter->united_of[around]].depth < loop->depth)
      loop->parent = uniter->united_of[around];
  }
}

/* Of the loops that hold a block in its contexts the deepest. */
static void find_innermost(struct loop_uniter *uniter)
{
  uint32_t *innermost = uniter->result->innermost;
  const struct wb_united_loop *loops = uniter->result->loops;
  for (size_t b = 0; b < uniter->united->block_count; b++)
    innermost[b] = NONE;
  for (size_t b = 0; b < uniter->graph->block_count; b++) {
    if (uniter->forest.innermost[b] == NONE)
      continue;
    uint32_t loop = uniter->united_of[uniter->forest.innermost[b]];
    const struct wb_warp_block *block = &uniter->graph->blocks[b];
    for (uint32_t u = uniter->block_of[block->first]; u <= uniter->block_of[block->last]; u++) {
      if (innermost[u] == NONE || loops[loop].depth > loops[innermost[u]].depth)
        innermost[u] = loop;
    }
  }
}

/* Lists where loops are entered and where their back edges come from. */
static void collect_members(struct loop_uniter *uniter)
{
  const struct wb_warp_graph *graph = uniter->graph;
  /* A block at which a loop can be entered is a header of it, and so in no inner one. */
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const uint32_t l = uniter->forest.innermost[edge->to];
    if (l == NONE || edge->kind == WB_EDGE_REACTIVATION)
      continue;
    const struct wb_loop *loop = &uniter->forest.loops[l];
    const uint32_t position = uniter->position[edge->from];
    if (position == NONE || position - loop->first_node >= loop->node_count)
      uniter->entries[uniter->entry_count++] =
          (struct member){uniter->united_of[l], uniter->block_of[graph->blocks[edge->to].first]};
  }
  for (size_t l = 0; l < uniter->forest.loop_count; l++) {
    const struct wb_loop *loop = &uniter->forest.loops[l];
    uniter->entries[uniter->entry_count++] =
        (struct member){uniter->united_of[l], header_of(uniter, loop)};
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const struct wb_warp_edge *edge =
          &graph->edges[uniter->forest.back_edges[loop->first_back_edge + i]];
      uniter->back_edges[uniter->back_edge_count++] =
          (struct member){uniter->united_of[l], uniter->block_of[graph->blocks[edge->from].last]};
    }
  }
}

static int compare_members(const void *left, const void *right)
{
  const struct member *a = left;
  const struct member *b = right;
  return wb_compare_pairs(a->loop, a->block, b->loop, b->block);
}

static void place_members(struct loop_uniter *uniter)
{
  struct wb_united_loops *result = uniter->result;
  const size_t back_edges = wb_sort_set(uniter->back_edges, uniter->back_edge_count,
                                        sizeof *uniter->back_edges, compare_members);
  const size_t entries =
      wb_sort_set(uniter->entries, uniter->entry_count, sizeof *uniter->entries, compare_members);
  size_t at = 0;
  size_t back_edge = 0;
  size_t entry = 0;
  for (uint32_t l = 0; l < result->count; l++) {
    struct wb_united_loop *loop = &result->loops[l];
    loop->first_back_edge = at;
    for (; back_edge < back_edges && uniter->back_edges[back_edge].loop == l; back_edge++)
      result->members[at++] = uniter->back_edges[back_edge].block;
    loop->back_edge_count = at - loop->first_back_edge;
    loop->first_entry = at;
    for (; entry < entries && uniter->entries[entry].loop == l; entry++)
      result->members[at++] = uniter->entries[entry].block;
    loop->entry_count = at - loop->first_entry;
  }
}

warpbound_status wb_united_loops_make(const struct wb_warp_graph *graph,
                                      const struct wb_warp_graph *united,
                                      struct wb_united_loops *loops, warpbound_error *error)
{
  *loops = (struct wb_united_loops){0};
  struct loop_uniter uniter = {.graph = graph, .united = united, .result = loops};
  warpbound_status status = wb_warp_loops_make(graph, &uniter.forest, error);
  if (status == WARPBOUND_OK && !start(&uniter))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    make_loops(&uniter);
    find_innermost(&uniter);
    collect_members(&uniter);
    place_members(&uniter);
    assert(wb_united_loops_check(united, loops) == NULL);
  } else {
    wb_united_loops_free(loops);
  }
  wb_loop_forest_free(&uniter.forest);
  wb_arena_free(&uniter.arena);
  return status;
}

/* Whether a row of members has blocks of the graph, ascending. */
static bool ascends(const struct wb_warp_graph *united, const uint32_t *row, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (row[i] >= united->block_count || (i > 0 && row[i] <= row[i - 1]))
      return false;
  }
  return true;
}

const char *wb_united_loops_check(const struct wb_warp_graph *united,
                                  const struct wb_united_loops *loops)
{
  for (size_t l = 0; l < loops->count; l++) {
    const struct wb_united_loop *loop = &loops->loops[l];
    if (loop->header >= united->block_count || (l > 0 && loop->header <= loop[-1].header))
      return "headers do not ascend";
    if (loop->parent != NONE &&
        (loop->parent >= loops->count || loops->loops[loop->parent].depth >= loop->depth))
      return "a loop is not deeper than its parent";
    if (loop->entry_count == 0 ||
        !ascends(united, loops->members + loop->first_entry, loop->entry_count) ||
        !ascends(united, loops->members + loop->first_back_edge, loop->back_edge_count))
      return "a loop's blocks do not ascend";
  }
  for (size_t b = 0; b < united->block_count; b++) {
    if (loops->innermost[b] != NONE && loops->innermost[b] >= loops->count)
      return "a block is in no loop that there is";
  }
  return NULL;
}

void wb_united_loops_free(struct wb_united_loops *loops)
{
  wb_arena_free(&loops->arena);
  *loops = (struct wb_united_loops){0};
}

/* ---- components ---- */

#define UNSEEN 0u

/* A search for components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), without
 * recursion. */
struct search {
  uint32_t *visit; /* by block: when it was found, from 1; UNSEEN before */
  uint32_t *low;   /* by block: the earliest open block that it is known to lead to */
  uint32_t *path;  /* the blocks that are being followed */
  uint32_t *open;  /* blocks that are found and in no component yet */
  uint32_t *order; /* by block: its component, UINT32_MAX while it is open */
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

uint32_t *wb_component_order_make(const struct wb_warp_graph *graph, struct wb_arena *arena)
{
  const size_t count = graph->block_count;
  size_t *next_edge = wb_arena_array(arena, size_t, count); /* by block: that to follow next */
  struct search search = {.visit = wb_arena_array(arena, uint32_t, count),
                          .low = wb_arena_array(arena, uint32_t, count),
                          .path = wb_arena_array(arena, uint32_t, count),
                          .open = wb_arena_array(arena, uint32_t, count),
                          .order = wb_arena_array(arena, uint32_t, count)};
  if (arena->failed)
    return NULL;
  for (size_t e = graph->edge_count; e-- > 0;)
    next_edge[graph->edges[e].from] = e;
  for (uint32_t root = 0; root < count; root++) {
    if (search.visit[root] == UNSEEN)
      find(&search, root);
    while (search.path_count > 0) {
      const uint32_t block = search.path[search.path_count - 1];
      const size_t e = next_edge[block];
      if (e == graph->edge_count || graph->edges[e].from != block) {
        finish(&search);
        continue;
      }
      next_edge[block]++;
      const uint32_t to = graph->edges[e].to;
      if (search.visit[to] == UNSEEN)
        find(&search, to);
      else if (search.order[to] == UINT32_MAX && search.visit[to] < search.low[block])
        search.low[block] = search.visit[to];
    }
  }
  return search.order;
}
