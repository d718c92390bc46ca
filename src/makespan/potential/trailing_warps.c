#include "makespan/potential/trailing_warps.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/potential/trailing_positions.h"
#include "makespan/potential/trailing_table.h"

/* One warp more costs this factor more than the number of its positions says. */
#define GROWTH 1.6

/* Seconds that a step takes at least. */
#define FASTEST_STEP 3e-9

/* The largest value of a component at the start of so many warps, less its slack, in units of
 * 1 / (weight_sum * scale) cycles, and by how much the steepest rises for each warp. False: a
 * number overflows, or no component has a path to the end. */
static bool most_of(const struct wb_trailing_table *table, uint32_t warps, int64_t *most,
                    int64_t *slope)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct wb_pools *pools = &table->proof->pools;
  /* The state of the leading warps at the start. */
  uint64_t begin = wb_pools_begin(pools, warps - table->trailing + 1) % pools->stride[pools->count];
  const int64_t *entries = table->entries + begin * table->components;
  *most = *slope = INT64_MIN;
  for (unsigned i = 0; i < table->components; i++) {
    int64_t warp = potential->weight_sum * potential->position[i][0], sum;
    if (entries[i] == WB_TRAILING_NO_PATH)
      continue;
    if (!wb_multiply_signed(warp, warps - table->trailing, &sum) ||
        !wb_add_signed(sum, entries[i], &sum))
      return false;
    *most = sum > *most ? sum : *most;
    *slope = warp > *slope ? warp : *slope;
  }
  return *slope > INT64_MIN;
}

/* Derives the bound and the line from the entries of the starts. The line's start has entries
 * wherever the potential has a line: all warps stand in the potential's own start then. False: a
 * number overflows. */
static bool derive_bound(const struct wb_trailing_table *table, struct wb_potential_proof *proof)
{
  int64_t most, first, slope, rise;
  uint32_t steady_from = wb_pools_steady_from(&proof->pools) + table->trailing - 1;
  if (!most_of(table, proof->problem->warps, &most, &slope) || most < 0)
    return false;
  proof->trailing = table->trailing;
  proof->trailing_steps = table->steps;
  proof->cycles = (uint64_t)(most / (table->proof->potential.weight_sum * proof->gain));
  proof->has_line = proof->has_line && most_of(table, steady_from, &first, &slope) &&
                    wb_multiply_signed(slope, steady_from, &rise) &&
                    wb_subtract_signed(first, rise, &proof->offset);
  proof->divisor = proof->potential.weight_sum * proof->gain;
  proof->slope = slope;
  proof->steady_from = steady_from;
  return true;
}

warpbound_status wb_potential_follow_trailing(struct wb_potential_proof *proof, uint32_t trailing,
                                              const struct wb_trailing_effort *effort,
                                              const struct wb_control *control,
                                              struct wb_trailing_outcome *outcome,
                                              warpbound_error *error)
{
  *outcome = (struct wb_trailing_outcome){0};
  if (!wb_trailing_table_fits(proof, trailing, wb_minimum(effort->memory, control->memory_limit))) {
    outcome->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct wb_trailing_table table;
  bool ok = wb_trailing_table_start(&table, proof, trailing, effort->steps, control) &&
            wb_trailing_table_fill(&table, &outcome->stop);
  if (ok && outcome->stop == WB_STOP_NONE)
    outcome->followed = derive_bound(&table, proof);
  wb_leading_warps_free(&table.leading);
  wb_arena_free(&table.arena);
  return ok ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_potential_follow_more(struct wb_potential_proof *proof,
                                          const struct wb_trailing_effort *effort,
                                          const struct wb_control *control, enum wb_stop *stop,
                                          warpbound_error *error)
{
  struct wb_trailing_outcome outcome = {0};
  warpbound_status status = WARPBOUND_OK;
  uint32_t most = (uint32_t)wb_minimum(proof->problem->warps, WB_POTENTIAL_TRAILING_LIMIT);
  bool goes_on = proof->potential.shape.count > 1;
  while (status == WARPBOUND_OK && goes_on && proof->trailing < most) {
    uint32_t trailing = proof->trailing + 1;
    double steps =
        (double)proof->trailing_steps * (double)(proof->potential.length + trailing) / trailing;
    const bool in_time =
        control->deadline == 0 || wb_clock() + steps * FASTEST_STEP < control->deadline;
    if (steps * GROWTH > (double)effort->steps || !in_time)
      break;
    status = wb_potential_follow_trailing(proof, trailing, effort, control, &outcome, error);
    goes_on = outcome.followed;
  }
  *stop = outcome.stop;
  return status;
}
