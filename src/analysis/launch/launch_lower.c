/* The lower end of the bracket of a launch: runs that the model allows (doc/launch.md). */
#include "analysis/launch/launch_promise.h"
#include "analysis/launch/launch_steps.h"

#include "analysis/paths/path_solver.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "launch/timing/shorter_delays.h"
#include "launch/timing/sleep.h"
#include "launch/timing/timing_code.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most paths that are simulated, and most instructions of one. */
#define MOST_PATHS 3
#define MOST_LENGTH ((size_t)4000000)
/* Ways to dispatch blocks, and to give paths to warps, that seeds choose from; and most runs of the
 * local search. */
#define SEED_RULES 9
#define MOST_CHANGES 96

/* A path that is known, as instructions. Owns them. */
struct known_path {
  uint32_t *instructions;
  size_t length;                    /* 0: they are too many, or their order is not known */
  struct wb_launch_promise promise; /* where all warps take it */
};

/* A run of the simulator, and where its last block is. */
struct known_run {
  size_t path;
  enum wb_launch_policy policy;
  uint64_t seed;
  uint64_t laggards;
  bool early_starts;
  uint32_t shorter_delays; /* sixteenths, of the delays before resources of the GPU */
  uint64_t last_begin;
  uint32_t last_sm;
};

struct search {
  const struct wb_launch_job *job;
  struct wb_launch_analysis *analysis; /* of the job */
  const struct wb_timed_code *code;    /* that runs: of data that L2 keeps, all hits */
  struct known_path paths[MOST_PATHS]; /* the greatest promise first */
  size_t count;
  struct known_run longest;
};

/* ---- paths ---- */

/* Keeps the paths with the greatest promises, equal ones in the order in which they come. */
static void keep_path(struct search *search, const struct known_path *path)
{
  size_t place = search->count;
  while (place > 0 && search->paths[place - 1].promise.cycles < path->promise.cycles)
    place--;
  if (search->count == MOST_PATHS)
    free(place < MOST_PATHS ? search->paths[--search->count].instructions : path->instructions);
  if (place == MOST_PATHS)
    return;
  memmove(&search->paths[place + 1], &search->paths[place],
          (search->count - place) * sizeof *search->paths);
  search->paths[place] = *path;
  search->count++;
}

/* Takes the path of an execution by its counts, if it is one of the kernel; without instructions
 * where there are too many, or no order of them is known. */
static warpbound_status take_execution(struct search *search, const int64_t *taken)
{
  struct wb_launch_analysis *analysis = search->analysis;
  const struct wb_path_system *system = &analysis->paths.system;
  uint32_t *nodes = NULL;
  size_t count = 0;
  bool allowed;
  struct known_path path = {0};
  warpbound_status status = wb_paths_allow(&analysis->paths, taken, &allowed, search->job->error);
  if (status == WARPBOUND_OK && allowed)
    status =
        wb_paths_walk(&analysis->paths, taken, MOST_LENGTH, &nodes, &count, search->job->error);
  if (status != WARPBOUND_OK || !allowed)
    return status;
  for (size_t n = 0; n < count; n++)
    path.length += (size_t)system->last[nodes[n]] + 1 - system->first[nodes[n]];
  if (path.length > MOST_LENGTH)
    path.length = 0;
  path.instructions = wb_allocate(path.length, sizeof *path.instructions);
  const bool allocated = path.instructions != NULL;
  size_t at = 0;
  for (size_t n = 0; n < count && path.length > 0 && allocated; n++) {
    for (uint32_t i = system->first[nodes[n]]; i <= system->last[nodes[n]]; i++)
      path.instructions[at++] = i;
  }
  free(nodes);
  if (!allocated)
    return wb_out_of_memory(search->job->error);
  if (path.length > 0) {
    wb_launch_promise_of_steps(search->code, &analysis->shape, path.instructions, path.length,
                               &path.promise);
  } else if (!wb_launch_promise_of_counts(search->code, &analysis->shape, system, taken,
                                          &path.promise)) {
    free(path.instructions);
    return wb_out_of_memory(search->job->error);
  }
  keep_path(search, &path);
  return WARPBOUND_OK;
}

/* The executions whose paths are taken, each once. Counts are borrowed. */
struct executions {
  const int64_t **taken;
  size_t count;
  size_t bytes; /* of one */
};

static void add_execution(struct executions *executions, const int64_t *taken)
{
  for (size_t k = 0; k < executions->count && taken != NULL; k++) {
    if (memcmp(executions->taken[k], taken, executions->bytes) == 0)
      return;
  }
  if (taken != NULL)
    executions->taken[executions->count++] = taken;
}

/* Costs of nodes in whole numbers are below this. */
#define MOST_COST 0x1p30

/* The one execution of a warp that counts most in the upper end: each maximum of that may be of
 * another one, and of phases and stretches those of one phase say nothing of the others. A person
 * would call it the upper end's path. *result: without an execution where none was found. */
static warpbound_status find_heaviest(struct search *search, struct wb_arena *arena,
                                      struct wb_ipet_result *result)
{
  struct wb_launch_analysis *analysis = search->analysis;
  struct wb_launch_maxima *maxima = &analysis->maxima;
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_ipet_options how = {
      .effort = WB_IPET_ROUND, .unproven = true, .basis = &maxima->basis};
  const size_t nodes = system->flow.node_count;
  double *weight = wb_arena_array(arena, double, nodes);
  int64_t *cost = wb_arena_array(arena, int64_t, nodes);
  const size_t edges = system->flow.edge_count;
  double *edge_weight = wb_arena_array(arena, double, edges);
  int64_t *edge_cost = wb_arena_array(arena, int64_t, edges);
  const struct wb_path_costs costs = {.nodes = cost, .edges = edge_cost};
  double most = 1;
  if (arena->failed)
    return wb_out_of_memory(search->job->error);
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    const double times = wb_launch_maximum_weight(maxima, &analysis->upper, maximum);
    for (size_t v = 0; v < nodes && times > 0; v++) {
      if (maximum->phase >= WB_STRETCHES || system->phase[v] == maximum->phase)
        weight[v] += times * (double)maxima->costs.of[maximum->sum][v];
      most = fmax(most, weight[v]);
    }
    const int64_t *advance = wb_launch_costs_of(&maxima->costs, maximum->sum).edges;
    for (size_t e = 0; e < edges && times > 0 && advance != NULL; e++) {
      if (maximum->phase >= WB_STRETCHES || system->phase[system->flow.to[e]] == maximum->phase)
        edge_weight[e] += times * (double)advance[e];
      most = fmax(most, edge_weight[e]);
    }
  }
  for (size_t v = 0; v < nodes; v++)
    cost[v] = (int64_t)(weight[v] / most * MOST_COST);
  for (size_t e = 0; e < edges; e++)
    edge_cost[e] = (int64_t)(edge_weight[e] / most * MOST_COST);
  warpbound_error refusal = {0};
  const warpbound_status status = wb_path_system_solve(system, &costs, WB_CHECK_ALL_PHASES, &how,
                                                       search->job->control, result, &refusal);
  return status == WARPBOUND_INTERNAL ? wb_fail_with(search->job->error, &refusal) : WARPBOUND_OK;
}

/* Takes the paths of the upper end: of the execution that counts most in it, of those at which its
 * maxima are reached, and the worst one of one warp alone, which no fact excludes. Stretches
 * between barriers are of another system. */
static warpbound_status take_executions(struct search *search)
{
  const struct wb_paths *paths = &search->analysis->paths;
  const struct wb_launch_maxima *maxima = &search->analysis->maxima;
  const size_t edges = paths->system.flow.edge_count;
  struct wb_arena arena = {0};
  struct wb_ipet_result heaviest = {0};
  struct executions executions = {
      .taken = wb_arena_array(&arena, const int64_t *, maxima->count + 2),
      .bytes = edges * sizeof(int64_t),
  };
  int64_t *alone = wb_arena_array(&arena, int64_t, edges);
  warpbound_status status = arena.failed ? wb_out_of_memory(search->job->error)
                            : wb_control_stopped(search->job->control) == WB_STOP_NONE
                                ? find_heaviest(search, &arena, &heaviest)
                                : WARPBOUND_OK;
  if (status == WARPBOUND_OK) {
    for (size_t m = 0; m < maxima->count; m++)
      add_execution(&executions,
                    maxima->items[m].phase != WB_STRETCHES ? maxima->items[m].ipet.taken : NULL);
    add_execution(&executions, heaviest.taken);
    if (paths->wcet.ipet.taken != NULL) {
      wb_paths_worst_counts(paths, alone);
      add_execution(&executions, alone);
    }
  }
  for (size_t k = 0; k < executions.count && status == WARPBOUND_OK; k++)
    status = take_execution(search, executions.taken[k]);
  wb_ipet_result_free(&heaviest);
  wb_arena_free(&arena);
  return status;
}

/* ---- simulation ---- */

/* events: those of the SM of the run's last block, from its coming on; 0: none. */
static warpbound_status simulate(struct search *search, const struct known_run *run, size_t events,
                                 struct wb_simulated_launch *launch)
{
  const struct known_path *path = &search->paths[run->path];
  const struct wb_warp_path one = {path->instructions, path->length};
  const struct wb_simulation_options options = {
      .policy = run->policy,
      .seed = run->seed,
      .laggards = run->laggards,
      .paths = &one,
      .path_count = 1,
      .cold = true,
      .balanced = search->job->question->options->balanced_dispatch,
      .early_starts = run->early_starts,
      .most_events = events,
      .events_from = run->last_begin,
      .events_of_sm = true,
      .events_sm = run->last_sm,
  };
  struct wb_timed_code sooner = {0};
  if (run->shorter_delays > 0 &&
      !wb_timed_code_shorten_delays(search->code, run->shorter_delays, &sooner))
    return wb_out_of_memory(search->job->error);
  const warpbound_status status =
      wb_launch_simulate(run->shorter_delays > 0 ? &sooner : search->code, &search->analysis->shape,
                         &options, search->job->control, launch, search->job->error);
  wb_timed_code_free(&sooner);
  return status;
}

/* Warp instructions of a run; UINT64_MAX where they do not fit. */
static uint64_t run_length(const struct search *search, size_t path)
{
  const struct wb_launch_shape *shape = &search->analysis->shape;
  uint64_t length;
  return wb_multiply(shape->blocks, shape->block_warps, &length) &&
                 wb_multiply(length, search->paths[path].length, &length)
             ? length
             : UINT64_MAX;
}

/* Runs it, and keeps it where it is the longest so far. */
static warpbound_status try_run(struct search *search, struct known_run *run)
{
  struct wb_launch_analysis *analysis = search->analysis;
  struct wb_simulated_launch launch = {0};
  const warpbound_status status = simulate(search, run, 0, &launch);
  if (status == WARPBOUND_OK && launch.ended && launch.cycles > analysis->simulated) {
    analysis->simulated = launch.cycles;
    analysis->policy = run->policy;
    analysis->run_seed = run->seed;
    analysis->run_laggards = wb_launch_policy_lags(run->policy) ? run->laggards : 0;
    analysis->run_early_starts = run->early_starts;
    analysis->run_shorter_delays = run->shorter_delays;
    run->last_sm = launch.last_sm;
    run->last_begin = launch.last_block_begin;
    search->longest = *run;
  }
  wb_simulated_launch_free(&launch);
  return status;
}

/* Whether the bound rests on queues that are never full, which runs of convoys have not. */
static bool has_no_convoys(const struct search *search)
{
  const warpbound_launch_options *options = search->job->question->options;
  return (options->unlimited_queues && !options->in_company) || search->analysis->pair;
}

/* Runs it if what is left of the instructions allows. */
static warpbound_status try_if_left(struct search *search, uint64_t *left, struct known_run *run)
{
  const uint64_t length = run_length(search, run->path);
  if (length == 0 || length > *left ||
      (wb_launch_policy_convoys(run->policy) && has_no_convoys(search)))
    return WARPBOUND_OK;
  *left -= length;
  return try_run(search, run);
}

/* The policy of the same kind by which some warps of each block lag behind. */
static enum wb_launch_policy lagging_policy(enum wb_launch_policy policy)
{
  if (wb_launch_policy_lags(policy))
    return policy;
  if (wb_launch_policy_in_step(policy))
    return WB_LAUNCH_IN_STEP_LAGGING;
  return wb_launch_policy_convoys(policy) ? WB_LAUNCH_CONVOY_LAGGING : WB_LAUNCH_LAGGING;
}

/* Another run near this one: other warps of each block lag behind, requests come to the GPU's
 * resources sooner, blocks start otherwise, another seed of a policy that draws, or another
 * dispatch. */
static void change_run(const struct search *search, struct wb_random *random, struct known_run *run)
{
  static const enum wb_launch_policy drawing[] = {
      WB_LAUNCH_LAGGING, WB_LAUNCH_LAGGING_YOUNGEST, WB_LAUNCH_STARVING, WB_LAUNCH_RANDOM,
      WB_LAUNCH_CONVOY,  WB_LAUNCH_CONVOY_LAGGING,   WB_LAUNCH_IN_STEP,  WB_LAUNCH_IN_STEP_LAGGING};
  const uint32_t warps = (uint32_t)wb_minimum(search->analysis->shape.block_warps, 64);
  const uint64_t what = wb_random_below(random, 4);
  if (what == 0 && wb_launch_policy_convoys(run->policy)) {
    if (wb_random_below(random, 2) == 0)
      run->early_starts = !run->early_starts;
    else
      run->shorter_delays = (uint32_t)wb_random_below(random, WB_SHORTER_DELAYS_OF);
  } else if (what < 3 && warps > 1) {
    run->policy = lagging_policy(run->policy);
    run->laggards ^= UINT64_C(1) << wb_random_below(random, warps);
  } else {
    run->seed = search->job->question->options->seed + wb_random_below(random, SEED_RULES * warps);
    if (wb_random_below(random, 2) == 0)
      run->policy = drawing[wb_random_below(random, sizeof drawing / sizeof *drawing)];
    run->early_starts = wb_launch_policy_convoys(run->policy);
    run->shorter_delays = run->early_starts ? run->shorter_delays : 0;
  }
}

/* Runs each policy on each path, those by which blocks wait for each other first; then runs near
 * the longest one, as long as the budget of instructions lasts. */
static warpbound_status simulate_all(struct search *search)
{
  static const enum wb_launch_policy policies[WB_LAUNCH_POLICY_COUNT] = {
      WB_LAUNCH_CONVOY_LAGGING,  WB_LAUNCH_IN_STEP_LAGGING, WB_LAUNCH_CONVOY,
      WB_LAUNCH_IN_STEP,         WB_LAUNCH_LAGGING,         WB_LAUNCH_LAGGING_YOUNGEST,
      WB_LAUNCH_GREEDY_YOUNGEST, WB_LAUNCH_RANDOM,          WB_LAUNCH_STARVING,
      WB_LAUNCH_GREEDY_OLDEST,   WB_LAUNCH_ROUND_ROBIN};
  const warpbound_launch_options *options = search->job->question->options;
  const uint32_t warps = search->analysis->shape.block_warps;
  uint64_t left = options->simulate;
  struct wb_random random = {options->seed};
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < search->count; p++) {
    for (size_t n = 0; n < WB_LAUNCH_POLICY_COUNT && status == WARPBOUND_OK; n++) {
      struct known_run run = {.path = p,
                              .policy = policies[n],
                              .seed = options->seed,
                              .early_starts = wb_launch_policy_convoys(policies[n])};
      if (wb_launch_policy_lags(run.policy))
        run.laggards = UINT64_C(1) << (options->seed % warps % 64);
      if (!wb_launch_policy_lags(run.policy) || warps > 1)
        status = try_if_left(search, &left, &run);
    }
  }
  if (status == WARPBOUND_OK && search->longest.early_starts) {
    struct known_run run = search->longest;
    run.early_starts = false;
    status = try_if_left(search, &left, &run);
  }
  for (size_t c = 0; c < MOST_CHANGES && status == WARPBOUND_OK && search->analysis->simulated > 0;
       c++) {
    struct known_run run = search->longest;
    change_run(search, &random, &run);
    status = try_if_left(search, &left, &run);
  }
  return status;
}

/* Keeps the longest run, with its events where they are asked for. A lower end above the upper one
 * would refute one of them. */
static warpbound_status finish(struct search *search)
{
  const warpbound_launch_options *options = search->job->question->options;
  struct wb_launch_analysis *analysis = search->analysis;
  warpbound_status status = WARPBOUND_OK;
  if (analysis->simulated > analysis->lower) {
    analysis->lower = analysis->simulated;
    analysis->lower_method = WB_LOWER_SIMULATION;
  }
  if (options->timeline_events > 0 && analysis->simulated > 0)
    status = simulate(search, &search->longest, options->timeline_events, &analysis->worst_run);
  if ((status == WARPBOUND_OK || status == WARPBOUND_LIMIT) &&
      analysis->lower > analysis->upper.cycles)
    return wb_fail(search->job->error, WARPBOUND_INTERNAL,
                   "a run of %" PRIu64 " cycles is longer than the bound of %" PRIu64
                   ": please report this kernel",
                   analysis->lower, analysis->upper.cycles);
  return status;
}

/* Hands over the path of the longest run, or the first one that can be simulated. */
static void keep_run_path(struct search *search)
{
  size_t path = search->longest.path;
  while (search->analysis->simulated == 0 && path < search->count &&
         search->paths[path].length == 0)
    path++;
  if (path >= search->count)
    return;
  search->analysis->run_path = search->paths[path].instructions;
  search->analysis->run_length = search->paths[path].length;
  search->paths[path].instructions = NULL;
}

/* A sleep of a number of the code may take what counts; one of a time in a register, or in constant
 * memory, counts as the longest that there is, which no run of the code need take. */
static void doubt_sleeps(struct wb_launch_analysis *analysis)
{
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  uint64_t nanoseconds;
  for (uint32_t i = 0; i < wcet->function->instruction_count; i++) {
    const struct wb_instruction *at = &wcet->function->instructions[i];
    if (!at->never && wb_sleep_most(wcet->function, i, &nanoseconds) &&
        wb_operand_of(wcet->function, at, 0)->kind != WB_OPERAND_NUMBER)
      wb_estimate_because_of(&analysis->lower_estimate, "hidden-wait", wcet->code, at,
                             "let the code say how long, by a number",
                             "how long it sleeps the code does not say, and 1 ms counts");
  }
}

/* That all warps fail as often as one of them may is no run: each failure is a write of another. */
static void doubt_retries(struct wb_launch_analysis *analysis)
{
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    if (loop->retries)
      wb_estimate_because_of(&analysis->lower_estimate, "retries", wcet->code,
                             &wcet->function->instructions[loop->swap],
                             "declare how often it fails, by --spin-bound N",
                             "it fails where something was written meanwhile: that all warps fail "
                             "as often as one can is no run");
  }
}

warpbound_status wb_launch_lower_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct search search = {.job = job, .analysis = analysis, .code = &analysis->timed};
  struct wb_timed_code hits = {0};
  if (wb_launch_running_code(analysis, &hits, &search.code, job->error) != WARPBOUND_OK)
    return WARPBOUND_INTERNAL;
  /* Numbers that are no bound from above may be too large as well. */
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->paths.estimate, NULL);
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->timed.estimate, NULL);
  doubt_sleeps(analysis);
  doubt_retries(analysis);
  if (analysis->lower_estimate.failed) {
    wb_timed_code_free(&hits);
    return wb_out_of_memory(job->error);
  }
  analysis->lower_kind =
      wb_is_estimate(&analysis->lower_estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_LOWER;
  warpbound_status status = take_executions(&search);
  if (status == WARPBOUND_OK && search.count > 0) {
    analysis->lower = search.paths[0].promise.cycles;
    analysis->promised = analysis->lower;
    analysis->lower_method = search.paths[0].promise.method;
  }
  if (status == WARPBOUND_OK) {
    analysis->simulate = job->question->options->simulate;
    for (size_t p = 0; p < search.count; p++) {
      const uint64_t length = run_length(&search, p);
      if (length > 0 && (analysis->shortest_run == 0 || length < analysis->shortest_run))
        analysis->shortest_run = length;
    }
    status = simulate_all(&search);
    if (status == WARPBOUND_OK || status == WARPBOUND_LIMIT) {
      const warpbound_status finished = finish(&search);
      status = status == WARPBOUND_OK || finished == WARPBOUND_INTERNAL ? finished : status;
    }
  }
  keep_run_path(&search);
  for (size_t p = 0; p < search.count; p++)
    free(search.paths[p].instructions);
  wb_timed_code_free(&hits);
  return status;
}
