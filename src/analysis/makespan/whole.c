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

bool wb_work_is_whole(const struct wb_work *a)
{
  const struct wb_instance *instance = a->result->instance;
  const bool barriers = instance->kernel.count[WB_UNIT_BARRIER] > 0;
  const bool shared = wb_work_is_shared(a) && a->options->limits.method != WARPBOUND_METHOD_ILP;
  return barriers || shared || instance->whole.string_count > 1;
}

static warpbound_status refuse_what_is_of_a_partition(const struct wb_work *a)
{
  if (wb_problem_fair(a->problem))
    return wb_fail(a->error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a string without barriers (B)");
  if (a->options->limits.method == WARPBOUND_METHOD_ILP)
    return wb_fail(
        a->error, WARPBOUND_USAGE,
        "the integer program of ECRTS 2012 has no barriers: expected a string without B");
  return WARPBOUND_OK;
}

static warpbound_status bound_by_formulas(struct wb_work *a)
{
  struct wb_sm_bounds bounds;
  warpbound_status status = wb_sm_bounds_find(&a->result->instance->whole, &bounds, a->error);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, "closed-form", "after Graham 1966 and Jaffe 1980; " WHOLE_PROOF,
                               WARPBOUND_UPPER, bounds.closed_form);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, "serial", "W * I: some warp issues in every cycle",
                               WARPBOUND_UPPER, bounds.serial);
  if (status == WARPBOUND_OK && bounds.phases > 0)
    status = wb_work_add_bound(a, "closed-forms of phases",
                               "the sum over the phases between barriers; " WHOLE_PROOF,
                               WARPBOUND_UPPER, bounds.phases);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, "volume", "work over capacity: every schedule takes it",
                               WARPBOUND_LOWER, bounds.lower);
  return status;
}

/* One policy on the whole SM, all warps on the first path. */
static warpbound_status simulate(struct wb_work *a, const struct wb_policy *policy)
{
  struct wb_sm_schedule schedule;
  enum wb_stop stop;
  warpbound_status status = wb_sm_simulate(policy, &a->result->instance->whole, NULL, &a->control,
                                           &schedule, &stop, a->error);
  wb_work_note_early_end(a, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  const uint64_t makespan = schedule.makespan;
  status = wb_work_offer_whole_witness(a, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, policy->name, "simulated schedule", WARPBOUND_LOWER, makespan);
  return status;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_work *a)
{
  return wb_result_witness(a->result) < a->result->upper.cycles &&
         wb_work_may_go_on(a, "simulation");
}

static warpbound_status find_schedules(struct wb_work *a)
{
  if (!wb_work_can_simulate(a))
    return WARPBOUND_OK;
  if (a->options->policy != NULL)
    return simulate(a, a->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(a); p++)
    status = simulate(a, &policies[p]);
  return status;
}

/* Where the user named no limit, states that fill much memory are only made for the method
 * `exact`: the bracket is mostly close before. */
static struct wb_control search_control(const struct wb_work *a)
{
  struct wb_control control = a->control;
  const warpbound_options *limits = &a->options->limits;
  if (limits->method == WARPBOUND_METHOD_AUTO && limits->time_limit <= 0 &&
      limits->memory_limit == 0)
    control.memory_limit = wb_minimum(control.memory_limit, UNASKED_SEARCH_BYTES);
  return control;
}

static void count_search(struct wb_work *a, const struct wb_sm_search *search, uint64_t memory,
                         bool last)
{
  struct wb_search_cost *cost = &a->result->search;
  cost->states += search->states;
  cost->peak_states = wb_maximum(cost->peak_states, search->states);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, search->bytes);
  if (search->stop != WB_STOP_MEMORY || last)
    wb_work_note_early_end(a, search->stop, "exact search");
  if (search->stop != WB_STOP_MEMORY || !last)
    return;
  wb_list_add(&a->result->notes,
              "exact search: stopped at the end of the %llu bytes for its states",
              (unsigned long long)memory / 2);
}

/* All states of the SM, all assignments of strings to warps, within `memory`. all: there are no
 * other strings; last: say why it ended early. *done: it has come to its end. */
static warpbound_status search_all(struct wb_work *a, bool all, uint64_t memory, bool last,
                                   bool *done)
{
  const struct wb_sm_problem *whole = &a->result->instance->whole;
  if (*done || !wb_work_is_open(a) || !wb_work_wants_search(a))
    return WARPBOUND_OK;
  if (!wb_sm_search_fits(whole)) {
    if (!last)
      return WARPBOUND_OK;
    a->result->stop = WB_STOP_MEMORY;
    wb_list_add(&a->result->notes,
                "exact search: left out, there are too many warps or instructions");
    return WARPBOUND_OK;
  }
  struct wb_sm_search search;
  struct wb_control control = search_control(a);
  control.memory_limit = wb_minimum(control.memory_limit, memory);
  warpbound_status status = wb_sm_search(whole, NULL, &control, &search, a->error);
  if (status != WARPBOUND_OK)
    return status;
  count_search(a, &search, control.memory_limit, last);
  *done = search.stop == WB_STOP_NONE;
  if (*done) {
    status = wb_work_add_bound(a, "exact-search", "all states of the SM",
                               all ? WARPBOUND_EXACT : WARPBOUND_LOWER, search.longest);
    if (status == WARPBOUND_OK)
      status = wb_work_offer_whole_witness(a, &search.witness, "exact-search");
  } else {
    wb_sm_schedule_free(&search.witness);
  }
  return status;
}

/* Long schedules by beams, within so many steps (0: no limit) and a share of the time. */
static warpbound_status search_beams(struct wb_work *a, uint64_t steps, double time_share)
{
  const struct wb_sm_problem *whole = &a->result->instance->whole;
  if (!wb_work_is_open(a) || !wb_sm_portfolio_fits(whole) || !wb_work_may_go_on(a, "beams"))
    return WARPBOUND_OK;
  const struct wb_control control = wb_control_limit_share(&a->control, time_share);
  const struct wb_sm_portfolio_options options = {
      .lower = a->result->lower.cycles, .upper = a->result->upper.cycles, .work = steps};
  struct wb_sm_portfolio beams;
  warpbound_status status =
      wb_sm_portfolio_search(whole, NULL, &options, &control, &beams, a->error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_search_cost *cost = &a->result->search;
  cost->states += beams.states;
  cost->memory_bytes = wb_maximum(cost->memory_bytes, beams.bytes);
  if (beams.witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  status = wb_work_offer_whole_witness(a, &beams.witness, "beams");
  return status == WARPBOUND_OK ? wb_work_add_bound(a, "beams", "schedule of a beam search",
                                                    WARPBOUND_LOWER, beams.longest)
                                : status;
}

static warpbound_status search_beams_early(struct wb_work *a)
{
  if (a->options->limits.method == WARPBOUND_METHOD_ANNEAL)
    return WARPBOUND_OK;
  const bool limited =
      a->control.deadline > 0 && a->options->limits.method != WARPBOUND_METHOD_BOUNDS;
  return search_beams(a, EARLY_BEAM_STEPS, limited ? EARLY_BEAM_SHARE : 1);
}

static warpbound_status search_beams_late(struct wb_work *a)
{
  if (!wb_work_wants_search(a))
    return WARPBOUND_OK;
  return search_beams(a, a->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

static warpbound_status anneal(struct wb_work *a)
{
  struct warpbound_result *result = a->result;
  const struct wb_sm_problem *whole = &result->instance->whole;
  if (a->options->limits.method != WARPBOUND_METHOD_ANNEAL ||
      (!wb_work_is_open(a) && !a->options->anneal_closed) || !wb_sm_annealing_fits(whole) ||
      !wb_work_may_go_on(a, "annealing"))
    return WARPBOUND_OK;
  struct wb_sm_schedule witness = {0};
  warpbound_status status =
      wb_sm_annealing_search(whole, NULL, &a->options->annealing, result->upper.cycles, &a->control,
                             &result->annealing, &witness, a->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  wb_work_note_early_end(a, result->annealing.stop, "annealing");
  if (witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  const uint64_t makespan = witness.makespan;
  status = wb_work_offer_whole_witness(a, &witness, "annealing");
  return status == WARPBOUND_OK ? wb_work_add_bound(a, "annealing",
                                                    "schedule by annealing after ETFA 2013, on the "
                                                    "whole SM",
                                                    WARPBOUND_LOWER, makespan)
                                : status;
}

warpbound_status wb_work_search_whole(struct wb_work *a, bool all)
{
  bool done = false;
  warpbound_status status = search_all(a, all, QUICK_SEARCH_BYTES, false, &done);
  if (status == WARPBOUND_OK)
    status = search_beams_early(a);
  if (status == WARPBOUND_OK)
    status = search_all(a, all, UINT64_MAX, true, &done);
  if (status == WARPBOUND_OK)
    status = search_beams_late(a);
  return status == WARPBOUND_OK ? anneal(a) : status;
}

warpbound_status wb_work_run_whole(struct wb_work *a)
{
  warpbound_status status = refuse_what_is_of_a_partition(a);
  if (status == WARPBOUND_OK)
    status = bound_by_formulas(a);
  if (status == WARPBOUND_OK && !a->options->simulate_only && wb_work_has_phases(a))
    status = wb_work_add_up_phases(a);
  if (status == WARPBOUND_OK)
    status = find_schedules(a);
  if (status == WARPBOUND_OK && !a->options->simulate_only)
    status = wb_work_search_whole(a, true);
  return status;
}
