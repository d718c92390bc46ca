#include "flow/accesses/lane_flow.h"

#include "base/arena.h"
#include "base/binary_search.h"
#include "base/memory.h"
#include "cfg/agreement/lane_agreement.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/lanes/lane_domain.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Lanes that came apart at the end of block `from` may be together at the begin of block `to`: all
 * registers but those of `written` are then as they were. */
struct lane_merge {
  uint32_t from, to;
  struct wb_register_set written;
};

/* By ascending `from`. */
struct lane_merges {
  struct lane_merge *items;
  size_t count, capacity;
};

/* ---- where lanes are together again ---- */

/* Most visits of blocks by all searches, and most merges. */
#define MERGE_WORK_LIMIT UINT64_C(20000000)
#define MERGE_LIMIT 400000

/* A search for the ways from blocks where lanes become participants of something to the blocks
 * where they are together again. */
struct search {
  const struct wb_thread_flow *flow;
  struct lane_merges *merges;
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

static bool point_is_before(const void *points, size_t index, const void *instruction)
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
      if (instruction->unknown)
        wb_register_set_add(&search->writes[b], all);
      for (uint32_t s = 0; s < instruction->write_count; s++)
        wb_register_set_add(&search->writes[b], function->spans[instruction->first_write + s]);
    }
    const size_t found = wb_lower_bound(graph->divergence_points, graph->divergence_point_count,
                                        point_is_before, &last);
    search->splits[b] =
        found < graph->divergence_point_count && graph->divergence_points[found] == last;
  }
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
  struct lane_merges *merges = search->merges;
  if (merges->count > MERGE_LIMIT)
    return; /* given up */
  if (!wb_grow(merges->items, &merges->capacity, merges->count + 1)) {
    search->failed = true;
    return;
  }
  merges->items[merges->count++] = (struct lane_merge){from, to, *written};
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
  for (bool changed = true; changed && search->work <= MERGE_WORK_LIMIT;) {
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
    if (search->work > MERGE_WORK_LIMIT || search->merges->count > MERGE_LIMIT || search->failed)
      return false;
  }
  return true;
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
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const struct wb_warp_block *to = &graph->blocks[flow->to[flow->leaving.list[i]]];
    bool has_entry = false;
    for (size_t n = 0; n < graph->entry_count && !has_entry; n++)
      has_entry = graph->entries[n].token == WB_TOKEN_SCOPE &&
                  graph->entries[n].point == to->first && graph->entries[n].context == to->context;
    if (!has_entry)
      return true;
  }
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
    if (search->work > MERGE_WORK_LIMIT || search->merges->count > MERGE_LIMIT || search->failed)
      return false;
  }
  return true;
}

/* ---- all merges ---- */

static int by_origin(const void *left, const void *right)
{
  const struct lane_merge *a = left;
  const struct lane_merge *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* All merges of a graph whose threads take no way but the flow's edges. *known: false where they
 * cannot be told (recursion, or too much work): lanes may then be together anywhere. Errors:
 * WARPBOUND_INTERNAL (memory). */
static warpbound_status find_merges(const struct wb_thread_flow *flow, struct lane_merges *merges,
                                    bool *known, warpbound_error *error)
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
  *merges = (struct lane_merges){0};
  *known = false;
  /* A call may go back to the context of an earlier one that is still pending. */
  bool recursive = false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const struct wb_warp_block *from = &graph->blocks[edge->from];
    const struct wb_warp_context *context = &graph->contexts[graph->blocks[edge->to].context];
    recursive |= edge->kind == WB_EDGE_CALL &&
                 (context->caller != from->context || context->site != from->last);
  }
  if (!search.failed && !recursive) {
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

/* ---- states of lanes by block ---- */

/* Where the states of all blocks would take more bytes, or the walks more instructions, nothing is
 * known. */
#define BYTE_LIMIT (UINT64_C(256) << 20)
#define WORK_LIMIT UINT64_C(40000000)
/* Visits of a block after which what grows is given up. */
#define PATIENCE 3
/* Instructions up to which each warp of a block is looked at by itself. */
#define SEPARATE_LIMIT 5000
/* Terms after which a walk through a block begins anew. */
#define TERM_LIMIT 65536

struct flow {
  const struct wb_warp_graph *graph;
  struct wb_thread_flow threads;
  struct lane_merges merges;
  struct wb_lane_value_pool values;
  struct wb_lane_walk walk;
  struct wb_lane_state *states; /* by block: before it; no values: not reached yet */
  struct wb_lane_state now;     /* in the walk */
  struct wb_lane_state middle;  /* where the walk began anew */
  struct wb_lane_state merged;  /* of lanes that were apart */
  bool *dirty;                  /* by block */
  uint8_t *visits;              /* by block, up to PATIENCE */
  bool *reached;                /* by block: by any warp */
  struct wb_arena arena;
  uint64_t work;
  bool known; /* what is found holds */
  bool failed;
};

/* ---- the fixpoint ---- */

static void arrive(struct flow *flow, uint32_t block, const struct wb_lane_state *state)
{
  const struct wb_lane_layout *layout = &flow->walk.layout;
  struct wb_lane_state *mine = &flow->states[block];
  if (mine->values == NULL) {
    if (!wb_lane_state_make(layout, mine)) {
      flow->failed = true;
      return;
    }
    wb_lane_state_copy(layout, state, mine);
    flow->dirty[block] = true;
  } else if (wb_lane_state_join(layout, &flow->values, mine, state,
                                flow->visits[block] >= PATIENCE)) {
    flow->dirty[block] = true;
  }
}

static bool is_before(const void *merges, size_t index, const void *block)
{
  return ((const struct lane_merge *)merges)[index].from < *(const uint32_t *)block;
}

static void walk_block(struct flow *flow, uint32_t block, wb_lane_visit *visit, void *context)
{
  const struct wb_warp_block *it = &flow->graph->blocks[block];
  wb_lane_state_copy(&flow->walk.layout, &flow->states[block], &flow->now);
  wb_lane_walk_begin(&flow->walk, &flow->states[block], &flow->now);
  for (uint32_t i = it->first; i <= it->last; i++) {
    if (visit != NULL)
      visit(context, &flow->walk, i);
    wb_domain_transfer(&wb_lane_domain, &flow->walk, flow->graph->function, i);
    if (flow->walk.term_count > TERM_LIMIT) {
      wb_lane_walk_end(&flow->walk);
      wb_lane_state_copy(&flow->walk.layout, &flow->now, &flow->middle);
      wb_lane_walk_begin(&flow->walk, &flow->middle, &flow->now);
    }
  }
  flow->work += it->last - it->first + 1 + flow->walk.layout.count / 16;
}

/* The lanes that may take an edge of threads out of the block: where its last instruction has a
 * guard, a jump is for those where that holds. flow->now: after the block. */
static uint32_t lanes_on(const struct flow *flow, uint32_t block, uint32_t to)
{
  const struct wb_function *function = flow->graph->function;
  const uint32_t last = flow->graph->blocks[block].last;
  const struct wb_instruction *instruction = &function->instructions[last];
  const uint16_t guard = wb_lane_slot(&flow->walk.layout, instruction->guard);
  const bool jumps = flow->graph->blocks[to].first != last + 1;
  if (guard == flow->walk.layout.count || instruction->transfer == WB_TRANSFER_NEXT)
    return flow->now.lanes;
  if (!jumps && (instruction->operand_count > 1 ||
                 (instruction->transfer != WB_TRANSFER_EXIT &&
                  (instruction->transfer != WB_TRANSFER_BRANCH ||
                   function->targets[instruction->first_target] == last + 1))))
    return flow->now.lanes;
  return flow->now.lanes & wb_lanes_where(&flow->values, flow->now.values[guard],
                                          jumps != instruction->guard_negated);
}

static void process(struct flow *flow, uint32_t block)
{
  const struct wb_thread_flow *threads = &flow->threads;
  flow->dirty[block] = false;
  flow->visits[block] = (uint8_t)(flow->visits[block] + (flow->visits[block] < PATIENCE));
  walk_block(flow, block, NULL, NULL);
  wb_lane_walk_end(&flow->walk);
  for (uint32_t i = threads->leaving.first[block]; i < threads->leaving.first[block + 1]; i++) {
    const uint32_t to = threads->to[threads->leaving.list[i]];
    const uint32_t lanes = flow->now.lanes;
    flow->now.lanes = lanes_on(flow, block, to);
    if (flow->now.lanes != 0)
      arrive(flow, to, &flow->now);
    flow->now.lanes = lanes;
  }
  for (size_t m = wb_lower_bound(flow->merges.items, flow->merges.count, is_before, &block);
       m < flow->merges.count && flow->merges.items[m].from == block; m++) {
    /* What holds of lanes that were apart: what none of them may have written is as it was. */
    const struct wb_lane_layout *layout = &flow->walk.layout;
    wb_lane_state_copy(layout, &flow->now, &flow->merged);
    for (unsigned r = 0; r < WB_REGISTER_BARRIER; r++) {
      const uint16_t slot = wb_register_set_has(&flow->merges.items[m].written, r)
                                ? wb_lane_slot(layout, r)
                                : layout->count;
      if (slot == layout->count)
        continue;
      wb_lane_state_forget(layout, &flow->merged, slot);
      flow->merged.values[slot] = WB_LANES_UNKNOWN;
    }
    arrive(flow, flow->merges.items[m].to, &flow->merged);
    flow->work += flow->walk.layout.count / 8;
  }
}

static void find_fixpoint(struct flow *flow)
{
  bool again = true;
  const uint32_t entry = flow->graph->entry_block;
  wb_lane_state_forget_all(&flow->walk.layout, &flow->now);
  flow->now.lanes = wb_lane_launch_mask(&flow->walk);
  arrive(flow, entry, &flow->now);
  while (again && !flow->failed && !flow->values.failed && !flow->walk.failed) {
    again = false;
    for (size_t i = 0; i < flow->graph->block_count && !flow->failed; i++) {
      const uint32_t block = flow->threads.order[i];
      if (!flow->dirty[block])
        continue;
      again = true;
      process(flow, block);
      if (flow->work > WORK_LIMIT) {
        flow->known = false;
        return;
      }
    }
  }
}

/* ---- the whole ---- */

static warpbound_status prepare(struct flow *flow, warpbound_error *error)
{
  const struct wb_loop_forest no_loops = {0};
  const size_t blocks = flow->graph->block_count;
  const struct wb_lane_layout *layout = &flow->walk.layout;
  flow->states = wb_arena_array(&flow->arena, struct wb_lane_state, blocks);
  flow->dirty = wb_arena_array(&flow->arena, bool, blocks);
  flow->visits = wb_arena_array(&flow->arena, uint8_t, blocks);
  flow->reached = wb_arena_array(&flow->arena, bool, blocks);
  if (flow->arena.failed || !wb_lane_state_make(layout, &flow->now) ||
      !wb_lane_state_make(layout, &flow->middle) || !wb_lane_state_make(layout, &flow->merged) ||
      !wb_lane_value_pool_start(&flow->values))
    return wb_out_of_memory(error);
  flow->known = 2 * (uint64_t)flow->walk.layout.count * 4 * flow->graph->block_count < BYTE_LIMIT;
  if (!flow->known)
    return WARPBOUND_OK;
  warpbound_status status = wb_thread_flow_make(flow->graph, &no_loops, &flow->threads, error);
  flow->known = flow->threads.whole;
  if (status != WARPBOUND_OK || !flow->known)
    return status;
  return find_merges(&flow->threads, &flow->merges, &flow->known, error);
}

/* Visits all blocks with what holds of the warps of flow->walk.warps. */
static void go(struct flow *flow, wb_lane_visit *visit, void *context)
{
  const size_t blocks = flow->graph->block_count;
  find_fixpoint(flow);
  for (uint32_t b = 0; b < blocks; b++) {
    if (flow->states[b].values != NULL && flow->known && !flow->failed) {
      walk_block(flow, b, visit, context);
      flow->reached[b] = true;
    }
    wb_lane_state_free(&flow->states[b]);
    flow->dirty[b] = false;
    flow->visits[b] = 0;
  }
}

/* Each warp of a block by itself, where that is little work; else those together whose lanes'
 * indices are apart alike. */
static void go_through_warps(struct flow *flow, wb_lane_visit *visit, void *context)
{
  const uint32_t all = wb_lane_block_warps(&flow->walk);
  uint64_t work = 0;
  uint32_t left = all;
  if (all == 0)
    go(flow, visit, context);
  for (size_t b = 0; b < flow->graph->block_count; b++)
    work += flow->graph->blocks[b].last - flow->graph->blocks[b].first + 1;
  for (unsigned w = 0; w < 32 && flow->known && !flow->failed; w++) {
    if ((left >> w & 1) == 0)
      continue;
    flow->walk.warps = work > SEPARATE_LIMIT ? wb_lane_warps_like(&flow->walk, w) : 0;
    flow->walk.warps |= UINT32_C(1) << w;
    left &= ~flow->walk.warps;
    go(flow, visit, context);
  }
  flow->walk.warps = all == 0 ? UINT32_MAX : all;
}

/* Visits blocks with nothing known but what each of them shows: all, or those that no lane of the
 * launch comes to. */
static void visit_unknown(struct flow *flow, wb_lane_visit *visit, void *context)
{
  const struct wb_lane_layout *layout = &flow->walk.layout;
  wb_lane_state_forget_all(layout, &flow->now);
  flow->now.lanes = flow->known ? 0 : UINT32_MAX;
  wb_lane_state_copy(layout, &flow->now, &flow->middle);
  wb_lane_walk_begin(&flow->walk, &flow->middle, &flow->now);
  for (size_t b = 0; b < flow->graph->block_count; b++)
    for (uint32_t i = flow->graph->blocks[b].first; i <= flow->graph->blocks[b].last; i++)
      if (!flow->known || !flow->reached[b])
        visit(context, &flow->walk, i);
}

warpbound_status wb_lane_flow_run(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  wb_lane_visit *visit, void *context, warpbound_error *error)
{
  struct flow flow = {.graph = graph};
  warpbound_status status = wb_lane_walk_make(graph->function, launch, &flow.values, &flow.walk)
                                ? prepare(&flow, error)
                                : wb_out_of_memory(error);
  if (status == WARPBOUND_OK && flow.known)
    go_through_warps(&flow, visit, context);
  if (status == WARPBOUND_OK && !flow.failed)
    visit_unknown(&flow, visit, context);
  if (flow.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK && (flow.values.failed || flow.walk.failed))
    status = wb_out_of_memory(error);
  for (size_t b = 0; flow.states != NULL && b < flow.graph->block_count; b++)
    wb_lane_state_free(&flow.states[b]);
  wb_arena_free(&flow.arena);
  wb_lane_walk_free(&flow.walk);
  wb_lane_state_free(&flow.now);
  wb_lane_state_free(&flow.middle);
  wb_lane_state_free(&flow.merged);
  wb_lane_value_pool_free(&flow.values);
  free(flow.merges.items);
  wb_thread_flow_free(&flow.threads);
  return status;
}
