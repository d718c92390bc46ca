#include "analysis.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/schedule_check.h"
#include "makespan/annealing.h"
#include "makespan/beam_portfolio.h"
#include "makespan/closed_form.h"
#include "makespan/dense.h"
#include "makespan/guided_search.h"
#include "makespan/potential_search.h"
#include "makespan/precedence.h"
#include "makespan/run_abstraction.h"
#include "makespan/run_cutting.h"
#include "makespan/wide_beam.h"

#include <stdlib.h>
#include <string.h>

/* What the method `bounds` may spend, in steps that do not depend on the machine's
 * speed: cycles times warps of the simulations, bytes of the run abstraction. */
#define QUICK_SIMULATION_STEPS (UINT64_C(1) << 23)
#define FULL_SIMULATION_STEPS (UINT64_C(1) << 29)
#define QUICK_TABLE_BYTES (UINT64_C(1) << 24)
/* Steps of the beams (wide_beam.h), of which a processor does some 60 million a second:
 * all of the method `bounds`; for the others those before the searches that may close the
 * bracket, more of them where a time limit may let those searches leave nothing for later;
 * and those after them where no time limit ends the work. */
#define QUICK_BEAM_STEPS (UINT64_C(1) << 25)
#define EARLY_BEAM_STEPS (UINT64_C(1) << 22)
#define EARLY_LIMITED_BEAM_STEPS (UINT64_C(1) << 26)
#define LATE_BEAM_STEPS (UINT64_C(1) << 28)
/* Shares of what a time limit leaves: for the early beams, and for potentials. */
#define EARLY_BEAM_SHARE 0.125
#define POTENTIAL_SHARE 0.6
/* Bytes of a table that is cheaper than any thought about it; also of the dense table that
 * is made only for the exact T(y) of fewer warps. */
#define SMALL_TABLE_BYTES (UINT64_C(1) << 20)

/* Up to this size the dense table is the faster search. */
#define DENSE_TABLE_BYTES (UINT64_C(1) << 22)

#define OUR_PROOF "proof in doc/makespan.md"

/* Work under way. */
struct analysis {
  const struct wb_problem *problem;
  const struct wb_analysis_options *options;
  struct wb_control control;
  struct warpbound_result *result;
  uint64_t closed_form;
  bool dense_done;
  struct wb_known *known;
  bool recalled_runs; /* the table of the runs was made for more warps */
  warpbound_error *error;
};

static bool shared(const struct analysis *a)
{
  return wb_problem_has_shared(a->problem);
}

static bool open_bracket(const struct analysis *a)
{
  return a->result->lower.cycles < a->result->upper.cycles;
}

/* Notes once why the work ended early. */
static void note_early_end(struct analysis *a, enum wb_stop stop, const char *what)
{
  if (stop != WB_STOP_NONE)
    a->result->stop = stop;
  if (stop == WB_STOP_TIME)
    wb_list_add(&a->result->notes, "%s: stopped by the time limit", what);
  else if (stop == WB_STOP_INTERRUPTED)
    wb_list_add(&a->result->notes, "%s: interrupted", what);
}

/* Whether there is time for the next step. */
static bool may_go_on(struct analysis *a, const char *next)
{
  if (a->result->stop == WB_STOP_TIME || a->result->stop == WB_STOP_INTERRUPTED)
    return false;
  enum wb_stop stop = wb_control_stopped(&a->control);
  if (stop != WB_STOP_NONE)
    note_early_end(a, stop, next);
  return stop == WB_STOP_NONE;
}

static warpbound_status keep(struct analysis *a, struct wb_bound_list *list, warpbound_bound bound,
                             uint32_t y)
{
  void *items = list->items;
  if (!wb_grow(&items, &list->capacity, list->count + 1, sizeof *list->items))
    return wb_out_of_memory(a->error);
  list->items = items;
  list->items[list->count++] = (struct wb_named_bound){bound, y};
  return WARPBOUND_OK;
}

/* Records a proven bound and tightens the bracket by it. */
static warpbound_status add_bound(struct analysis *a, const char *name, const char *source,
                                  warpbound_kind kind, uint64_t cycles)
{
  warpbound_bound bound = {.name = name, .source = source, .cycles = cycles, .kind = kind};
  struct warpbound_result *result = a->result;
  if (kind != WARPBOUND_UPPER && (result->lower.name == NULL || cycles > result->lower.cycles))
    result->lower = bound;
  if (kind != WARPBOUND_LOWER && (result->upper.name == NULL || cycles < result->upper.cycles))
    result->upper = bound;
  return keep(a, &result->bounds, bound, 0);
}

static warpbound_status bound_by_formulas(struct analysis *a)
{
  uint64_t cycles;
  warpbound_status status = wb_bound_closed_form(a->problem, &a->closed_form, a->error);
  if (status == WARPBOUND_OK)
    status = add_bound(a, "closed-form", "after Graham 1966 and Jaffe 1980; " OUR_PROOF,
                       WARPBOUND_UPPER, a->closed_form);
  if (status == WARPBOUND_OK && !shared(a)) {
    status = wb_bound_serial(a->problem, &cycles, a->error);
    if (status == WARPBOUND_OK)
      status =
          add_bound(a, "serial", "W * I: some warp issues in every cycle", WARPBOUND_UPPER, cycles);
  }
  if (status == WARPBOUND_OK)
    status = wb_bound_volume(a->problem, &cycles, a->error);
  if (status == WARPBOUND_OK)
    status = add_bound(a, "volume", "work over capacity: every schedule takes it", WARPBOUND_LOWER,
                       cycles);
  return status;
}

/* What analyses of other numbers of warps have found of this one. */
static warpbound_status recall(struct analysis *a)
{
  const struct wb_known_bound *known = &a->known->of[a->problem->warps];
  warpbound_status status = WARPBOUND_OK;
  if (shared(a) || a->options->simulate_only)
    return status;
  a->recalled_runs = known->runs;
  if (known->exact != 0)
    status = add_bound(a, known->exact_by, "found with the table of more warps", WARPBOUND_EXACT,
                       known->exact);
  else if (known->upper != 0 && known->upper < a->result->upper.cycles)
    status = add_bound(a, known->upper_by, "found with more warps", WARPBOUND_UPPER, known->upper);
  if (status == WARPBOUND_OK && known->lower > a->result->lower.cycles)
    status = add_bound(a, known->lower_by, "a schedule found with more warps", WARPBOUND_LOWER,
                       known->lower);
  return status;
}

/* What a schedule claims, as the checker takes it. Owns its arrays. */
struct claim {
  struct wb_schedule_claim claim;
  char *letters;
  const uint32_t **cycles;
  size_t *counts;
};

static bool make_claim(const struct wb_problem *problem, const struct wb_schedule *schedule,
                       struct claim *made)
{
  size_t length = problem->string.length;
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  *made = (struct claim){.letters = (char *)types,
                         .cycles = wb_allocate(problem->warps, sizeof *made->cycles),
                         .counts = wb_allocate(problem->warps, sizeof *made->counts)};
  if (types == NULL || made->cycles == NULL || made->counts == NULL)
    return false;
  for (size_t i = 0; i < length; i++)
    made->letters[i] = wb_unit_letter((enum wb_unit)types[i]);
  for (size_t w = 0; w < problem->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + w * length;
    made->counts[w] = length;
  }
  made->claim = (struct wb_schedule_claim){
      .letters = made->letters,
      .length = length,
      .issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots,
      .warps = problem->warps,
      .cycles = made->cycles,
      .counts = made->counts};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    made->claim.capacity[u] = problem->capacity[u];
  return true;
}

static void free_claim(struct claim *claim)
{
  free(claim->letters);
  free(claim->cycles);
  free(claim->counts);
}

/* Every schedule passes the independent checker before anybody sees it. */
static warpbound_status check_schedule(const struct analysis *a, const struct wb_problem *problem,
                                       const struct wb_schedule *schedule, const char *method)
{
  struct claim claim;
  warpbound_error refusal = {.message = "another makespan"};
  uint64_t makespan = 0;
  warpbound_status status = WARPBOUND_OK;
  if (!make_claim(problem, schedule, &claim))
    status = wb_out_of_memory(a->error);
  else if (wb_schedule_check(&claim.claim, &makespan, &refusal) != WARPBOUND_OK ||
           makespan != schedule->makespan)
    status = wb_fail(a->error, WARPBOUND_INTERNAL,
                     "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                     method, refusal.message);
  free_claim(&claim);
  return status;
}

/* Checks a schedule and keeps it if it is the longest; takes it over either way. */
static warpbound_status offer_witness(struct analysis *a, struct wb_schedule *schedule,
                                      const char *method)
{
  warpbound_status status = check_schedule(a, a->problem, schedule, method);
  struct warpbound_result *result = a->result;
  if (status == WARPBOUND_OK && schedule->makespan > result->witness.makespan) {
    wb_schedule_swap(schedule, &result->witness);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  return status;
}

static warpbound_status simulate(struct analysis *a, const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  warpbound_status status =
      wb_policy_simulate(policy, a->problem, &a->control, &schedule, &stop, a->error);
  note_early_end(a, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  uint64_t makespan = schedule.makespan;
  status = offer_witness(a, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = add_bound(a, policy->name, "simulated schedule", WARPBOUND_LOWER, makespan);
  return status;
}

static warpbound_status evaluate_template(struct analysis *a, enum wb_template template)
{
  size_t entries = a->problem->warps * a->problem->string.length;
  uint32_t *order = wb_allocate(entries, sizeof *order);
  if (order == NULL)
    return wb_out_of_memory(a->error);
  struct wb_schedule schedule = {0};
  warpbound_error cause;
  warpbound_status status = wb_template_fill(template, a->problem, &a->control, order, &cause);
  if (status == WARPBOUND_OK)
    status = wb_precedence_evaluate(a->problem, order, &schedule, &cause);
  free(order);
  if (status == WARPBOUND_LIMIT) { /* stopped: the next step notices why */
    (void)may_go_on(a, wb_template_name(template));
    return WARPBOUND_OK;
  }
  if (status != WARPBOUND_OK)
    return wb_out_of_memory(a->error);
  uint64_t makespan = schedule.makespan;
  status = offer_witness(a, &schedule, wb_template_name(template));
  if (status == WARPBOUND_OK)
    status = add_bound(a, wb_template_name(template),
                       "ETFA 2013, initial solution; evaluated as in figure 4", WARPBOUND_LOWER,
                       makespan);
  return status;
}

/* Whether simulating is within the method's means; says so where it is not. */
static bool can_simulate(struct analysis *a)
{
  uint64_t entries, steps;
  uint64_t limit = a->options->limits.method == WARPBOUND_METHOD_BOUNDS ? QUICK_SIMULATION_STEPS
                                                                        : FULL_SIMULATION_STEPS;
  bool fits = wb_multiply(a->problem->warps, a->problem->string.length, &entries) &&
              entries <= WB_SCHEDULE_LIMIT &&
              wb_multiply(a->result->upper.cycles, a->problem->warps, &steps) &&
              (steps <= limit || a->options->simulate_only);
  if (!fits)
    wb_list_add(&a->result->notes,
                "no schedule was simulated: %u warps of %zu instructions are "
                "more than the method's budget",
                a->problem->warps, a->problem->string.length);
  return fits;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct analysis *a)
{
  return a->result->witness.makespan < a->result->upper.cycles && may_go_on(a, "simulation");
}

static warpbound_status find_schedules(struct analysis *a)
{
  if (!can_simulate(a))
    return WARPBOUND_OK;
  if (a->options->policy != NULL)
    return simulate(a, a->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(a); p++)
    status = simulate(a, &policies[p]);
  bool templates = !a->options->simulate_only;
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(a); t++)
    status = evaluate_template(a, (enum wb_template)t);
  return status;
}

static void count_search(struct analysis *a, const struct wb_search *search)
{
  struct wb_search_cost *cost = &a->result->search;
  cost->states += search->states;
  cost->peak_states = wb_maximum(cost->peak_states, search->states);
  if (search->states > 0)
    cost->memory_bytes = wb_maximum(cost->memory_bytes, search->needed);
}

/* Says why a search gave nothing. */
static void note_stop(struct analysis *a, const char *what, const struct wb_search *search,
                      uint64_t memory)
{
  if (search->stop == WB_STOP_NONE)
    return;
  note_early_end(a, search->stop, what);
  if (search->stop != WB_STOP_MEMORY)
    return;
  if (search->needed <= memory)
    wb_list_add(&a->result->notes, "%s: left out, there is no memory for its table of %llu bytes",
                what, (unsigned long long)search->needed);
  else if (search->needed == UINT64_MAX)
    wb_list_add(&a->result->notes, "%s: left out, its table is far beyond the %llu bytes allowed",
                what, (unsigned long long)memory);
  else
    wb_list_add(&a->result->notes, "%s: left out, its table needs %llu bytes, %llu are allowed",
                what, (unsigned long long)search->needed, (unsigned long long)memory);
}

/* Keeps a cut of the string that proves `cycles`, if none proves less. Takes the lengths
 * over. */
static void keep_cut(struct analysis *a, uint32_t *lengths, size_t count, uint64_t cycles)
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

/* The cut into the string's own runs, or into single instructions (then the abstraction is
 * the machine itself). */
static warpbound_status keep_plain_cut(struct analysis *a, bool single, uint64_t cycles)
{
  const struct wb_kernel_string *string = &a->problem->string;
  size_t count = single ? string->length : string->run_count;
  uint32_t *lengths = wb_allocate(count, sizeof *lengths);
  if (lengths == NULL)
    return wb_out_of_memory(a->error);
  for (size_t r = 0; r < count; r++)
    lengths[r] = single ? 1 : (uint32_t)string->runs[r].length;
  keep_cut(a, lengths, count, cycles);
  return WARPBOUND_OK;
}

static warpbound_status use_run_abstraction(struct analysis *a, struct wb_search *search)
{
  uint64_t cycles = search->makespan[a->problem->warps];
  bool exact = wb_run_abstraction_exact(a->problem);
  warpbound_status status = add_bound(a, "run-abstraction", "longest path over runs; " OUR_PROOF,
                                      exact ? WARPBOUND_EXACT : WARPBOUND_UPPER, cycles);
  (exact ? wb_known_exact : wb_known_runs)(a->known, search->makespan, a->problem->warps,
                                           "run-abstraction");
  if (status == WARPBOUND_OK && search->witness.issue_cycle != NULL)
    status = offer_witness(a, &search->witness, "run-abstraction");
  if (status == WARPBOUND_OK)
    status = keep_plain_cut(a, false, cycles);
  return status;
}

/* The table of the run abstraction, if it fits in `memory`; `final`: say so if not. */
static warpbound_status tighten_by_runs(struct analysis *a, uint64_t memory, bool final)
{
  if (shared(a) || a->options->simulate_only || !open_bracket(a) ||
      a->known->of[a->problem->warps].runs || !may_go_on(a, "run abstraction"))
    return WARPBOUND_OK;
  struct wb_search search;
  warpbound_status status =
      wb_run_abstraction_search(a->problem, memory, &a->control, &search, a->error);
  if (status != WARPBOUND_OK)
    return status;
  if (search.stop != WB_STOP_MEMORY || final) {
    count_search(a, &search);
    note_stop(a, "run abstraction", &search, memory);
  }
  if (search.stop == WB_STOP_NONE)
    status = use_run_abstraction(a, &search);
  wb_search_free(&search);
  return status;
}

/* What the run abstraction may take in the end. */
static uint64_t run_table_memory(const struct analysis *a)
{
  warpbound_method method = a->options->limits.method;
  bool quick = (method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ANNEAL) &&
               a->options->limits.memory_limit == 0;
  return quick ? QUICK_TABLE_BYTES : a->control.memory_limit;
}

/* The control with a part of the time that is left. */
static struct wb_control limit_share(const struct analysis *a, double share)
{
  struct wb_control control = a->control;
  double now = wb_clock();
  if (control.deadline > 0)
    control.deadline = now + (control.deadline - now) * share;
  return control;
}

/* A table over several W wants a line through its rows, even where the row of the most
 * warps, which is the first, is closed. */
static bool wants_line(const struct analysis *a)
{
  return a->options->known != NULL && a->problem->warps == a->options->known->most &&
         a->result->potential.cycles == 0;
}

/* Potentials by linear programming: their cost does not depend on W. */
static warpbound_status tighten_by_potentials(struct analysis *a, enum wb_potential_depth depth)
{
  struct warpbound_result *result = a->result;
  if (a->options->simulate_only || !(open_bracket(a) || wants_line(a)) || a->problem->warps < 2 ||
      !wb_pools_suit(a->problem) || !may_go_on(a, "potentials"))
    return WARPBOUND_OK;
  uint64_t below = result->upper.cycles + !open_bracket(a);
  struct wb_control control = limit_share(a, POTENTIAL_SHARE);
  struct wb_potential_search_result found;
  warpbound_status status = wb_potential_search(a->problem, below, result->lower.cycles, depth,
                                                &control, &found, a->error);
  if (status != WARPBOUND_OK)
    return status;
  if (open_bracket(a))
    (void)may_go_on(a, "potentials"); /* notes where the whole time is over */
  if (!found.found)
    return WARPBOUND_OK;
  wb_potential_proof_free(&result->potential);
  result->potential = found.proof;
  wb_known_line(a->known, &found.proof, "potential");
  return add_bound(a, "potential", "linear program over pools of runs; proof in doc/potentials.md",
                   WARPBOUND_UPPER, found.proof.cycles);
}

static bool wants_search(struct analysis *a)
{
  warpbound_method method = a->options->limits.method;
  return (method == WARPBOUND_METHOD_AUTO || method == WARPBOUND_METHOD_EXACT) &&
         may_go_on(a, "exact search");
}

/* One partition by itself is only a lower end where units are shared: the others may
 * leave them alone, or not. */
static warpbound_status search_dense(struct analysis *a, uint64_t memory)
{
  if (a->dense_done || !open_bracket(a) || !wants_search(a))
    return WARPBOUND_OK;
  struct wb_control control = a->control;
  control.memory_limit = memory;
  struct wb_search search;
  warpbound_status status =
      wb_dense_search(a->problem, a->closed_form, &control, &search, a->error);
  if (status != WARPBOUND_OK)
    return status;
  count_search(a, &search);
  if (search.stop != WB_STOP_MEMORY || memory == a->control.memory_limit)
    note_stop(a, "exact search", &search, memory);
  if (search.stop == WB_STOP_NONE) {
    a->result->stop = WB_STOP_NONE;
    a->dense_done = true;
    bool whole = !shared(a);
    if (whole)
      wb_known_exact(a->known, search.makespan, a->problem->warps, "exact-search");
    status =
        add_bound(a, "exact-search",
                  whole ? "all states of the machine" : "all states of one partition by itself",
                  whole ? WARPBOUND_EXACT : WARPBOUND_LOWER, search.makespan[a->problem->warps]);
    if (status == WARPBOUND_OK)
      status = offer_witness(a, &search.witness, "exact-search");
    if (status == WARPBOUND_OK && whole)
      status = keep_plain_cut(a, true, search.makespan[a->problem->warps]);
  }
  wb_search_free(&search);
  return status;
}

static warpbound_status use_guided_search(struct analysis *a, struct wb_guided_result *guided)
{
  const char *source = "all states that could be longer; " OUR_PROOF;
  warpbound_status status = WARPBOUND_OK;
  bool closed = guided->lower == guided->upper;
  if (guided->witness.issue_cycle != NULL) {
    status = offer_witness(a, &guided->witness, "guided-search");
    if (status == WARPBOUND_OK && !closed)
      status = add_bound(a, "guided-search", "schedule of a beam search", WARPBOUND_LOWER,
                         guided->lower);
  }
  if (status == WARPBOUND_OK && closed)
    status = add_bound(a, "guided-search", source, WARPBOUND_EXACT, guided->upper);
  else if (status == WARPBOUND_OK && guided->from_above != NULL)
    status = add_bound(a, "guided-search", "run abstraction of a finer cut; " OUR_PROOF,
                       WARPBOUND_UPPER, guided->upper);
  return status;
}

/* What the guided search finds for fewer warps on its way. */
static warpbound_status learn_fewer(void *context, uint32_t warps, uint64_t upper,
                                    struct wb_schedule *schedule, warpbound_error *error)
{
  struct analysis *a = context;
  struct wb_problem fewer = *a->problem;
  fewer.warps = warps;
  warpbound_status status = WARPBOUND_OK;
  if (schedule->issue_cycle != NULL) {
    status = check_schedule(a, &fewer, schedule, "guided-search");
    wb_known_lower(a->known, warps, schedule->makespan, "guided-search");
  }
  wb_known_run(a->known, warps, upper, "run-abstraction");
  wb_schedule_free(schedule);
  (void)error; /* the analysis keeps its own */
  return status;
}

/* The search of what is too large for the dense table. */
static warpbound_status search_guided(struct analysis *a)
{
  if (shared(a) || !open_bracket(a) || !wants_search(a) ||
      !wb_guided_search_fits(a->problem, a->control.memory_limit))
    return WARPBOUND_OK;
  struct wb_guided_result guided = {.lower = a->result->lower.cycles,
                                    .upper = a->result->upper.cycles,
                                    .runs_known = a->recalled_runs};
  const struct wb_guided_series series = {
      .fewest = a->options->fewest, .offer = learn_fewer, .context = a};
  warpbound_status status = wb_guided_search(a->problem, a->options->known != NULL ? &series : NULL,
                                             &a->control, &guided, a->error);
  if (status == WARPBOUND_OK) {
    const struct wb_search search = {
        .stop = guided.stop, .needed = guided.bytes, .states = guided.states};
    count_search(a, &search);
    a->result->search.peak_states = wb_maximum(a->result->search.peak_states, guided.peak);
    if (guided.stop == WB_STOP_MEMORY)
      wb_list_add(&a->result->notes,
                  "guided search: the bracket is open at the end of the %llu bytes for its states",
                  (unsigned long long)a->control.memory_limit / 2);
    note_early_end(a, guided.stop, "guided search");
    status = use_guided_search(a, &guided);
    keep_cut(a, guided.cut, guided.cut_count, guided.upper);
    guided.cut = NULL;
  }
  wb_guided_result_free(&guided);
  return status;
}

static warpbound_status use_beams(struct analysis *a, struct wb_portfolio_result *beams)
{
  struct wb_search_cost *cost = &a->result->search;
  cost->states += beams->states;
  cost->peak_states = wb_maximum(cost->peak_states, beams->peak);
  cost->memory_bytes = wb_maximum(cost->memory_bytes, beams->bytes);
  if (beams->witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  warpbound_status status = offer_witness(a, &beams->witness, "wide-beam");
  if (status == WARPBOUND_OK)
    status =
        add_bound(a, "wide-beam", "schedule of a beam search", WARPBOUND_LOWER, beams->longest);
  return status;
}

/* Long schedules by beams, within so many steps (0: no limit) and a share of the time. */
static warpbound_status search_beams(struct analysis *a, uint64_t work, double time_share)
{
  if (a->options->simulate_only || a->dense_done || !open_bracket(a) ||
      !wb_wide_beam_fits(a->problem) || !may_go_on(a, "wide beam"))
    return WARPBOUND_OK;
  struct wb_control control = limit_share(a, time_share);
  struct wb_portfolio_options options = {
      .lower = a->result->lower.cycles, .upper = a->result->upper.cycles, .work = work};
  struct wb_portfolio_result beams;
  warpbound_status status = wb_beam_portfolio(a->problem, &options, &control, &beams, a->error);
  if (status != WARPBOUND_OK)
    return status;
  status = use_beams(a, &beams);
  if (open_bracket(a))
    (void)may_go_on(a, "wide beam"); /* notes where the whole time is over */
  return status;
}

/* The beams before the searches that may close the bracket. */
static warpbound_status search_beams_early(struct analysis *a)
{
  if (a->options->limits.method == WARPBOUND_METHOD_ANNEAL)
    return WARPBOUND_OK;
  if (a->options->limits.method == WARPBOUND_METHOD_BOUNDS)
    return search_beams(a, QUICK_BEAM_STEPS, 1);
  if (a->control.deadline > 0)
    return search_beams(a, EARLY_LIMITED_BEAM_STEPS, EARLY_BEAM_SHARE);
  return search_beams(a, EARLY_BEAM_STEPS, 1);
}

/* The beams with the time that those have left. */
static warpbound_status search_beams_late(struct analysis *a)
{
  if (!wants_search(a))
    return WARPBOUND_OK;
  return search_beams(a, a->control.deadline > 0 ? 0 : LATE_BEAM_STEPS, 1);
}

/* A cut of the string whose table proves the upper end, where the search that found it
 * leaves no certificate. */
static warpbound_status certify(struct analysis *a)
{
  struct warpbound_result *result = a->result;
  uint64_t upper = result->upper.cycles;
  bool certified = (result->potential.cycles > 0 && result->potential.cycles <= upper) ||
                   (result->cut != NULL && result->cut_cycles <= upper);
  if (!a->options->certify || shared(a) || certified || !may_go_on(a, "certificate"))
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
    keep_cut(a, lengths, cutting.count, upper);
  }
  wb_cutting_free(&cutting);
  return status;
}

/* What annealing found: the lower end and the witness are its own also where another's
 * are as long, for its were asked for. */
static warpbound_status use_annealing(struct analysis *a)
{
  struct warpbound_result *result = a->result;
  struct wb_annealing_result *annealing = &result->annealing;
  if (annealing->witness.issue_cycle == NULL)
    return WARPBOUND_OK;
  uint64_t makespan = annealing->witness.makespan;
  if (makespan == result->witness.makespan)
    wb_schedule_free(&result->witness);
  warpbound_status status = offer_witness(a, &annealing->witness, "annealing");
  if (status == WARPBOUND_OK)
    status = add_bound(a, "annealing",
                       annealing->variant == WB_ANNEALING_PUBLISHED
                           ? "schedule by annealing as published (ETFA 2013)"
                           : "schedule by annealing after ETFA 2013, windowed",
                       WARPBOUND_LOWER, makespan);
  if (status == WARPBOUND_OK && makespan == result->lower.cycles)
    result->lower = result->bounds.items[result->bounds.count - 1].bound;
  return status;
}

static warpbound_status anneal(struct analysis *a)
{
  struct warpbound_result *result = a->result;
  if (a->options->limits.method != WARPBOUND_METHOD_ANNEAL || a->options->simulate_only ||
      (!open_bracket(a) && !a->options->anneal_closed) || !may_go_on(a, "annealing"))
    return WARPBOUND_OK;
  struct wb_annealing_options options = a->options->annealing;
  options.guide_memory =
      shared(a) ? 0 : wb_minimum(run_table_memory(a), a->control.memory_limit / 2);
  warpbound_status status = wb_annealing_search(a->problem, &options, result->upper.cycles,
                                                &a->control, &result->annealing, a->error);
  if (status != WARPBOUND_OK)
    return status;
  result->annealed = true;
  result->search.memory_bytes = wb_maximum(result->search.memory_bytes, result->annealing.bytes);
  note_early_end(a, result->annealing.stop, "annealing");
  if (result->annealing.stop == WB_STOP_MEMORY)
    wb_list_add(&result->notes,
                "annealing: left out, %u warps of %zu instructions do not fit into the %llu bytes "
                "allowed",
                a->problem->warps, a->problem->string.length,
                (unsigned long long)a->control.memory_limit / 2);
  return use_annealing(a);
}

/* The exact T(y) of fewer warps, as many as a small table gives, for the literature's
 * formulas, unless a search has found them on its way. */
static warpbound_status search_fewer_warps(struct analysis *a)
{
  if (shared(a) || a->known->of[a->problem->warps - 1].exact != 0 || !wants_search(a))
    return WARPBOUND_OK;
  struct wb_control control = a->control;
  control.memory_limit = wb_minimum(control.memory_limit, SMALL_TABLE_BYTES);
  for (uint32_t y = (uint32_t)wb_minimum(a->problem->warps - 1, 64); y > 1; y--) {
    struct wb_problem fewer = *a->problem;
    fewer.warps = y;
    struct wb_search search;
    warpbound_status status = wb_dense_search(&fewer, a->closed_form, &control, &search, a->error);
    if (status != WARPBOUND_OK)
      return status;
    bool fits = search.stop != WB_STOP_MEMORY;
    count_search(a, &search);
    if (search.stop == WB_STOP_NONE)
      wb_known_exact(a->known, search.makespan, y, "exact-search");
    else if (fits)
      note_early_end(a, search.stop, "exact search of fewer warps");
    wb_search_free(&search);
    if (fits)
      return WARPBOUND_OK;
  }
  return WARPBOUND_OK;
}

static warpbound_status add_published(struct analysis *a, const char *name, const char *source,
                                      uint64_t cycles, uint32_t y)
{
  warpbound_bound bound = {
      .name = name, .source = source, .cycles = cycles, .kind = WARPBOUND_PUBLISHED};
  return keep(a, &a->result->published, bound, y);
}

/* The literature's numbers beside ours; they never touch the bracket. */
static warpbound_status quote_literature(struct analysis *a)
{
  uint64_t cycles;
  warpbound_status status = wb_published_pessimistic(a->problem, &cycles, a->error);
  if (status == WARPBOUND_OK)
    status = add_published(a, "pessimistic",
                           "ECRTS 2012, eq. 5-7; not safe where a sigma is 2 or "
                           "more",
                           cycles, 0);
  if (shared(a))
    return status;
  const uint64_t one[] = {0, a->problem->string.length};
  wb_known_exact(a->known, one, 1, "one warp");
  for (uint32_t y = 1; status == WARPBOUND_OK && y < a->problem->warps; y++) {
    if (a->known->of[y].exact == 0)
      continue;
    status = wb_published_tractable(a->problem, y, a->known->of[y].exact, &cycles, a->error);
    if (status == WARPBOUND_OK)
      status = add_published(a, "tractable", "ECRTS 2012, eq. 40-41; not safe", cycles, y);
  }
  return status;
}

static warpbound_status settle(struct analysis *a)
{
  struct warpbound_result *result = a->result;
  result->search.seconds = wb_clock() - a->control.start;
  if (result->lower.cycles > result->upper.cycles)
    return wb_fail(a->error, WARPBOUND_INTERNAL,
                   "the lower end %llu (%s) is above the upper end %llu (%s) (please report this)",
                   (unsigned long long)result->lower.cycles, result->lower.name,
                   (unsigned long long)result->upper.cycles, result->upper.name);
  result->exact = result->lower.cycles == result->upper.cycles;
  if (result->exact) {
    result->lower.kind = result->upper.kind = WARPBOUND_EXACT;
    return result->notes.failed ? wb_out_of_memory(a->error) : WARPBOUND_OK;
  }
  if (result->notes.failed)
    return wb_out_of_memory(a->error);
  bool asked =
      a->options->limits.method == WARPBOUND_METHOD_EXACT || a->options->limits.memory_limit > 0;
  bool limit = result->stop == WB_STOP_TIME || result->stop == WB_STOP_INTERRUPTED ||
               (result->stop == WB_STOP_MEMORY && asked);
  if (a->options->limits.method == WARPBOUND_METHOD_EXACT && shared(a)) {
    wb_list_add(&result->notes, "exact search: units shared between partitions leave the bracket "
                                "open");
    limit = true;
  }
  return limit ? WARPBOUND_LIMIT : WARPBOUND_OK;
}

/* The makespan pipeline, in order. */
static warpbound_status run(struct analysis *a)
{
  warpbound_status status = bound_by_formulas(a);
  if (status == WARPBOUND_OK)
    status = recall(a);
  if (status == WARPBOUND_OK)
    status = find_schedules(a);
  uint64_t small = wb_minimum(a->control.memory_limit, SMALL_TABLE_BYTES);
  if (status == WARPBOUND_OK)
    status = tighten_by_runs(a, small, false);
  if (status == WARPBOUND_OK)
    status = search_dense(a, small);
  if (status == WARPBOUND_OK)
    status = tighten_by_potentials(a, WB_POTENTIAL_QUICK);
  if (status == WARPBOUND_OK)
    status = tighten_by_runs(a, run_table_memory(a), true);
  if (status == WARPBOUND_OK)
    status = search_dense(a, wb_minimum(a->control.memory_limit, DENSE_TABLE_BYTES));
  if (status == WARPBOUND_OK)
    status = search_beams_early(a);
  if (status == WARPBOUND_OK)
    status = search_guided(a);
  if (status == WARPBOUND_OK)
    status = search_dense(a, a->control.memory_limit);
  if (status == WARPBOUND_OK && wants_search(a))
    status = tighten_by_potentials(a, WB_POTENTIAL_FULL);
  if (status == WARPBOUND_OK)
    status = search_beams_late(a);
  if (status == WARPBOUND_OK)
    status = certify(a);
  if (status == WARPBOUND_OK)
    status = anneal(a);
  if (status == WARPBOUND_OK)
    status = search_fewer_warps(a);
  if (status == WARPBOUND_OK)
    status = quote_literature(a);
  if (status == WARPBOUND_OK)
    status = settle(a);
  return status;
}

warpbound_status wb_analyse_makespan(const struct warpbound_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error)
{
  *result = (struct warpbound_result){
      .instance = instance, .simulated = options->simulate_only, .policy = options->policy};
  struct analysis a = {.problem = &instance->problem,
                       .options = options,
                       .control = wb_control_start(&options->limits),
                       .result = result,
                       .error = error};
  struct wb_known own = {0};
  warpbound_status status = WARPBOUND_OK;
  if (options->known == NULL)
    status = wb_known_start(&own, instance->problem.warps, error);
  a.known = options->known != NULL ? options->known : &own;
  if (status == WARPBOUND_OK)
    status = run(&a);
  wb_known_free(&own);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_result_clear(result);
  return status;
}

void wb_result_clear(struct warpbound_result *result)
{
  free(result->bounds.items);
  free(result->published.items);
  wb_schedule_free(&result->witness);
  wb_potential_proof_free(&result->potential);
  free(result->cut);
  wb_list_free(&result->notes);
  wb_annealing_result_free(&result->annealing);
  *result = (struct warpbound_result){0};
}
