/* Searches: the dense table, the guided search, beams, annealing. */
#include "analysis/makespan/work.h"

#include "base/checked.h"
#include "makespan/annealing/annealing.h"
#include "makespan/beam/beam_portfolio.h"
#include "makespan/beam/wide_beam.h"
#include "makespan/exact/dense.h"
#include "makespan/exact/forward_search.h"
#include "makespan/exact/guided_search.h"

/* Steps of the beams (wide_beam.h), of which a processor does some 60 million a second:
 * all of the method `bounds`; for the others those before the searches that may close the
 * bracket, more of them where a time limit may let those searches leave nothing for later;
 * and those after them where no time limit ends the work. */
#define QUICK_BEAM_STEPS (UINT64_C(1) << 25)
#define QUICK_BEAM_SECONDS 0.6 /* with less they are narrower */
#define EARLY_BEAM_STEPS (UINT64_C(1) << 25)
#define EARLY_LIMITED_BEAM_STEPS (UINT64_C(1) << 26)
#define LATE_BEAM_STEPS (UINT64_C(1) << 28)
/* Share of what a time limit leaves for the early beams. */
#define EARLY_BEAM_SHARE 0.125

warpbound_status wb_work_search_dense(struct wb_work *work, uint64_t memory)
{
  if (work->dense_done || !wb_work_may_rise(work) || !wb_work_wants_search(work))
    return WARPBOUND_OK;
  struct wb_control control = work->control;
  control.memory_limit = memory;
  struct wb_search search;
  warpbound_status status =
      wb_dense_search(work->problem, work->closed_form, &control, &search, work->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_work_count_search(work, &search);
  if (search.stop != WB_STOP_MEMORY || memory == work->control.memory_limit)
    wb_work_note_stop(work, "exact search", &search, memory);
  if (search.stop == WB_STOP_NONE) {
    work->result->stop = WB_STOP_NONE;
    work->dense_done = true;
    bool whole = !wb_work_is_shared(work);
    if (whole)
      wb_known_exact(work->known, search.makespan, work->problem->warps, "exact-search");
    status = wb_work_add_bound(
        work, "exact-search",
        whole ? "all states of the machine" : "all states of one partition by itself",
        whole ? WARPBOUND_EXACT : WARPBOUND_LOWER, search.makespan[work->problem->warps]);
    if (status == WARPBOUND_OK)
      status = wb_work_offer_witness(work, &search.witness, "exact-search");
    if (status == WARPBOUND_OK && whole)
      status = wb_work_keep_plain_cut(work, true, search.makespan[work->problem->warps]);
  }
  wb_search_free(&search);
  return status;
}

static warpbound_status use_forward_search(struct wb_work *work, struct wb_forward_result *forward)
{
  struct wb_search_cost *cost = &work->result->search;
  cost->states += forward->states;
  cost->peak_states = wb_maximum(cost->peak_states, forward->states);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, forward->bytes);
  wb_work_note_early_end(work, forward->stop, "exact search");
  if (forward->stop == WB_STOP_MEMORY)
    wb_list_add(&work->result->notes,
                "exact search: stopped at the end of the %llu bytes for its states",
                (unsigned long long)work->control.memory_limit / 2);
  if (forward->stop != WB_STOP_NONE)
    return WARPBOUND_OK;
  warpbound_status status = wb_work_add_bound(
      work, "exact-search", "all fair states of the machine", WARPBOUND_EXACT, forward->longest);
  return status == WARPBOUND_OK ? wb_work_offer_witness(work, &forward->witness, "exact-search")
                                : status;
}

warpbound_status wb_work_search_forward(struct wb_work *work)
{
  if (!wb_work_is_open(work) || !wb_work_wants_search(work))
    return WARPBOUND_OK;
  if (!wb_forward_search_fits(work->problem)) {
    work->result->stop = WB_STOP_MEMORY;
    wb_list_add(&work->result->notes, "exact search: left out, it is for at most %u warps",
                WB_FORWARD_WARP_LIMIT);
    return WARPBOUND_OK;
  }
  struct wb_forward_result forward;
  warpbound_status status = wb_forward_search(work->problem, &work->control, &forward, work->error);
  if (status == WARPBOUND_OK)
    status = use_forward_search(work, &forward);
  wb_schedule_free(&forward.witness);
  return status;
}

static warpbound_status use_guided_search(struct wb_work *work, struct wb_guided_result *guided)
{
  const char *source = "all states that could be longer; " OUR_PROOF;
  warpbound_status status = WARPBOUND_OK;
  if (guided->runs_cycles != UINT64_MAX)
    status = wb_work_add_bound(work, "run-abstraction", "longest path over runs; " OUR_PROOF,
                               WARPBOUND_UPPER, guided->runs_cycles);
  bool closed = guided->lower == guided->upper;
  if (status == WARPBOUND_OK && guided->witness.issue_cycle != NULL) {
    status = wb_work_offer_witness(work, &guided->witness, "guided-search");
    if (status == WARPBOUND_OK && !closed)
      status = wb_work_add_bound(work, "guided-search", "schedule of a beam search",
                                 WARPBOUND_LOWER, guided->lower);
  }
  if (status == WARPBOUND_OK && closed)
    status = wb_work_add_bound(work, "guided-search", source, WARPBOUND_EXACT, guided->upper);
  else if (status == WARPBOUND_OK && guided->from_above != NULL)
    status = wb_work_add_bound(work, "guided-search", "run abstraction of a finer cut; " OUR_PROOF,
                               WARPBOUND_UPPER, guided->upper);
  return status;
}

/* What the guided search finds for fewer warps on its way. */
static warpbound_status learn_fewer(void *context, uint32_t warps, uint64_t upper,
                                    struct wb_schedule *schedule, warpbound_error *error)
{
  struct wb_work *work = context;
  struct wb_problem fewer = *work->problem;
  fewer.warps = warps;
  warpbound_status status = WARPBOUND_OK;
  if (schedule->issue_cycle != NULL) {
    status = wb_work_check_schedule(work, &fewer, schedule, "guided-search");
    wb_known_lower(work->known, warps, schedule->makespan, "guided-search");
  }
  wb_known_run(work->known, warps, upper, "run-abstraction");
  wb_schedule_free(schedule);
  (void)error; /* the analysis keeps its own */
  return status;
}

bool wb_work_will_guide(struct wb_work *work)
{
  return !wb_work_is_shared(work) && wb_work_is_open(work) && wb_work_wants_search(work) &&
         wb_guided_search_fits(work->problem, work->result->upper.cycles,
                               work->control.memory_limit);
}

static bool is_open_for(void *context, uint32_t warps)
{
  const struct wb_work *work = context;
  const struct wb_known_bound *known = &work->known->of[warps];
  return known->exact == 0 && (known->upper == 0 || known->lower < known->upper);
}

warpbound_status wb_work_search_guided(struct wb_work *work)
{
  if (!wb_work_will_guide(work))
    return WARPBOUND_OK;
  struct wb_guided_result guided = {.lower = work->result->lower.cycles,
                                    .upper = work->result->upper.cycles,
                                    .runs_known = work->recalled_runs};
  const struct wb_guided_series series = {.fewest = work->options->fewest,
                                          .is_open = is_open_for,
                                          .offer = learn_fewer,
                                          .context = work};
  warpbound_status status =
      wb_guided_search(work->problem, work->options->known != NULL ? &series : NULL, &work->control,
                       &guided, work->error);
  if (status == WARPBOUND_OK) {
    const struct wb_search search = {
        .stop = guided.stop, .needed = guided.bytes, .states = guided.states};
    wb_work_count_search(work, &search);
    work->result->search.peak_states = wb_maximum(work->result->search.peak_states, guided.peak);
    if (guided.stop == WB_STOP_MEMORY)
      wb_list_add(&work->result->notes,
                  "guided search: the bracket is open at the end of the %llu bytes for its states",
                  (unsigned long long)work->control.memory_limit / 2);
    wb_work_note_early_end(work, guided.stop, "guided search");
    status = use_guided_search(work, &guided);
    wb_work_keep_cut(work, guided.cut, guided.cut_count, guided.upper);
    guided.cut = NULL;
  }
  wb_guided_result_free(&guided);
  return status;
}

static warpbound_status use_beams(struct wb_work *work, struct wb_portfolio_result *beams)
{
  struct wb_search_cost *cost = &work->result->search;
  cost->states += beams->states;
  cost->peak_states = wb_maximum(cost->peak_states, beams->peak);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, beams->bytes);
  if (beams->witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_work_offer_witness(work, &beams->witness, "wide-beam");
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "wide-beam", "schedule of a beam search", WARPBOUND_LOWER,
                               beams->longest);
  return status;
}

/* Long schedules by beams, within so many steps (0: no limit) and a share of the time. */
static warpbound_status search_beams(struct wb_work *work, uint64_t steps, double time_share)
{
  if (work->options->simulate_only || work->dense_done || !wb_work_may_rise(work) ||
      !wb_wide_beam_fits(work->problem) || !wb_work_may_go_on(work, "wide beam"))
    return WARPBOUND_OK;
  struct wb_control control = wb_control_limit_share(&work->control, time_share);
  control.over = work->closed;
  struct wb_portfolio_options options = {
      .lower = work->result->lower.cycles, .upper = work->result->upper.cycles, .steps = steps};
  struct wb_portfolio_result beams;
  warpbound_status status =
      wb_beam_portfolio(work->problem, &options, &control, &beams, work->error);
  if (status != WARPBOUND_OK)
    return status;
  status = use_beams(work, &beams);
  if (wb_work_is_open(work))
    (void)wb_work_may_go_on(work, "wide beam"); /* notes where the whole time is over */
  return status;
}

warpbound_status wb_work_search_beams_quick(struct wb_work *work)
{
  work->cut_short = work->cut_short || (work->control.deadline > 0 && wb_work_may_rise(work) &&
                                        work->control.deadline - wb_clock() < QUICK_BEAM_SECONDS);
  return search_beams(work, QUICK_BEAM_STEPS, 1);
}

warpbound_status wb_work_search_beams_early(struct wb_work *work)
{
  /* Beams under a table have been at what was recalled. */
  if (work->options->limits.method == WARPBOUND_METHOD_ANNEAL ||
      (work->recalled_runs && wb_work_wants_search(work)))
    return WARPBOUND_OK;
  if (work->options->limits.method == WARPBOUND_METHOD_BOUNDS)
    return wb_work_search_beams_quick(work);
  if (work->control.deadline > 0)
    return search_beams(work, EARLY_LIMITED_BEAM_STEPS, EARLY_BEAM_SHARE);
  return search_beams(work, EARLY_BEAM_STEPS, 1);
}

warpbound_status wb_work_search_beams_late(struct wb_work *work)
{
  if (!wb_work_wants_search(work) || work->recalled_runs)
    return WARPBOUND_OK;
  return search_beams(work, work->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

/* What annealing found: the lower end and the witness are its own also where another's
 * are as long, for its were asked for. */
static warpbound_status use_annealing(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  struct wb_annealing_result *annealing = &result->annealing;
  if (annealing->witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  uint64_t makespan = annealing->witness.makespan;
  if (makespan == result->witness.makespan)
    wb_schedule_free(&result->witness);
  warpbound_status status = wb_work_offer_witness(work, &annealing->witness, "annealing");
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, "annealing",
                               annealing->variant == WB_ANNEALING_PUBLISHED
                                   ? "schedule by annealing as published (ETFA 2013)"
                                   : "schedule by annealing after ETFA 2013, windowed",
                               WARPBOUND_LOWER, makespan);
  if (status == WARPBOUND_OK && makespan == result->lower.cycles)
    result->lower = result->bounds.items[result->bounds.count - 1].bound;
  return status;
}

warpbound_status wb_work_anneal(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  if (work->options->limits.method != WARPBOUND_METHOD_ANNEAL || work->options->simulate_only ||
      (!wb_work_may_rise(work) && !work->options->anneal_closed) ||
      !wb_work_may_go_on(work, "annealing"))
    return WARPBOUND_OK;
  struct wb_annealing_options options = work->options->annealing;
  options.guide_memory = wb_work_is_shared(work) ? 0
                                                 : wb_minimum(wb_work_run_table_memory(work),
                                                              work->control.memory_limit / 2);
  warpbound_status status = wb_annealing_search(work->problem, &options, result->upper.cycles,
                                                &work->control, &result->annealing, work->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  wb_work_note_early_end(work, result->annealing.stop, "annealing");
  if (result->annealing.stop == WB_STOP_MEMORY)
    wb_list_add(&result->notes,
                "annealing: left out, %u warps of %zu instructions do not fit into the %llu bytes "
                "allowed",
                work->problem->warps, work->problem->string.length,
                (unsigned long long)work->control.memory_limit / 2);
  return use_annealing(work);
}

/* Where formulas and schedules alone have closed the bracket no table is made for the literature's
 * sake, unless it was asked for. */
static bool wants_fewer_warps(struct wb_work *work)
{
  bool searched = wb_work_is_open(work) || work->result->search.states > 0;
  return !wb_work_is_shared(work) && work->known->of[work->problem->warps - 1].exact == 0 &&
         (searched || work->options->fewer_warps) && wb_work_wants_search(work);
}

warpbound_status wb_work_search_fewer_warps(struct wb_work *work)
{
  if (!wants_fewer_warps(work))
    return WARPBOUND_OK;
  struct wb_control control = work->control;
  control.memory_limit = wb_minimum(control.memory_limit, SMALL_TABLE_BYTES);
  for (uint32_t y = (uint32_t)wb_minimum(work->problem->warps - 1, 64); y > 1; y--) {
    struct wb_problem fewer = *work->problem;
    fewer.warps = y;
    struct wb_search search;
    warpbound_status status =
        wb_dense_search(&fewer, work->closed_form, &control, &search, work->error);
    if (status != WARPBOUND_OK)
      return status;
    bool fits = search.stop != WB_STOP_MEMORY;
    wb_work_count_search(work, &search);
    if (search.stop == WB_STOP_NONE)
      wb_known_exact(work->known, search.makespan, y, "exact-search");
    else if (fits)
      wb_work_note_early_end(work, search.stop, "exact search of fewer warps");
    wb_search_free(&search);
    if (fits)
      return WARPBOUND_OK;
  }
  return WARPBOUND_OK;
}
