/* Barriers that name a count of threads, which may be that of the whole block. */
#include "analysis/wcet/wcet_steps.h"

#include "base/arena.h"
#include "flow/barriers/counted_barriers.h"

#include <string.h>

warpbound_status wb_wcet_copy_barriers(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_function *function = wcet->function;
  const size_t count = function->instruction_count;
  if (!analysis->options->counts_barriers || !wb_function_counts_barriers(function))
    return WARPBOUND_OK;
  struct wb_function *made = wb_arena_array(&wcet->arena, struct wb_function, 1);
  wcet->copied = wb_arena_array(&wcet->arena, struct wb_instruction, count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  memcpy(wcet->copied, function->instructions, count * sizeof *wcet->copied);
  *made = *function;
  made->instructions = wcet->copied;
  made->uncut = function->uncut != NULL ? function->uncut : function;
  wcet->function = made;
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_count_barriers(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  if (wcet->copied == NULL)
    return WARPBOUND_OK;
  return wb_counted_barriers_mark(wcet->graph, &wcet->forest, &analysis->launch, wcet->copied,
                                  &wcet->counted_barriers, analysis->error);
}
