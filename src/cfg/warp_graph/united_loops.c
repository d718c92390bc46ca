/* Loops of the warp-level graph with calling contexts united. */
#include "cfg/warp_graph/warp_loops.h"

#include "base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A block of a loop, of the united graph both. */
struct member {
  uint32_t loop;
  uint32_t block;
};

/* Work under way.
 *   block_of       by instruction: the block of the united graph, NONE where unreachable
 *   united_of      by loop of the forest: the united loop
 *   deepest        by united loop: the deepest loop of the forest that it unites
 *   position       by block of the graph: where it stands in the forest's nodes, NONE where it
 *                  is in no loop */
struct work {
  const struct wb_warp_graph *graph;
  const struct wb_warp_graph *united;
  struct wb_united_loops *result;
  struct wb_loop_forest forest;
  uint32_t *block_of;
  uint32_t *united_of;
  uint32_t *deepest;
  uint32_t *position;
  struct member *back_edges;
  size_t back_edge_count;
  struct member *entries;
  size_t entry_count;
};

static uint32_t header_of(const struct work *work, const struct wb_loop *loop)
{
  return work->block_of[work->graph->blocks[loop->header].first];
}

static void map_blocks(struct work *work)
{
  const struct wb_warp_graph *united = work->united;
  for (size_t i = 0; i < united->function->instruction_count; i++)
    work->block_of[i] = NONE;
  for (size_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      work->block_of[i] = (uint32_t)b;
  }
  for (size_t b = 0; b < work->graph->block_count; b++)
    work->position[b] = NONE;
  for (size_t l = 0; l < work->forest.loop_count; l++) {
    const struct wb_loop *loop = &work->forest.loops[l];
    if (loop->depth > 1)
      continue;
    for (size_t i = loop->first_node; i < loop->first_node + loop->node_count; i++)
      work->position[work->forest.nodes[i]] = (uint32_t)i;
  }
}

/* One united loop for each block that is a header, in the order of blocks. at: by block, its
 * loop; the array of innermost loops serves. */
static void number_loops(struct work *work, uint32_t *at)
{
  for (size_t b = 0; b < work->united->block_count; b++)
    at[b] = NONE;
  for (size_t l = 0; l < work->forest.loop_count; l++)
    at[header_of(work, &work->forest.loops[l])] = 0;
  for (size_t b = 0; b < work->united->block_count; b++) {
    if (at[b] == NONE)
      continue;
    at[b] = (uint32_t)work->result->count;
    work->result->loops[work->result->count++] =
        (struct wb_united_loop){.header = (uint32_t)b, .parent = NONE};
  }
  for (size_t l = 0; l < work->forest.loop_count; l++) {
    const struct wb_loop *loop = &work->forest.loops[l];
    work->united_of[l] = at[header_of(work, loop)];
    struct wb_united_loop *united = &work->result->loops[work->united_of[l]];
    united->irreducible = united->irreducible || loop->irreducible;
    if (loop->depth > united->depth) {
      united->depth = loop->depth;
      work->deepest[work->united_of[l]] = (uint32_t)l;
    }
  }
}

/* The loop around the deepest of the contexts. Contexts of a recursion could nest two loops
 * either way: a parent that is no less deep than its child is none. */
static void find_parents(struct work *work)
{
  for (size_t u = 0; u < work->result->count; u++) {
    struct wb_united_loop *loop = &work->result->loops[u];
    uint32_t around = work->forest.loops[work->deepest[u]].parent;
    if (around != NONE && work->result->loops[work->united_of[around]].depth < loop->depth)
      loop->parent = work->united_of[around];
  }
}

/* Of the loops that hold a block in its contexts the deepest. */
static void find_innermost(struct work *work)
{
  uint32_t *innermost = work->result->innermost;
  const struct wb_united_loop *loops = work->result->loops;
  for (size_t b = 0; b < work->united->block_count; b++)
    innermost[b] = NONE;
  for (size_t b = 0; b < work->graph->block_count; b++) {
    if (work->forest.innermost[b] == NONE)
      continue;
    uint32_t loop = work->united_of[work->forest.innermost[b]];
    const struct wb_warp_block *block = &work->graph->blocks[b];
    for (uint32_t u = work->block_of[block->first]; u <= work->block_of[block->last]; u++) {
      if (innermost[u] == NONE || loops[loop].depth > loops[innermost[u]].depth)
        innermost[u] = loop;
    }
  }
}

static bool is_inside(const struct work *work, const struct wb_loop *loop, uint32_t block)
{
  return work->position[block] != NONE &&
         work->position[block] - loop->first_node < loop->node_count;
}

/* A block at which a loop can be entered is a header of it, and so in no inner one. */
static void collect_entries(struct work *work)
{
  const struct wb_warp_graph *graph = work->graph;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    uint32_t l = work->forest.innermost[edge->to];
    if (l == NONE || edge->kind == WB_EDGE_REACTIVATION ||
        is_inside(work, &work->forest.loops[l], edge->from))
      continue;
    work->entries[work->entry_count++] =
        (struct member){work->united_of[l], work->block_of[graph->blocks[edge->to].first]};
  }
  for (size_t l = 0; l < work->forest.loop_count; l++)
    work->entries[work->entry_count++] =
        (struct member){work->united_of[l], header_of(work, &work->forest.loops[l])};
}

static void collect_back_edges(struct work *work)
{
  const struct wb_warp_graph *graph = work->graph;
  for (size_t l = 0; l < work->forest.loop_count; l++) {
    const struct wb_loop *loop = &work->forest.loops[l];
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const struct wb_warp_edge *edge =
          &graph->edges[work->forest.back_edges[loop->first_back_edge + i]];
      work->back_edges[work->back_edge_count++] =
          (struct member){work->united_of[l], work->block_of[graph->blocks[edge->from].last]};
    }
  }
}

static int compare_members(const void *left, const void *right)
{
  const struct member *a = left;
  const struct member *b = right;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a->block > b->block) - (a->block < b->block);
}

/* Sorts members by loop and block, drops repetitions, and returns how many are left. */
static size_t tidy(struct member *members, size_t count)
{
  qsort(members, count, sizeof *members, compare_members);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || compare_members(&members[kept - 1], &members[i]) != 0)
      members[kept++] = members[i];
  }
  return kept;
}

static void place_members(struct work *work)
{
  struct wb_united_loops *result = work->result;
  size_t back_edges = tidy(work->back_edges, work->back_edge_count);
  size_t entries = tidy(work->entries, work->entry_count);
  size_t at = 0;
  size_t back_edge = 0;
  size_t entry = 0;
  for (uint32_t l = 0; l < result->count; l++) {
    struct wb_united_loop *loop = &result->loops[l];
    loop->first_back_edge = at;
    for (; back_edge < back_edges && work->back_edges[back_edge].loop == l; back_edge++)
      result->members[at++] = work->back_edges[back_edge].block;
    loop->back_edge_count = at - loop->first_back_edge;
    loop->first_entry = at;
    for (; entry < entries && work->entries[entry].loop == l; entry++)
      result->members[at++] = work->entries[entry].block;
    loop->entry_count = at - loop->first_entry;
  }
}

static bool allocate(struct work *work)
{
  size_t edges = work->graph->edge_count;
  size_t loops = work->forest.loop_count;
  struct wb_united_loops *result = work->result;
  result->loops = wb_allocate(loops, sizeof *result->loops);
  result->innermost = wb_allocate(work->united->block_count, sizeof *result->innermost);
  result->members = wb_allocate(2 * edges + loops, sizeof *result->members);
  work->block_of = wb_allocate(work->united->function->instruction_count, sizeof *work->block_of);
  work->position = wb_allocate(work->graph->block_count, sizeof *work->position);
  work->united_of = wb_allocate(loops, sizeof *work->united_of);
  work->deepest = wb_allocate(loops, sizeof *work->deepest);
  work->back_edges = wb_allocate(edges, sizeof *work->back_edges);
  work->entries = wb_allocate(edges + loops, sizeof *work->entries);
  return result->loops != NULL && result->innermost != NULL && result->members != NULL &&
         work->block_of != NULL && work->position != NULL && work->united_of != NULL &&
         work->deepest != NULL && work->back_edges != NULL && work->entries != NULL;
}

static void work_free(struct work *work)
{
  wb_loop_forest_free(&work->forest);
  free(work->block_of);
  free(work->position);
  free(work->united_of);
  free(work->deepest);
  free(work->back_edges);
  free(work->entries);
}

warpbound_status wb_united_loops_make(const struct wb_warp_graph *graph,
                                      const struct wb_warp_graph *united,
                                      struct wb_united_loops *loops, warpbound_error *error)
{
  *loops = (struct wb_united_loops){0};
  struct work work = {.graph = graph, .united = united, .result = loops};
  warpbound_status status = wb_warp_loops_make(graph, &work.forest, error);
  if (status == WARPBOUND_OK && !allocate(&work))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    map_blocks(&work);
    number_loops(&work, loops->innermost);
    find_parents(&work);
    find_innermost(&work);
    collect_entries(&work);
    collect_back_edges(&work);
    place_members(&work);
  } else {
    wb_united_loops_free(loops);
  }
  work_free(&work);
  return status;
}

void wb_united_loops_free(struct wb_united_loops *loops)
{
  free(loops->loops);
  free(loops->members);
  free(loops->innermost);
  *loops = (struct wb_united_loops){0};
}
