/* The worst-case makespan of warps that take any paths. */
#include "analysis/paths/paths.h"

#include "analysis/makespan/whole.h"
#include "analysis/makespan/work.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"

#include <stdlib.h>
#include <string.h>

/* Paths that are looked at closely, and whole path strings for schedules that mix them. */
#define MOST_TRIALS 3
#define MOST_MIXED 8

#define OVER_PATHS "maxima over all paths by IPET; proof in doc/all-paths.md"

/* A string by itself: what all warps do if all take it. */
struct trial {
  size_t string;
  uint64_t promise; /* its closed form */
  struct wb_instance instance;
  struct warpbound_result result;
  bool done;
};

struct job {
  struct wb_paths *paths;
  const struct wb_paths_question *asked;
  struct wb_path_question question;
  struct wb_path_bounds bounds;
  enum wb_check_paths_bound best;
  struct wb_control control;
  struct wb_analysis_options options; /* of the trial under way */
  struct trial trials[MOST_TRIALS];
  size_t trial_count;
  size_t winner;
  bool limited;
  warpbound_error *error;
};

static uint64_t upper_of(const struct job *job)
{
  return job->bounds.cycles[job->best];
}

/* ---- from above ---- */

static warpbound_status bound_from_above(struct job *job)
{
  warpbound_status status =
      wb_path_question_make(&job->paths->system, job->asked->sm, job->asked->warps,
                            job->asked->blocks, &job->question, job->error);
  if (status == WARPBOUND_OK)
    status = wb_path_bounds_find(&job->paths->system, &job->question, &job->control,
                                 &job->paths->peaks, &job->bounds, job->error);
  if (status != WARPBOUND_OK)
    return status;
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++) {
    if (job->bounds.cycles[b] < upper_of(job))
      job->best = (enum wb_check_paths_bound)b;
  }
  return status;
}

/* What a maximum is of, in words. */
static const char *describe(const struct job *job, const struct wb_path_peak *peak)
{
  static const char *const most[WB_UNIT_COUNT] = {
      [WB_UNIT_LOAD_STORE] = "the path with the most load/store letters",
      [WB_UNIT_CORE] = "the path with the most CUDA core letters",
      [WB_UNIT_SPECIAL] = "the path with the most special function letters",
      [WB_UNIT_DOUBLE] = "the path with the most letters of double precision",
      [WB_UNIT_NONE] = "the path with the most letters of no unit",
      [WB_UNIT_BARRIER] = "the path with the most barriers"};
  bool longest = peak->phase == WB_CHECK_ALL_PHASES;
  unsigned types = 0;
  unsigned last = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    longest &= peak->factor[u] == job->question.times[u];
    types += peak->factor[u] > 0;
    last = peak->factor[u] > 0 ? u : last;
  }
  if (longest)
    return "the longest path";
  if (peak->phase != WB_CHECK_ALL_PHASES)
    return "a path that is worst between two barriers";
  return types == 1 ? most[last] : "the path with the most work";
}

/* The paths that the maxima are of. */
static warpbound_status take_executions(struct job *job)
{
  const struct wb_path_source source = {.function = job->paths->wcet.function,
                                        .system = &job->paths->system,
                                        .facts = &job->paths->wcet.facts};
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < job->paths->peaks.count && status == WARPBOUND_OK; p++) {
    const struct wb_path_peak *peak = job->paths->peaks.items[p];
    if (peak->ipet.taken != NULL)
      status = wb_path_strings_add(&source, peak->ipet.taken, describe(job, peak),
                                   &job->paths->strings, job->error);
  }
  return status;
}

/* ---- from below ---- */

static warpbound_status make_instance(struct job *job, size_t string,
                                      struct wb_instance *instance)
{
  const struct wb_paths *paths = job->paths;
  struct wb_list origin = {0};
  wb_list_add_all(&origin, &paths->assumptions);
  wb_list_add_all(&origin, &paths->path.assumptions);
  if (!wb_paths_are_one(paths))
    wb_list_add(&origin, "each warp takes any path that the code, the loop bounds and the flow "
                         "facts allow");
  warpbound_status status =
      origin.failed
          ? wb_out_of_memory(job->error)
          : wb_instance_make(&paths->strings.items[string].string, job->asked->sm,
                             job->asked->warps, job->asked->blocks, &origin, instance, job->error);
  wb_list_free(&origin);
  return status;
}

/* The closed form of a string by itself; 0 where it is too long for any. */
static warpbound_status promise_of(const struct job *job, const struct wb_kernel_string *string,
                                   uint64_t *promise)
{
  struct wb_problem problem;
  warpbound_error refusal;
  *promise = 0;
  warpbound_status status =
      wb_problem_normalise(string, job->asked->sm, job->asked->warps, &problem, &refusal);
  if (status == WARPBOUND_OK) {
    status = wb_bound_closed_form(&problem, promise, &refusal);
    wb_problem_free(&problem);
  }
  return status == WARPBOUND_INTERNAL ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* Puts a string among the trials where it promises more than the least of them. */
static void enter_trial(struct job *job, size_t string, uint64_t promise)
{
  size_t place = job->trial_count < MOST_TRIALS ? job->trial_count++ : MOST_TRIALS;
  while (place > 0 && job->trials[place - 1].promise < promise) {
    if (place < MOST_TRIALS)
      job->trials[place] = job->trials[place - 1];
    place--;
  }
  if (place < MOST_TRIALS)
    job->trials[place] = (struct trial){.string = string, .promise = promise};
}

/* The strings that promise most, the first of equals first. */
static warpbound_status choose_trials(struct job *job)
{
  const struct wb_path_strings *strings = &job->paths->strings;
  const bool one = job->asked->options->simulate_only ||
                   job->asked->options->limits.method == WARPBOUND_METHOD_ILP;
  for (size_t s = 0; s < (one ? 1 : strings->count); s++) {
    uint64_t promise;
    warpbound_status status = promise_of(job, &strings->items[s].string, &promise);
    if (status != WARPBOUND_OK)
      return status;
    if (promise > 0)
      enter_trial(job, s, promise);
  }
  return job->trial_count > 0
             ? WARPBOUND_OK
             : wb_fail(job->error, WARPBOUND_LIMIT, "the paths are too long for schedules");
}

/* The time that is left for a part of the work. */
static void share_time(struct job *job)
{
  if (job->control.deadline > 0) {
    const double left = job->control.deadline - wb_clock();
    job->options.limits.time_limit = left > 1e-9 ? left : 1e-9;
  }
}

/* Analyses a string by itself with a method; its lower end is one of the paths. */
static warpbound_status run_trial(struct job *job, size_t index, warpbound_method method)
{
  struct trial *trial = &job->trials[index];
  if (trial->done) {
    wb_result_clear(&trial->result);
    wb_instance_clear(&trial->instance);
    trial->done = false;
  }
  job->options = *job->asked->options;
  job->options.limits.method = method;
  job->options.known = NULL;
  job->options.certify = false;
  share_time(job);
  warpbound_status status = make_instance(job, trial->string, &trial->instance);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_analyse_makespan(&trial->instance, &job->options, &trial->result, job->error);
  trial->done = status == WARPBOUND_OK || status == WARPBOUND_LIMIT;
  job->limited = status == WARPBOUND_LIMIT;
  if (!trial->done)
    wb_instance_clear(&trial->instance);
  return trial->done ? WARPBOUND_OK : status;
}

static bool is_closed(const struct job *job)
{
  return job->trials[job->winner].result.lower.cycles >= upper_of(job);
}

/* Each promising path with little effort, and the best of them with all. */
static warpbound_status bound_from_below(struct job *job)
{
  const warpbound_method method = job->asked->options->limits.method;
  const bool one = job->asked->options->simulate_only || method == WARPBOUND_METHOD_ILP;
  warpbound_status status = choose_trials(job);
  for (size_t t = 0; t < job->trial_count && status == WARPBOUND_OK; t++) {
    if (t > 0 && (is_closed(job) || wb_control_stopped(&job->control) != WB_STOP_NONE))
      break;
    status = run_trial(job, t, one ? method : WARPBOUND_METHOD_BOUNDS);
    if (status == WARPBOUND_OK &&
        job->trials[t].result.lower.cycles > job->trials[job->winner].result.lower.cycles)
      job->winner = t;
  }
  if (status == WARPBOUND_OK && !one && method != WARPBOUND_METHOD_BOUNDS && !is_closed(job))
    status = run_trial(job, job->winner, method);
  return status;
}

/* ---- the outcome ---- */

/* Other paths than the one shown may be worse: what bounds it from above says nothing. */
static void keep_lower_bounds(struct warpbound_result *result)
{
  size_t kept = 0;
  for (size_t b = 0; b < result->bounds.count; b++) {
    struct wb_named_bound *bound = &result->bounds.items[b];
    if (bound->bound.kind != WARPBOUND_LOWER && bound->bound.kind != WARPBOUND_EXACT)
      continue;
    bound->bound.kind = WARPBOUND_LOWER;
    result->bounds.items[kept++] = *bound;
  }
  result->bounds.count = kept;
  result->published.count = 0;
  result->line = (struct wb_potential_line){0};
  result->lower.kind = WARPBOUND_LOWER;
  result->upper = (warpbound_bound){0};
  wb_potential_proof_free(&result->potential);
  free(result->cut);
  result->cut = NULL;
  result->cut_count = 0;
}

static warpbound_status add_upper_bounds(struct job *job, struct warpbound_result *result)
{
  static const char *const names[] = {"paths-total", "paths-serial", "paths-joint", "paths-spare",
                                      "paths-types"};
  struct wb_work work = {.problem = &result->instance->problem,
                         .options = job->asked->options,
                         .result = result,
                         .error = job->error};
  warpbound_status status = WARPBOUND_OK;
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT && status == WARPBOUND_OK; b++) {
    if (job->bounds.cycles[b] != UINT64_MAX)
      status =
          wb_work_add_bound(&work, names[b], OVER_PATHS, WARPBOUND_UPPER, job->bounds.cycles[b]);
  }
  return status;
}

/* Whether partitions share units or wait for each other; else one of them stands for all. */
static bool shares_or_waits(const struct wb_sm_problem *problem)
{
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    shared |= problem->shared[u];
  return shared || problem->strings[0].count[WB_UNIT_BARRIER] > 0;
}

/* Schedules in which warps take different paths need the other strings too: those with as many
 * barriers as the one shown, which stands first; where barriers are not in phases, as many need not
 * be the same ones, and nothing is mixed. *all: no other path is left out. */
static warpbound_status list_mixed(struct job *job, struct wb_instance *instance, bool *all)
{
  const struct wb_path_strings *strings = &job->paths->strings;
  const size_t first = job->trials[job->winner].string;
  struct wb_kernel_string mixed[MOST_MIXED] = {strings->items[first].string};
  size_t count = 1;
  const bool one = job->paths->system.composed != NULL;
  for (size_t s = 0; s < strings->count && count < MOST_MIXED && !one; s++) {
    if (s != first &&
        strings->items[s].string.count[WB_UNIT_BARRIER] == mixed[0].count[WB_UNIT_BARRIER])
      mixed[count++] = strings->items[s].string;
  }
  struct wb_sm_problem whole;
  warpbound_error refusal;
  warpbound_status status = wb_sm_problem_normalise(mixed, count, job->asked->sm, job->asked->warps,
                                                    job->asked->blocks, &whole, &refusal);
  if (status == WARPBOUND_USAGE || status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK; /* one is too long: none is mixed */
  if (status != WARPBOUND_OK)
    return wb_out_of_memory(job->error);
  if (!shares_or_waits(&whole)) {
    whole.partitions = whole.blocks = 1;
    whole.block_warps = instance->problem.warps;
  }
  wb_sm_problem_free(&instance->whole);
  instance->whole = whole;
  *all = strings->all && count == strings->count;
  return WARPBOUND_OK;
}

/* Schedules whose warps take different paths; where these are all that there are, the search
 * through all of them closes the bracket. */
static warpbound_status search_mixed(struct job *job, struct wb_instance *instance,
                                     struct warpbound_result *result)
{
  struct wb_work work = {.problem = &instance->problem,
                         .options = job->asked->options,
                         .control = job->control,
                         .result = result,
                         .error = job->error};
  bool all = false;
  if (job->asked->options->simulate_only ||
      job->asked->options->limits.method == WARPBOUND_METHOD_ILP)
    return WARPBOUND_OK;
  warpbound_status status = list_mixed(job, instance, &all);
  if (status != WARPBOUND_OK || instance->whole.string_count < 2)
    return status;
  const uint64_t before = result->lower.cycles;
  status = wb_work_search_whole(&work, all);
  result->paths.mixed = result->whole_witness.issue_cycle != NULL && result->lower.cycles > before;
  return status;
}

static warpbound_status certify(struct job *job, struct warpbound_result *result)
{
  struct wb_path_certificate *certificate = wb_allocate(1, sizeof *certificate);
  if (certificate == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status =
      wb_path_certificate_make(&job->paths->system, &job->question, &job->paths->peaks,
                               &job->bounds, job->best, certificate, job->error);
  if (status == WARPBOUND_OK)
    result->certificate = certificate;
  else
    free(certificate);
  return status;
}

static warpbound_status settle(struct job *job, struct warpbound_result *result)
{
  struct wb_work work = {.control = job->control, .result = result, .error = job->error};
  return wb_work_settle(&work, job->limited || wb_control_stopped(&job->control) != WB_STOP_NONE ||
                                   job->asked->options->limits.method == WARPBOUND_METHOD_EXACT);
}

/* Hands the winner out as the result of all paths. */
static warpbound_status finish(struct job *job, struct wb_instance *instance,
                               struct warpbound_result *result)
{
  struct trial *winner = &job->trials[job->winner];
  const struct wb_path_strings *strings = &job->paths->strings;
  const char *why = strings->items[winner->string].why;
  *instance = winner->instance;
  *result = winner->result;
  winner->done = false;
  result->instance = instance;
  result->paths = (struct wb_path_summary){.several = !wb_paths_are_one(job->paths),
                                           .all = strings->all,
                                           .strings = strings->count,
                                           .shown = why != NULL ? why : "one of them"};
  keep_lower_bounds(result);
  wb_result_drop_phases(result);
  instance->estimate = job->paths->estimate || job->asked->estimate;
  warpbound_status status = add_upper_bounds(job, result);
  if (status == WARPBOUND_OK)
    status = search_mixed(job, instance, result);
  if (status == WARPBOUND_OK)
    status = certify(job, result);
  if (status == WARPBOUND_OK)
    status = settle(job, result);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT) {
    wb_result_clear(result);
    wb_instance_clear(instance);
  }
  return status;
}

static void drop_trials(struct job *job)
{
  for (size_t t = 0; t < job->trial_count; t++) {
    if (!job->trials[t].done)
      continue;
    wb_result_clear(&job->trials[t].result);
    wb_instance_clear(&job->trials[t].instance);
  }
}

static warpbound_status analyse_all(struct job *job, struct wb_instance *instance,
                                    struct warpbound_result *result)
{
  if (job->asked->fair != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a kernel whose paths have all the same string, which "
                   "this one's have not");
  warpbound_status status = bound_from_above(job);
  if (status == WARPBOUND_OK)
    status = take_executions(job);
  if (status == WARPBOUND_OK)
    status = bound_from_below(job);
  if (status == WARPBOUND_OK)
    status = finish(job, instance, result);
  drop_trials(job);
  return status;
}

/* One string: the analysis of strings says all of it. */
static warpbound_status analyse_one(struct job *job, struct wb_instance *instance,
                                    struct warpbound_result *result)
{
  warpbound_status status = make_instance(job, 0, instance);
  if (status != WARPBOUND_OK)
    return status;
  instance->estimate = job->paths->estimate || job->asked->estimate;
  if (job->asked->fair != NULL)
    status = wb_instance_make_fair(instance, job->asked->fair, job->error);
  if (status == WARPBOUND_OK)
    status = wb_analyse_makespan(instance, job->asked->options, result, job->error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_instance_clear(instance);
  return status;
}

static warpbound_status refuse_barrier(const struct wb_paths *paths, warpbound_error *error)
{
  const struct wb_instruction *barrier = paths->system.partial;
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, paths->wcet.code->name, barrier->line,
                    barrier->column,
                    "%.40s %.60s: a barrier that a part of the warps of a block may pass, expected "
                    "one of all of them (BAR.SYNC 0x0)",
                    barrier->opcode, barrier->operands);
}

warpbound_status wb_paths_makespan(struct wb_paths *paths, const struct wb_paths_question *question,
                                   struct wb_instance *instance,
                                   struct warpbound_result *result, warpbound_error *error)
{
  struct job job = {.paths = paths,
                    .asked = question,
                    .control = wb_control_start(&question->options->limits),
                    .error = error};
  if (paths->system.partial != NULL)
    return refuse_barrier(paths, error);
  return wb_paths_are_one(paths) ? analyse_one(&job, instance, result)
                                 : analyse_all(&job, instance, result);
}
