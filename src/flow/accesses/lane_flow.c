#include "flow/accesses/lane_flow.h"

#include "base/arena.h"
#include "base/binary_search.h"
#include "cfg/graph/loops.h"
#include "flow/accesses/lane_merges.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/lanes/lane_domain.h"

/* Where the states of all blocks would take more bytes, or the walks more instructions, nothing is
 * known. */
#define BYTE_LIMIT (UINT64_C(256) << 20)
#define WORK_LIMIT UINT64_C(40000000)
/* Visits of a block after which what grows is given up. */
#define PATIENCE 3
/* Terms after which a walk through a block begins anew. */
#define TERM_LIMIT 65536

struct flow {
  const struct wb_warp_graph *graph;
  struct wb_thread_flow threads;
  struct wb_lane_merges merges;
  struct wb_lane_value_pool values;
  struct wb_lane_walk walk;
  struct wb_lane_state *states; /* by block: before it; no values: not reached yet */
  struct wb_lane_state now;     /* in the walk */
  struct wb_lane_state middle;  /* where the walk began anew */
  struct wb_lane_state merged;  /* of lanes that were apart */
  bool *dirty;                  /* by block */
  uint8_t *visits;              /* by block, up to PATIENCE */
  struct wb_arena arena;
  uint64_t work;
  bool known; /* what is found holds */
  bool failed;
};

static void flow_free(struct flow *flow)
{
  for (size_t b = 0; flow->states != NULL && b < flow->graph->block_count; b++)
    wb_lane_state_free(&flow->states[b]);
  wb_arena_free(&flow->arena);
  wb_lane_walk_free(&flow->walk);
  wb_lane_state_free(&flow->now);
  wb_lane_state_free(&flow->middle);
  wb_lane_state_free(&flow->merged);
  wb_lane_value_pool_free(&flow->values);
  wb_lane_merges_free(&flow->merges);
  wb_thread_flow_free(&flow->threads);
}

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
  return ((const struct wb_lane_merge *)merges)[index].from < *(const uint32_t *)block;
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

static void process(struct flow *flow, uint32_t block)
{
  const struct wb_thread_flow *threads = &flow->threads;
  flow->dirty[block] = false;
  flow->visits[block] = (uint8_t)(flow->visits[block] + (flow->visits[block] < PATIENCE));
  walk_block(flow, block, NULL, NULL);
  wb_lane_walk_end(&flow->walk);
  for (uint32_t i = threads->leaving.first[block]; i < threads->leaving.first[block + 1]; i++)
    arrive(flow, threads->to[threads->leaving.list[i]], &flow->now);
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
  flow->now.lanes = wb_lane_launch_mask(flow->graph->function, flow->walk.launch);
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

/* ---- all ---- */

static warpbound_status prepare(struct flow *flow, warpbound_error *error)
{
  const struct wb_loop_forest no_loops = {0};
  const size_t blocks = flow->graph->block_count;
  const struct wb_lane_layout *layout = &flow->walk.layout;
  flow->states = wb_arena_array(&flow->arena, struct wb_lane_state, blocks);
  flow->dirty = wb_arena_array(&flow->arena, bool, blocks);
  flow->visits = wb_arena_array(&flow->arena, uint8_t, blocks);
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
  return wb_lane_merges_find(&flow->threads, &flow->merges, &flow->known, error);
}

warpbound_status wb_lane_flow_run(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  wb_lane_visit *visit, void *context, warpbound_error *error)
{
  struct flow flow = {.graph = graph};
  warpbound_status status = wb_lane_walk_make(graph->function, launch, &flow.values, &flow.walk)
                                ? prepare(&flow, error)
                                : wb_out_of_memory(error);
  if (status == WARPBOUND_OK && flow.known)
    find_fixpoint(&flow);
  if (status == WARPBOUND_OK && (flow.failed || flow.values.failed || flow.walk.failed))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK && flow.known) {
    for (uint32_t b = 0; b < flow.graph->block_count; b++)
      if (flow.states[b].values != NULL)
        walk_block(&flow, b, visit, context);
  } else if (status == WARPBOUND_OK) {
    /* Visits all blocks with nothing known but what each of them shows. */
    const struct wb_lane_layout *layout = &flow.walk.layout;
    wb_lane_state_forget_all(layout, &flow.now);
    wb_lane_state_copy(layout, &flow.now, &flow.middle);
    wb_lane_walk_begin(&flow.walk, &flow.middle, &flow.now);
    for (size_t b = 0; b < flow.graph->block_count; b++)
      for (uint32_t i = flow.graph->blocks[b].first; i <= flow.graph->blocks[b].last; i++)
        visit(context, &flow.walk, i);
  }
  if (status == WARPBOUND_OK && (flow.values.failed || flow.walk.failed))
    status = wb_out_of_memory(error);
  flow_free(&flow);
  return status;
}
