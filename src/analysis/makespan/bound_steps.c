/* Steps that make upper ends: formulas, the run abstraction, and certificates of it. */
#include "analysis/makespan/makespan_steps.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/runs/run_abstraction.h"

#include <stdlib.h>
#include <string.h>

warpbound_status wb_makespan_bound_by_formulas(struct wb_makespan_analysis *analysis)
{
  const struct wb_problem *problem = analysis->problem;
  const bool shared = wb_makespan_is_shared(analysis);
  uint64_t serial = 0;
  uint64_t volume = 0;
  warpbound_status status = WARPBOUND_OK;
  analysis->alone = UINT64_MAX;
  if (shared) {
    /* A schedule of one partition by itself is a lower end only, and never above the bounds of that
     * partition by itself. */
    uint64_t closed_form = 0;
    struct wb_problem alone = *problem;
    memset(alone.shared, 0, sizeof alone.shared);
    alone.outside_warps = 0;
    status = wb_bound_closed_form(&alone, &closed_form, analysis->error);
    if (status == WARPBOUND_OK)
      status = wb_bound_serial(&alone, &serial, analysis->error);
    if (status == WARPBOUND_OK)
      analysis->alone = wb_minimum(closed_form, serial);
  }
  if (status == WARPBOUND_OK)
    status = wb_bound_closed_form(problem, &analysis->closed_form, analysis->error);
  if (status == WARPBOUND_OK && !shared)
    status = wb_bound_serial(problem, &serial, analysis->error);
  if (status == WARPBOUND_OK)
    status = wb_bound_volume(problem, &volume, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_add_bound(analysis, "closed-form", "after Graham 1966 and Jaffe 1980; " OUR_PROOF,
                        WARPBOUND_UPPER, analysis->closed_form);
  if (!shared)
    wb_makespan_add_bound(analysis, "serial", "W * I: some warp issues in every cycle",
                          WARPBOUND_UPPER, serial);
  wb_makespan_add_bound(analysis, "volume", "work over capacity: every schedule takes it",
                        WARPBOUND_LOWER, volume);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_use_table(struct wb_makespan_analysis *analysis)
{
  const struct wb_warp_count_row *known = &analysis->warp_counts->of[analysis->problem->warps];
  if (wb_makespan_is_shared(analysis) || analysis->options->simulate_only)
    return WARPBOUND_OK;
  analysis->recalled_runs = known->runs;
  if (known->exact != 0)
    wb_makespan_add_bound(analysis, known->exact_by, "found with the table of more warps",
                          WARPBOUND_EXACT, known->exact);
  else if (known->upper != 0 && known->upper < analysis->result->upper.cycles)
    wb_makespan_add_bound(analysis, known->upper_by, "found with more warps", WARPBOUND_UPPER,
                          known->upper);
  if (known->lower > analysis->result->lower.cycles)
    wb_makespan_add_bound(analysis, known->lower_by, "a schedule found with more warps",
                          WARPBOUND_LOWER, known->lower);
  return WARPBOUND_OK;
}

void wb_makespan_keep_cut(struct wb_makespan_analysis *analysis, uint32_t *lengths, size_t count,
                          uint64_t cycles)
{
  struct warpbound_result *result = analysis->result;
  if (lengths == NULL || (result->cut != NULL && result->cut_cycles <= cycles)) {
    free(lengths);
    return;
  }
  free(result->cut);
  result->cut = lengths;
  result->cut_count = count;
  result->cut_cycles = cycles;
}

warpbound_status wb_makespan_keep_plain_cut(struct wb_makespan_analysis *analysis, bool single,
                                            uint64_t cycles)
{
  const struct wb_kernel_string *string = &analysis->problem->string;
  size_t count = single ? string->length : string->run_count;
  uint32_t *lengths = wb_allocate(count, sizeof *lengths);
  if (lengths == NULL)
    return wb_out_of_memory(analysis->error);
  for (size_t r = 0; r < count; r++)
    lengths[r] = single ? 1 : (uint32_t)string->runs[r].length;
  wb_makespan_keep_cut(analysis, lengths, count, cycles);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_tighten_by_runs(struct wb_makespan_analysis *analysis, uint64_t memory,
                                             bool final)
{
  if (wb_makespan_is_shared(analysis) || analysis->options->simulate_only ||
      !wb_makespan_is_open(analysis) || analysis->warp_counts->of[analysis->problem->warps].runs ||
      !wb_makespan_may_go_on(analysis, "run abstraction"))
    return WARPBOUND_OK;
  struct wb_search search;
  warpbound_status status =
      wb_run_abstraction_search(analysis->problem, analysis->result->upper.cycles, memory,
                                &analysis->control, &search, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  if (search.stop != WB_STOP_MEMORY || final) {
    wb_makespan_count_table(analysis, &search);
    wb_makespan_note_stop(analysis, "run abstraction", &search, memory);
  }
  if (search.stop == WB_STOP_NONE) {
    const uint32_t warps = analysis->problem->warps;
    const uint64_t cycles = search.makespan[warps];
    const bool exact = wb_run_abstraction_exact(analysis->problem);
    if (cycles != UINT64_MAX)
      wb_makespan_add_bound(analysis, "run-abstraction", "longest path over runs; " OUR_PROOF,
                            exact ? WARPBOUND_EXACT : WARPBOUND_UPPER, cycles);
    if (exact)
      wb_warp_count_table_add_exact(analysis->warp_counts, search.makespan, warps,
                                    "run-abstraction");
    for (uint32_t y = 1; y <= warps && !exact; y++)
      wb_warp_count_table_add_run_bound(analysis->warp_counts, y, search.makespan[y],
                                        "run-abstraction");
    if (search.witness.issue_cycle != NULL)
      status = wb_makespan_offer_witness(analysis, &search.witness, "run-abstraction", NULL);
    if (status == WARPBOUND_OK)
      status = wb_makespan_keep_plain_cut(analysis, false, cycles);
  }
  wb_search_free(&search);
  return status;
}

warpbound_status wb_makespan_certify(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  uint64_t upper = result->upper.cycles;
  bool certified = (result->potential.cycles > 0 && result->potential.cycles <= upper) ||
                   (result->cut != NULL && result->cut_cycles <= upper);
  if (!analysis->options->certify || wb_makespan_is_shared(analysis) || certified ||
      !wb_makespan_may_go_on(analysis, "certificate"))
    return WARPBOUND_OK;
  struct wb_cutting cutting;
  bool found = false;
  uint32_t *lengths = NULL;
  if (!wb_cutting_start(&cutting, analysis->problem))
    return wb_out_of_memory(analysis->error);
  warpbound_status status =
      wb_cutting_prove(&cutting, upper, &analysis->control, &found, analysis->error);
  if (status == WARPBOUND_OK && found) {
    lengths = wb_allocate(cutting.cut.count, sizeof *lengths);
    if (lengths == NULL)
      status = wb_out_of_memory(analysis->error);
    for (size_t r = 0; lengths != NULL && r < cutting.cut.count; r++)
      lengths[r] = (uint32_t)cutting.cut.runs[r].length;
    wb_makespan_keep_cut(analysis, lengths, cutting.cut.count, upper);
  }
  wb_cutting_free(&cutting);
  return status;
}
