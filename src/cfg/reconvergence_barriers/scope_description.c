/* What the mechanism alone tells of the graph: scopes as reports show them, by instruction with
 * contexts united, and which blocks may run in several groups for one entry of their innermost
 * scope. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "base/sorting.h"
#include "cfg/warp_graph/warp_loops.h"

#include <stdlib.h>

/* The group that a block of the graph begins with. */
static const struct wb_group *group_at(const struct wb_simt_analysis *analysis, uint32_t block)
{
  return wb_simt_abstract_of(analysis, analysis->block_states[block]);
}

/* ---- scopes ---- */

static int by_open(const void *a, const void *b)
{
  const struct wb_warp_scope *left = a;
  const struct wb_warp_scope *right = b;
  return (left->open > right->open) - (left->open < right->open);
}

/* The number of a scope as it is described. */
static uint32_t index_of(const struct wb_simt_analysis *analysis, const struct wb_warp_graph *graph,
                         uint32_t scope)
{
  const struct wb_warp_scope key = {.open =
                                        wb_barrier_machine_of(analysis)->scopes[scope].instruction};
  const struct wb_warp_scope *found =
      graph->scope_count == 0
          ? NULL
          : bsearch(&key, graph->scopes, graph->scope_count, sizeof key, by_open);
  return found != NULL ? (uint32_t)(found - graph->scopes) : UINT32_MAX;
}

/* The innermost scope that is surely open, as it is described. */
static uint32_t innermost(const struct wb_simt_analysis *analysis,
                          const struct wb_warp_graph *graph, const struct wb_group *group)
{
  for (size_t s = group->scope_count; s-- > 0;) {
    if (wb_group_is_in(group, group->scopes[s].scope))
      return index_of(analysis, graph, group->scopes[s].scope);
  }
  return UINT32_MAX;
}

static bool list_scopes(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  graph->scopes = wb_arena_array(&graph->arena, struct wb_warp_scope, machine->scope_count);
  if (graph->scopes == NULL)
    return false;
  for (size_t s = 0; s < machine->scope_count; s++)
    graph->scopes[s] = (struct wb_warp_scope){.open = machine->scopes[s].instruction,
                                              .point = machine->scopes[s].point,
                                              .parent = UINT32_MAX};
  graph->scope_count =
      wb_sort_set(graph->scopes, machine->scope_count, sizeof *graph->scopes, by_open);
  return true;
}

/* The scope around each, where it is one in all contexts. */
static bool find_parents(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  const struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  bool *known = wb_arena_array(&graph->arena, bool, graph->scope_count);
  if (known == NULL)
    return false;
  for (size_t s = 0; s < machine->scope_count; s++) {
    const uint32_t scope = index_of(analysis, graph, (uint32_t)s);
    const uint32_t parent = innermost(analysis, graph, &machine->scopes[s].made);
    if (!known[scope])
      graph->scopes[scope].parent = parent;
    else if (graph->scopes[scope].parent != parent)
      graph->scopes[scope].parent = UINT32_MAX;
    known[scope] = true;
  }
  return true;
}

/* An instruction of a described scope. */
static int by_scope(const void *a, const void *b)
{
  const struct wb_scope_use *left = a;
  const struct wb_scope_use *right = b;
  return wb_compare_pairs(left->scope, left->instruction, right->scope, right->instruction);
}

/* Turns uses of scopes into uses of described ones, each once, in order. */
static void unite_uses(const struct wb_simt_analysis *analysis, const struct wb_warp_graph *graph,
                       struct wb_scope_uses *uses)
{
  for (size_t u = 0; u < uses->count; u++)
    uses->items[u].scope = index_of(analysis, graph, uses->items[u].scope);
  uses->count = wb_sort_set(uses->items, uses->count, sizeof *uses->items, by_scope);
}

/* Moves the instructions of a scope to the graph's list: those of `uses` from *next on. */
static size_t append_uses(struct wb_warp_graph *graph, uint32_t scope,
                          const struct wb_scope_uses *uses, size_t *next)
{
  const size_t first = *next;
  for (; *next < uses->count && uses->items[*next].scope == scope; (*next)++)
    graph->scope_instructions[graph->scope_instruction_count++] = uses->items[*next].instruction;
  return *next - first;
}

static bool list_instructions(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  unite_uses(analysis, graph, &machine->syncs);
  unite_uses(analysis, graph, &machine->leavings);
  graph->scope_instructions =
      wb_arena_array(&graph->arena, uint32_t, machine->syncs.count + machine->leavings.count);
  if (graph->scope_instructions == NULL)
    return false;
  size_t sync = 0;
  size_t leaving = 0;
  for (uint32_t s = 0; s < graph->scope_count; s++) {
    struct wb_warp_scope *scope = &graph->scopes[s];
    scope->first_sync = graph->scope_instruction_count;
    scope->sync_count = append_uses(graph, s, &machine->syncs, &sync);
    scope->first_break = graph->scope_instruction_count;
    scope->break_count = append_uses(graph, s, &machine->leavings, &leaving);
  }
  return true;
}

/* By block, the innermost scope and whether a group is known to be all lanes of the warp: what a
 * block begins with holds up to its end, where alone lanes come apart. */
static bool describe_blocks(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  graph->innermost_scopes = wb_arena_array(&graph->arena, uint32_t, graph->block_count);
  graph->whole = wb_arena_array(&graph->arena, bool, graph->block_count);
  if (graph->innermost_scopes == NULL || graph->whole == NULL)
    return false;
  for (size_t b = 0; b < graph->block_count; b++) {
    const struct wb_group *group = group_at(analysis, (uint32_t)b);
    graph->innermost_scopes[b] = innermost(analysis, graph, group);
    graph->whole[b] = group->origin == WB_ORIGIN_WHOLE;
  }
  return true;
}

/* ---- several groups ---- */

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

static void meet(struct search *search, uint32_t block, size_t *count)
{
  if (search->met[block] == search->walk)
    return;
  search->met[block] = search->walk;
  search->pending[(*count)++] = block;
}

/* Whether a block makes a scope in which the lanes of another come apart: beyond it each group is
 * in an execution of its own. */
static bool makes_anew(const struct search *search, uint32_t apart, uint32_t block)
{
  const uint32_t *makers = search->analysis->makers;
  const size_t count = wb_barrier_machine_of(search->analysis)->scope_count;
  const struct wb_group *group = group_at(search->analysis, apart);
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
    if (search->ways[block] == 0)
      search->touched[search->touched_count++] = block;
    if (search->ways[block] < 2)
      search->ways[block]++;
    search->made_anew = search->made_anew || makes_anew(search, apart, block);
    for (size_t e = search->first_edge[block]; e < search->first_edge[block + 1]; e++) {
      const uint32_t scope = search->scope[e];
      /* Whether the lanes that come apart are in the scope that the edge releases. */
      const bool theirs = search->merges[e] &&
                          (wb_group_scope(group_at(search->analysis, apart), scope) != SIZE_MAX ||
                           search->analysis->makers[wb_continuation_of_scope(scope)] == apart);
      search->steps++;
      if (search->alone || !theirs)
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
    if (search->ways[block] > 0 &&
        !wb_group_is_in(group_at(search->analysis, block), search->scope[edge]))
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

/* Makes graph->several. Where lanes come apart, those of two ways that both lead to a block come to
 * it as two groups, unless the release of a scope that they are in brings them together before. A
 * block that more steps would be needed for than are worth it is taken to. False where memory is
 * out. */
static bool find_several(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  struct wb_arena arena = {0};
  struct search search = {
      .analysis = analysis,
      .graph = graph,
      .first_edge = wb_arena_array(&arena, size_t, graph->block_count + 1),
      .merges = wb_arena_array(&arena, bool, graph->edge_count),
      .scope = wb_arena_array(&arena, uint32_t, graph->edge_count),
      .order = wb_component_order_make(graph, &arena),
      .met = wb_arena_array(&arena, uint32_t, graph->block_count),
      .pending = wb_arena_array(&arena, uint32_t, graph->block_count),
      .seeds = wb_arena_array(&arena, uint32_t, graph->edge_count),
      .ways = wb_arena_array(&arena, uint8_t, graph->block_count),
      .touched = wb_arena_array(&arena, uint32_t, graph->block_count),
  };
  graph->several = wb_arena_array(&graph->arena, bool, graph->block_count);
  const bool memory = !arena.failed && graph->several != NULL;
  if (memory)
    list_edges(&search);
  for (uint32_t b = 0; memory && b < graph->block_count && search.steps < STEP_LIMIT; b++) {
    size_t ways = 0; /* that lanes which come apart at the block can go, two being enough */
    bool shared = false;
    for (size_t e = search.first_edge[b]; e < search.first_edge[b + 1]; e++) {
      const uint8_t rate = graph->edges[e].rate;
      ways += rate == WB_RATE_LANES ? 2 : rate == WB_RATE_EACH;
      shared = shared || rate == WB_RATE_SHARED;
    }
    if (ways + shared > 1)
      mark_from(&search, b);
  }
  for (size_t b = 0; memory && search.steps >= STEP_LIMIT && b < graph->block_count; b++)
    graph->several[b] = true;
  wb_arena_free(&arena);
  return memory;
}

bool wb_barrier_describe(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph)
{
  return list_scopes(analysis, graph) && find_parents(analysis, graph) &&
         list_instructions(analysis, graph) && describe_blocks(analysis, graph) &&
         find_several(analysis, graph);
}
