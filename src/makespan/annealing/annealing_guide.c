#include "makespan/annealing/annealing_guide.h"

#include "base/memory.h"
#include "makespan/annealing/annealing_moves.h"

#include <stdlib.h>
#include <string.h>

warpbound_status wb_annealing_guide_start(struct wb_annealing_guide *guide,
                                          const struct wb_problem *problem, uint64_t most,
                                          uint64_t memory, const struct wb_control *control,
                                          warpbound_error *error)
{
  *guide = (struct wb_annealing_guide){0};
  uint64_t needed, done;
  const struct wb_run_table_options options = {
      .cut = wb_run_cut_of(problem), .whole = true, .most = most};
  if (wb_run_table_plan(problem, &options, memory, &needed) == 0)
    return WARPBOUND_OK;
  warpbound_status status = wb_run_table_start(&guide->table, problem, &options, error);
  enum wb_stop stop = WB_STOP_NONE;
  if (status == WARPBOUND_OK)
    status = wb_run_table_fill(&guide->table, control, &stop, &done, error);
  if (status == WARPBOUND_OK) {
    guide->run_of = wb_allocate(problem->string.length, sizeof *guide->run_of);
    if (guide->run_of == NULL)
      status = wb_out_of_memory(error);
    else {
      size_t at = 0;
      for (size_t r = 0; r < guide->table.run_count; r++) {
        for (uint64_t i = 0; i < guide->table.runs[r].length; i++)
          guide->run_of[at++] = (uint32_t)r;
      }
    }
  }
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    wb_annealing_guide_free(guide);
  return status;
}

void wb_annealing_guide_free(struct wb_annealing_guide *guide)
{
  wb_run_table_free(&guide->table);
  free(guide->run_of);
  *guide = (struct wb_annealing_guide){0};
}

size_t wb_annealing_guide_cut(const struct wb_annealing_guide *guide,
                              const struct wb_annealing_evaluation *evaluation, uint64_t goal,
                              struct wb_random *random, uint32_t *inside, uint64_t *pending)
{
  const struct wb_run_table *table = &guide->table;
  const uint32_t *cycle = evaluation->cycle;
  size_t last = evaluation->entries - 2;
  if (guide->run_of != NULL) {
    uint32_t *done = evaluation->left;
    memset(inside, 0, table->run_count * sizeof *inside);
    memset(pending, 0, table->run_count * sizeof *pending);
    memset(done, 0, evaluation->warps * sizeof *done);
    inside[0] = evaluation->warps;
    pending[0] = evaluation->warps * (uint64_t)table->runs[0].length;
    /* The last place at which a cycle begins before which all could still lead to the goal. Along a
     * schedule cycle + value never grows. */
    size_t promising = 0;
    for (size_t k = 0; k < evaluation->entries; k++) {
      if (k > 0 && cycle[k] != cycle[k - 1]) {
        uint32_t value = wb_run_table_value(table, inside, pending);
        if (!wb_run_table_may_reach(table, value, goal > cycle[k - 1] ? goal - cycle[k - 1] : 0))
          break;
        promising = k;
      }
      uint32_t i = done[evaluation->order[k]]++;
      uint32_t r = guide->run_of[i];
      pending[r]--;
      if (i + 1 < evaluation->length && guide->run_of[i + 1] == r)
        continue;
      inside[r]--;
      if (r + 1 < table->run_count) {
        inside[r + 1]++;
        pending[r + 1] += table->runs[r + 1].length;
      }
    }
    last = promising < last ? promising : last;
  }
  size_t place = (size_t)wb_annealing_below(random, last + 1);
  while (place > 0 && cycle[place] == cycle[place - 1])
    place--;
  return place;
}
