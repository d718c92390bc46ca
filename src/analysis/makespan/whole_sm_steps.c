/* The analysis of a whole SM, where no partition can be taken by itself. */
#include "analysis/makespan/makespan_steps.h"

#include "base/checked.h"
#include "makespan/machine/policy.h"
#include "sm/annealing/sm_annealing.h"
#include "sm/bounds/sm_bounds.h"
#include "sm/search/sm_portfolio.h"
#include "sm/search/sm_search.h"

#include <inttypes.h>

/* Memory of the search before the beams, which takes no noticeable time. */
#define QUICK_SEARCH_BYTES (UINT64_C(1) << 22)
/* Memory of a search without a limit by the user. */
#define UNASKED_SEARCH_BYTES (UINT64_C(1) << 27)

/* Steps of the beams (sm_portfolio.h). */
#define EARLY_BEAM_STEPS                                                                           \
  (UINT64_C(1) << 24) /* of the method `bounds`, and before the exact search */
#define LATE_BEAM_STEPS (UINT64_C(1) << 27) /* after the exact search, without a time limit */
/* The early beams' share of the time that a time limit leaves. */
#define EARLY_BEAM_SHARE 0.125

#define WHOLE_PROOF "proof in doc/whole-sm.md"

bool wb_makespan_is_whole_sm(const struct wb_makespan_analysis *analysis)
{
  const struct wb_instance *instance = analysis->result->instance;
  const bool barriers = instance->kernel.count[WB_UNIT_BARRIER] > 0;
  const bool shared =
      wb_makespan_is_shared(analysis) && analysis->options->limits.method != WARPBOUND_METHOD_ILP;
  return barriers || shared || instance->whole.string_count > 1;
}

static warpbound_status refuse_questions_of_partitions(struct wb_makespan_analysis *analysis)
{
  if (wb_problem_fair(analysis->problem))
    return wb_fail(analysis->error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a string without barriers (B)");
  if (analysis->options->limits.method == WARPBOUND_METHOD_ILP)
    return wb_fail(
        analysis->error, WARPBOUND_USAGE,
        "the integer program of ECRTS 2012 has no barriers: expected a string without B");
  return WARPBOUND_OK;
}

static warpbound_status bound_by_formulas(struct wb_makespan_analysis *analysis)
{
  struct wb_sm_bounds bounds;
  const warpbound_status status =
      wb_sm_bounds_find(&analysis->result->instance->whole, &bounds, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_add_bound(analysis, "closed-form", "after Graham 1966 and Jaffe 1980; " WHOLE_PROOF,
                        WARPBOUND_UPPER, bounds.closed_form);
  wb_makespan_add_bound(analysis, "serial", "W * I: some warp issues in every cycle",
                        WARPBOUND_UPPER, bounds.serial);
  if (bounds.phases > 0)
    wb_makespan_add_bound(analysis, "closed-forms of phases",
                          "the sum over the phases between barriers; " WHOLE_PROOF, WARPBOUND_UPPER,
                          bounds.phases);
  wb_makespan_add_bound(analysis, "volume", "work over capacity: every schedule takes it",
                        WARPBOUND_LOWER, bounds.lower);
  return WARPBOUND_OK;
}

/* Searches all states of the SM, for all assignments of strings to warps, within `memory` bytes.
 * last: notes why it ended early. */
static warpbound_status search_all(struct wb_makespan_analysis *analysis, uint64_t memory,
                                   bool last)
{
  const struct wb_sm_problem *whole = &analysis->result->instance->whole;
  if (analysis->search_done || !wb_makespan_is_open(analysis) ||
      !wb_makespan_wants_search(analysis))
    return WARPBOUND_OK;
  if (!wb_sm_search_fits(whole)) {
    if (!last)
      return WARPBOUND_OK;
    analysis->result->stop = WB_STOP_MEMORY;
    wb_list_add(&analysis->result->notes,
                "exact search: left out, there are too many warps or instructions");
    return WARPBOUND_OK;
  }
  struct wb_sm_search search;
  /* Without a limit by the user, large tables of states are only made for the method `exact`: the
   * bracket is mostly narrow before. */
  struct wb_control control = analysis->control;
  const warpbound_options *limits = &analysis->options->limits;
  if (limits->method == WARPBOUND_METHOD_AUTO && limits->time_limit <= 0 &&
      limits->memory_limit == 0)
    control.memory_limit = wb_minimum(control.memory_limit, UNASKED_SEARCH_BYTES);
  control.memory_limit = wb_minimum(control.memory_limit, memory);
  warpbound_status status = wb_sm_search(whole, NULL, &control, &search, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_count_search(analysis, search.states, search.states, search.bytes);
  if (search.stop != WB_STOP_MEMORY || last)
    wb_makespan_note_early_end(analysis, search.stop, "exact search");
  if (search.stop == WB_STOP_MEMORY && last)
    wb_list_add(&analysis->result->notes,
                "exact search: stopped at the end of the %" PRIu64 " bytes for its states",
                control.memory_limit / 2);
  analysis->search_done = search.stop == WB_STOP_NONE;
  if (analysis->search_done) {
    wb_makespan_add_bound(analysis, "exact-search", "all states of the SM",
                          analysis->all_strings ? WARPBOUND_EXACT : WARPBOUND_LOWER,
                          search.longest);
    status = wb_makespan_offer_witness(analysis, &search.witness, "exact-search", NULL);
  } else {
    wb_schedule_free(&search.witness);
  }
  return status;
}

/* Searches long schedules by beams. steps: 0: no limit; time_share: of the time that is left. */
static warpbound_status search_beams(struct wb_makespan_analysis *analysis, uint64_t steps,
                                     double time_share)
{
  const struct wb_sm_problem *whole = &analysis->result->instance->whole;
  if (!wb_makespan_is_open(analysis) || !wb_sm_portfolio_fits(whole) ||
      !wb_makespan_may_go_on(analysis, "beams"))
    return WARPBOUND_OK;
  const struct wb_control control = wb_control_limit_share(&analysis->control, time_share);
  const struct wb_portfolio_options options = {.lower = analysis->result->lower.cycles,
                                               .upper = analysis->result->upper.cycles,
                                               .steps = steps};
  struct wb_portfolio_result beams;
  warpbound_status status =
      wb_sm_portfolio_search(whole, NULL, &options, &control, &beams, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_count_search(analysis, beams.states, 0, beams.bytes);
  return beams.witness.issue_cycle != NULL
             ? wb_makespan_offer_witness(analysis, &beams.witness, "beams",
                                         "schedule of a beam search")
             : WARPBOUND_OK;
}

static warpbound_status search_beams_early(struct wb_makespan_analysis *analysis)
{
  if (analysis->options->limits.method == WARPBOUND_METHOD_ANNEAL)
    return WARPBOUND_OK;
  const bool limited =
      analysis->control.deadline > 0 && analysis->options->limits.method != WARPBOUND_METHOD_BOUNDS;
  return search_beams(analysis, EARLY_BEAM_STEPS, limited ? EARLY_BEAM_SHARE : 1);
}

static warpbound_status search_beams_late(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_wants_search(analysis))
    return WARPBOUND_OK;
  return search_beams(analysis, analysis->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

static warpbound_status search_all_quickly(struct wb_makespan_analysis *analysis)
{
  return search_all(analysis, QUICK_SEARCH_BYTES, false);
}

static warpbound_status search_all_fully(struct wb_makespan_analysis *analysis)
{
  return search_all(analysis, UINT64_MAX, true);
}

static warpbound_status anneal(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  const struct wb_sm_problem *whole = &result->instance->whole;
  if (analysis->options->limits.method != WARPBOUND_METHOD_ANNEAL ||
      (!wb_makespan_is_open(analysis) && !analysis->options->anneal_closed) ||
      !wb_sm_annealing_fits(whole) || !wb_makespan_may_go_on(analysis, "annealing"))
    return WARPBOUND_OK;
  struct wb_schedule *witness = &result->annealing.witness;
  warpbound_status status =
      wb_sm_annealing_search(whole, NULL, &analysis->options->annealing, result->upper.cycles,
                             &analysis->control, &result->annealing, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  wb_makespan_note_early_end(analysis, result->annealing.stop, "annealing");
  return witness->issue_cycle != NULL
             ? wb_makespan_offer_witness(analysis, witness, "annealing",
                                         "schedule by annealing after ETFA 2013, on the whole SM")
             : WARPBOUND_OK;
}

static wb_makespan_step *const steps_of_search[] = {
    search_all_quickly, search_beams_early, search_all_fully, search_beams_late, anneal, NULL,
};

warpbound_status wb_makespan_search_whole_sm(struct wb_makespan_analysis *analysis, bool all)
{
  analysis->all_strings = all;
  analysis->search_done = false;
  return wb_makespan_run_steps(analysis, steps_of_search);
}

static warpbound_status search_all_strings(struct wb_makespan_analysis *analysis)
{
  return !analysis->options->simulate_only ? wb_makespan_search_whole_sm(analysis, true)
                                           : WARPBOUND_OK;
}

static wb_makespan_step *const steps_of_analysis[] = {
    refuse_questions_of_partitions, bound_by_formulas,  wb_makespan_add_up_phases,
    wb_makespan_find_schedules,     search_all_strings, NULL,
};

warpbound_status wb_makespan_analyse_whole_sm(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_run_steps(analysis, steps_of_analysis);
}
