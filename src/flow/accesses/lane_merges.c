#include "flow/accesses/lane_merges.h"

#include "base/arena.h"
#include "base/binary_search.h"
#include "base/memory.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdlib.h>
#include <string.h>

/* Most visits of blocks by all searches, and most merges. */
#define WORK_LIMIT UINT64_C(20000000)
#define MERGE_LIMIT 400000

/* A search for the ways from blocks where lanes become participants of something to the blocks
 * where they are together again. */
struct search {
  const struct wb_thread_flow *flow;
  struct wb_lane_merges *merges;
  struct wb_register_set *writes; /* by block */
  bool *splits;                   /* by block: lanes may come apart at its end */
  struct wb_register_set *after;  /* by block: what is written from its begin on to a goal */
  uint8_t *marks;                 /* by block: enum mark, as bits */
  uint32_t *list;                 /* blocks: the ways back from goals, in the order found */
  uint32_t *stack;
  size_t listed;
  uint64_t work;
  bool failed; /* memory is out */
};

enum mark { FORWARD = 1, BACKWARD = 2, GOAL = 4, OPEN = 8 };

/* ---- parts of the graph ---- */

static bool is_before(const void *points, size_t index, const void *instruction)
{
  return ((const uint32_t *)points)[index] < *(const uint32_t *)instruction;
}

/* Collects by block what it writes, and whether lanes may come apart at its end. */
static void collect_parts(struct search *search)
{
  const struct wb_warp_graph *graph = search->flow->graph;
  const struct wb_function *function = graph->function;
  const struct wb_register_span all = {0, WB_REGISTER_COUNT};
  for (size_t b = 0; b < graph->block_count; b++) {
    const uint32_t last = graph->blocks[b].last;
    for (uint32_t i = graph->blocks[b].first; i <= last; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
        wb_register_set_add(&search->writes[b], all);
      for (uint32_t s = 0; s < instruction->write_count; s++)
        wb_register_set_add(&search->writes[b], function->spans[instruction->first_write + s]);
    }
    const size_t found =
        wb_lower_bound(graph->divergence_points, graph->divergence_point_count, is_before, &last);
    search->splits[b] =
        found < graph->divergence_point_count && graph->divergence_points[found] == last;
  }
}

/* Whether a call goes back to the context of an earlier one that is still pending. */
static bool is_recursive(const struct wb_warp_graph *graph)
{
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const struct wb_warp_block *from = &graph->blocks[edge->from];
    const struct wb_warp_context *context = &graph->contexts[graph->blocks[edge->to].context];
    if (edge->kind == WB_EDGE_CALL &&
        (context->caller != from->context || context->site != from->last))
      return true;
  }
  return false;
}

/* ---- searches ---- */

static bool is_stop(const struct search *search, uint32_t block, bool stops)
{
  return stops && (search->marks[block] & GOAL) != 0;
}

/* Marks what the stack's blocks lead to; past goals only without `stops`. Returns whether that is a
 * block that is marked OPEN, by at least one edge. */
static bool mark_forward(struct search *search, size_t depth, bool stops)
{
  const struct wb_thread_flow *flow = search->flow;
  bool opens = false;
  while (depth > 0) {
    const uint32_t block = search->stack[--depth];
    search->work++;
    for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
      const uint32_t to = flow->to[flow->leaving.list[i]];
      opens = opens || ((search->marks[to] & OPEN) != 0 && !is_stop(search, to, stops));
      if ((search->marks[to] & FORWARD) != 0)
        continue;
      search->marks[to] |= FORWARD;
      if (!is_stop(search, to, stops))
        search->stack[depth++] = to;
    }
  }
  return opens;
}

/* Lists the blocks on ways to goals, of those that are marked FORWARD or OPEN. */
static void list_backward(struct search *search, size_t depth, bool stops)
{
  const struct wb_thread_flow *flow = search->flow;
  search->listed = 0;
  while (depth > 0) {
    const uint32_t block = search->stack[--depth];
    search->work++;
    for (uint32_t i = flow->reaching.first[block]; i < flow->reaching.first[block + 1]; i++) {
      const uint32_t from = flow->from[flow->reaching.list[i]];
      if ((search->marks[from] & (FORWARD | OPEN)) == 0 || (search->marks[from] & BACKWARD) != 0 ||
          (is_stop(search, from, stops) && (search->marks[from] & OPEN) == 0))
        continue;
      search->marks[from] |= BACKWARD;
      search->list[search->listed++] = from;
      /* Ways lead on from where lanes became participants, none to it, unless they go round. */
      if (!stops || (search->marks[from] & OPEN) == 0)
        search->stack[depth++] = from;
    }
  }
}

/* What is written on the ways from the end of a block to a goal's begin. */
static struct wb_register_set written_after(const struct search *search, uint32_t block, bool stops)
{
  const struct wb_thread_flow *flow = search->flow;
  struct wb_register_set set = {{0}};
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t to = flow->to[flow->leaving.list[i]];
    if ((search->marks[to] & BACKWARD) == 0 || is_stop(search, to, stops))
      continue;
    for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
      set.words[w] |= search->after[to].words[w];
  }
  return set;
}

static void add_merge(struct search *search, uint32_t from, uint32_t to,
                      const struct wb_register_set *written)
{
  struct wb_lane_merges *merges = search->merges;
  if (merges->count > MERGE_LIMIT)
    return; /* given up */
  if (!wb_grow(merges->items, &merges->capacity, merges->count + 1)) {
    search->failed = true;
    return;
  }
  merges->items[merges->count++] = (struct wb_lane_merge){from, to, *written};
}

/* A goal: lanes are together at the begin of the block; of a WARPSYNC, after its end. */
static void add_merges(struct search *search, const uint32_t *goals, size_t goal_count, bool at_end,
                       bool stops)
{
  const struct wb_thread_flow *flow = search->flow;
  for (size_t i = 0; i < search->listed && !search->failed; i++) {
    const uint32_t from = search->list[i];
    if (!search->splits[from])
      continue;
    struct wb_register_set written = written_after(search, from, stops);
    for (size_t g = 0; g < goal_count; g++) {
      if (!at_end) {
        add_merge(search, from, goals[g], &written);
        continue;
      }
      for (size_t w = 0; w < WB_REGISTER_WORDS; w++)
        written.words[w] |= search->writes[goals[g]].words[w];
      for (uint32_t e = flow->leaving.first[goals[g]]; e < flow->leaving.first[goals[g] + 1]; e++)
        add_merge(search, from, flow->to[flow->leaving.list[e]], &written);
    }
  }
}

/* The merges at the goals of lanes that were together at the ends of the opens. */
static void search_merges(struct search *search, const uint32_t *opens, size_t open_count,
                          const uint32_t *goals, size_t goal_count, bool at_end)
{
  const size_t blocks = search->flow->graph->block_count;
  bool stops = !at_end;
  search->work += blocks / 64; /* clearing marks */
  for (unsigned attempt = 0; attempt < 2; attempt++) {
    memset(search->marks, 0, blocks);
    for (size_t g = 0; g < goal_count; g++)
      search->marks[goals[g]] |= GOAL;
    for (size_t o = 0; o < open_count; o++) {
      search->marks[opens[o]] |= OPEN;
      search->stack[o] = opens[o];
    }
    /* Lanes that are made participants again before they were together: all ways count. */
    const bool again = mark_forward(search, open_count, stops);
    if (!again || !stops)
      break;
    stops = false;
  }
  for (size_t g = 0; g < goal_count; g++)
    search->stack[g] = goals[g];
  list_backward(search, goal_count, stops);
  for (size_t i = 0; i < search->listed; i++)
    search->after[search->list[i]] = search->writes[search->list[i]];
  for (bool changed = true; changed && search->work <= WORK_LIMIT;) {
    changed = false;
    for (size_t i = 0; i < search->listed; i++) {
      const uint32_t block = search->list[i];
      struct wb_register_set *after = &search->after[block];
      const struct wb_register_set more = written_after(search, block, stops);
      for (size_t w = 0; w < WB_REGISTER_WORDS; w++) {
        changed = changed || (more.words[w] & ~after->words[w]) != 0;
        after->words[w] |= more.words[w];
      }
    }
    search->work += search->listed;
  }
  add_merges(search, goals, goal_count, at_end, stops);
}

/* ---- what brings lanes together ---- */

/* Entries of the stack, and scopes. False where one goes on in the middle of a block. */
static bool merge_entries(struct search *search, uint32_t *opens)
{
  const struct wb_warp_graph *graph = search->flow->graph;
  for (size_t n = 0; n < graph->entry_count; n++) {
    const struct wb_warp_entry *entry = &graph->entries[n];
    if (entry->token == WB_TOKEN_NONE || entry->token == WB_TOKEN_WARP)
      continue;
    const uint32_t goal = wb_block_that_begins(graph, entry->point, entry->context);
    size_t count = 0;
    for (size_t p = 0; p < graph->push_count; p++)
      if (graph->pushes[p].entry == n && (count == 0 || opens[count - 1] != graph->pushes[p].block))
        opens[count++] = graph->pushes[p].block;
    search->work += graph->push_count / 64;
    if (goal == UINT32_MAX)
      return false;
    search_merges(search, opens, count, &goal, 1, false);
    if (search->work > WORK_LIMIT || search->merges->count > MERGE_LIMIT || search->failed)
      return false;
  }
  return true;
}

static bool has_scope_entry(const struct wb_warp_graph *graph, uint32_t block)
{
  for (size_t n = 0; n < graph->entry_count; n++)
    if (graph->entries[n].token == WB_TOKEN_SCOPE &&
        graph->entries[n].point == graph->blocks[block].first &&
        graph->entries[n].context == graph->blocks[block].context)
      return true;
  return false;
}

/* Whether lanes of several groups may become one at the end of the block, for all that its entries
 * say: at a WARPSYNC that lanes come to apart, or a BSYNC of a scope that no entry stands for. */
static bool unites_any(const struct search *search, uint32_t block)
{
  const struct wb_warp_graph *graph = search->flow->graph;
  const enum wb_transfer transfer =
      (enum wb_transfer)graph->function->instructions[graph->blocks[block].last].transfer;
  const struct wb_thread_flow *flow = search->flow;
  if (transfer == WB_TRANSFER_WARP_SYNC)
    return graph->innermost_scopes == NULL || graph->several == NULL ||
           graph->innermost_scopes[block] != UINT32_MAX || graph->several[block];
  if (transfer != WB_TRANSFER_SCOPE_SYNC)
    return false;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++)
    if (!has_scope_entry(graph, flow->to[flow->leaving.list[i]]))
      return true;
  return false;
}

static bool merge_syncs(struct search *search, uint32_t *goals)
{
  const struct wb_warp_graph *graph = search->flow->graph;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (!unites_any(search, b))
      continue;
    size_t count = 0; /* the same instruction in all contexts */
    for (uint32_t other = 0; other < graph->block_count; other++)
      if (graph->blocks[other].last == graph->blocks[b].last)
        goals[count++] = other;
    search->work += graph->block_count / 16;
    if (goals[0] == b || !unites_any(search, goals[0]))
      search_merges(search, &graph->entry_block, 1, goals, count, true);
    if (search->work > WORK_LIMIT || search->merges->count > MERGE_LIMIT || search->failed)
      return false;
  }
  return true;
}

/* ---- all ---- */

static int by_origin(const void *left, const void *right)
{
  const struct wb_lane_merge *a = left;
  const struct wb_lane_merge *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

warpbound_status wb_lane_merges_find(const struct wb_thread_flow *flow,
                                     struct wb_lane_merges *merges, bool *known,
                                     warpbound_error *error)
{
  const struct wb_warp_graph *graph = flow->graph;
  const size_t blocks = graph->block_count;
  struct wb_arena arena = {0};
  struct search search = {.flow = flow,
                          .merges = merges,
                          .writes = wb_arena_array(&arena, struct wb_register_set, blocks),
                          .after = wb_arena_array(&arena, struct wb_register_set, blocks),
                          .splits = wb_arena_array(&arena, bool, blocks),
                          .marks = wb_arena_array(&arena, uint8_t, blocks),
                          .list = wb_arena_array(&arena, uint32_t, blocks),
                          .stack = wb_arena_array(&arena, uint32_t, 2 * blocks)};
  uint32_t *ends = wb_arena_array(&arena, uint32_t, blocks);
  search.failed = arena.failed;
  *merges = (struct wb_lane_merges){0};
  *known = false;
  if (!search.failed && !is_recursive(graph)) {
    collect_parts(&search);
    *known = merge_entries(&search, ends) && merge_syncs(&search, ends);
  }
  wb_arena_free(&arena);
  if (search.failed)
    return wb_out_of_memory(error);
  if (merges->count > 1)
    qsort(merges->items, merges->count, sizeof *merges->items, by_origin);
  return WARPBOUND_OK;
}

void wb_lane_merges_free(struct wb_lane_merges *merges)
{
  free(merges->items);
  *merges = (struct wb_lane_merges){0};
}
