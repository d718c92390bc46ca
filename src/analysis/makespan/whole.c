/* The pipeline for what one partition by itself cannot tell: barriers, units that the partitions
 * share, warps on different paths. */
#include "analysis/makespan/whole.h"

#include "analysis/makespan/phases.h"
#include "base/checked.h"
#include "sm/annealing/sm_annealing.h"
#include "sm/bounds/sm_bounds.h"
#include "sm/search/sm_policy.h"
#include "sm/search/sm_portfolio.h"
#include "sm/search/sm_search.h"

/* What a search may take that comes before the beams: a moment's work. */
#define QUICK_SEARCH_BYTES (UINT64_C(1) << 22)
/* What a search may take of which nobody said how long it may go on. */
#define UNASKED_SEARCH_BYTES (UINT64_C(1) << 27)

/* Steps of the beams (sm_portfolio.h): all of the method `bounds`, and of the others those before
 * the exact search; those after it where no time limit ends the work. */
#define EARLY_BEAM_STEPS (UINT64_C(1) << 24)
#define LATE_BEAM_STEPS (UINT64_C(1) << 27)
/* Share of what a time limit leaves for the early beams. */
#define EARLY_BEAM_SHARE 0.125

#define WHOLE_PROOF "proof in doc/whole-sm.md"

bool wb_work_is_whole(const struct wb_work *work)
{
  const struct wb_instance *instance = work->result->instance;
  const bool barriers = instance->kernel.count[WB_UNIT_BARRIER] > 0;
  const bool shared =
      wb_work_is_shared(work) && work->options->limits.method != WARPBOUND_METHOD_ILP;
  return barriers || shared || instance->whole.string_count > 1;
}

static warpbound_status refuse_what_is_of_a_partition(const struct wb_work *work)
{
  if (wb_problem_fair(work->problem))
    return wb_fail(work->error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a string without barriers (B)");
  if (work->options->limits.method == WARPBOUND_METHOD_ILP)
    return wb_fail(
        work->error, WARPBOUND_USAGE,
        "the integer program of ECRTS 2012 has no barriers: expected a string without B");
  return WARPBOUND_OK;
}

static warpbound_status bound_by_formulas(struct wb_work *work)
{
  struct wb_sm_bounds bounds;
  warpbound_status status = wb_sm_bounds_find(&work->result->instance->whole, &bounds, work->error);
  if (status == WARPBOUND_OK)
    status =
        wb_work_add_bound(work, "closed-form", "after Graham 1966 and Jaffe 1980; " WHOLE_PROOF,
                          WARPBOUND_UPPER, bounds.closed_form);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "serial", "W * I: some warp issues in every cycle",
                               WARPBOUND_UPPER, bounds.serial);
  if (status == WARPBOUND_OK && bounds.phases > 0)
    status = wb_work_add_bound(work, "closed-forms of phases",
                               "the sum over the phases between barriers; " WHOLE_PROOF,
                               WARPBOUND_UPPER, bounds.phases);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "volume", "work over capacity: every schedule takes it",
                               WARPBOUND_LOWER, bounds.lower);
  return status;
}

/* One policy on the whole SM, all warps on the first path. */
static warpbound_status simulate(struct wb_work *work, const struct wb_policy *policy)
{
  struct wb_sm_schedule schedule;
  enum wb_stop stop;
  warpbound_status status = wb_sm_simulate(policy, &work->result->instance->whole, NULL,
                                           &work->control, &schedule, &stop, work->error);
  wb_work_note_early_end(work, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  const uint64_t makespan = schedule.makespan;
  status = wb_work_offer_whole_witness(work, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, policy->name, "simulated schedule", WARPBOUND_LOWER, makespan);
  return status;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_work *work)
{
  return wb_result_witness(work->result) < work->result->upper.cycles &&
         wb_work_may_go_on(work, "simulation");
}

static warpbound_status find_schedules(struct wb_work *work)
{
  if (!wb_work_can_simulate(work))
    return WARPBOUND_OK;
  if (work->options->policy != NULL)
    return simulate(work, work->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(work); p++)
    status = simulate(work, &policies[p]);
  return status;
}

/* Where the user named no limit, states that fill much memory are only made for the method
 * `exact`: the bracket is mostly close before. */
static struct wb_control search_control(const struct wb_work *work)
{
  struct wb_control control = work->control;
  const warpbound_options *limits = &work->options->limits;
  if (limits->method == WARPBOUND_METHOD_AUTO && limits->time_limit <= 0 &&
      limits->memory_limit == 0)
    control.memory_limit = wb_minimum(control.memory_limit, UNASKED_SEARCH_BYTES);
  return control;
}

static void count_search(struct wb_work *work, const struct wb_sm_search *search, uint64_t memory,
                         bool last)
{
  struct wb_search_cost *cost = &work->result->search;
  cost->states += search->states;
  cost->peak_states = wb_maximum(cost->peak_states, search->states);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, search->bytes);
  if (search->stop != WB_STOP_MEMORY || last)
    wb_work_note_early_end(work, search->stop, "exact search");
  if (search->stop != WB_STOP_MEMORY || !last)
    return;
  wb_list_add(&work->result->notes,
              "exact search: stopped at the end of the %llu bytes for its states",
              (unsigned long long)memory / 2);
}

/* All states of the SM, all assignments of strings to warps, within `memory`. all: there are no
 * other strings; last: say why it ended early. *done: it has come to its end. */
static warpbound_status search_all(struct wb_work *work, bool all, uint64_t memory, bool last,
                                   bool *done)
{
  const struct wb_sm_problem *whole = &work->result->instance->whole;
  if (*done || !wb_work_is_open(work) || !wb_work_wants_search(work))
    return WARPBOUND_OK;
  if (!wb_sm_search_fits(whole)) {
    if (!last)
      return WARPBOUND_OK;
    work->result->stop = WB_STOP_MEMORY;
    wb_list_add(&work->result->notes,
                "exact search: left out, there are too many warps or instructions");
    return WARPBOUND_OK;
  }
  struct wb_sm_search search;
  struct wb_control control = search_control(work);
  control.memory_limit = wb_minimum(control.memory_limit, memory);
  warpbound_status status = wb_sm_search(whole, NULL, &control, &search, work->error);
  if (status != WARPBOUND_OK)
    return status;
  count_search(work, &search, control.memory_limit, last);
  *done = search.stop == WB_STOP_NONE;
  if (*done) {
    status = wb_work_add_bound(work, "exact-search", "all states of the SM",
                               all ? WARPBOUND_EXACT : WARPBOUND_LOWER, search.longest);
    if (status == WARPBOUND_OK)
      status = wb_work_offer_whole_witness(work, &search.witness, "exact-search");
  } else {
    wb_sm_schedule_free(&search.witness);
  }
  return status;
}

/* Long schedules by beams, within so many steps (0: no limit) and a share of the time. */
static warpbound_status search_beams(struct wb_work *work, uint64_t steps, double time_share)
{
  const struct wb_sm_problem *whole = &work->result->instance->whole;
  if (!wb_work_is_open(work) || !wb_sm_portfolio_fits(whole) || !wb_work_may_go_on(work, "beams"))
    return WARPBOUND_OK;
  const struct wb_control control = wb_control_limit_share(&work->control, time_share);
  const struct wb_sm_portfolio_options options = {
      .lower = work->result->lower.cycles, .upper = work->result->upper.cycles, .steps = steps};
  struct wb_sm_portfolio beams;
  warpbound_status status =
      wb_sm_portfolio_search(whole, NULL, &options, &control, &beams, work->error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_search_cost *cost = &work->result->search;
  cost->states += beams.states;
  cost->memory_bytes = wb_maximum(cost->memory_bytes, beams.bytes);
  if (beams.witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  status = wb_work_offer_whole_witness(work, &beams.witness, "beams");
  return status == WARPBOUND_OK ? wb_work_add_bound(work, "beams", "schedule of a beam search",
                                                    WARPBOUND_LOWER, beams.longest)
                                : status;
}

static warpbound_status search_beams_early(struct wb_work *work)
{
  if (work->options->limits.method == WARPBOUND_METHOD_ANNEAL)
    return WARPBOUND_OK;
  const bool limited =
      work->control.deadline > 0 && work->options->limits.method != WARPBOUND_METHOD_BOUNDS;
  return search_beams(work, EARLY_BEAM_STEPS, limited ? EARLY_BEAM_SHARE : 1);
}

static warpbound_status search_beams_late(struct wb_work *work)
{
  if (!wb_work_wants_search(work))
    return WARPBOUND_OK;
  return search_beams(work, work->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

static warpbound_status anneal(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  const struct wb_sm_problem *whole = &result->instance->whole;
  if (work->options->limits.method != WARPBOUND_METHOD_ANNEAL ||
      (!wb_work_is_open(work) && !work->options->anneal_closed) || !wb_sm_annealing_fits(whole) ||
      !wb_work_may_go_on(work, "annealing"))
    return WARPBOUND_OK;
  struct wb_sm_schedule witness = {0};
  warpbound_status status =
      wb_sm_annealing_search(whole, NULL, &work->options->annealing, result->upper.cycles,
                             &work->control, &result->annealing, &witness, work->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  wb_work_note_early_end(work, result->annealing.stop, "annealing");
  if (witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  const uint64_t makespan = witness.makespan;
  status = wb_work_offer_whole_witness(work, &witness, "annealing");
  return status == WARPBOUND_OK ? wb_work_add_bound(work, "annealing",
                                                    "schedule by annealing after ETFA 2013, on the "
                                                    "whole SM",
                                                    WARPBOUND_LOWER, makespan)
                                : status;
}

warpbound_status wb_work_search_whole(struct wb_work *work, bool all)
{
  bool done = false;
  warpbound_status status = search_all(work, all, QUICK_SEARCH_BYTES, false, &done);
  if (status == WARPBOUND_OK)
    status = search_beams_early(work);
  if (status == WARPBOUND_OK)
    status = search_all(work, all, UINT64_MAX, true, &done);
  if (status == WARPBOUND_OK)
    status = search_beams_late(work);
  return status == WARPBOUND_OK ? anneal(work) : status;
}

warpbound_status wb_work_run_whole(struct wb_work *work)
{
  warpbound_status status = refuse_what_is_of_a_partition(work);
  if (status == WARPBOUND_OK)
    status = bound_by_formulas(work);
  if (status == WARPBOUND_OK && !work->options->simulate_only && wb_work_has_phases(work))
    status = wb_work_add_up_phases(work);
  if (status == WARPBOUND_OK)
    status = find_schedules(work);
  if (status == WARPBOUND_OK && !work->options->simulate_only)
    status = wb_work_search_whole(work, true);
  return status;
}
