#include "analysis/makespan/warp_count_table.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

warpbound_status wb_warp_count_table_make(struct wb_warp_count_table *table, uint32_t most,
                                          warpbound_error *error)
{
  *table = (struct wb_warp_count_table){.most = most};
  table->of = wb_allocate((size_t)most + 1, sizeof *table->of);
  return table->of != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_warp_count_table_free(struct wb_warp_count_table *table)
{
  free(table->of);
  *table = (struct wb_warp_count_table){0};
}

void wb_warp_count_table_add_exact(struct wb_warp_count_table *table, const uint64_t *makespan,
                                   uint32_t warps, const char *by)
{
  for (uint32_t y = 1; y <= warps && y <= table->most; y++) {
    table->of[y].exact = makespan[y];
    table->of[y].exact_by = by;
  }
}

static void note_upper(struct wb_warp_count_row *bound, uint64_t upper, const char *by)
{
  if (bound->upper != 0 && bound->upper <= upper)
    return;
  bound->upper = upper;
  bound->upper_by = by;
}

void wb_warp_count_table_add_run_bound(struct wb_warp_count_table *table, uint32_t warps,
                                       uint64_t upper, const char *by)
{
  if (warps > table->most)
    return;
  note_upper(&table->of[warps], upper, by);
  table->of[warps].runs = true;
}

void wb_warp_count_table_add_line(struct wb_warp_count_table *table,
                                  const struct wb_potential_proof *proof, const char *by)
{
  for (uint64_t y = proof->steady_from; proof->has_line && y <= table->most; y++) {
    uint64_t cycles;
    if (wb_potential_line_at(proof, (uint32_t)y, &cycles))
      note_upper(&table->of[y], cycles, by);
  }
}

void wb_warp_count_table_add_lower(struct wb_warp_count_table *table, uint32_t warps,
                                   uint64_t makespan, const char *by)
{
  if (warps > table->most || makespan <= table->of[warps].lower)
    return;
  table->of[warps].lower = makespan;
  table->of[warps].lower_by = by;
}
