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
  for (size_t b = 0; b < graph->block_count && !ends; b++) {
    const uint32_t last = graph->blocks[b].last;
    const bool exits = wcet->function->instructions[last].transfer == WB_TRANSFER_EXIT;
    const bool none = wcet->absent[last] || (exits && wcet->idle != NULL && wcet->idle[last]);
    ends = graph->ends[b] && !dead[graph->blocks[b].first] && !none;
  }
  return ends;
}

/* Whether threads come to a call that none makes, or to a branch of which a way to one is cut. */
static bool some_is_cut(const struct wb_wcet *wcet, const bool *dead)
{
  const struct wb_warp_graph *graph = wcet->graph;
  bool cut = false;
  for (size_t b = 0; b < graph->block_count && !cut; b++) {
    const uint32_t last = graph->blocks[b].last;
    cut = !dead[graph->blocks[b].first] &&
          (wcet->absent[last] || wb_instruction_is_cut(wcet->function, last));
  }
  return cut;
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
  if (status != WARPBOUND_OK || may_end(wcet, dead))
    return status == WARPBOUND_OK ? note_dead(analysis, dead) : status;
  if (some_is_cut(wcet, dead))
    return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                   "%.120s: no thread ends: each goes on for ever, or comes to a call that none "
                   "makes, as no assertion fails (--assume-call NAME=CYCLES: it is made)",
                   wcet->function->name);
  return WARPBOUND_OK;
}
