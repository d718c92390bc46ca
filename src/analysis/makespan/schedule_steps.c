/* Steps that make lower ends: schedules by policies, templates and searches, checked. */
#include "analysis/makespan/makespan_steps.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/schedule/schedule_claim.h"
#include "makespan/annealing/annealing.h"
#include "makespan/beam/beam_portfolio.h"
#include "makespan/beam/wide_beam.h"
#include "makespan/exact/dense_search.h"
#include "makespan/exact/forward_search.h"
#include "makespan/exact/guided_search.h"
#include "makespan/machine/precedence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- simulated policies, templates, and checked witnesses ---- */

/* Most steps of a simulation (cycles times warps, whatever the speed of the computer): within the
 * method `bounds`, and within others. */
#define QUICK_SIMULATION_STEPS (UINT64_C(1) << 23)
#define FULL_SIMULATION_STEPS (UINT64_C(1) << 29)

warpbound_status wb_makespan_check_schedule(const struct wb_makespan_analysis *analysis,
                                            const struct wb_problem *problem,
                                            const struct wb_schedule *schedule, const char *method)
{
  warpbound_error refusal = {0};
  const warpbound_status verdict =
      problem != NULL
          ? wb_judge_schedule(problem, schedule, &refusal)
          : wb_judge_whole_schedule(&analysis->result->instance->whole, schedule, &refusal);
  if (verdict == WARPBOUND_CHECK_FAILED)
    return wb_fail(analysis->error, WARPBOUND_INTERNAL,
                   "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                   method, refusal.message);
  return verdict == WARPBOUND_OK ? verdict : wb_out_of_memory(analysis->error);
}

warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method,
                                           const char *source)
{
  struct warpbound_result *result = analysis->result;
  const bool whole = wb_makespan_is_whole_sm(analysis);
  struct wb_schedule *best = whole ? &result->whole_witness : &result->witness;
  const uint64_t makespan = schedule->makespan;
  const warpbound_status status =
      wb_makespan_check_schedule(analysis, whole ? NULL : analysis->problem, schedule, method);
  if (status == WARPBOUND_OK && makespan > best->makespan) {
    wb_schedule_swap(schedule, best);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  if (status == WARPBOUND_OK && source != NULL)
    wb_makespan_add_bound(analysis, method, source, WARPBOUND_LOWER, makespan);
  return status;
}

warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  const warpbound_status status =
      wb_makespan_is_whole_sm(analysis)
          ? wb_sm_simulate(policy, &analysis->result->instance->whole, NULL, &analysis->control,
                           &schedule, &stop, analysis->error)
          : wb_policy_simulate(policy, analysis->problem, &analysis->control, &schedule, &stop,
                               analysis->error);
  wb_makespan_note_early_end(analysis, stop, policy->name);
  return status == WARPBOUND_OK && stop == WB_STOP_NONE
             ? wb_makespan_offer_witness(analysis, &schedule, policy->name, "simulated schedule")
             : status;
}

static warpbound_status evaluate_template(struct wb_makespan_analysis *analysis,
                                          enum wb_template template)
{
  size_t entries = analysis->problem->warps * analysis->problem->string.length;
  uint32_t *order = wb_allocate(entries, sizeof *order);
  if (order == NULL)
    return wb_out_of_memory(analysis->error);
  struct wb_schedule schedule = {0};
  warpbound_error cause;
  warpbound_status status =
      wb_template_fill(template, analysis->problem, &analysis->control, order, &cause);
  if (status == WARPBOUND_OK)
    status = wb_precedence_evaluate(analysis->problem, order, &schedule, &cause);
  free(order);
  if (status == WARPBOUND_LIMIT) { /* stopped: the next step notices why */
    (void)wb_makespan_may_go_on(analysis, wb_template_name(template));
    return WARPBOUND_OK;
  }
  if (status != WARPBOUND_OK)
    return wb_fail_with(analysis->error, &cause);
  return wb_makespan_offer_witness(analysis, &schedule, wb_template_name(template),
                                   "ETFA 2013, initial solution; evaluated as in figure 4");
}

/* Whether a simulation fits into a schedule's memory and so many steps. */
static bool simulation_fits(const struct wb_makespan_analysis *analysis, uint64_t limit)
{
  uint64_t entries, steps;
  return wb_multiply(analysis->problem->warps, analysis->problem->string.length, &entries) &&
         entries <= WB_SCHEDULE_LIMIT &&
         wb_multiply(analysis->result->upper.cycles, analysis->problem->warps, &steps) &&
         (steps <= limit || analysis->options->simulate_only);
}

bool wb_makespan_simulates_quickly(const struct wb_makespan_analysis *analysis)
{
  return simulation_fits(analysis, QUICK_SIMULATION_STEPS);
}

bool wb_makespan_can_simulate(struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  bool quick = method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ILP;
  bool fits = simulation_fits(analysis, quick ? QUICK_SIMULATION_STEPS : FULL_SIMULATION_STEPS);
  if (!fits)
    wb_list_add(&analysis->result->notes,
                "no schedule was simulated: %u warps of %zu instructions are "
                "more than the method's budget",
                analysis->problem->warps, analysis->problem->string.length);
  return fits;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_makespan_analysis *analysis)
{
  const uint64_t alone = wb_makespan_is_whole_sm(analysis) ? UINT64_MAX : analysis->alone;
  return wb_result_witness(analysis->result) < wb_minimum(analysis->result->upper.cycles, alone) &&
         wb_makespan_may_go_on(analysis, "simulation");
}

warpbound_status wb_makespan_find_schedules(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_can_simulate(analysis))
    return WARPBOUND_OK;
  if (analysis->options->policy != NULL)
    return wb_makespan_simulate(analysis, analysis->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(analysis); p++)
    status = wb_makespan_simulate(analysis, &policies[p]);
  const bool templates = !analysis->options->simulate_only && !wb_makespan_is_whole_sm(analysis);
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(analysis);
       t++)
    status = evaluate_template(analysis, (enum wb_template)t);
  return status;
}

/* The claim of a schedule, in the form of the checker. The arena owns its arrays. */
struct claim {
  struct wb_check_schedule_claim claim;
  struct wb_check_schedule_string *strings;
  const uint32_t **cycles;
  size_t *counts;
  struct wb_arena arena;
};

static bool make_claim(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                       struct claim *made)
{
  struct wb_arena *arena = &made->arena;
  *made = (struct claim){0};
  made->strings = wb_arena_allocate(arena, problem->string_count, sizeof *made->strings);
  made->cycles = wb_arena_allocate(arena, schedule->warps, sizeof *made->cycles);
  made->counts = wb_arena_allocate(arena, schedule->warps, sizeof *made->counts);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    char *letters = wb_arena_allocate(arena, string->length, sizeof *letters);
    made->strings[s] = (struct wb_check_schedule_string){letters, string->length};
    for (size_t r = 0; r < string->run_count && letters != NULL; r++) {
      memset(letters, wb_unit_letter(string->runs[r].unit), string->runs[r].length);
      letters += string->runs[r].length;
    }
  }
  if (arena->failed)
    return false;
  for (uint32_t w = 0; w < schedule->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + schedule->first[w];
    made->counts[w] = schedule->first[w + 1] - schedule->first[w];
  }
  made->claim = (struct wb_check_schedule_claim){
      .strings = made->strings,
      .string_count = problem->string_count,
      .string_of = schedule->string_of,
      .issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots,
      .warps = schedule->warps,
      .blocks = problem->blocks,
      .partitions = problem->partitions,
      .cycles = made->cycles,
      .counts = made->counts,
      .fair_first = problem->fair.first,
      .fair_length = problem->fair.length,
      .fair_count = problem->fair.count};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    made->claim.capacity[u] = problem->capacity[u];
    made->claim.shared[u] = problem->shared[u];
  }
  return true;
}

warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_schedule *schedule,
                                         warpbound_error *refusal)
{
  struct claim claim;
  uint64_t makespan = 0;
  warpbound_status status = make_claim(problem, schedule, &claim)
                                ? wb_check_schedule(&claim.claim, &makespan, refusal)
                                : wb_out_of_memory(refusal);
  if (status != WARPBOUND_OK && status != WARPBOUND_INTERNAL)
    status = WARPBOUND_CHECK_FAILED;
  if (status == WARPBOUND_OK && makespan != schedule->makespan)
    status = wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another makespan");
  wb_arena_free(&claim.arena);
  return status;
}

warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  return wb_judge_whole_schedule(&wide.whole, schedule, refusal);
}

/* ---- searches: all states, guided, beams, annealing ---- */

/* Steps of the beams (wide_beam.h); a processor does some 60 million of them a second. */
#define QUICK_BEAM_STEPS (UINT64_C(1) << 25) /* of the method `bounds` */
#define QUICK_BEAM_SECONDS 0.6               /* with less time these are cut short */
#define EARLY_BEAM_STEPS (UINT64_C(1) << 25) /* before the searches that may close the bracket */
#define EARLY_LIMITED_BEAM_STEPS                                                                   \
  (UINT64_C(1) << 26)                       /* the same under a time limit, which may leave        \
                                               nothing for later beams */
#define LATE_BEAM_STEPS (UINT64_C(1) << 28) /* after those searches, without a time limit */
/* The early beams' share of the time that a time limit leaves. */
#define EARLY_BEAM_SHARE 0.125

warpbound_status wb_makespan_search_dense(struct wb_makespan_analysis *analysis, uint64_t memory)
{
  if (analysis->search_done || !wb_makespan_may_rise(analysis) ||
      !wb_makespan_wants_search(analysis))
    return WARPBOUND_OK;
  struct wb_control control = analysis->control;
  control.memory_limit = memory;
  struct wb_search search;
  warpbound_status status =
      wb_dense_search(analysis->problem, analysis->closed_form, &control, &search, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_count_table(analysis, &search);
  if (search.stop != WB_STOP_MEMORY || memory == analysis->control.memory_limit)
    wb_makespan_note_stop(analysis, "exact search", &search, memory);
  if (search.stop == WB_STOP_NONE) {
    analysis->result->stop = WB_STOP_NONE;
    analysis->search_done = true;
    bool whole = !wb_makespan_is_shared(analysis);
    if (whole)
      wb_warp_count_table_add_exact(analysis->warp_counts, search.makespan,
                                    analysis->problem->warps, "exact-search");
    wb_makespan_add_bound(
        analysis, "exact-search",
        whole ? "all states of the machine" : "all states of one partition by itself",
        whole ? WARPBOUND_EXACT : WARPBOUND_LOWER, search.makespan[analysis->problem->warps]);
    status = wb_makespan_offer_witness(analysis, &search.witness, "exact-search", NULL);
    if (status == WARPBOUND_OK && whole)
      status =
          wb_makespan_keep_plain_cut(analysis, true, search.makespan[analysis->problem->warps]);
  }
  wb_search_free(&search);
  return status;
}

warpbound_status wb_makespan_search_forward(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_is_open(analysis) || !wb_makespan_wants_search(analysis))
    return WARPBOUND_OK;
  if (!wb_forward_search_fits(analysis->problem)) {
    analysis->result->stop = WB_STOP_MEMORY;
    wb_list_add(&analysis->result->notes, "exact search: left out, it is for at most %u warps",
                WB_FORWARD_WARP_LIMIT);
    return WARPBOUND_OK;
  }
  struct wb_forward_result forward;
  warpbound_status status =
      wb_forward_search(analysis->problem, &analysis->control, &forward, analysis->error);
  if (status == WARPBOUND_OK) {
    wb_makespan_count_search(analysis, forward.states, forward.states, forward.bytes);
    wb_makespan_note_early_end(analysis, forward.stop, "exact search");
    if (forward.stop == WB_STOP_MEMORY)
      wb_list_add(&analysis->result->notes,
                  "exact search: stopped at the end of the %" PRIu64 " bytes for its states",
                  analysis->control.memory_limit / 2);
  }
  if (status == WARPBOUND_OK && forward.stop == WB_STOP_NONE) {
    wb_makespan_add_bound(analysis, "exact-search", "all fair states of the machine",
                          WARPBOUND_EXACT, forward.longest);
    status = wb_makespan_offer_witness(analysis, &forward.witness, "exact-search", NULL);
  }
  wb_schedule_free(&forward.witness);
  return status;
}

static warpbound_status use_guided_search(struct wb_makespan_analysis *analysis,
                                          struct wb_guided_result *guided)
{
  const bool closed = guided->lower == guided->upper;
  const bool witnessed = guided->witness.issue_cycle != NULL;
  warpbound_status status = WARPBOUND_OK;
  if (guided->runs_cycles != UINT64_MAX)
    wb_makespan_add_bound(analysis, "run-abstraction", "longest path over runs; " OUR_PROOF,
                          WARPBOUND_UPPER, guided->runs_cycles);
  if (witnessed)
    status = wb_makespan_offer_witness(analysis, &guided->witness, "guided-search", NULL);
  if (status != WARPBOUND_OK)
    return status;
  if (closed)
    wb_makespan_add_bound(analysis, "guided-search", "all states that could be longer; " OUR_PROOF,
                          WARPBOUND_EXACT, guided->upper);
  if (witnessed && !closed)
    wb_makespan_add_bound(analysis, "guided-search", "schedule of a beam search", WARPBOUND_LOWER,
                          guided->lower);
  if (guided->from_above != NULL && !closed)
    wb_makespan_add_bound(analysis, "guided-search", "run abstraction of a finer cut; " OUR_PROOF,
                          WARPBOUND_UPPER, guided->upper);
  return WARPBOUND_OK;
}

/* Takes the results of the guided search for fewer warps over. */
static warpbound_status learn_fewer(void *context, uint32_t warps, uint64_t upper,
                                    struct wb_schedule *schedule, warpbound_error *error)
{
  struct wb_makespan_analysis *analysis = context;
  struct wb_problem fewer = *analysis->problem;
  fewer.warps = warps;
  warpbound_status status = WARPBOUND_OK;
  if (schedule->issue_cycle != NULL) {
    status = wb_makespan_check_schedule(analysis, &fewer, schedule, "guided-search");
    wb_warp_count_table_add_lower(analysis->warp_counts, warps, schedule->makespan,
                                  "guided-search");
  }
  wb_warp_count_table_add_run_bound(analysis->warp_counts, warps, upper, "run-abstraction");
  wb_schedule_free(schedule);
  (void)error; /* the analysis keeps its own */
  return status;
}

bool wb_makespan_will_guide(struct wb_makespan_analysis *analysis)
{
  return !wb_makespan_is_shared(analysis) && wb_makespan_is_open(analysis) &&
         wb_makespan_wants_search(analysis) &&
         wb_guided_search_fits(analysis->problem, analysis->result->upper.cycles,
                               analysis->control.memory_limit);
}

static bool is_open_for(void *context, uint32_t warps)
{
  const struct wb_makespan_analysis *analysis = context;
  const struct wb_warp_count_row *known = &analysis->warp_counts->of[warps];
  return known->exact == 0 && (known->upper == 0 || known->lower < known->upper);
}

warpbound_status wb_makespan_search_guided(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_will_guide(analysis))
    return WARPBOUND_OK;
  struct wb_guided_result guided = {.lower = analysis->result->lower.cycles,
                                    .upper = analysis->result->upper.cycles,
                                    .runs_known = analysis->recalled_runs};
  const struct wb_guided_series series = {.fewest = analysis->options->fewest,
                                          .is_open = is_open_for,
                                          .offer = learn_fewer,
                                          .context = analysis};
  warpbound_status status =
      wb_guided_search(analysis->problem, analysis->options->warp_counts != NULL ? &series : NULL,
                       &analysis->control, &guided, analysis->error);
  if (status == WARPBOUND_OK) {
    wb_makespan_count_search(analysis, guided.states, wb_maximum(guided.states, guided.peak),
                             guided.states > 0 ? guided.bytes : 0);
    if (guided.stop == WB_STOP_MEMORY)
      wb_list_add(&analysis->result->notes,
                  "guided search: the bracket is open at the end of the %" PRIu64
                  " bytes for its states",
                  analysis->control.memory_limit / 2);
    wb_makespan_note_early_end(analysis, guided.stop, "guided search");
    status = use_guided_search(analysis, &guided);
    wb_makespan_keep_cut(analysis, guided.cut, guided.cut_count, guided.upper);
    guided.cut = NULL;
  }
  wb_guided_result_free(&guided);
  return status;
}

/* Searches long schedules by beams. steps: 0: no limit; time_share: of the time that is left. */
static warpbound_status search_beams(struct wb_makespan_analysis *analysis, uint64_t steps,
                                     double time_share)
{
  if (analysis->options->simulate_only || analysis->search_done ||
      !wb_makespan_may_rise(analysis) || !wb_wide_beam_fits(analysis->problem) ||
      !wb_makespan_may_go_on(analysis, "wide beam"))
    return WARPBOUND_OK;
  struct wb_control control = wb_control_limit_share(&analysis->control, time_share);
  control.over = analysis->closed;
  struct wb_portfolio_options options = {.lower = analysis->result->lower.cycles,
                                         .upper = analysis->result->upper.cycles,
                                         .steps = steps};
  struct wb_portfolio_result beams;
  warpbound_status status =
      wb_beam_portfolio(analysis->problem, &options, &control, &beams, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_makespan_count_search(analysis, beams.states, beams.peak, beams.bytes);
  if (beams.witness.issue_cycle != NULL)
    status = wb_makespan_offer_witness(analysis, &beams.witness, "wide-beam",
                                       "schedule of a beam search");
  if (wb_makespan_is_open(analysis))
    (void)wb_makespan_may_go_on(analysis, "wide beam"); /* notes where the whole time is over */
  return status;
}

warpbound_status wb_makespan_search_beams_quick(struct wb_makespan_analysis *analysis)
{
  analysis->cut_short =
      analysis->cut_short || (analysis->control.deadline > 0 && wb_makespan_may_rise(analysis) &&
                              analysis->control.deadline - wb_clock() < QUICK_BEAM_SECONDS);
  return search_beams(analysis, QUICK_BEAM_STEPS, 1);
}

warpbound_status wb_makespan_search_beams_early(struct wb_makespan_analysis *analysis)
{
  /* The analysis of more warps has already searched by beams for this number. */
  if (analysis->options->limits.method == WARPBOUND_METHOD_ANNEAL ||
      (analysis->recalled_runs && wb_makespan_wants_search(analysis)))
    return WARPBOUND_OK;
  if (analysis->options->limits.method == WARPBOUND_METHOD_BOUNDS)
    return wb_makespan_search_beams_quick(analysis);
  if (analysis->control.deadline > 0)
    return search_beams(analysis, EARLY_LIMITED_BEAM_STEPS, EARLY_BEAM_SHARE);
  return search_beams(analysis, EARLY_BEAM_STEPS, 1);
}

warpbound_status wb_makespan_search_beams_late(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_wants_search(analysis) || analysis->recalled_runs)
    return WARPBOUND_OK;
  return search_beams(analysis, analysis->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

warpbound_status wb_makespan_anneal(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  if (analysis->options->limits.method != WARPBOUND_METHOD_ANNEAL ||
      analysis->options->simulate_only ||
      (!wb_makespan_may_rise(analysis) && !analysis->options->anneal_closed) ||
      !wb_makespan_may_go_on(analysis, "annealing"))
    return WARPBOUND_OK;
  struct wb_annealing_options options = analysis->options->annealing;
  options.guide_memory =
      wb_makespan_is_shared(analysis)
          ? 0
          : wb_minimum(wb_makespan_run_table_memory(analysis), analysis->control.memory_limit / 2);
  warpbound_status status =
      wb_annealing_search(analysis->problem, &options, result->upper.cycles, &analysis->control,
                          &result->annealing, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  wb_makespan_note_early_end(analysis, result->annealing.stop, "annealing");
  if (result->annealing.stop == WB_STOP_MEMORY)
    wb_list_add(&result->notes,
                "annealing: left out, %u warps of %zu instructions do not fit into the %" PRIu64
                " bytes "
                "allowed",
                analysis->problem->warps, analysis->problem->string.length,
                analysis->control.memory_limit / 2);
  struct wb_schedule *witness = &result->annealing.witness;
  if (witness->issue_cycle == NULL)
    return WARPBOUND_OK;
  /* The lower end and the witness are named after it also where others are as long: the user asked
   * for it. */
  const uint64_t makespan = witness->makespan;
  const char *source = result->annealing.variant == WB_ANNEALING_PUBLISHED
                           ? "schedule by annealing as published (ETFA 2013)"
                           : "schedule by annealing after ETFA 2013, windowed";
  if (makespan == result->witness.makespan)
    wb_schedule_free(&result->witness);
  status = wb_makespan_offer_witness(analysis, witness, "annealing", source);
  if (status == WARPBOUND_OK && makespan == result->lower.cycles)
    result->lower = (warpbound_bound){
        .name = "annealing", .source = source, .cycles = makespan, .kind = WARPBOUND_LOWER};
  return status;
}

warpbound_status wb_makespan_search_fewer_warps(struct wb_makespan_analysis *analysis)
{
  /* No table is made for the literature's formulas alone where formulas and schedules have closed
   * the bracket, unless the user asked for it. */
  const bool searched = wb_makespan_is_open(analysis) || analysis->result->search.states > 0;
  if (wb_makespan_is_shared(analysis) ||
      analysis->warp_counts->of[analysis->problem->warps - 1].exact != 0 ||
      (!searched && !analysis->options->fewer_warps) || !wb_makespan_wants_search(analysis))
    return WARPBOUND_OK;
  struct wb_control control = analysis->control;
  control.memory_limit = wb_minimum(control.memory_limit, SMALL_TABLE_BYTES);
  for (uint32_t y = (uint32_t)wb_minimum(analysis->problem->warps - 1, 64); y > 1; y--) {
    struct wb_problem fewer = *analysis->problem;
    fewer.warps = y;
    struct wb_search search;
    warpbound_status status =
        wb_dense_search(&fewer, analysis->closed_form, &control, &search, analysis->error);
    if (status != WARPBOUND_OK)
      return status;
    bool fits = search.stop != WB_STOP_MEMORY;
    wb_makespan_count_table(analysis, &search);
    if (search.stop == WB_STOP_NONE)
      wb_warp_count_table_add_exact(analysis->warp_counts, search.makespan, y, "exact-search");
    else if (fits)
      wb_makespan_note_early_end(analysis, search.stop, "exact search of fewer warps");
    wb_search_free(&search);
    if (fits)
      return WARPBOUND_OK;
  }
  return WARPBOUND_OK;
}
