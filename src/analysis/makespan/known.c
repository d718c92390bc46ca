#include "analysis/makespan/known.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

warpbound_status wb_known_start(struct wb_known *known, uint32_t most, warpbound_error *error)
{
  *known = (struct wb_known){.most = most};
  known->of = wb_allocate((size_t)most + 1, sizeof *known->of);
  return known->of != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_known_free(struct wb_known *known)
{
  free(known->of);
  *known = (struct wb_known){0};
}

void wb_known_exact(struct wb_known *known, const uint64_t *makespan, uint32_t warps,
                    const char *by)
{
  for (uint32_t y = 1; y <= warps && y <= known->most; y++) {
    known->of[y].exact = makespan[y];
    known->of[y].exact_by = by;
  }
}

static void note_upper(struct wb_known_bound *bound, uint64_t upper, const char *by)
{
  if (bound->upper != 0 && bound->upper <= upper)
    return;
  bound->upper = upper;
  bound->upper_by = by;
}

void wb_known_run(struct wb_known *known, uint32_t warps, uint64_t upper, const char *by)
{
  if (warps > known->most)
    return;
  note_upper(&known->of[warps], upper, by);
  known->of[warps].runs = true;
}

void wb_known_runs(struct wb_known *known, const uint64_t *makespan, uint32_t warps, const char *by)
{
  for (uint32_t y = 1; y <= warps; y++)
    wb_known_run(known, y, makespan[y], by);
}

void wb_known_line(struct wb_known *known, const struct wb_potential_proof *proof, const char *by)
{
  for (uint64_t y = proof->steady_from; proof->has_line && y <= known->most; y++) {
    uint64_t cycles;
    if (wb_potential_line_at(proof, (uint32_t)y, &cycles))
      note_upper(&known->of[y], cycles, by);
  }
}

void wb_known_lower(struct wb_known *known, uint32_t warps, uint64_t makespan, const char *by)
{
  if (warps > known->most || makespan <= known->of[warps].lower)
    return;
  known->of[warps].lower = makespan;
  known->of[warps].lower_by = by;
}
