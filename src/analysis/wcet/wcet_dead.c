/* Code that no thread of the launch comes to, or that comes to a call that none makes: it never
 * runs. */
#include "analysis/wcet/wcet_steps.h"

#include "base/arena.h"
#include "flow/paths/dead_instructions.h"

/* Whether a thread may end in a block that is not dead. Where none may, the launch does not end,
 * and no path satisfies that dead code never runs. */
static bool may_end(const struct wb_wcet *wcet, const bool *dead)
{
  const struct wb_warp_graph *graph = wcet->graph;
  bool ends = false;
  for (size_t b = 0; b < graph->block_count && !ends; b++)
    ends = graph->ends[b] && !dead[graph->blocks[b].first] && !wcet->absent[graph->blocks[b].last];
  return ends;
}

/* One fact of all dead blocks: their runs, in sum, are 0 at most. */
static warpbound_status note_dead(struct wb_wcet_analysis *analysis, const bool *dead)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_warp_graph *graph = wcet->graph;
  struct wb_ipet_fact *fact = &wcet->shown[wcet->shown_count];
  fact->terms = wb_arena_array(&wcet->arena, struct wb_ipet_term, graph->block_count);
  if (fact->terms == NULL)
    return wb_out_of_memory(analysis->error);
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (dead[graph->blocks[b].first] || wcet->absent[graph->blocks[b].last])
      fact->terms[fact->term_count++] = (struct wb_ipet_term){.block = b, .factor = 1};
  }
  wcet->shown_count += fact->term_count > 0;
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_find_dead(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_options *options = analysis->options;
  const size_t count = wcet->function->instruction_count;
  bool *dead = wb_arena_array(&wcet->arena, bool, count);
  const bool looks =
      options->launch != NULL && !options->free_reactivations && !options->no_found_bounds;
  if (looks)
    wcet->idle = wb_arena_array(&wcet->arena, bool, count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = WARPBOUND_OK;
  if (looks)
    status = wb_dead_instructions_find(wcet->graph, &wcet->forest, &analysis->launch, dead,
                                       wcet->idle, analysis->error);
  return status == WARPBOUND_OK && may_end(wcet, dead) ? note_dead(analysis, dead) : status;
}
