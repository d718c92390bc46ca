#include "flow/barriers/barrier_arrivals.h"

#include "base/arena.h"
#include "flow/barriers/barrier_history.h"
#include "flow/barriers/barrier_rounds.h"
#include "flow/barriers/barrier_visits.h"
#include "flow/barriers/counted_barriers.h"
#include "isa/opcode.h"

#include <string.h>

#define WARP_THREADS 32
/* Most instructions of all warps of a block that are followed. */
#define MOST_STEPS UINT64_C(2000000)

struct search {
  const struct wb_group_question *question;
  const struct wb_warp_graph *graph;
  struct wb_arena arena;
  uint32_t warps;
  struct wb_found_history found[WB_ROUND_WARPS];
  bool *reached; /* by instruction: a barrier that some warp does */
  warpbound_error *error;
};

/* The places that all ways from each block lead through. */
static warpbound_status find_after(struct search *search, const struct wb_thread_flow *flow,
                                   struct wb_dominators *after)
{
  const uint32_t blocks = (uint32_t)search->graph->block_count;
  uint32_t *from = wb_arena_array(&search->arena, uint32_t, flow->edge_count + blocks);
  uint32_t *to = wb_arena_array(&search->arena, uint32_t, flow->edge_count + blocks);
  size_t count = flow->edge_count;
  struct wb_edge_lists leaving;
  if (search->arena.failed)
    return wb_out_of_memory(search->error);
  memcpy(from, flow->from, count * sizeof *from);
  memcpy(to, flow->to, count * sizeof *to);
  for (uint32_t b = 0; b < blocks; b++) {
    if (!search->graph->ends[b])
      continue;
    from[count] = b;
    to[count++] = blocks;
  }
  if (!wb_edge_lists_make(from, count, blocks + 1, &leaving))
    return wb_out_of_memory(search->error);
  const struct wb_flow_graph reversed = {
      .node_count = blocks + 1, .edge_count = count, .from = to, .to = from, .entry = blocks};
  const warpbound_status status = wb_dominators_make(&reversed, &leaving, after, search->error);
  wb_edge_lists_free(&leaving);
  return status;
}

/* Follows each warp; *known: all of them to their ends. */
static warpbound_status follow_warps(struct search *search, const struct wb_thread_flow *flow,
                                     const struct wb_dominators *after, bool *known)
{
  const struct wb_function *function = search->graph->function;
  struct wb_launch launch = *search->question->launch;
  struct wb_launch_slice slice;
  const struct wb_history_question question = {.flow = flow, .after = after, .launch = &launch};
  uint64_t steps = MOST_STEPS;
  warpbound_status status = WARPBOUND_OK;
  if (launch.block[0] == 0)
    memcpy(launch.block, function->required_block, sizeof launch.block);
  launch.slice = &slice;
  for (uint32_t w = 0; w < search->warps && status == WARPBOUND_OK && *known; w++) {
    *known = wb_warp_slice(&launch, w, &slice);
    if (*known)
      status = wb_barrier_history_find(&question, &steps, search->reached, &search->found[w],
                                       search->error);
    *known = *known && status == WARPBOUND_OK && search->found[w].known;
  }
  return status;
}

/* Whether all warps name one count by a number, or none does, and their barriers pair up. What
 * names none waits for those that have not ended, though they may have arrived before. */
static bool pair_up(const struct search *search)
{
  struct wb_barrier_history histories[WB_ROUND_WARPS];
  uint32_t arrivals[WB_BARRIER_NUMBERS] = {0}, threads[WB_BARRIER_NUMBERS] = {0};
  uint32_t named = 0;
  for (uint32_t w = 0; w < search->warps; w++) {
    const struct wb_found_history *found = &search->found[w];
    histories[w] = (struct wb_barrier_history){found->events, found->count};
    for (unsigned n = 0; n < WB_BARRIER_NUMBERS; n++) {
      if ((found->named >> n & 1) == 0)
        continue;
      if ((named >> n & 1) != 0 && threads[n] != found->threads[n])
        return false;
      named |= UINT32_C(1) << n;
      threads[n] = found->threads[n];
      arrivals[n] = threads[n] > 0 ? threads[n] / WARP_THREADS : search->warps;
    }
  }
  return wb_barrier_rounds_hold(histories, search->warps, arrivals);
}

static warpbound_status find(struct search *search, bool *shown)
{
  struct wb_thread_flow flow;
  struct wb_dominators after = {0};
  warpbound_status status =
      wb_thread_flow_make(search->graph, search->question->forest, &flow, search->error);
  bool known = status == WARPBOUND_OK && flow.whole;
  if (known)
    status = find_after(search, &flow, &after);
  if (known && status == WARPBOUND_OK)
    status = follow_warps(search, &flow, &after, &known);
  *shown = known && status == WARPBOUND_OK && pair_up(search);
  wb_dominators_free(&after);
  wb_thread_flow_free(&flow);
  return status;
}

warpbound_status wb_barrier_arrivals_find(const struct wb_group_question *question,
                                          struct wb_instruction *instructions, bool *shown,
                                          warpbound_error *error)
{
  const struct wb_function *function = question->graph->function;
  struct search search = {.question = question, .graph = question->graph, .error = error};
  const uint32_t threads = wb_barrier_threads(function, question->launch);
  *shown = false;
  /* Which lanes come to a barrier together is known of groups of lanes alone. */
  if (threads == 0 || question->launch == NULL || !question->graph->groups)
    return WARPBOUND_OK;
  search.warps = threads / WARP_THREADS;
  search.reached = wb_arena_array(&search.arena, bool, function->instruction_count);
  warpbound_status status = search.arena.failed ? wb_out_of_memory(error) : find(&search, shown);
  for (size_t i = 0; i < function->instruction_count && status == WARPBOUND_OK && *shown; i++) {
    if (!wb_instruction_is(&instructions[i], WB_TRAIT_BLOCK_BARRIER))
      continue;
    instructions[i].never |= !search.reached[i];
    instructions[i].unit = (uint8_t)(search.reached[i] ? WB_UNIT_BARRIER : instructions[i].unit);
  }
  for (uint32_t w = 0; w < search.warps; w++)
    wb_found_history_free(&search.found[w]);
  wb_arena_free(&search.arena);
  return status;
}
