/* Entries that are pushed, and lanes that leave the active ones: they wait in the nearest entry
 * with a token, or end. Entries that are empty then are popped from the top down until one is met
 * that keeps lanes. */
#include "cfg/reconvergence_stack/stack_machine.h"

#include "base/memory.h"

/* ---- entries that are pushed ---- */

bool wb_stack_machine_join(struct wb_simt_analysis *analysis, void *into, const void *from,
                           bool *changed)
{
  struct wb_stack *stack = into;
  const struct wb_stack *other = from;
  const size_t old = stack->count;
  analysis->work += other->count + 1;
  if (!wb_stack_join(&analysis->sets, stack, other, changed))
    return wb_simt_no_memory(analysis);
  wb_stack_machine_of(analysis)->frame_count += stack->count - old;
  return true;
}

/* Lays a stack below a node, for all places. */
static bool lay_below(struct wb_simt_analysis *analysis, uint32_t node,
                      const struct wb_stack *stack)
{
  struct wb_stack *below = &wb_stack_machine_of(analysis)->stacks.nodes[node].below;
  bool changed = false;
  if (wb_simt_searching(analysis)) {
    if (!wb_stack_machine_join(analysis, below, stack, &changed))
      return false;
  } else {
    changed = analysis->violation != NULL && !wb_stack_covers(&analysis->sets, below, stack);
  }
  if (changed)
    wb_simt_changed(analysis, node);
  return true;
}

/* Whether the node lies somewhere in a stack, or below it. */
static bool lies_below(struct wb_simt_analysis *analysis, uint32_t node,
                       const struct wb_stack *stack)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  const struct wb_stack *next = stack;
  descent->todo_count = 0;
  machine->mark++;
  for (;;) {
    for (size_t f = 0; f < next->count; f++) {
      struct wb_stack_node *lower = &machine->stacks.nodes[next->frames[f].node];
      analysis->work++;
      if (next->frames[f].node == node)
        return true;
      if (lower->mark == machine->mark || next->frames[f].node == WB_NODE_ANY)
        continue;
      lower->mark = machine->mark;
      if (!wb_grow(descent->todo, &descent->todo_capacity, descent->todo_count + 1)) {
        wb_simt_no_memory(analysis);
        return true;
      }
      descent->todo[descent->todo_count++] = next->frames[f].node;
    }
    if (descent->todo_count == 0)
      return false;
    if (!wb_simt_go_on(analysis))
      return true;
    next = &machine->stacks.nodes[descent->todo[--descent->todo_count]].below;
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
  return lay_below(analysis, WB_NODE_ANY, &one);
}

bool wb_stack_push(struct wb_simt_analysis *analysis, struct wb_stack_entry entry, bool divergent,
                   const struct wb_stack *below, struct wb_stack *result)
{
  const struct wb_stack_node name = {.site = analysis->block.instruction,
                                     .point = entry.point,
                                     .context = analysis->block.context,
                                     .token = entry.token,
                                     .passed_by = entry.passed_by};
  bool made;
  const uint32_t node = wb_stack_graph_node(&wb_stack_machine_of(analysis)->stacks, &name, &made);
  if (node == WB_NOWHERE)
    return wb_simt_no_memory(analysis);
  struct wb_frame any = {.node = WB_NODE_ANY,
                         .agreement = WB_REGISTERS_NONE,
                         .lost = WB_REGISTERS_ALL,
                         .waiters = WB_WAITERS_NONE};
  const struct wb_stack anything = {.frames = &any, .count = 1, .capacity = 1};
  if (analysis->record == NULL && analysis->options.acyclic_stack) {
    if (made && !add_to_any(analysis, node))
      return false;
    if (lies_below(analysis, node, below))
      below = &anything;
  }
  if (analysis->record == NULL && !lay_below(analysis, node, below))
    return false;
  wb_simt_note_making(analysis, node, divergent);
  if (!wb_stack_reserve(result, 1))
    return wb_simt_no_memory(analysis);
  uint8_t waiters = entry.token == WB_TOKEN_NONE ? WB_WAITERS_SOME : WB_WAITERS_NONE;
  if (analysis->options.no_groups)
    waiters = WB_WAITERS_UNKNOWN;
  /* The lanes of the entry agree on what the running ones do. */
  const bool all = analysis->options.agreement == WB_AGREEMENT_ALL;
  result->frames[0] =
      (struct wb_frame){.node = node,
                        .agreement = all ? analysis->block.agreement : WB_REGISTERS_NONE,
                        .lost = WB_REGISTERS_NONE,
                        .waiters = waiters};
  result->count = 1;
  return true;
}

bool wb_stack_push_start(struct wb_simt_analysis *analysis, struct wb_stack *first)
{
  struct wb_frame bottom = {.node = WB_NODE_BOTTOM, .waiters = WB_WAITERS_SOME};
  const struct wb_frame caller = {.node = WB_NODE_CALLER,
                                  .waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN
                                                                         : WB_WAITERS_NONE};
  const struct wb_stack nothing = {.frames = &bottom, .count = 1, .capacity = 1};
  if (!lay_below(analysis, WB_NODE_CALLER, &nothing) ||
      !lay_below(analysis, WB_NODE_ANY, &nothing) ||
      (analysis->options.acyclic_stack && !add_to_any(analysis, WB_NODE_CALLER)))
    return false;
  if (!wb_stack_reserve(first, 1))
    return wb_simt_no_memory(analysis);
  first->frames[0] = analysis->function->kernel ? bottom : caller;
  first->count = 1;
  return true;
}

/* ---- what is known of a frame as others above it go ---- */

static const struct wb_stack_node *node_of(const struct wb_simt_analysis *analysis,
                                           const struct wb_frame *frame)
{
  return &wb_stack_machine_of(analysis)->stacks.nodes[frame->node];
}

static bool matches(const struct wb_simt_analysis *analysis, const struct wb_frame *frame,
                    uint8_t token)
{
  return token != WB_TOKEN_COUNT && node_of(analysis, frame)->token == token;
}

/* The lower frame's sets are as of when the upper one was pushed. */
static struct wb_frame age(struct wb_simt_analysis *analysis, const struct wb_frame *upper,
                           const struct wb_frame *lower)
{
  struct wb_frame frame = *lower;
  if (analysis->options.agreement != WB_AGREEMENT_ALL)
    return frame;
  /* Lanes above the entry may be among its own. */
  if (analysis->options.no_groups || node_of(analysis, lower)->token != WB_TOKEN_NONE)
    frame.agreement = wb_register_sets_without(&analysis->sets, lower->agreement, upper->lost);
  frame.lost = wb_register_sets_either(&analysis->sets, lower->lost, upper->lost);
  return frame;
}

/* The lower frame once the entry of the upper one is gone, and its lanes run or are gone too. */
static struct wb_frame uncover(struct wb_simt_analysis *analysis, const struct wb_frame *upper,
                               const struct wb_frame *lower)
{
  struct wb_frame frame = age(analysis, upper, lower);
  if (lower->waiters == WB_WAITERS_NONE) /* all its lanes are the upper one's */
    frame.agreement = upper->agreement;
  return frame;
}

/* ---- the descent ---- */

static void begin_descent(struct wb_simt_analysis *analysis)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  descent->count = 0;
  descent->todo_count = 0;
  machine->mark++;
}

static bool add_todo(struct wb_simt_analysis *analysis, uint32_t what)
{
  struct wb_stack_descent *descent = &wb_stack_machine_of(analysis)->descent;
  if (!wb_grow(descent->todo, &descent->todo_capacity, descent->todo_count + 1))
    return wb_simt_no_memory(analysis);
  descent->todo[descent->todo_count++] = what;
  return true;
}

/* The descent comes to a frame, for the first time or knowing less than before. */
static bool meet(struct wb_simt_analysis *analysis, const struct wb_frame *frame)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  struct wb_stack_node *node = &machine->stacks.nodes[frame->node];
  analysis->work++;
  if (node->mark != machine->mark) {
    if (!wb_grow(descent->frames, &descent->frame_capacity, descent->count + 1) ||
        !wb_grow(descent->dirty, &descent->dirty_capacity, descent->count + 1))
      return wb_simt_no_memory(analysis);
    node->mark = machine->mark;
    node->slot = (uint32_t)descent->count;
    descent->frames[descent->count] = *frame;
    descent->dirty[descent->count++] = true;
    return add_todo(analysis, node->slot);
  }
  if (!wb_frame_join(&analysis->sets, &descent->frames[node->slot], frame) ||
      descent->dirty[node->slot])
    return true;
  descent->dirty[node->slot] = true;
  return add_todo(analysis, node->slot);
}

/* Meets all frames that can become the top one, those that may be gone too passed through. */
static bool descend(struct wb_simt_analysis *analysis, const struct wb_stack *stack, uint8_t token)
{
  struct wb_stack_descent *descent = &wb_stack_machine_of(analysis)->descent;
  begin_descent(analysis);
  for (size_t f = 0; f < stack->count; f++) {
    if (!meet(analysis, &stack->frames[f]))
      return false;
  }
  while (descent->todo_count > 0) {
    const uint32_t slot = descent->todo[--descent->todo_count];
    const struct wb_frame upper = descent->frames[slot];
    descent->dirty[slot] = false;
    if (upper.node == WB_NODE_BOTTOM || matches(analysis, &upper, token) ||
        (upper.waiters & WB_WAITERS_NONE) == 0)
      continue;
    wb_simt_depend(analysis, upper.node);
    const struct wb_stack *below = &node_of(analysis, &upper)->below;
    for (size_t f = 0; f < below->count; f++) {
      const struct wb_frame lower = uncover(analysis, &upper, &below->frames[f]);
      if (!meet(analysis, &lower))
        return false;
    }
    if (!wb_simt_go_on(analysis))
      return false;
  }
  return true;
}

static void note_found(struct wb_simt_analysis *analysis, const struct wb_frame *frame)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  machine->descent.found = true;
  if (frame->node != WB_NODE_CALLER)
    wb_simt_note_match(analysis, node_of(analysis, frame)->point);
}

/* A node below which mark_waiters has to look. */
static bool look_below(struct wb_simt_analysis *analysis, uint32_t number)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_node *node = &machine->stacks.nodes[number];
  if (node->mark == machine->mark)
    return true;
  node->mark = machine->mark;
  return add_todo(analysis, number);
}

/* An entry runs on while lanes from above it wait further down. */
static void leave_past(struct wb_simt_analysis *analysis, const struct wb_frame *kept,
                       uint8_t token)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  const struct wb_stack *below = &node_of(analysis, kept)->below;
  for (size_t f = 0; f < below->count; f++) {
    const struct wb_frame *lower = &below->frames[f];
    if (matches(analysis, lower, token))
      note_found(analysis, lower);
    else if (lower->node == WB_NODE_BOTTOM)
      machine->descent.missing = true;
    else if (!look_below(analysis, lower->node))
      return;
  }
}

/* Lanes now wait in the first entry with the token below each node in `todo`, though other
 * entries lie between it and the active lanes: that is noted where the frame is kept, below
 * the node above it. */
static void mark_waiters(struct wb_simt_analysis *analysis, uint8_t token)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  while (descent->todo_count > 0 && wb_simt_go_on(analysis)) {
    const uint32_t upper = descent->todo[--descent->todo_count];
    struct wb_stack *below = &machine->stacks.nodes[upper].below;
    bool changed = false;
    wb_simt_depend(analysis, upper);
    for (size_t f = 0; f < below->count; f++) {
      struct wb_frame *frame = &below->frames[f];
      analysis->work++;
      if (matches(analysis, frame, token)) {
        note_found(analysis, frame);
        changed = changed || (frame->waiters & WB_WAITERS_SOME) == 0;
        if (wb_simt_searching(analysis))
          frame->waiters |= WB_WAITERS_SOME;
      } else if (frame->node == WB_NODE_BOTTOM) {
        descent->missing = true;
      } else if (!look_below(analysis, frame->node)) {
        return;
      }
    }
    if (changed)
      wb_simt_changed(analysis, upper);
  }
}

/* The lanes of a frame run on. */
static void resume(struct wb_simt_analysis *analysis, const struct wb_frame *frame, uint8_t token)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  const struct wb_stack_node *node = node_of(analysis, frame);
  const bool matched = matches(analysis, frame, token);
  if (frame->node == WB_NODE_BOTTOM || frame->node == WB_NODE_CALLER) {
    wb_simt_note_end(analysis);
    return;
  }
  wb_simt_depend(analysis, frame->node);
  if (!wb_stack_reserve(&machine->next, node->below.count)) {
    wb_simt_no_memory(analysis);
    return;
  }
  machine->next.count = node->below.count;
  for (size_t f = 0; f < node->below.count; f++) {
    const struct wb_frame *lower = &node->below.frames[f];
    struct wb_frame *uncovered = &machine->next.frames[f];
    if (!matched && matches(analysis, lower, token)) {
      /* Lanes that were above both now wait in the lower one. */
      *uncovered = age(analysis, frame, lower);
      uncovered->waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN : WB_WAITERS_SOME;
    } else {
      *uncovered = uncover(analysis, frame, lower);
    }
  }
  const struct wb_simt_transition transition = {
      .kind = !matched                   ? WB_EDGE_REACTIVATION
              : token == WB_TOKEN_RETURN ? WB_EDGE_RETURN
                                         : WB_EDGE_BRANCH,
      .continuation = frame->node,
  };
  const bool all = analysis->options.agreement == WB_AGREEMENT_ALL;
  wb_simt_emit(analysis, transition, (struct wb_simt_place){node->point, node->context},
               all ? frame->agreement : WB_REGISTERS_NONE, &machine->next);
}

void wb_stack_all_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                        uint8_t token)
{
  struct wb_stack_machine *machine = wb_stack_machine_of(analysis);
  struct wb_stack_descent *descent = &machine->descent;
  descent->found = false;
  descent->missing = false;
  if (!descend(analysis, stack, token))
    return;
  descent->todo_count = 0;
  machine->mark++;
  for (size_t f = 0; f < descent->count && analysis->status == WARPBOUND_OK; f++) {
    const struct wb_frame frame = descent->frames[f];
    if (matches(analysis, &frame, token)) {
      note_found(analysis, &frame);
      resume(analysis, &frame, token);
    } else if (frame.node == WB_NODE_BOTTOM) {
      if (token == WB_TOKEN_COUNT)
        resume(analysis, &frame, token);
      else
        descent->missing = true;
    } else if ((frame.waiters & WB_WAITERS_SOME) != 0) {
      resume(analysis, &frame, token);
      if (token != WB_TOKEN_COUNT)
        leave_past(analysis, &frame, token);
    }
  }
  mark_waiters(analysis, token);
}

void wb_stack_some_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                         uint8_t token, struct wb_stack *rest)
{
  struct wb_stack_descent *descent = &wb_stack_machine_of(analysis)->descent;
  if (!wb_stack_copy(rest, stack)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (token == WB_TOKEN_COUNT)
    return;
  begin_descent(analysis);
  for (size_t f = 0; f < rest->count; f++) {
    struct wb_frame *frame = &rest->frames[f];
    if (matches(analysis, frame, token)) {
      note_found(analysis, frame);
      frame->waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN : WB_WAITERS_SOME;
    } else if (frame->node == WB_NODE_BOTTOM) {
      descent->missing = true;
    } else if (!look_below(analysis, frame->node)) {
      return;
    }
  }
  mark_waiters(analysis, token);
}
