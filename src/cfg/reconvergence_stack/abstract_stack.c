/* Abstract stacks, and the graph of what can lie below what. */
#include "cfg/reconvergence_stack/stack_machine.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool wb_stack_reserve(struct wb_stack *stack, size_t count)
{
  if (count <= stack->capacity)
    return true;
  const size_t wanted = stack->capacity == 0 ? count : count + count / 2;
  struct wb_frame *frames = realloc(stack->frames, wanted * sizeof *frames);
  if (frames == NULL)
    return false;
  stack->frames = frames;
  stack->capacity = wanted;
  return true;
}

bool wb_stack_copy(struct wb_stack *to, const struct wb_stack *from)
{
  if (!wb_stack_reserve(to, from->count))
    return false;
  if (from->count > 0)
    memcpy(to->frames, from->frames, from->count * sizeof *to->frames);
  to->count = from->count;
  return true;
}

bool wb_frame_join(struct wb_register_sets *sets, struct wb_frame *into,
                   const struct wb_frame *from)
{
  const struct wb_frame joined = {
      .node = into->node,
      .agreement = wb_register_sets_both(sets, into->agreement, from->agreement),
      .lost = wb_register_sets_either(sets, into->lost, from->lost),
      .waiters = into->waiters | from->waiters,
  };
  const bool changed = joined.agreement != into->agreement || joined.lost != into->lost ||
                       joined.waiters != into->waiters;
  *into = joined;
  return changed;
}

/* Joins the frames whose node both have; how many nodes of `from` the other one has not. */
static size_t join_common(struct wb_register_sets *sets, struct wb_stack *into,
                          const struct wb_stack *from, bool *changed)
{
  size_t added = 0;
  size_t i = 0;
  for (size_t f = 0; f < from->count; f++) {
    const struct wb_frame *next = &from->frames[f];
    while (i < into->count && into->frames[i].node < next->node)
      i++;
    if (i == into->count || into->frames[i].node != next->node) {
      added++;
      continue;
    }
    struct wb_frame *frame = &into->frames[i];
    if (frame->agreement == next->agreement && frame->lost == next->lost &&
        frame->waiters == next->waiters) /* mostly */
      continue;
    *changed = wb_frame_join(sets, frame, next) || *changed;
  }
  return added;
}

bool wb_stack_join(struct wb_register_sets *sets, struct wb_stack *into,
                   const struct wb_stack *from, bool *changed)
{
  const size_t added = join_common(sets, into, from, changed);
  if (added == 0)
    return true;
  if (!wb_stack_reserve(into, into->count + added))
    return false;
  size_t i = into->count;
  size_t f = from->count;
  size_t end = into->count + added; /* frames move up from the last one: none is overwritten */
  into->count = end;
  while (f > 0) {
    const struct wb_frame *next = &from->frames[f - 1];
    if (i > 0 && into->frames[i - 1].node >= next->node) {
      f -= into->frames[i - 1].node == next->node;
      into->frames[--end] = into->frames[--i];
    } else {
      into->frames[--end] = *next;
      f--;
    }
  }
  *changed = true;
  return true;
}

/* ---- order and invariants ---- */

bool wb_stack_covers(const struct wb_register_sets *sets, const struct wb_stack *large,
                     const struct wb_stack *small)
{
  size_t i = 0;
  for (size_t f = 0; f < small->count; f++) {
    while (i < large->count && large->frames[i].node < small->frames[f].node)
      i++;
    if (i == large->count || large->frames[i].node != small->frames[f].node)
      return false;
    const struct wb_frame *more = &large->frames[i];
    const struct wb_frame *less = &small->frames[f];
    if (!wb_register_sets_include(sets, less->agreement, more->agreement) ||
        !wb_register_sets_include(sets, more->lost, less->lost) ||
        (less->waiters & ~more->waiters) != 0)
      return false;
  }
  return true;
}

const char *wb_stack_check(const struct wb_register_sets *sets, const struct wb_stack_graph *graph,
                           const struct wb_stack *stack)
{
  for (size_t f = 0; f < stack->count; f++) {
    const struct wb_frame *frame = &stack->frames[f];
    if (frame->node >= graph->count)
      return "a frame's node is not in the graph";
    if (f > 0 && frame->node <= stack->frames[f - 1].node)
      return "frames do not ascend";
    if (frame->agreement >= sets->count || frame->lost >= sets->count)
      return "a frame's set of registers has no such number";
    if (frame->waiters == 0 || (frame->waiters & ~WB_WAITERS_UNKNOWN) != 0)
      return "a frame's waiters are not possible";
  }
  return NULL;
}

/* ---- the graph ---- */

static bool add_node(struct wb_stack_graph *graph, const struct wb_stack_node *name)
{
  if (!wb_grow(graph->nodes, &graph->capacity, graph->count + 1))
    return false;
  struct wb_stack_node *node = &graph->nodes[graph->count];
  *node = *name;
  node->below = (struct wb_stack){0};
  node->mark = 0;
  graph->count++;
  return true;
}

bool wb_stack_graph_start(struct wb_stack_graph *graph)
{
  static const uint8_t tokens[WB_NODE_FIRST] = {[WB_NODE_BOTTOM] = WB_TOKEN_COUNT,
                                                [WB_NODE_CALLER] = WB_TOKEN_RETURN,
                                                [WB_NODE_ANY] = WB_TOKEN_COUNT};
  bool memory = true;
  for (size_t n = 0; memory && n < WB_NODE_FIRST; n++) {
    const struct wb_stack_node node = {.site = UINT32_MAX, .point = UINT32_MAX, .token = tokens[n]};
    memory = add_node(graph, &node);
  }
  return memory;
}

static uint64_t pusher_of(const struct wb_stack_node *node)
{
  return (uint64_t)node->site << 32 | node->context;
}

static uint64_t entry_of(const struct wb_stack_node *node)
{
  return (uint64_t)node->point << 32 | (uint32_t)(node->token * 2 + (node->passed_by ? 1 : 0));
}

uint32_t wb_stack_graph_node(struct wb_stack_graph *graph, const struct wb_stack_node *name,
                             bool *made)
{
  const uint32_t number =
      wb_simt_pairs_number(&graph->names, pusher_of(name), entry_of(name), made);
  if (number == WB_NOWHERE || (*made && !add_node(graph, name)))
    return WB_NOWHERE;
  return WB_NODE_FIRST + number;
}

const char *wb_stack_graph_check(const struct wb_register_sets *sets,
                                 const struct wb_stack_graph *graph)
{
  if (graph->count < WB_NODE_FIRST)
    return "a node that no instruction pushes is missing";
  for (uint32_t n = 0; n < graph->count; n++) {
    const struct wb_stack_node *node = &graph->nodes[n];
    if ((n < WB_NODE_FIRST) != (node->site == UINT32_MAX))
      return "a node's site is wrong";
    if (n >= WB_NODE_FIRST &&
        wb_simt_pairs_find(&graph->names, pusher_of(node), entry_of(node)) != n - WB_NODE_FIRST)
      return "a node is not known by its name";
    if ((n == WB_NODE_BOTTOM) != (node->below.count == 0))
      return "nothing lies below a node that was pushed, or something below the bottom";
    const char *broken = wb_stack_check(sets, graph, &node->below);
    if (broken != NULL)
      return broken;
  }
  return NULL;
}

void wb_stack_graph_free(struct wb_stack_graph *graph)
{
  for (size_t n = 0; n < graph->count; n++)
    free(graph->nodes[n].below.frames);
  free(graph->nodes);
  wb_simt_pairs_free(&graph->names);
  *graph = (struct wb_stack_graph){0};
}
