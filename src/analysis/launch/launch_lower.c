/* The lower end of the bracket of a launch: runs that the model allows (doc/launch.md). */
#include "analysis/launch/launch_steps.h"

#include "analysis/paths/path_solver.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most paths that are simulated, and most instructions of one. */
#define MOST_PATHS 3
#define MOST_LENGTH ((size_t)4000000)
/* Seeds of each policy, and ways to dispatch blocks that they choose from. */
#define MOST_SEEDS 6
#define DISPATCH_RULES 3

/* A path that is known, as instructions. Owns them. */
struct known_path {
  uint32_t *instructions;
  size_t length;
  uint64_t chain; /* cycles of one warp's own steps */
  uint64_t
      stay; /* the same until nothing of it needs the SM any more, so that its block may leave */
  uint64_t promise; /* cycles that every run takes at least where all warps take it */
  enum wb_launch_lower_method method; /* of the promise */
};

/* A run of the simulator, and where its last block is. */
struct known_run {
  size_t path;
  enum wb_launch_policy policy;
  uint64_t seed;
  uint64_t last_begin;
  uint32_t last_sm;
};

struct search {
  const struct wb_launch_job *job;
  struct wb_launch_analysis *analysis; /* of the job */
  struct known_path paths[MOST_PATHS]; /* the greatest promise first */
  size_t count;
  struct known_run longest;
};

/* ---- what every run of a path takes ---- */

/* A warp's own past, in absolute cycles. */
struct own_past {
  uint64_t now;                             /* the earliest next issue by stalls */
  uint64_t scoreboard[WB_SCOREBOARD_COUNT]; /* released */
  uint64_t service[WB_RESOURCE_LIMIT];      /* a server that it took at issue is free again */
  uint64_t end;                             /* of everything */
  uint64_t stay;                            /* of all that needs the SM */
};

static uint64_t stages_end(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction, size_t count,
                           uint64_t from)
{
  for (size_t s = 0; s < count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    from += (uint64_t)stage->delay + stage->service;
  }
  return from;
}

/* At least `time`. */
static void note_release(uint64_t *released, uint64_t time)
{
  *released = wb_maximum(*released, time);
}

/* The earliest issue of the instruction, and what it holds from then on. A scoreboard that counts
 * is waited for only where all of its instructions may be left out. */
static void pass(const struct wb_timed_code *code, const struct wb_timed_instruction *instruction,
                 struct own_past *past)
{
  const struct wb_issue_use *uses = &code->uses[instruction->first_use];
  uint64_t time = past->now;
  for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((instruction->wait_mask >> b & 1) != 0 ||
        (instruction->counted_scoreboard == b && instruction->counted_left == 0))
      time = wb_maximum(time, past->scoreboard[b]);
  }
  for (size_t u = 0; u < instruction->use_count; u++) {
    if (code->resources[uses[u].resource].servers == 1)
      time = wb_maximum(time, past->service[uses[u].resource]);
  }
  past->now = time + instruction->stall;
  for (size_t u = 0; u < instruction->use_count; u++) {
    past->service[uses[u].resource] = time + uses[u].service;
    note_release(&past->end, time + uses[u].service);
    note_release(&past->stay, time + uses[u].service);
  }
  /* How many stages an instruction has done once it needs the SM no more: memory may go on when its
   * block has left. */
  size_t count = instruction->stage_count;
  while (count > 0 &&
         code->resources[code->stages[instruction->first_stage + count - 1].resource].level ==
             WB_LEVEL_GPU)
    count--;
  note_release(&past->stay, stages_end(code, instruction, count, time));
  const uint64_t served = stages_end(code, instruction, instruction->stage_count, time);
  const uint64_t read = stages_end(code, instruction, instruction->read_stages, time);
  if (instruction->write_scoreboard != WB_NO_SCOREBOARD)
    note_release(&past->scoreboard[instruction->write_scoreboard], served + instruction->latency);
  if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
    note_release(&past->scoreboard[instruction->read_scoreboard], read + instruction->read_latency);
  note_release(&past->end, served);
}

/* The work that a path asks for: cycles of service by resource. What does not fit is left out. */
struct path_work {
  uint64_t services[WB_RESOURCE_LIMIT];
};

static void add_work(uint64_t *services, uint64_t runs, uint64_t cycles)
{
  uint64_t more;
  if (wb_multiply(runs, cycles, &more))
    (void)wb_add(*services, more, services);
}

/* Adds what an instruction asks for in so many runs. */
static void add_instruction(const struct wb_timed_code *code, uint32_t index, uint64_t runs,
                            struct path_work *work)
{
  const struct wb_timed_instruction *instruction = &code->instructions[index];
  const struct wb_issue_use *uses = &code->uses[instruction->first_use];
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  for (size_t u = 0; u < instruction->use_count; u++)
    add_work(&work->services[uses[u].resource], runs, uses[u].service);
  for (size_t s = 0; s < instruction->stage_count; s++)
    add_work(&work->services[stages[s].resource], runs,
             (uint64_t)stages[s].requests * stages[s].service);
}

/* The promise of a path whose chain, stay and work are known. Slots of resident blocks: one of them
 * holds the mean number of blocks or more, one after the other, each until it may leave and the
 * last one to its end; all resources together serve no faster than all of their servers. */
static void promise_of(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                       const struct path_work *asked, struct known_path *path)
{
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  uint64_t warps;
  uint64_t work;
  path->method = WB_LOWER_CHAIN;
  if (!wb_multiply(wb_divide_up(shape->blocks, slots) - 1, path->stay + shape->block_start,
                   &path->promise) ||
      !wb_add(path->promise, path->chain + shape->block_start, &path->promise))
    path->promise = path->chain;
  if (!wb_multiply(shape->blocks, shape->block_warps, &warps))
    return;
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    uint64_t servers = resource->servers; /* of the device */
    if (resource->level != WB_LEVEL_GPU)
      servers *= shape->sms;
    if (resource->level == WB_LEVEL_PARTITION)
      servers *= shape->partitions;
    if (wb_multiply(warps, asked->services[r], &work) &&
        wb_divide_up(work, servers) > path->promise) {
      path->promise = wb_divide_up(work, servers);
      path->method = WB_LOWER_RESOURCE;
    }
  }
  if (!wb_add(path->promise, shape->overhead, &path->promise))
    path->promise = UINT64_MAX;
}

/* Of a path that is known instruction by instruction: the time of one warp's own steps, each at its
 * most: no run of the path is shorter. Numbers fit: a path has at most 2^22 instructions, and a
 * time is at most some 2^34 cycles. */
static void promise_of_steps(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                             struct known_path *path)
{
  struct own_past past = {0};
  struct path_work work = {0};
  for (size_t i = 0; i < path->length; i++) {
    pass(code, &code->instructions[path->instructions[i]], &past);
    add_instruction(code, path->instructions[i], 1, &work);
  }
  path->chain = past.end;
  path->stay = past.stay;
  promise_of(code, shape, &work, path);
}

/* Cycles from the first issue of a node to the first issue after so many runs of it in a row, where
 * nothing from before holds them back: with what does they take no less. */
static uint64_t node_advance(const struct wb_timed_code *code, const struct wb_path_system *system,
                             uint32_t node, unsigned runs)
{
  struct own_past past = {0};
  for (unsigned n = 0; n < runs; n++) {
    for (uint32_t i = system->first[node]; i <= system->last[node]; i++)
      pass(code, &code->instructions[i], &past);
  }
  return past.now;
}

/* Runs of a node in a row that are counted together. */
#define ROW 8u

/* Of a path by its counts alone, in whatever order: what each node takes by itself. A node that an
 * edge leads back to runs in so many rows as it is come to by other edges; of rows of n runs in
 * all, at least (n - (ROW - 1) rows) / ROW times ROW runs follow each other. */
static void promise_of_counts(const struct search *search, const int64_t *taken,
                              struct known_path *path)
{
  const struct wb_timed_code *code = &search->analysis->timed;
  const struct wb_path_system *system = &search->analysis->paths.system;
  const struct wb_flow_system *flow = &system->flow;
  struct path_work work = {0};
  uint64_t longest_stall = 0;
  for (uint32_t v = 0; v < flow->node_count; v++) {
    uint64_t runs = (uint64_t)wb_flow_start_runs(flow, v);
    uint64_t again = 0;
    uint64_t rows = 0;
    for (size_t e = 0; e < flow->edge_count; e++) {
      runs += flow->to[e] == v ? (uint64_t)taken[e] : 0; /* the checker found that it fits */
      again += flow->to[e] == v && flow->from[e] == v ? (uint64_t)taken[e] : 0;
    }
    if (runs == 0 || system->first[v] > system->last[v])
      continue;
    if (wb_multiply(runs - again, ROW - 1, &rows) && again > 0)
      rows = runs > rows ? (runs - rows) / ROW : 0;
    else
      rows = 0;
    add_work(&path->chain, rows, node_advance(code, system, v, ROW));
    add_work(&path->chain, runs - rows * ROW, node_advance(code, system, v, 1));
    for (uint32_t i = system->first[v]; i <= system->last[v]; i++) {
      add_instruction(code, i, runs, &work);
      longest_stall = wb_maximum(longest_stall, code->instructions[i].stall);
    }
  }
  /* The last stall need not be over for the block to leave. */
  path->chain -= wb_minimum(path->chain, longest_stall);
  path->stay = path->chain;
  promise_of(code, &search->analysis->shape, &work, path);
}

/* ---- paths ---- */

/* Keeps the paths with the greatest promises, equal ones in the order in which they come. */
static void keep_path(struct search *search, const struct known_path *path)
{
  size_t place = search->count;
  while (place > 0 && search->paths[place - 1].promise < path->promise)
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
  warpbound_status status =
      wb_paths_allow(&analysis->paths, taken, &allowed, search->job->error);
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
  if (path.length > 0)
    promise_of_steps(&analysis->timed, &analysis->shape, &path);
  else
    promise_of_counts(search, taken, &path);
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
#define MOST_COST 0x1p40

/* The one execution of a warp that counts most in the upper end: each maximum of that may be of
 * another one, and of phases and stretches those of one phase say nothing of the others. A person
 * would call it the upper end's path. *result: without an execution where none was found. */
static warpbound_status find_heaviest(struct search *search, struct wb_arena *arena,
                                      struct wb_ipet_result *result)
{
  struct wb_launch_analysis *analysis = search->analysis;
  struct wb_launch_maxima *maxima = &analysis->maxima;
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_ipet_options how = {.effort = WB_IPET_ROUND, .basis = &maxima->basis};
  const size_t nodes = system->flow.node_count;
  double *weight = wb_arena_array(arena, double, nodes);
  int64_t *cost = wb_arena_array(arena, int64_t, nodes);
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
  }
  for (size_t v = 0; v < nodes; v++)
    cost[v] = (int64_t)(weight[v] / most * MOST_COST);
  warpbound_error refusal = {0};
  const warpbound_status status = wb_path_system_solve(system, cost, WB_CHECK_ALL_PHASES, &how,
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
  warpbound_status status =
      arena.failed ? wb_out_of_memory(search->job->error)
      : wb_control_stopped(search->job->control) == WB_STOP_NONE
          ? find_heaviest(search, &arena, &heaviest)
          : WARPBOUND_OK;
  if (status == WARPBOUND_OK) {
    add_execution(&executions, heaviest.taken);
    for (size_t m = 0; m < maxima->count; m++)
      add_execution(&executions, maxima->items[m].phase != WB_STRETCHES
                                     ? maxima->items[m].ipet.taken
                                     : NULL);
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
      .paths = &one,
      .path_count = 1,
      .balanced = search->job->question->options->balanced_dispatch,
      .most_events = events,
      .events_from = run->last_begin,
      .events_of_sm = true,
      .events_sm = run->last_sm,
  };
  return wb_launch_simulate(&search->analysis->timed, &search->analysis->shape, &options,
                            search->job->control, launch, search->job->error);
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
    run->last_sm = launch.last_sm;
    run->last_begin = launch.last_block_begin;
    search->longest = *run;
  }
  wb_simulated_launch_free(&launch);
  return status;
}

/* Runs each policy on each path, then with further seeds, as long as the budget of instructions
 * lasts. */
static warpbound_status simulate_all(struct search *search)
{
  const warpbound_launch_options *options = search->job->question->options;
  const struct wb_launch_shape *shape = &search->analysis->shape;
  /* A further seed makes another run where the policy draws, or blocks are dispatched by another
   * rule. */
  const uint64_t rules =
      shape->sms > 1 && shape->blocks > 1 && !options->balanced_dispatch ? DISPATCH_RULES : 1;
  uint64_t left = options->simulate;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t seed = 0; seed < MOST_SEEDS; seed++) {
    for (size_t p = 0; p < search->count; p++) {
      const uint64_t length = run_length(search, p);
      for (int policy = 0; policy < WB_LAUNCH_POLICY_COUNT && status == WARPBOUND_OK; policy++) {
        struct known_run run = {
            .path = p, .policy = (enum wb_launch_policy)policy, .seed = options->seed + seed};
        if (length > left || length == 0)
          break;
        if (policy != WB_LAUNCH_RANDOM && policy != WB_LAUNCH_STARVING && seed >= rules)
          continue;
        left -= length;
        status = try_run(search, &run);
      }
    }
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

warpbound_status wb_launch_lower_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct search search = {.job = job, .analysis = analysis};
  /* Numbers that are no bound from above may be too large as well. */
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->paths.estimate, NULL);
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->timed.estimate, NULL);
  if (analysis->lower_estimate.failed)
    return wb_out_of_memory(job->error);
  analysis->lower_kind =
      wb_is_estimate(&analysis->lower_estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_LOWER;
  warpbound_status status = take_executions(&search);
  if (status == WARPBOUND_OK && search.count > 0) {
    analysis->lower = search.paths[0].promise;
    analysis->lower_method = search.paths[0].method;
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
  for (size_t p = 0; p < search.count; p++)
    free(search.paths[p].instructions);
  return status;
}
