#include "flow/paths/dead_instructions.h"

#include "flow/loop_bounds/loop_bounds.h"

/* All borrowed. */
struct finder {
  bool *dead;
  bool *idle;
};

static void visit(void *context, const struct wb_interval_context *thread, uint32_t instruction)
{
  const struct finder *finder = context;
  finder->dead[instruction] = false;
  finder->idle[instruction] =
      finder->idle[instruction] && wb_interval_guard(thread) == WB_TRUTH_FALSE;
}

warpbound_status wb_dead_instructions_find(const struct wb_warp_graph *graph,
                                           const struct wb_loop_forest *forest,
                                           const struct wb_launch *launch, bool *dead, bool *idle,
                                           warpbound_error *error)
{
  struct finder finder = {dead, idle};
  bool whole;
  for (size_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      dead[i] = idle[i] = true;
  }
  const warpbound_status status =
      wb_threads_visit(graph, forest, launch, visit, &finder, &whole, error);
  for (size_t i = 0; i < graph->function->instruction_count; i++) {
    dead[i] = dead[i] && status == WARPBOUND_OK && whole;
    idle[i] = idle[i] && status == WARPBOUND_OK && whole;
  }
  return status;
}
