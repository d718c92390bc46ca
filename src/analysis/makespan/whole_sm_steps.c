/* The analysis of a whole SM, where no partition can be taken by itself. */
#include "analysis/makespan/makespan_steps.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/policy.h"
#include "sm/annealing/sm_annealing.h"
#include "sm/bounds/sm_bounds.h"
#include "sm/search/sm_portfolio.h"
#include "sm/search/sm_search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- phases between barriers: what each can take at most adds up to what the block can
 * (doc/makespan.md, "Barriers") ---- */

/* More distinct phases than this are not analysed one by one. */
#define DISTINCT_PHASE_LIMIT ((size_t)4096)

/* The phases of a string in their order. Owns `order`. */
struct phases {
  struct warpbound_result *result; /* has the distinct phases */
  uint32_t *order;                 /* by phase: its index among the distinct ones */
  size_t count;
};

/* Appends a phase; takes its string over. */
static void add_phase(struct phases *phases, struct wb_kernel_string *kernel)
{
  struct warpbound_result *result = phases->result;
  size_t at = 0;
  while (at < result->phase_count && !wb_kernel_string_equal(&result->phases[at].kernel, kernel))
    at++;
  if (at == result->phase_count && at < DISTINCT_PHASE_LIMIT) {
    result->phases[result->phase_count++].kernel = *kernel;
    *kernel = (struct wb_kernel_string){0};
  }
  if (at < result->phase_count) {
    result->phases[at].times++;
    phases->order[phases->count] = (uint32_t)at;
  }
  phases->count++;
  wb_kernel_string_free(kernel);
  *kernel = (struct wb_kernel_string){0};
}

static warpbound_status cut_at_barriers(const struct wb_makespan_analysis *analysis,
                                        struct phases *phases)
{
  struct warpbound_result *result = analysis->result;
  const struct wb_kernel_string *kernel = &result->instance->kernel;
  const size_t most = kernel->count[WB_UNIT_BARRIER] + 1;
  struct wb_kernel_string phase = {0};
  *phases = (struct phases){.result = result, .order = wb_allocate(most, sizeof *phases->order)};
  result->phases = wb_allocate(wb_minimum(most, DISTINCT_PHASE_LIMIT), sizeof *result->phases);
  warpbound_status status = result->phases != NULL && phases->order != NULL
                                ? WARPBOUND_OK
                                : wb_out_of_memory(analysis->error);
  for (size_t r = 0; status == WARPBOUND_OK && r < kernel->run_count; r++) {
    const struct wb_run *run = &kernel->runs[r];
    const bool barriers = run->unit == WB_UNIT_BARRIER;
    if (!barriers)
      status =
          wb_kernel_string_append(&phase, run->unit, run->length, WB_STRING_LIMIT, analysis->error);
    for (size_t b = 0; status == WARPBOUND_OK && barriers && b < run->length; b++) {
      status = wb_kernel_string_append(&phase, WB_UNIT_NONE, 1, WB_STRING_LIMIT, analysis->error);
      if (status == WARPBOUND_OK)
        add_phase(phases, &phase);
    }
  }
  if (status == WARPBOUND_OK && phase.length > 0)
    add_phase(phases, &phase);
  wb_kernel_string_free(&phase);
  return status;
}

/* Makes the instance of a phase, without its tail where no cap can bind: the number of N at the end
 * of the string, one less where it has nothing else. */
static warpbound_status make_instance(struct wb_makespan_analysis *analysis, struct wb_phase *phase)
{
  const struct wb_instance *whole = analysis->result->instance;
  const struct wb_kernel_string *kernel = &phase->kernel;
  const struct wb_run *last = &kernel->runs[kernel->run_count - 1];
  size_t tail = last->unit == WB_UNIT_NONE ? last->length : 0;
  if (tail > 0 && kernel->run_count == 1)
    tail--;
  warpbound_status status = wb_instance_make(kernel, &whole->sm, whole->warps, 1, NULL,
                                             &phase->instance, analysis->error);
  if (status != WARPBOUND_OK || tail == 0 || wb_problem_capped(&phase->instance.problem))
    return status;
  struct wb_kernel_string head = {0};
  for (const struct wb_run *run = kernel->runs; status == WARPBOUND_OK && run <= last; run++) {
    const size_t length = run->length - (run == last ? tail : 0);
    if (length > 0)
      status = wb_kernel_string_append(&head, run->unit, length, WB_STRING_LIMIT, analysis->error);
  }
  wb_instance_clear(&phase->instance);
  phase->instance = (struct wb_instance){0};
  if (status == WARPBOUND_OK)
    status = wb_instance_make(&head, &whole->sm, whole->warps, 1, NULL, &phase->instance,
                              analysis->error);
  wb_kernel_string_free(&head);
  phase->tail = tail;
  return status;
}

static warpbound_status analyse_phase(struct wb_makespan_analysis *analysis, struct wb_phase *phase,
                                      size_t phases_left)
{
  /* The options of a phase's analysis: with its share of the time that is left. */
  struct wb_analysis_options options = *analysis->options;
  options.warp_counts = NULL;
  options.anneal_closed = false;
  if (analysis->control.deadline > 0) {
    const double left = (analysis->control.deadline - wb_clock()) / (double)phases_left;
    options.limits.time_limit = left > 1e-9 ? left : 1e-9;
  }
  warpbound_status status = make_instance(analysis, phase);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_analyse_makespan(&phase->instance, &options, &phase->result, analysis->error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    return status;
  const struct wb_search_cost *cost = &phase->result.search;
  wb_makespan_count_search(analysis, cost->states, cost->peak_states, cost->memory_bytes);
  /* Passes the notes of a phase's analysis on, with its string. */
  struct wb_text letters = {0};
  wb_kernel_string_write(&phase->kernel, &letters);
  for (size_t n = 0; n < phase->result.notes.count; n++)
    wb_list_add(&analysis->result->notes, "phase %.60s: %s", letters.failed ? "" : letters.data,
                phase->result.notes.items[n]);
  analysis->result->notes.failed |= letters.failed;
  wb_text_free(&letters);
  if (phase->result.stop != WB_STOP_NONE)
    analysis->result->stop = phase->result.stop;
  return WARPBOUND_OK;
}

/* *sum += times * cycles. */
static bool add_times(uint64_t times, uint64_t cycles, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(times, cycles, &product) && wb_add(*sum, product, sum);
}

static warpbound_status take_sums(struct wb_makespan_analysis *analysis)
{
  const char *source = "the sum over the phases between barriers; " OUR_PROOF;
  uint64_t lower = 0;
  uint64_t upper = 0;
  for (size_t p = 0; p < analysis->result->phase_count; p++) {
    const struct wb_phase *phase = &analysis->result->phases[p];
    uint64_t least, most;
    if (!wb_phase_ends(phase, &least, &most) || !add_times(phase->times, least, &lower) ||
        !add_times(phase->times, most, &upper))
      return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                     "the cycles of the phases between barriers do not fit into 64 bits");
  }
  if (lower == upper) {
    wb_makespan_add_bound(analysis, "phases", source, WARPBOUND_EXACT, lower);
  } else {
    wb_makespan_add_bound(analysis, "phases", source, WARPBOUND_UPPER, upper);
    wb_makespan_add_bound(analysis, "phases", source, WARPBOUND_LOWER, lower);
  }
  return WARPBOUND_OK;
}

/* Schedules of the partitions in one phase. Owns `spare`. */
struct partition_schedules {
  size_t tail;                    /* N that each warp issues right after the scheduled ones */
  const struct wb_schedule *full; /* of a partition with the most warps */
  struct wb_schedule spare;       /* of a partition with one warp less, where there is one */
};

/* Appends one phase to the schedule. position: of its first instruction in the string; start: the
 * cycle that it begins after. */
static void append_phase(const struct wb_sm_problem *whole,
                         const struct partition_schedules *schedules, size_t position,
                         uint64_t start, struct wb_schedule *schedule)
{
  const size_t length = schedules->full->length;
  const uint32_t least = whole->block_warps / whole->partitions;
  const uint32_t more = whole->block_warps % whole->partitions; /* partitions with a warp more */
  for (uint32_t w = 0; w < schedule->warps; w++) {
    const uint32_t partition = wb_sm_partition_of(whole, w);
    const bool is_full = least + (partition < more) == schedules->full->warps;
    const struct wb_schedule *from = is_full ? schedules->full : &schedules->spare;
    const uint32_t *cycles = from->issue_cycle + (size_t)(w / whole->partitions) * length;
    uint32_t *to = schedule->issue_cycle + schedule->first[w] + position;
    for (size_t i = 0; i < length; i++)
      to[i] = (uint32_t)(start + cycles[i]);
    for (size_t i = 0; i < schedules->tail; i++)
      to[length + i] = (uint32_t)(start + cycles[length - 1] + 1 + i);
  }
}

static warpbound_status join_witnesses(struct wb_makespan_analysis *analysis,
                                       const struct phases *phases,
                                       struct partition_schedules *schedules,
                                       struct wb_schedule *schedule)
{
  const struct wb_sm_problem *whole = &analysis->result->instance->whole;
  const uint32_t fewer = whole->block_warps / whole->partitions;
  const bool uneven = whole->block_warps % whole->partitions != 0;
  enum wb_stop stop = WB_STOP_NONE;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < analysis->result->phase_count; p++) {
    const struct wb_phase *phase = &analysis->result->phases[p];
    struct wb_problem problem = phase->instance.problem;
    schedules[p].full = &phase->result.witness;
    schedules[p].tail = phase->tail;
    problem.warps = fewer;
    /* The schedule of partitions with a warp less, by one policy. It need not be the longest: the
     * phase ends when its last partition does. */
    if (uneven && fewer > 0)
      status = wb_policy_simulate(wb_policy_find("greedy-then-oldest"), &problem,
                                  &analysis->control, &schedules[p].spare, &stop, analysis->error);
    if (status == WARPBOUND_OK && stop != WB_STOP_NONE)
      return WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK)
    status = wb_schedule_start_strings(schedule, whole, NULL, analysis->error);
  size_t position = 0;
  for (size_t i = 0; status == WARPBOUND_OK && i < phases->count; i++) {
    const struct partition_schedules *part = &schedules[phases->order[i]];
    append_phase(whole, part, position, schedule->makespan, schedule);
    position += part->full->length + part->tail;
    schedule->makespan += wb_maximum(part->full->makespan, part->spare.makespan) + part->tail;
  }
  return status;
}

/* Chains the schedules of the phases to a witness, where each has one and they fit. */
static warpbound_status chain_witnesses(struct wb_makespan_analysis *analysis,
                                        const struct phases *phases)
{
  const struct wb_sm_problem *whole = &analysis->result->instance->whole;
  uint64_t entries;
  for (size_t p = 0; p < analysis->result->phase_count; p++) {
    if (analysis->result->phases[p].result.witness.issue_cycle == NULL)
      return WARPBOUND_OK;
  }
  if (!wb_multiply(wb_sm_problem_warps(whole), whole->strings[0].length, &entries) ||
      entries > WB_SCHEDULE_LIMIT)
    return WARPBOUND_OK;
  struct partition_schedules *schedules =
      wb_allocate(analysis->result->phase_count, sizeof *schedules);
  if (schedules == NULL)
    return wb_out_of_memory(analysis->error);
  struct wb_schedule schedule = {0};
  warpbound_status status = join_witnesses(analysis, phases, schedules, &schedule);
  for (size_t p = 0; p < analysis->result->phase_count; p++)
    wb_schedule_free(&schedules[p].spare);
  free(schedules);
  if (status == WARPBOUND_OK && schedule.issue_cycle != NULL)
    status = wb_makespan_offer_witness(analysis, &schedule, "phases", NULL);
  else
    wb_schedule_free(&schedule);
  return status;
}

/* Where one block with barriers runs on partitions that share no unit: analyses each distinct
 * phase, with its share of the time, and adds the sums of their ends; their schedules one after the
 * other become the witness. Errors: those of wb_analyse_makespan. */
static warpbound_status add_up_phases(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  const struct wb_instance *instance = result->instance;
  struct phases phases;
  if (analysis->options->simulate_only || instance->kernel.count[WB_UNIT_BARRIER] == 0 ||
      instance->whole.blocks != 1 || instance->whole.string_count != 1 ||
      wb_makespan_is_shared(analysis))
    return WARPBOUND_OK;
  warpbound_status status = cut_at_barriers(analysis, &phases);
  if (status == WARPBOUND_OK && result->phase_count < DISTINCT_PHASE_LIMIT) {
    for (size_t p = 0; status == WARPBOUND_OK && p < result->phase_count; p++)
      status = analyse_phase(analysis, &result->phases[p], result->phase_count - p);
    if (status == WARPBOUND_OK)
      status = take_sums(analysis);
    if (status == WARPBOUND_OK)
      status = chain_witnesses(analysis, &phases);
  } else if (status == WARPBOUND_OK) {
    wb_list_add(&result->notes, "phase bounds skipped: more than %zu distinct phases",
                DISTINCT_PHASE_LIMIT - 1);
  }
  free(phases.order);
  return status;
}

/* ---- the steps ---- */

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
    refuse_questions_of_partitions, bound_by_formulas,  add_up_phases,
    wb_makespan_find_schedules,     search_all_strings, NULL,
};

warpbound_status wb_makespan_analyse_whole_sm(struct wb_makespan_analysis *analysis)
{
  return wb_makespan_run_steps(analysis, steps_of_analysis);
}
