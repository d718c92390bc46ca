#include "flow/paths/path_walker.h"

#include "base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

static bool push(struct wb_path_walker *walker, enum wb_path_task_kind kind, uint32_t loop,
                 uint32_t edge, uint32_t count)
{
  if (kind == WB_PATH_TASK_FULL_PASSES && count == 0)
    return true;
  bool grown = wb_grow(walker->stack, &walker->capacity, walker->depth + 1);
  if (grown)
    walker->stack[walker->depth++] = (struct wb_path_task){(uint8_t)kind, loop, edge, count};
  return grown;
}

/* The child of `loop` in the forest that holds the node; NONE where no child does. */
static uint32_t inner_loop(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
{
  uint32_t inner = forest->innermost[node];
  if (inner == loop)
    return NONE;
  while (forest->loops[inner].parent != loop)
    inner = forest->loops[inner].parent;
  return inner;
}

/* Pushes a pass, its end first: the path to its last edge, node by node backwards. An inner loop
 * becomes its full passes and one pass that leaves it. */
static bool unfold(struct wb_path_walker *walker, uint32_t loop, uint32_t edge)
{
  const struct wb_longest_path_question *question = walker->question;
  const struct wb_loop_forest *forest = question->forest;
  uint32_t start = loop == NONE ? question->graph->entry : forest->loops[loop].header;
  for (;;) {
    uint32_t node = question->graph->from[edge];
    uint32_t inner = inner_loop(forest, loop, node);
    if (inner == NONE) {
      if (!push(walker, WB_PATH_TASK_EDGE, loop, edge, 1))
        return false;
    } else {
      uint32_t count = wb_path_full_passes(question, walker->path, inner, edge);
      if (!push(walker, WB_PATH_TASK_PASS, inner, edge, 1) ||
          !push(walker, WB_PATH_TASK_FULL_PASSES, inner, edge, count))
        return false;
      node = forest->loops[inner].header;
    }
    if (node == start)
      return true;
    edge = walker->path->before[node];
  }
}

warpbound_status wb_path_walker_make(struct wb_path_walker *walker,
                                     const struct wb_longest_path_question *question,
                                     const struct wb_longest_path *path, warpbound_error *error)
{
  *walker = (struct wb_path_walker){.question = question, .path = path};
  bool pushed = question->end == question->graph->entry ||
                push(walker, WB_PATH_TASK_PASS, NONE, path->before[question->end], 1);
  return pushed ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error)
{
  while (walker->depth > 0) {
    struct wb_path_task task = walker->stack[--walker->depth];
    if (task.kind == WB_PATH_TASK_EDGE) {
      *edge = task.edge;
      return WARPBOUND_OK;
    }
    bool pushed;
    if (task.kind == WB_PATH_TASK_PASS)
      pushed = unfold(walker, task.loop, task.edge);
    else
      pushed = push(walker, WB_PATH_TASK_FULL_PASSES, task.loop, task.edge, task.count - 1) &&
               push(walker, WB_PATH_TASK_PASS, task.loop, walker->path->again[task.loop], 1);
    if (!pushed)
      return wb_out_of_memory(error);
  }
  *edge = NONE;
  return WARPBOUND_OK;
}

void wb_path_walker_free(struct wb_path_walker *walker)
{
  free(walker->stack);
  *walker = (struct wb_path_walker){0};
}
