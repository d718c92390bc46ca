#include "flow/barriers/barrier_history.h"

#include "base/memory.h"
#include "flow/barriers/barrier_visits.h"
#include "isa/opcode.h"
#include "values/domain.h"
#include "values/interval/interval_domain.h"

#include <stdlib.h>
#include <string.h>

#define WARP_THREADS 32
#define NONE UINT32_MAX

/* A warp on its way. What is known of registers holds of each of its lanes. */
struct walk {
  const struct wb_history_question *question;
  const struct wb_warp_graph *graph;
  const struct wb_function *function;
  struct wb_interval_context domain;
  struct wb_comparisons comparisons;
  struct wb_carries carries;
  struct wb_integer_state *state, *after; /* now, and on an edge */
  bool *met;                              /* scratch by block */
  uint32_t *stack;                        /* the same */
  bool *reached;
  uint64_t *steps;
  struct wb_found_history *found;
};

/* ---- what the warp comes to ---- */

/* The warp does a barrier; false where it is not known which, for how many threads, or whether all
 * of its lanes do it together. */
static bool add_event(struct walk *walk, uint32_t block, uint32_t index)
{
  const struct wb_instruction *barrier = &walk->function->instructions[index];
  const bool of_block = barrier->unit == WB_UNIT_BARRIER;
  const bool waits =
      wb_instruction_has(barrier, WB_MODIFIER_SYNC) || wb_instruction_has(barrier, WB_MODIFIER_RED);
  const struct wb_barrier_name name = wb_barrier_name_of(&walk->domain, barrier);
  struct wb_found_history *found = walk->found;
  if (!name.known || name.number >= WB_BARRIER_NUMBERS || !wb_block_is_whole(walk->graph, block) ||
      !(of_block || (name.counted && name.threads > 0 && name.threads % WARP_THREADS == 0 &&
                     (waits || wb_instruction_has(barrier, WB_MODIFIER_ARV)))))
    return false;
  const uint32_t bit = UINT32_C(1) << name.number;
  const uint32_t threads = name.counted ? name.threads : 0;
  if ((found->named & bit) != 0 && found->threads[name.number] != threads)
    return false;
  found->named |= bit;
  found->threads[name.number] = threads;
  walk->reached[index] = true;
  if (!wb_grow(found->events, &found->capacity, found->count + 1)) {
    walk->comparisons.failed = true;
    return false;
  }
  const bool reduces = wb_instruction_has(barrier, WB_MODIFIER_RED);
  found->events[found->count++] =
      (struct wb_barrier_event){(uint8_t)name.number, of_block || waits, reduces ? index + 1 : 0};
  return true;
}

/* Does the instructions of a block; false where it is not known which barriers are done. */
static bool pass_block(struct walk *walk, uint32_t block)
{
  const struct wb_warp_block *what = &walk->graph->blocks[block];
  wb_integer_state_forget_comparisons(walk->state);
  wb_integer_state_forget_carries(walk->state);
  walk->comparisons.count = walk->carries.count = 0;
  walk->domain.visit++;
  walk->domain.first = what->first;
  for (uint32_t i = what->first; i <= what->last; i++) {
    const struct wb_instruction *instruction = &walk->function->instructions[i];
    if ((*walk->steps)-- == 0) {
      *walk->steps = 0;
      return false;
    }
    wb_interval_domain.begin(&walk->domain, walk->function, i);
    if (wb_instruction_is(instruction, WB_TRAIT_BLOCK_BARRIER) && !instruction->never) {
      const enum wb_truth guard =
          instruction->guarded ? wb_interval_guard(&walk->domain) : WB_TRUTH_TRUE;
      if (guard == WB_TRUTH_UNKNOWN || instruction->unknown ||
          (guard == WB_TRUTH_TRUE && !add_event(walk, block, i)))
        return false;
    }
    wb_interval_transfer(&walk->domain, walk->function, i);
  }
  return !walk->comparisons.failed && !walk->carries.failed;
}

/* ---- where it goes ---- */

/* Nothing is known of what lanes may write in a block. */
static void forget_writes(struct walk *walk, uint32_t block)
{
  struct wb_integer_state *state = walk->after;
  for (uint32_t i = walk->graph->blocks[block].first; i <= walk->graph->blocks[block].last; i++) {
    const struct wb_instruction *instruction = &walk->function->instructions[i];
    if (instruction->unknown || instruction->outside ||
        instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
      wb_integer_state_top(state);
    for (size_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &walk->function->spans[instruction->first_write + s];
      for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++) {
        const size_t predicate = wb_predicate_index(r);
        if (r < WB_NAMED_REGISTERS)
          state->registers[r] = wb_integer_top();
        if (predicate < WB_TRUTH_COUNT)
          state->predicates[predicate] = (struct wb_implications){0};
      }
    }
  }
}

/* What is known of registers by themselves, and which predicates are true or false. */
static void keep_values(struct walk *walk)
{
  wb_integer_state_top(walk->after);
  for (size_t r = 0; r < WB_NAMED_REGISTERS; r++)
    walk->after->registers[r] = walk->state->registers[r];
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++)
    walk->after->predicates[p].truth = walk->state->predicates[p].truth;
}

/* Whether lanes may come to a barrier in a block, or end there. */
static bool stops_skip(const struct walk *walk, uint32_t block)
{
  bool stops = walk->graph->ends[block];
  for (uint32_t i = walk->graph->blocks[block].first;
       i <= walk->graph->blocks[block].last && !stops; i++)
    stops = wb_instruction_is(&walk->function->instructions[i], WB_TRAIT_BLOCK_BARRIER) &&
            !walk->function->instructions[i].never;
  return stops;
}

/* Lanes may leave a block by several edges: goes on where all ways meet again, with what none of
 * them writes. NONE where barriers or ends are in between. */
static uint32_t skip_region(struct walk *walk, uint32_t block)
{
  const struct wb_thread_flow *flow = walk->question->flow;
  const size_t blocks = walk->graph->block_count;
  const uint32_t after = walk->question->after->immediate[block];
  size_t count = 0;
  if (after >= blocks)
    return NONE;
  memset(walk->met, 0, blocks * sizeof *walk->met);
  keep_values(walk);
  walk->stack[count++] = block;
  while (count > 0) {
    const uint32_t at = walk->stack[--count];
    for (uint32_t i = flow->leaving.first[at]; i < flow->leaving.first[at + 1]; i++) {
      const uint32_t to = flow->to[flow->leaving.list[i]];
      if (to == after || walk->met[to])
        continue;
      if (stops_skip(walk, to))
        return NONE;
      walk->met[to] = true;
      forget_writes(walk, to);
      walk->stack[count++] = to;
    }
  }
  return after;
}

/* The block that all lanes come to next, with the state there; NONE: *ended, or it is not known. */
static uint32_t leave(struct walk *walk, uint32_t block, bool *ended)
{
  const struct wb_thread_flow *flow = walk->question->flow;
  const struct wb_instruction *last =
      &walk->function->instructions[walk->graph->blocks[block].last];
  const struct wb_block_end end = {.flow = flow,
                                   .block = block,
                                   .state = walk->state,
                                   .comparisons = &walk->comparisons,
                                   .visit = walk->domain.visit};
  uint32_t next = NONE;
  size_t ways = 0;
  if (walk->graph->ends[block]) {
    wb_interval_domain.begin(&walk->domain, walk->function, walk->graph->blocks[block].last);
    const enum wb_truth guard = last->guarded ? wb_interval_guard(&walk->domain) : WB_TRUTH_TRUE;
    const bool guard_decides =
        !last->second_predicate && !last->conditional_code && !last->together && !last->unknown;
    *ended = last->transfer == WB_TRANSFER_EXIT && guard == WB_TRUTH_TRUE && guard_decides;
    if (last->transfer != WB_TRANSFER_EXIT || guard != WB_TRUTH_FALSE)
      return NONE;
  }
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    if (!wb_edge_state(&end, edge, walk->after))
      continue;
    next = flow->to[edge];
    ways++;
  }
  if (ways > 1)
    next = skip_region(walk, block);
  else if (ways == 1) /* `after` may be of an edge that nobody takes */
    for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++)
      if (flow->to[flow->leaving.list[i]] == next &&
          wb_edge_state(&end, flow->leaving.list[i], walk->after))
        break;
  struct wb_integer_state *before = walk->state;
  walk->state = walk->after;
  walk->after = before;
  walk->domain.state = walk->state;
  return next;
}

/* ---- */

static bool follow(struct walk *walk)
{
  bool ended = false;
  wb_integer_state_top(walk->state);
  for (uint32_t block = walk->graph->entry_block; block != NONE;) {
    if (!pass_block(walk, block))
      return false;
    block = leave(walk, block, &ended);
  }
  return ended;
}

warpbound_status wb_barrier_history_find(const struct wb_history_question *question,
                                         uint64_t *steps, bool *reached,
                                         struct wb_found_history *found, warpbound_error *error)
{
  const struct wb_warp_graph *graph = question->flow->graph;
  struct walk walk = {.question = question,
                      .graph = graph,
                      .function = graph->function,
                      .state = wb_allocate(1, sizeof *walk.state),
                      .after = wb_allocate(1, sizeof *walk.after),
                      .met = wb_allocate(graph->block_count, sizeof *walk.met),
                      .stack = wb_allocate(graph->block_count, sizeof *walk.stack),
                      .reached = reached,
                      .steps = steps,
                      .found = found};
  *found = (struct wb_found_history){0};
  bool memory = walk.state != NULL && walk.after != NULL && walk.met != NULL && walk.stack != NULL;
  if (memory) {
    walk.domain = (struct wb_interval_context){.launch = question->launch,
                                               .comparisons = &walk.comparisons,
                                               .carries = &walk.carries,
                                               .state = walk.state};
    found->known = follow(&walk);
    memory = !walk.comparisons.failed && !walk.carries.failed;
  }
  free(walk.state);
  free(walk.after);
  free(walk.met);
  free(walk.stack);
  wb_comparisons_free(&walk.comparisons);
  wb_carries_free(&walk.carries);
  if (memory)
    return WARPBOUND_OK;
  wb_found_history_free(found);
  return wb_out_of_memory(error);
}

void wb_found_history_free(struct wb_found_history *found)
{
  free(found->events);
  *found = (struct wb_found_history){0};
}
