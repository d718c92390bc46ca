/* Bounds from above: formulas, the run abstraction, potentials, and certificates of them. */
#include "analysis/work.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/closed_form.h"
#include "makespan/potential_rear.h"
#include "makespan/run_abstraction.h"
#include "makespan/run_cutting.h"

#include <stdlib.h>

/* Share of what a time limit leaves for potentials. */
#define POTENTIAL_SHARE 0.6

#define POTENTIAL_SOURCE "linear program over pools of runs; proof in doc/potentials.md"

/* Moves looked at when more of the rear of the best potential are followed: some seconds. */
#define REAR_STEPS UINT64_C(1000000000)

warpbound_status wb_work_bound_by_formulas(struct wb_work *a)
{
  uint64_t cycles;
  warpbound_status status = wb_bound_closed_form(a->problem, &a->closed_form, a->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, "closed-form", "after Graham 1966 and Jaffe 1980; " OUR_PROOF,
                               WARPBOUND_UPPER, a->closed_form);
  if (status == WARPBOUND_OK && !wb_work_is_shared(a)) {
    status = wb_bound_serial(a->problem, &cycles, a->error);
    if (status == WARPBOUND_OK)
      status = wb_work_add_bound(a, "serial", "W * I: some warp issues in every cycle",
                                 WARPBOUND_UPPER, cycles);
  }
  if (status == WARPBOUND_OK)
    status = wb_bound_volume(a->problem, &cycles, a->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, "volume", "work over capacity: every schedule takes it",
                               WARPBOUND_LOWER, cycles);
  return status;
}

warpbound_status wb_work_recall(struct wb_work *a)
{
  const struct wb_known_bound *known = &a->known->of[a->problem->warps];
  warpbound_status status = WARPBOUND_OK;
  if (wb_work_is_shared(a) || a->options->simulate_only)
    return status;
  a->recalled_runs = known->runs;
  if (known->exact != 0)
    status = wb_work_add_bound(a, known->exact_by, "found with the table of more warps",
                               WARPBOUND_EXACT, known->exact);
  else if (known->upper != 0 && known->upper < a->result->upper.cycles)
    status = wb_work_add_bound(a, known->upper_by, "found with more warps", WARPBOUND_UPPER,
                               known->upper);
  if (status == WARPBOUND_OK && known->lower > a->result->lower.cycles)
    status = wb_work_add_bound(a, known->lower_by, "a schedule found with more warps",
                               WARPBOUND_LOWER, known->lower);
  return status;
}

void wb_work_keep_cut(struct wb_work *a, uint32_t *lengths, size_t count, uint64_t cycles)
{
  struct warpbound_result *result = a->result;
  if (lengths == NULL || (result->cut != NULL && result->cut_cycles <= cycles)) {
    free(lengths);
    return;
  }
  free(result->cut);
  result->cut = lengths;
  result->cut_count = count;
  result->cut_cycles = cycles;
}

warpbound_status wb_work_keep_plain_cut(struct wb_work *a, bool single, uint64_t cycles)
{
  const struct wb_kernel_string *string = &a->problem->string;
  size_t count = single ? string->length : string->run_count;
  uint32_t *lengths = wb_allocate(count, sizeof *lengths);
  if (lengths == NULL)
    return wb_out_of_memory(a->error);
  for (size_t r = 0; r < count; r++)
    lengths[r] = single ? 1 : (uint32_t)string->runs[r].length;
  wb_work_keep_cut(a, lengths, count, cycles);
  return WARPBOUND_OK;
}

static warpbound_status use_run_abstraction(struct wb_work *a, struct wb_search *search)
{
  uint64_t cycles = search->makespan[a->problem->warps];
  bool exact = wb_run_abstraction_exact(a->problem);
  warpbound_status status = WARPBOUND_OK;
  if (cycles != UINT64_MAX)
    status = wb_work_add_bound(a, "run-abstraction", "longest path over runs; " OUR_PROOF,
                               exact ? WARPBOUND_EXACT : WARPBOUND_UPPER, cycles);
  (exact ? wb_known_exact : wb_known_runs)(a->known, search->makespan, a->problem->warps,
                                           "run-abstraction");
  if (status == WARPBOUND_OK && search->witness.issue_cycle != NULL)
    status = wb_work_offer_witness(a, &search->witness, "run-abstraction");
  if (status == WARPBOUND_OK)
    status = wb_work_keep_plain_cut(a, false, cycles);
  return status;
}

warpbound_status wb_work_tighten_by_runs(struct wb_work *a, uint64_t memory, bool final)
{
  if (wb_work_is_shared(a) || a->options->simulate_only || !wb_work_is_open(a) ||
      a->known->of[a->problem->warps].runs || !wb_work_may_go_on(a, "run abstraction"))
    return WARPBOUND_OK;
  struct wb_search search;
  warpbound_status status = wb_run_abstraction_search(a->problem, a->result->upper.cycles, memory,
                                                      &a->control, &search, a->error);
  if (status != WARPBOUND_OK)
    return status;
  if (search.stop != WB_STOP_MEMORY || final) {
    wb_work_count_search(a, &search);
    wb_work_note_stop(a, "run abstraction", &search, memory);
  }
  if (search.stop == WB_STOP_NONE)
    status = use_run_abstraction(a, &search);
  wb_search_free(&search);
  return status;
}

/* A table over several W wants a line through its rows, even where the row of the most
 * warps, which is the first, is closed. */
static bool wants_line(const struct wb_work *a)
{
  return a->options->known != NULL && a->problem->warps == a->options->known->most &&
         a->result->potential.cycles == 0;
}

warpbound_status wb_work_tighten_by_potentials(struct wb_work *a, enum wb_potential_depth depth)
{
  struct warpbound_result *result = a->result;
  if (a->options->simulate_only || !(wb_work_is_open(a) || wants_line(a)) ||
      a->problem->warps < 2 || !wb_pools_suit(a->problem) || !wb_work_may_go_on(a, "potentials"))
    return WARPBOUND_OK;
  struct wb_potential_search_options options = {
      .below = result->upper.cycles + !wb_work_is_open(a),
      .enough = result->lower.cycles,
      .depth = depth,
      .coarser = result->potential.cycles > 0 ? &result->potential : NULL,
      .settled = a->settled_potentials};
  struct wb_control control = wb_work_limit_share(a, POTENTIAL_SHARE);
  struct wb_potential_search_result found;
  warpbound_status status = wb_potential_search(a->problem, &options, &control, &found, a->error);
  if (status != WARPBOUND_OK)
    return status;
  a->settled_potentials = options.settled;
  if (wb_work_is_open(a))
    (void)wb_work_may_go_on(a, "potentials"); /* notes where the whole time is over */
  if (!found.found)
    return WARPBOUND_OK;
  wb_potential_proof_free(&result->potential);
  result->potential = found.proof;
  wb_known_line(a->known, &found.proof, "potential");
  return wb_work_add_bound(a, "potential", POTENTIAL_SOURCE, WARPBOUND_UPPER, found.proof.cycles);
}

warpbound_status wb_work_follow_rear(struct wb_work *a)
{
  struct wb_potential_proof *proof = &a->result->potential;
  struct wb_rear_effort effort = {REAR_STEPS, a->control.memory_limit / 2};
  enum wb_stop stop = WB_STOP_NONE;
  if (a->options->simulate_only || !wb_work_is_open(a) || proof->cycles == 0 ||
      !wb_work_may_go_on(a, "potentials"))
    return WARPBOUND_OK;
  struct wb_control control = wb_work_limit_share(a, POTENTIAL_SHARE);
  uint64_t before = proof->cycles;
  warpbound_status status = wb_potential_follow_more(proof, &effort, &control, &stop, a->error);
  if (status != WARPBOUND_OK || proof->cycles >= before)
    return status;
  wb_known_line(a->known, proof, "potential");
  if (proof->cycles >= a->result->upper.cycles)
    return WARPBOUND_OK;
  return wb_work_add_bound(a, "potential", POTENTIAL_SOURCE, WARPBOUND_UPPER, proof->cycles);
}

warpbound_status wb_work_certify(struct wb_work *a)
{
  struct warpbound_result *result = a->result;
  uint64_t upper = result->upper.cycles;
  bool certified = (result->potential.cycles > 0 && result->potential.cycles <= upper) ||
                   (result->cut != NULL && result->cut_cycles <= upper);
  if (!a->options->certify || wb_work_is_shared(a) || certified ||
      !wb_work_may_go_on(a, "certificate"))
    return WARPBOUND_OK;
  struct wb_cutting cutting;
  bool found = false;
  uint32_t *lengths = NULL;
  if (!wb_cutting_start(&cutting, a->problem))
    return wb_out_of_memory(a->error);
  warpbound_status status = wb_cutting_prove(&cutting, upper, &a->control, &found, a->error);
  if (status == WARPBOUND_OK && found) {
    lengths = wb_allocate(cutting.count, sizeof *lengths);
    if (lengths == NULL)
      status = wb_out_of_memory(a->error);
    for (size_t r = 0; lengths != NULL && r < cutting.count; r++)
      lengths[r] = (uint32_t)cutting.runs[r].length;
    wb_work_keep_cut(a, lengths, cutting.count, upper);
  }
  wb_cutting_free(&cutting);
  return status;
}
