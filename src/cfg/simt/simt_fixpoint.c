/* The worklist: states, each the join of all that is known of a place, and what must be done
 * again when one of them, or the stack below a node, allows more than before. */
#include "cfg/simt/simt_engine.h"

#include "base/memory.h"

#include <string.h>

#define POLL_EVERY 65536 /* frames and instructions */

/* ---- limits ---- */

bool wb_simt_no_memory(struct wb_simt_analysis *analysis)
{
  if (analysis->status == WARPBOUND_OK)
    analysis->status = wb_out_of_memory(analysis->error);
  return false;
}

bool wb_simt_refuse(struct wb_simt_analysis *analysis, uint32_t instruction, const char *what)
{
  const struct wb_instruction *at = &analysis->function->instructions[instruction];
  const bool missing = at->transfer == WB_TRANSFER_INDEXED_BRANCH && at->target_count == 0;
  const warpbound_status status = missing ? WARPBOUND_FACTS_MISSING : WARPBOUND_INVALID_INPUT;
  if (analysis->status == WARPBOUND_OK)
    analysis->status =
        wb_fail_at(analysis->error, status, analysis->code->name, at->line, at->column,
                   "%s: %s at 0x%04x: %s", analysis->function->name, at->opcode, at->address, what);
  return false;
}

static bool limit(struct wb_simt_analysis *analysis, const char *what)
{
  if (analysis->status == WARPBOUND_OK)
    analysis->status =
        wb_fail(analysis->error, WARPBOUND_LIMIT, "%s: %s", analysis->function->name, what);
  return false;
}

/* Bytes of all that grows with the states found. Frames and notes count twice: while an array
 * grows both the old and the new one are there. */
static uint64_t memory_used(const struct wb_simt_analysis *analysis)
{
  return (uint64_t)analysis->frame_count * sizeof(struct wb_frame) * 2 + analysis->noted * 2 +
         (uint64_t)analysis->state_capacity * sizeof *analysis->states +
         (uint64_t)analysis->stacks.capacity * sizeof *analysis->stacks.nodes +
         (uint64_t)analysis->sets.capacity * sizeof *analysis->sets.sets +
         (uint64_t)analysis->dependent_capacity * sizeof *analysis->dependents +
         (uint64_t)(analysis->places.capacity + analysis->dependences.capacity +
                    analysis->stacks.names.capacity) *
             sizeof *analysis->places.places;
}

bool wb_simt_go_on(struct wb_simt_analysis *analysis)
{
  if (analysis->sets.failed)
    wb_simt_no_memory(analysis);
  if (analysis->status != WARPBOUND_OK)
    return false;
  if (memory_used(analysis) > analysis->control->memory_limit)
    return limit(analysis, "the memory limit was reached in the control-flow analysis");
  if (analysis->work - analysis->polled < POLL_EVERY)
    return true;
  analysis->polled = analysis->work;
  switch (wb_control_poll(analysis->control, "control flow", 0)) {
  case WB_STOP_NONE:
    return true;
  case WB_STOP_TIME:
    return limit(analysis, "the time limit was reached in the control-flow analysis");
  default:
    return limit(analysis, "interrupted in the control-flow analysis");
  }
}

/* ---- the queue ---- */

static bool before(const struct wb_simt_analysis *analysis, uint32_t a, uint32_t b)
{
  return wb_simt_contexts_before(&analysis->contexts, analysis->layout.positions,
                                 analysis->states[a].place, analysis->states[b].place);
}

static void enqueue(struct wb_simt_analysis *analysis, uint32_t state)
{
  if (analysis->states[state].queued || analysis->record != NULL)
    return;
  if (!wb_grow(analysis->queue, &analysis->queue_capacity, analysis->queue_count + 1)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->states[state].queued = true;
  uint32_t *queue = analysis->queue;
  size_t at = analysis->queue_count++;
  while (at > 0 && before(analysis, state, queue[(at - 1) / 2])) {
    queue[at] = queue[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  queue[at] = state;
}

static uint32_t dequeue(struct wb_simt_analysis *analysis)
{
  uint32_t *queue = analysis->queue;
  const uint32_t first = queue[0];
  const uint32_t moved = queue[--analysis->queue_count];
  size_t at = 0;
  for (size_t child = 1; child < analysis->queue_count; child = 2 * at + 1) {
    if (child + 1 < analysis->queue_count && before(analysis, queue[child + 1], queue[child]))
      child++;
    if (before(analysis, moved, queue[child]))
      break;
    queue[at] = queue[child];
    at = child;
  }
  queue[at] = moved;
  analysis->states[first].queued = false;
  return first;
}

/* ---- what depends on what ---- */

void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t node)
{
  const uint32_t state = analysis->here.state;
  if (analysis->record != NULL ||
      wb_pair_map_find(&analysis->dependences, node, state) != WB_PAIR_ABSENT)
    return;
  if (analysis->dependent_count >= UINT32_MAX - 1 ||
      !wb_grow(analysis->dependents, &analysis->dependent_capacity,
               analysis->dependent_count + 1) ||
      !wb_pair_map_add(&analysis->dependences, node, state, 0)) {
    wb_simt_no_memory(analysis);
    return;
  }
  uint32_t *first = &analysis->stacks.nodes[node].first_dependent;
  analysis->dependents[analysis->dependent_count] = (struct wb_simt_dependent){state, *first};
  *first = (uint32_t)analysis->dependent_count++;
}

void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t node)
{
  uint32_t next = analysis->stacks.nodes[node].first_dependent;
  for (; next != UINT32_MAX; next = analysis->dependents[next].next)
    enqueue(analysis, analysis->dependents[next].state);
}

/* Joins into a stack that is kept; false on failure. */
static bool join(struct wb_simt_analysis *analysis, struct wb_stack *into,
                 const struct wb_stack *from, bool *changed)
{
  const size_t old = into->count;
  analysis->work += from->count + 1;
  if (!wb_stack_join(&analysis->sets, into, from, changed))
    return wb_simt_no_memory(analysis);
  analysis->frame_count += into->count - old;
  return true;
}

/* ---- pushing ---- */

/* Whether the node lies somewhere in a stack, or below it. */
static bool lies_below(struct wb_simt_analysis *analysis, uint32_t node,
                       const struct wb_stack *stack)
{
  struct wb_simt_walk *walk = &analysis->walk;
  const struct wb_stack *next = stack;
  walk->todo_count = 0;
  analysis->mark++;
  for (;;) {
    for (size_t f = 0; f < next->count; f++) {
      struct wb_stack_node *lower = &analysis->stacks.nodes[next->frames[f].node];
      analysis->work++;
      if (next->frames[f].node == node)
        return true;
      if (lower->mark == analysis->mark || next->frames[f].node == WB_NODE_ANY)
        continue;
      lower->mark = analysis->mark;
      if (!wb_grow(walk->todo, &walk->todo_capacity, walk->todo_count + 1)) {
        wb_simt_no_memory(analysis);
        return true;
      }
      walk->todo[walk->todo_count++] = next->frames[f].node;
    }
    if (walk->todo_count == 0)
      return false;
    if (!wb_simt_go_on(analysis))
      return true;
    next = &analysis->stacks.nodes[walk->todo[--walk->todo_count]].below;
  }
}

/* Nothing is known of an entry that "any entries" stands for. */
static bool add_to_any(struct wb_simt_analysis *analysis, uint32_t node)
{
  struct wb_frame frame = {.node = node,
                           .agreement = WB_REGISTERS_NONE,
                           .lost = WB_REGISTERS_ALL,
                           .waiters = WB_WAITERS_UNKNOWN};
  const struct wb_stack one = {.frames = &frame, .count = 1, .capacity = 1};
  bool changed = false;
  if (!join(analysis, &analysis->stacks.nodes[WB_NODE_ANY].below, &one, &changed))
    return false;
  wb_simt_changed(analysis, WB_NODE_ANY);
  return true;
}

uint32_t wb_simt_push(struct wb_simt_analysis *analysis, struct wb_simt_entry entry,
                      const struct wb_stack *below)
{
  const struct wb_stack_node name = {.site = analysis->here.instruction,
                                     .point = entry.point,
                                     .context = analysis->here.context,
                                     .token = entry.token,
                                     .passed_by = entry.passed_by};
  bool made;
  const uint32_t node = wb_stack_graph_node(&analysis->stacks, &name, &made);
  if (node == UINT32_MAX) {
    wb_simt_no_memory(analysis);
    return WB_NOWHERE;
  }
  if (analysis->record != NULL)
    return node;
  struct wb_frame any = {.node = WB_NODE_ANY,
                         .agreement = WB_REGISTERS_NONE,
                         .lost = WB_REGISTERS_ALL,
                         .waiters = WB_WAITERS_NONE};
  const struct wb_stack anything = {.frames = &any, .count = 1, .capacity = 1};
  if (analysis->options.acyclic_stack) {
    if (made && !add_to_any(analysis, node))
      return WB_NOWHERE;
    if (lies_below(analysis, node, below))
      below = &anything;
  }
  bool changed = false;
  if (!join(analysis, &analysis->stacks.nodes[node].below, below, &changed))
    return WB_NOWHERE;
  if (changed)
    wb_simt_changed(analysis, node);
  return node;
}

/* ---- states ---- */

static struct wb_simt_state *state_at(struct wb_simt_analysis *analysis, struct wb_simt_place place,
                                      bool *made)
{
  uint32_t state = wb_pair_map_find(&analysis->places, place.instruction, place.context);
  *made = state == WB_PAIR_ABSENT;
  if (!*made)
    return &analysis->states[state];
  state = (uint32_t)analysis->state_count;
  if (analysis->state_count >= UINT32_MAX - 1 ||
      !wb_grow(analysis->states, &analysis->state_capacity, analysis->state_count + 1) ||
      !wb_pair_map_add(&analysis->places, place.instruction, place.context, state)) {
    wb_simt_no_memory(analysis);
    return NULL;
  }
  analysis->states[state] = (struct wb_simt_state){.place = place};
  analysis->state_count++;
  return &analysis->states[state];
}

void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_way way,
                  struct wb_simt_place place, uint32_t agreement, const struct wb_stack *stack)
{
  if (!wb_simt_go_on(analysis))
    return;
  if (place.instruction >= analysis->function->instruction_count) {
    wb_simt_refuse(analysis, (uint32_t)analysis->function->instruction_count - 1,
                   "control runs past the function's last instruction");
    return;
  }
  if (analysis->record != NULL) {
    wb_simt_note_edge(analysis, way, place);
    return;
  }
  bool changed;
  struct wb_simt_state *state = state_at(analysis, place, &changed);
  if (state == NULL)
    return;
  const uint32_t joined =
      changed ? agreement : wb_register_sets_both(&analysis->sets, state->agreement, agreement);
  changed = changed || joined != state->agreement;
  state->agreement = joined;
  if (join(analysis, &state->stack, stack, &changed) && changed)
    enqueue(analysis, (uint32_t)(state - analysis->states));
}

/* The stack below the first entry: nothing, or a device function's caller. */
static bool begin(struct wb_simt_analysis *analysis)
{
  struct wb_frame bottom = {.node = WB_NODE_BOTTOM, .waiters = WB_WAITERS_SOME};
  struct wb_frame caller = {.node = WB_NODE_CALLER,
                            .waiters =
                                analysis->options.no_groups ? WB_WAITERS_UNKNOWN : WB_WAITERS_NONE};
  const struct wb_stack nothing = {.frames = &bottom, .count = 1, .capacity = 1};
  const struct wb_stack called = {.frames = &caller, .count = 1, .capacity = 1};
  bool changed = false;
  if (!join(analysis, &analysis->stacks.nodes[WB_NODE_CALLER].below, &nothing, &changed) ||
      !join(analysis, &analysis->stacks.nodes[WB_NODE_ANY].below, &nothing, &changed) ||
      (analysis->options.acyclic_stack && !add_to_any(analysis, WB_NODE_CALLER)))
    return false;
  const struct wb_simt_way way = {.kind = WB_EDGE_FALLTHROUGH, .popped = WB_NOWHERE};
  wb_simt_emit(analysis, way, (struct wb_simt_place){0, 0}, WB_REGISTERS_NONE,
               analysis->function->kernel ? &nothing : &called);
  return analysis->status == WARPBOUND_OK;
}

void wb_simt_solve(struct wb_simt_analysis *analysis)
{
  if (!begin(analysis))
    return;
  while (analysis->queue_count > 0 && wb_simt_go_on(analysis))
    wb_simt_transfer(analysis, dequeue(analysis));
}
