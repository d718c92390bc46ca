/* Bounds from above: formulas, the run abstraction, and certificates of them. */
#include "analysis/makespan/work.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/runs/run_abstraction.h"
#include "makespan/runs/run_cutting.h"

#include <stdlib.h>
#include <string.h>

/* With units shared between partitions a schedule of one of them by itself is a lower end only,
 * and never above the bounds of that partition by itself. */
static warpbound_status bound_alone(struct wb_work *work)
{
  uint64_t closed_form, serial;
  struct wb_problem alone = *work->problem;
  work->alone = UINT64_MAX;
  if (!wb_work_is_shared(work))
    return WARPBOUND_OK;
  memset(alone.shared, 0, sizeof alone.shared);
  alone.outside_warps = 0;
  warpbound_status status = wb_bound_closed_form(&alone, &closed_form, work->error);
  if (status == WARPBOUND_OK)
    status = wb_bound_serial(&alone, &serial, work->error);
  if (status == WARPBOUND_OK)
    work->alone = wb_minimum(closed_form, serial);
  return status;
}

warpbound_status wb_work_bound_by_formulas(struct wb_work *work)
{
  uint64_t cycles;
  warpbound_status status = bound_alone(work);
  if (status == WARPBOUND_OK)
    status = wb_bound_closed_form(work->problem, &work->closed_form, work->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "closed-form", "after Graham 1966 and Jaffe 1980; " OUR_PROOF,
                               WARPBOUND_UPPER, work->closed_form);
  if (status == WARPBOUND_OK && !wb_work_is_shared(work)) {
    status = wb_bound_serial(work->problem, &cycles, work->error);
    if (status == WARPBOUND_OK)
      status = wb_work_add_bound(work, "serial", "W * I: some warp issues in every cycle",
                                 WARPBOUND_UPPER, cycles);
  }
  if (status == WARPBOUND_OK)
    status = wb_bound_volume(work->problem, &cycles, work->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "volume", "work over capacity: every schedule takes it",
                               WARPBOUND_LOWER, cycles);
  return status;
}

warpbound_status wb_work_recall(struct wb_work *work)
{
  const struct wb_known_bound *known = &work->known->of[work->problem->warps];
  warpbound_status status = WARPBOUND_OK;
  if (wb_work_is_shared(work) || work->options->simulate_only)
    return status;
  work->recalled_runs = known->runs;
  if (known->exact != 0)
    status = wb_work_add_bound(work, known->exact_by, "found with the table of more warps",
                               WARPBOUND_EXACT, known->exact);
  else if (known->upper != 0 && known->upper < work->result->upper.cycles)
    status = wb_work_add_bound(work, known->upper_by, "found with more warps", WARPBOUND_UPPER,
                               known->upper);
  if (status == WARPBOUND_OK && known->lower > work->result->lower.cycles)
    status = wb_work_add_bound(work, known->lower_by, "a schedule found with more warps",
                               WARPBOUND_LOWER, known->lower);
  return status;
}

void wb_work_keep_cut(struct wb_work *work, uint32_t *lengths, size_t count, uint64_t cycles)
{
  struct warpbound_result *result = work->result;
  if (lengths == NULL || (result->cut != NULL && result->cut_cycles <= cycles)) {
    free(lengths);
    return;
  }
  free(result->cut);
  result->cut = lengths;
  result->cut_count = count;
  result->cut_cycles = cycles;
}

warpbound_status wb_work_keep_plain_cut(struct wb_work *work, bool single, uint64_t cycles)
{
  const struct wb_kernel_string *string = &work->problem->string;
  size_t count = single ? string->length : string->run_count;
  uint32_t *lengths = wb_allocate(count, sizeof *lengths);
  if (lengths == NULL)
    return wb_out_of_memory(work->error);
  for (size_t r = 0; r < count; r++)
    lengths[r] = single ? 1 : (uint32_t)string->runs[r].length;
  wb_work_keep_cut(work, lengths, count, cycles);
  return WARPBOUND_OK;
}

static warpbound_status use_run_abstraction(struct wb_work *work, struct wb_search *search)
{
  uint64_t cycles = search->makespan[work->problem->warps];
  bool exact = wb_run_abstraction_exact(work->problem);
  warpbound_status status = WARPBOUND_OK;
  if (cycles != UINT64_MAX)
    status = wb_work_add_bound(work, "run-abstraction", "longest path over runs; " OUR_PROOF,
                               exact ? WARPBOUND_EXACT : WARPBOUND_UPPER, cycles);
  (exact ? wb_known_exact : wb_known_runs)(work->known, search->makespan, work->problem->warps,
                                           "run-abstraction");
  if (status == WARPBOUND_OK && search->witness.issue_cycle != NULL)
    status = wb_work_offer_witness(work, &search->witness, "run-abstraction");
  if (status == WARPBOUND_OK)
    status = wb_work_keep_plain_cut(work, false, cycles);
  return status;
}

warpbound_status wb_work_tighten_by_runs(struct wb_work *work, uint64_t memory, bool final)
{
  if (wb_work_is_shared(work) || work->options->simulate_only || !wb_work_is_open(work) ||
      work->known->of[work->problem->warps].runs || !wb_work_may_go_on(work, "run abstraction"))
    return WARPBOUND_OK;
  struct wb_search search;
  warpbound_status status = wb_run_abstraction_search(work->problem, work->result->upper.cycles,
                                                      memory, &work->control, &search, work->error);
  if (status != WARPBOUND_OK)
    return status;
  if (search.stop != WB_STOP_MEMORY || final) {
    wb_work_count_search(work, &search);
    wb_work_note_stop(work, "run abstraction", &search, memory);
  }
  if (search.stop == WB_STOP_NONE)
    status = use_run_abstraction(work, &search);
  wb_search_free(&search);
  return status;
}

warpbound_status wb_work_certify(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  uint64_t upper = result->upper.cycles;
  bool certified = (result->potential.cycles > 0 && result->potential.cycles <= upper) ||
                   (result->cut != NULL && result->cut_cycles <= upper);
  if (!work->options->certify || wb_work_is_shared(work) || certified ||
      !wb_work_may_go_on(work, "certificate"))
    return WARPBOUND_OK;
  struct wb_cutting cutting;
  bool found = false;
  uint32_t *lengths = NULL;
  if (!wb_cutting_start(&cutting, work->problem))
    return wb_out_of_memory(work->error);
  warpbound_status status = wb_cutting_prove(&cutting, upper, &work->control, &found, work->error);
  if (status == WARPBOUND_OK && found) {
    lengths = wb_allocate(cutting.count, sizeof *lengths);
    if (lengths == NULL)
      status = wb_out_of_memory(work->error);
    for (size_t r = 0; lengths != NULL && r < cutting.count; r++)
      lengths[r] = (uint32_t)cutting.runs[r].length;
    wb_work_keep_cut(work, lengths, cutting.count, upper);
  }
  wb_cutting_free(&cutting);
  return status;
}
