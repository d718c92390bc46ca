/* Lanes that leave the active ones: they wait in the nearest entry with a token, or end. What
 * they leave behind is popped from the top down until an entry is met that keeps lanes. */
#include "cfg/simt/simt_engine.h"

#include "base/memory.h"

static const struct wb_stack_node *node_of(const struct wb_simt_analysis *analysis,
                                           const struct wb_frame *frame)
{
  return &analysis->stacks.nodes[frame->node];
}

static bool matches(const struct wb_simt_analysis *analysis, const struct wb_frame *frame,
                    uint8_t token)
{
  return token != WB_TOKEN_COUNT && node_of(analysis, frame)->token == token;
}

/* Whether lanes above the entry may be among its own. */
static bool encloses(const struct wb_simt_analysis *analysis, const struct wb_frame *frame)
{
  return analysis->options.no_groups || node_of(analysis, frame)->token != WB_TOKEN_NONE;
}

/* The lower frame's sets are as of when the upper one was pushed. */
static struct wb_frame age(struct wb_simt_analysis *analysis, const struct wb_frame *upper,
                           const struct wb_frame *lower)
{
  struct wb_frame frame = *lower;
  if (analysis->options.agreement != WB_AGREEMENT_ALL)
    return frame;
  if (encloses(analysis, lower))
    frame.agreement = wb_register_sets_without(&analysis->sets, lower->agreement, upper->lost);
  frame.lost = wb_register_sets_either(&analysis->sets, lower->lost, upper->lost);
  return frame;
}

struct wb_frame wb_simt_uncover(struct wb_simt_analysis *analysis, const struct wb_frame *upper,
                                const struct wb_frame *lower)
{
  struct wb_frame frame = age(analysis, upper, lower);
  if (lower->waiters == WB_WAITERS_NONE) /* all its lanes are the upper one's */
    frame.agreement = upper->agreement;
  return frame;
}

/* The same where lanes that were above both now wait in the lower one. */
static struct wb_frame uncover_waiting(struct wb_simt_analysis *analysis,
                                       const struct wb_frame *upper, const struct wb_frame *lower)
{
  struct wb_frame frame = age(analysis, upper, lower);
  frame.waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN : WB_WAITERS_SOME;
  return frame;
}

/* ---- the walk ---- */

static void begin_walk(struct wb_simt_analysis *analysis)
{
  struct wb_simt_walk *walk = &analysis->walk;
  walk->count = 0;
  walk->todo_count = 0;
  analysis->mark++;
}

static bool add_todo(struct wb_simt_analysis *analysis, uint32_t what)
{
  struct wb_simt_walk *walk = &analysis->walk;
  if (!wb_grow(walk->todo, &walk->todo_capacity, walk->todo_count + 1))
    return wb_simt_no_memory(analysis);
  walk->todo[walk->todo_count++] = what;
  return true;
}

/* The walk comes to a frame, for the first time or knowing less than before. */
static bool meet(struct wb_simt_analysis *analysis, const struct wb_frame *frame)
{
  struct wb_simt_walk *walk = &analysis->walk;
  struct wb_stack_node *node = &analysis->stacks.nodes[frame->node];
  analysis->work++;
  if (node->mark != analysis->mark) {
    if (!wb_grow(walk->frames, &walk->frame_capacity, walk->count + 1) ||
        !wb_grow(walk->dirty, &walk->dirty_capacity, walk->count + 1))
      return wb_simt_no_memory(analysis);
    node->mark = analysis->mark;
    node->slot = (uint32_t)walk->count;
    walk->frames[walk->count] = *frame;
    walk->dirty[walk->count++] = true;
    return add_todo(analysis, node->slot);
  }
  if (!wb_frame_join(&analysis->sets, &walk->frames[node->slot], frame) || walk->dirty[node->slot])
    return true;
  walk->dirty[node->slot] = true;
  return add_todo(analysis, node->slot);
}

/* Meets all frames that can become the top one, those that may be gone too passed through. */
static bool walk_down(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                      uint8_t token)
{
  struct wb_simt_walk *walk = &analysis->walk;
  begin_walk(analysis);
  for (size_t f = 0; f < stack->count; f++) {
    if (!meet(analysis, &stack->frames[f]))
      return false;
  }
  while (walk->todo_count > 0) {
    const uint32_t slot = walk->todo[--walk->todo_count];
    const struct wb_frame upper = walk->frames[slot];
    walk->dirty[slot] = false;
    if (upper.node == WB_NODE_BOTTOM || matches(analysis, &upper, token) ||
        (upper.waiters & WB_WAITERS_NONE) == 0)
      continue;
    wb_simt_depend(analysis, upper.node);
    const struct wb_stack *below = &node_of(analysis, &upper)->below;
    for (size_t f = 0; f < below->count; f++) {
      const struct wb_frame lower = wb_simt_uncover(analysis, &upper, &below->frames[f]);
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
  analysis->walk.found = true;
  if (frame->node != WB_NODE_CALLER)
    wb_simt_note_match(analysis, node_of(analysis, frame)->point);
}

/* A node below which mark_waiters has to look. */
static bool look_below(struct wb_simt_analysis *analysis, uint32_t number)
{
  struct wb_stack_node *node = &analysis->stacks.nodes[number];
  if (node->mark == analysis->mark)
    return true;
  node->mark = analysis->mark;
  return add_todo(analysis, number);
}

/* An entry runs on while lanes from above it wait further down. */
static void leave_past(struct wb_simt_analysis *analysis, const struct wb_frame *kept,
                       uint8_t token)
{
  const struct wb_stack *below = &node_of(analysis, kept)->below;
  for (size_t f = 0; f < below->count; f++) {
    const struct wb_frame *lower = &below->frames[f];
    if (matches(analysis, lower, token))
      note_found(analysis, lower);
    else if (lower->node == WB_NODE_BOTTOM)
      analysis->walk.missing = true;
    else if (!look_below(analysis, lower->node))
      return;
  }
}

/* Lanes now wait in the first entry with the token below each node in `todo`, though other
 * entries lie between it and the active lanes: that is noted where the frame is kept, below
 * the node above it. */
static void mark_waiters(struct wb_simt_analysis *analysis, uint8_t token)
{
  struct wb_simt_walk *walk = &analysis->walk;
  while (walk->todo_count > 0 && wb_simt_go_on(analysis)) {
    const uint32_t upper = walk->todo[--walk->todo_count];
    struct wb_stack *below = &analysis->stacks.nodes[upper].below;
    bool changed = false;
    wb_simt_depend(analysis, upper);
    for (size_t f = 0; f < below->count; f++) {
      struct wb_frame *frame = &below->frames[f];
      analysis->work++;
      if (matches(analysis, frame, token)) {
        note_found(analysis, frame);
        changed = changed || (frame->waiters & WB_WAITERS_SOME) == 0;
        frame->waiters |= WB_WAITERS_SOME;
      } else if (frame->node == WB_NODE_BOTTOM) {
        walk->missing = true;
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
  const struct wb_stack_node *node = node_of(analysis, frame);
  const bool matched = matches(analysis, frame, token);
  if (frame->node == WB_NODE_BOTTOM || frame->node == WB_NODE_CALLER) {
    wb_simt_note_end(analysis);
    return;
  }
  wb_simt_depend(analysis, frame->node);
  if (!wb_stack_reserve(&analysis->next, node->below.count)) {
    wb_simt_no_memory(analysis);
    return;
  }
  analysis->next.count = node->below.count;
  for (size_t f = 0; f < node->below.count; f++) {
    const struct wb_frame *lower = &node->below.frames[f];
    const bool wait = !matched && matches(analysis, lower, token);
    analysis->next.frames[f] =
        wait ? uncover_waiting(analysis, frame, lower) : wb_simt_uncover(analysis, frame, lower);
  }
  const struct wb_simt_way way = {
      .kind = !matched                   ? WB_EDGE_REACTIVATION
              : token == WB_TOKEN_RETURN ? WB_EDGE_RETURN
                                         : WB_EDGE_BRANCH,
      .popped = frame->node,
  };
  const bool all = analysis->options.agreement == WB_AGREEMENT_ALL;
  wb_simt_emit(analysis, way, (struct wb_simt_place){node->point, node->context},
               all ? frame->agreement : WB_REGISTERS_NONE, &analysis->next);
}

void wb_simt_all_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                       uint8_t token)
{
  struct wb_simt_walk *walk = &analysis->walk;
  if (!walk_down(analysis, stack, token))
    return;
  walk->todo_count = 0;
  analysis->mark++;
  for (size_t f = 0; f < walk->count && analysis->status == WARPBOUND_OK; f++) {
    const struct wb_frame frame = walk->frames[f];
    if (matches(analysis, &frame, token)) {
      note_found(analysis, &frame);
      resume(analysis, &frame, token);
    } else if (frame.node == WB_NODE_BOTTOM) {
      if (token == WB_TOKEN_COUNT)
        resume(analysis, &frame, token);
      else
        walk->missing = true;
    } else if ((frame.waiters & WB_WAITERS_SOME) != 0) {
      resume(analysis, &frame, token);
      if (token != WB_TOKEN_COUNT)
        leave_past(analysis, &frame, token);
    }
  }
  mark_waiters(analysis, token);
}

void wb_simt_some_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                        uint8_t token, struct wb_stack *rest)
{
  struct wb_simt_walk *walk = &analysis->walk;
  if (!wb_stack_copy(rest, stack)) {
    wb_simt_no_memory(analysis);
    return;
  }
  if (token == WB_TOKEN_COUNT)
    return;
  begin_walk(analysis);
  for (size_t f = 0; f < rest->count; f++) {
    struct wb_frame *frame = &rest->frames[f];
    if (matches(analysis, frame, token)) {
      note_found(analysis, frame);
      frame->waiters = analysis->options.no_groups ? WB_WAITERS_UNKNOWN : WB_WAITERS_SOME;
    } else if (frame->node == WB_NODE_BOTTOM) {
      walk->missing = true;
    } else if (!look_below(analysis, frame->node)) {
      return;
    }
  }
  mark_waiters(analysis, token);
}
