#include "makespan/runs/run_cutting.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Most cuts that are made: each at least doubles a table's cells. */
#define MOST_CUTS 64

bool wb_cutting_start(struct wb_cutting *cutting, const struct wb_problem *problem)
{
  size_t count = problem->string.run_count;
  *cutting = (struct wb_cutting){.problem = problem, .count = count};
  cutting->runs = wb_allocate(count + MOST_CUTS, sizeof *cutting->runs);
  if (cutting->runs != NULL)
    memcpy(cutting->runs, problem->string.runs, count * sizeof *cutting->runs);
  return cutting->runs != NULL;
}

void wb_cutting_free(struct wb_cutting *cutting)
{
  free(cutting->runs);
  *cutting = (struct wb_cutting){0};
}

bool wb_cutting_refine(struct wb_cutting *cutting, const struct wb_cutting_limits *limits)
{
  /* Only runs of types that serve several warps a cycle gain by a cut; the longest, and of equals
   * the last, gains most. */
  size_t r = SIZE_MAX;
  for (size_t i = 0; i < cutting->count; i++) {
    const struct wb_run *run = &cutting->runs[i];
    if (run->length >= 2 && wb_problem_service(cutting->problem, run->unit) > 1 &&
        (r == SIZE_MAX || run->length >= cutting->runs[r].length))
      r = i;
  }
  if (r == SIZE_MAX || cutting->count >= cutting->problem->string.run_count + MOST_CUTS)
    return false;
  struct wb_run *run = &cutting->runs[r];
  for (size_t first = run->length / 2; first >= 1; first /= 2) {
    uint64_t needed;
    /* Cuts the run in two, the first part `first` instructions long. */
    memmove(run + 1, run, (cutting->count - r) * sizeof *run);
    run[0].length = first;
    run[1].length -= first;
    cutting->count++;
    const struct wb_run_table_options options = {wb_cutting_cut(cutting), limits->whole,
                                                 limits->most};
    uint64_t states = wb_run_table_plan(cutting->problem, &options, limits->memory, &needed);
    if (states > 0 && states <= limits->states)
      return true;
    /* Joins the two again. */
    run[0].length += run[1].length;
    cutting->count--;
    memmove(run + 1, run + 2, (cutting->count - r - 1) * sizeof *run);
  }
  return false;
}

warpbound_status wb_cutting_prove(struct wb_cutting *cutting, uint64_t goal,
                                  const struct wb_control *control, bool *found,
                                  warpbound_error *error)
{
  enum wb_stop stop = WB_STOP_NONE;
  const struct wb_cutting_limits limits = {
      .most = goal, .memory = control->memory_limit, .states = UINT64_MAX};
  *found = false;
  do {
    struct wb_run_table table = {0};
    uint64_t needed, done;
    const struct wb_run_table_options options = {.cut = wb_cutting_cut(cutting), .most = goal};
    warpbound_status status = WARPBOUND_OK;
    if (wb_run_table_plan(cutting->problem, &options, control->memory_limit, &needed) == 0 ||
        wb_run_table_start(&table, cutting->problem, &options, NULL) != WARPBOUND_OK)
      stop = WB_STOP_MEMORY;
    else
      status = wb_run_table_fill(&table, control, &stop, &done, error);
    *found = status == WARPBOUND_OK && stop == WB_STOP_NONE &&
             table.makespan[cutting->problem->warps] <= goal;
    wb_run_table_free(&table);
    if (status != WARPBOUND_OK)
      return status;
  } while (!*found && stop == WB_STOP_NONE && wb_cutting_refine(cutting, &limits));
  return WARPBOUND_OK;
}
