#include "analysis/paths/makespan/paths_makespan.h"

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/makespan/makespan_steps.h"
#include "analysis/paths/makespan/path_bounds.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"

#include <stdlib.h>
#include <string.h>

/* Most strings that are analysed by themselves, and most strings of schedules that mix them. */
#define MOST_CANDIDATES 3
#define MOST_MIXED 8

#define OVER_PATHS "maxima over all paths by IPET; proof in doc/all-paths.md"

/* A string that all warps take. Owns instance and result where `done`. */
struct candidate {
  size_t string; /* index into the known strings */
  uint64_t
      promise; /* its closed form in cycles, by which candidates are ranked, the greatest first */
  struct wb_instance instance;
  struct warpbound_result result;
  bool done;
};

/* The context of an analysis of all paths. Owns the candidates. */
struct job {
  struct wb_paths *paths;
  const struct wb_paths_question *asked;
  struct wb_path_question question; /* what was asked, for the bounds over all paths */
  struct wb_path_bounds bounds;
  enum wb_check_paths_bound best; /* the least of them */
  struct wb_control control;
  struct wb_analysis_options options; /* of the candidate that is analysed */
  struct candidate candidates[MOST_CANDIDATES];
  size_t candidate_count;
  size_t best_candidate;                /* the one with the greatest lower end */
  bool limited;                         /* a limit ended the analysis of a candidate */
  struct wb_instance *instance;         /* the answer: of the best candidate */
  struct warpbound_result *result;      /* the answer */
  struct wb_makespan_analysis analysis; /* of the answer, where `answered` */
  bool answered;                        /* the answer is filled in */
  warpbound_error *error;
};

/* Whether the lower end is of the worst path of one warp alone. */
static bool asks_one_string(const struct job *job)
{
  return job->asked->options->limits.policies_only ||
         job->asked->options->limits.method == WARPBOUND_METHOD_ILP;
}

/* ---- from above ---- */

static warpbound_status bound_from_above(struct job *job)
{
  warpbound_status status =
      wb_path_question_make(&job->paths->system, &job->asked->like->sm, job->asked->warps,
                            job->asked->like->whole.blocks, &job->question, job->error);
  if (status == WARPBOUND_OK)
    status = wb_path_bounds_find(&job->paths->system, &job->question, &job->control,
                                 &job->paths->maxima, &job->bounds, job->error);
  if (status != WARPBOUND_OK)
    return status;
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++) {
    if (job->bounds.cycles[b] < job->bounds.cycles[job->best])
      job->best = (enum wb_check_paths_bound)b;
  }
  return status;
}

/* The path of a maximum in words. */
static const char *describe(const struct job *job, const struct wb_path_maximum *maximum)
{
  static const char *const most[WB_UNIT_COUNT] = {
      [WB_UNIT_LOAD_STORE] = "the path with the most load/store letters",
      [WB_UNIT_CORE] = "the path with the most CUDA core letters",
      [WB_UNIT_SPECIAL] = "the path with the most special function letters",
      [WB_UNIT_DOUBLE] = "the path with the most letters of double precision",
      [WB_UNIT_TENSOR] = "the path with the most tensor core letters",
      [WB_UNIT_NONE] = "the path with the most letters of no unit",
      [WB_UNIT_BARRIER] = "the path with the most barriers"};
  bool longest = maximum->phase == WB_CHECK_ALL_PHASES;
  unsigned types = 0;
  unsigned last = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    longest &= maximum->factor[u] == job->question.times[u];
    types += maximum->factor[u] > 0;
    last = maximum->factor[u] > 0 ? u : last;
  }
  if (longest)
    return "the longest path";
  if (maximum->phase != WB_CHECK_ALL_PHASES)
    return "a path that is worst between two barriers";
  return types == 1 ? most[last] : "the path with the most work";
}

/* Adds the paths of the maxima to the known strings. */
static warpbound_status take_executions(struct job *job)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < job->paths->maxima.count && status == WARPBOUND_OK; p++) {
    const struct wb_path_maximum *maximum = job->paths->maxima.items[p];
    if (maximum->ipet.taken != NULL)
      status =
          wb_paths_add_string(job->paths, maximum->ipet.taken, describe(job, maximum), job->error);
  }
  return status;
}

/* ---- from below ---- */

static warpbound_status make_instance(struct job *job, size_t string, struct wb_instance *instance)
{
  const struct wb_paths *paths = job->paths;
  struct wb_list origin = {0};
  wb_list_add_all(&origin, &paths->assumptions);
  wb_list_add_all(&origin, &paths->path.assumptions);
  if (!wb_paths_are_one(paths))
    wb_list_add(&origin, "each warp takes any path that the code, the loop bounds and the flow "
                         "facts allow");
  warpbound_status status =
      origin.failed ? wb_out_of_memory(job->error)
                    : wb_instance_make(&paths->strings.items[string].string, &job->asked->like->sm,
                                       job->asked->warps, job->asked->like->whole.blocks, &origin,
                                       instance, job->error);
  wb_list_free(&origin);
  return status;
}

/* Chooses the strings with the greatest promises, their closed forms; equal ones in the order of
 * the list. Those that are too long for any are left out. */
static warpbound_status choose_candidates(struct job *job)
{
  const struct wb_path_strings *strings = &job->paths->strings;
  const bool one = asks_one_string(job);
  for (size_t s = 0; s < (one ? 1 : strings->count); s++) {
    struct wb_problem problem;
    warpbound_error refusal;
    uint64_t promise = 0;
    warpbound_status status = wb_problem_normalise(&strings->items[s].string, &job->asked->like->sm,
                                                   job->asked->warps, &problem, &refusal);
    if (status == WARPBOUND_OK) {
      status = wb_bound_closed_form(&problem, &promise, &refusal);
      wb_problem_free(&problem);
    }
    if (status == WARPBOUND_INTERNAL)
      return wb_out_of_memory(job->error);
    if (promise == 0)
      continue;
    size_t place = job->candidate_count;
    if (job->candidate_count < MOST_CANDIDATES)
      job->candidate_count++;
    for (; place > 0 && job->candidates[place - 1].promise < promise; place--) {
      if (place < MOST_CANDIDATES)
        job->candidates[place] = job->candidates[place - 1];
    }
    if (place < MOST_CANDIDATES)
      job->candidates[place] = (struct candidate){.string = s, .promise = promise};
  }
  return job->candidate_count > 0
             ? WARPBOUND_OK
             : wb_fail(job->error, WARPBOUND_LIMIT, "the paths are too long for schedules");
}

/* Analyses a string by itself with a method; its lower end is one of all paths. */
static warpbound_status analyse_candidate(struct job *job, size_t index, warpbound_method method)
{
  struct candidate *candidate = &job->candidates[index];
  if (candidate->done) {
    wb_result_clear(&candidate->result);
    wb_instance_clear(&candidate->instance);
    candidate->done = false;
  }
  job->options = *job->asked->options;
  job->options.limits.method = method;
  job->options.warp_counts = NULL;
  job->options.limits.certify = false;
  /* A candidate may take all the time that is left. */
  if (job->control.deadline > 0) {
    const double left = job->control.deadline - wb_clock();
    job->options.limits.time_limit = left > 1e-9 ? left : 1e-9;
  }
  warpbound_status status = make_instance(job, candidate->string, &candidate->instance);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_analyse_makespan(&candidate->instance, &job->options, &candidate->result, job->error);
  candidate->done = status == WARPBOUND_OK || status == WARPBOUND_LIMIT;
  job->limited = status == WARPBOUND_LIMIT;
  if (!candidate->done)
    wb_instance_clear(&candidate->instance);
  return candidate->done ? WARPBOUND_OK : status;
}

static bool is_closed(const struct job *job)
{
  return job->candidates[job->best_candidate].result.lower.cycles >= job->bounds.cycles[job->best];
}

/* Analyses each candidate quickly, and the best of them with all effort. */
static warpbound_status bound_from_below(struct job *job)
{
  const warpbound_method method = job->asked->options->limits.method;
  const bool one = asks_one_string(job);
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < job->candidate_count && status == WARPBOUND_OK; t++) {
    if (t > 0 && (is_closed(job) || wb_control_stopped(&job->control) != WB_STOP_NONE))
      break;
    status = analyse_candidate(job, t, one ? method : WARPBOUND_METHOD_BOUNDS);
    if (status == WARPBOUND_OK && job->candidates[t].result.lower.cycles >
                                      job->candidates[job->best_candidate].result.lower.cycles)
      job->best_candidate = t;
  }
  if (status == WARPBOUND_OK && !one && method != WARPBOUND_METHOD_BOUNDS && !is_closed(job))
    status = analyse_candidate(job, job->best_candidate, method);
  return status;
}

/* ---- the answer ---- */

static warpbound_status add_upper_bounds(struct job *job)
{
  static const char *const names[] = {"paths-total", "paths-serial", "paths-joint", "paths-spare",
                                      "paths-types"};
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++) {
    if (job->bounds.cycles[b] != UINT64_MAX)
      wb_makespan_add_bound(&job->analysis, names[b], OVER_PATHS, WARPBOUND_UPPER,
                            job->bounds.cycles[b]);
  }
  return WARPBOUND_OK;
}

/* Searches schedules whose warps take different strings: the one shown, which stands first, and
 * others with as many barriers. Where barriers are not in phases nothing is mixed: as many barriers
 * need not be the same ones. Where the strings are those of all paths, the search through all
 * states closes the bracket. */
static warpbound_status search_mixed(struct job *job)
{
  struct warpbound_result *result = job->result;
  const struct wb_path_strings *strings = &job->paths->strings;
  const size_t first = job->candidates[job->best_candidate].string;
  struct wb_kernel_string mixed[MOST_MIXED] = {strings->items[first].string};
  size_t count = 1;
  const struct wb_path_system *system = &job->paths->system;
  const bool one = system->composed != NULL && wb_flow_system_is_walk(&system->flow);
  if (asks_one_string(job))
    return WARPBOUND_OK;
  for (size_t s = 0; s < strings->count && count < MOST_MIXED && !one; s++) {
    if (s != first &&
        strings->items[s].string.count[WB_UNIT_BARRIER] == mixed[0].count[WB_UNIT_BARRIER])
      mixed[count++] = strings->items[s].string;
  }
  struct wb_sm_problem whole;
  warpbound_error refusal;
  warpbound_status status =
      wb_sm_problem_normalise(mixed, count, &job->asked->like->sm, job->asked->warps,
                              job->asked->like->whole.blocks, &whole, &refusal);
  if (status == WARPBOUND_USAGE || status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK; /* one is too long: none is mixed */
  if (status != WARPBOUND_OK)
    return wb_out_of_memory(job->error);
  /* Where partitions neither share units nor wait for each other one of them represents all. */
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    shared |= whole.shared[u];
  if (!shared && whole.strings[0].count[WB_UNIT_BARRIER] == 0) {
    whole.partitions = whole.blocks = 1;
    whole.block_warps = job->instance->problem.warps;
  }
  wb_sm_problem_free(&job->instance->whole);
  job->instance->whole = whole;
  if (whole.string_count < 2)
    return WARPBOUND_OK;
  const uint64_t before = result->lower.cycles;
  const bool all = strings->all && count == strings->count;
  status = wb_makespan_search_whole_sm(&job->analysis, all);
  result->paths.mixed = result->whole_witness.issue_cycle != NULL && result->lower.cycles > before;
  return status;
}

static warpbound_status certify(struct job *job)
{
  struct wb_path_certificate *certificate = wb_allocate(1, sizeof *certificate);
  if (certificate == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status =
      wb_path_certificate_make(&job->paths->system, &job->question, &job->paths->maxima,
                               &job->bounds, job->best, certificate, job->error);
  if (status == WARPBOUND_OK)
    job->result->certificate = certificate;
  else
    free(certificate);
  return status;
}

static warpbound_status finish(struct job *job)
{
  return wb_makespan_finish(&job->analysis,
                            job->limited || wb_control_stopped(&job->control) != WB_STOP_NONE ||
                                job->asked->options->limits.method == WARPBOUND_METHOD_EXACT);
}

/* What the paths rest on, or the question says, makes the result an estimate. */
static warpbound_status take_doubts(struct job *job)
{
  wb_estimate_free(&job->instance->estimate);
  wb_estimate_add_all(&job->instance->estimate, &job->paths->estimate, NULL);
  wb_estimate_add_all(&job->instance->estimate, &job->asked->like->estimate, NULL);
  return job->instance->estimate.failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* Hands the best candidate out as the answer for all paths, without its upper bounds. */
static warpbound_status take_best_candidate(struct job *job)
{
  struct candidate *best = &job->candidates[job->best_candidate];
  const struct wb_path_strings *strings = &job->paths->strings;
  const char *why = strings->items[best->string].why;
  *job->instance = best->instance;
  *job->result = best->result;
  best->done = false;
  job->answered = true;
  job->analysis = (struct wb_makespan_analysis){.problem = &job->instance->problem,
                                                .options = job->asked->options,
                                                .control = job->control,
                                                .result = job->result,
                                                .error = job->error};
  job->result->instance = job->instance;
  job->result->paths = (struct wb_path_summary){.several = !wb_paths_are_one(job->paths),
                                                .all = strings->all,
                                                .strings = strings->count,
                                                .shown = why != NULL ? why : "one of them"};
  /* Other paths than the one shown may be worse: it has no upper bounds. */
  struct warpbound_result *result = job->result;
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
  wb_result_drop_phases(result);
  return take_doubts(job);
}

/* A step of the analysis, in the order of the table. */
typedef warpbound_status paths_step(struct job *job);

static paths_step *const steps_of_all_paths[] = {
    bound_from_above, take_executions, choose_candidates, bound_from_below, take_best_candidate,
    add_upper_bounds, search_mixed,    certify,           finish,
};

static warpbound_status analyse_all(struct job *job)
{
  warpbound_status status = WARPBOUND_OK;
  if (job->asked->like->fair.count > 0)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a kernel whose paths have all the same string, which "
                   "this one's have not");
  for (size_t s = 0;
       s < sizeof steps_of_all_paths / sizeof *steps_of_all_paths && status == WARPBOUND_OK; s++)
    status = steps_of_all_paths[s](job);
  for (size_t c = 0; c < job->candidate_count; c++) {
    if (!job->candidates[c].done)
      continue;
    wb_result_clear(&job->candidates[c].result);
    wb_instance_clear(&job->candidates[c].instance);
  }
  if (job->answered && status != WARPBOUND_OK && status != WARPBOUND_LIMIT) {
    wb_result_clear(job->result);
    wb_instance_clear(job->instance);
  }
  return status;
}

warpbound_status wb_paths_makespan(struct wb_paths *paths, const struct wb_paths_question *question,
                                   struct wb_instance *instance, struct warpbound_result *result,
                                   warpbound_error *error)
{
  struct job job = {.paths = paths,
                    .asked = question,
                    .control = wb_control_start(&question->options->limits),
                    .instance = instance,
                    .result = result,
                    .error = error};
  warpbound_status status = wb_paths_check_barriers(paths, error);
  if (status != WARPBOUND_OK)
    return status;
  if (!wb_paths_are_one(paths))
    return analyse_all(&job);
  /* One string: the analysis of strings answers the question. */
  status = make_instance(&job, 0, instance);
  if (status != WARPBOUND_OK)
    return status;
  status = take_doubts(&job);
  if (status == WARPBOUND_OK && question->like->fair.count > 0)
    status = wb_instance_make_fair(instance, &question->like->fair, error);
  if (status == WARPBOUND_OK)
    status = wb_analyse_makespan(instance, question->options, result, error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_instance_clear(instance);
  return status;
}
