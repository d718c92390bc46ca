/* The lower end of the bracket of a launch: runs that the model allows (doc/launch.md). */
#include "analysis/launch/launch_steps.h"

#include "analysis/paths/path_solver.h"
#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
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

/* Slots of resident blocks: one of them holds the mean number of blocks or more, one after the
 * other, each until it may leave and the last one to its end; all resources together serve no
 * faster than all of their servers. */
static void promise_of(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                       struct known_path *path)
{
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  uint64_t services[WB_RESOURCE_LIMIT] = {0}; /* that the path asks for, in cycles */
  uint64_t warps;
  uint64_t work;
  /* The time of one warp's own steps, each at its most: no run of the path is shorter. Numbers fit:
   * a path has at most 2^22 instructions, and a time is at most some 2^34 cycles. */
  struct own_past past = {0};
  for (size_t i = 0; i < path->length; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[path->instructions[i]];
    const struct wb_issue_use *uses = &code->uses[instruction->first_use];
    const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
    pass(code, instruction, &past);
    for (size_t u = 0; u < instruction->use_count; u++)
      services[uses[u].resource] += uses[u].service;
    for (size_t s = 0; s < instruction->stage_count; s++)
      services[stages[s].resource] += (uint64_t)stages[s].requests * stages[s].service;
  }
  path->chain = past.end;
  path->stay = past.stay;
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
    if (wb_multiply(warps, services[r], &work) && wb_divide_up(work, servers) > path->promise) {
      path->promise = wb_divide_up(work, servers);
      path->method = WB_LOWER_RESOURCE;
    }
  }
  if (!wb_add(path->promise, shape->overhead, &path->promise))
    path->promise = UINT64_MAX;
}

/* ---- paths ---- */

/* Keeps the paths with the greatest promises; equal ones in the order of the list. Takes the path
 * over. */
static void enter(struct search *search, struct known_path *path)
{
  size_t place = search->count;
  while (place > 0 && search->paths[place - 1].promise < path->promise)
    place--;
  if (place == MOST_PATHS) {
    free(path->instructions);
    return;
  }
  if (search->count == MOST_PATHS)
    free(search->paths[--search->count].instructions);
  memmove(&search->paths[place + 1], &search->paths[place],
          (search->count - place) * sizeof *search->paths);
  search->paths[place] = *path;
  search->count++;
}

/* The path of an execution by its counts, if it is one of the kernel; without instructions where
 * there are too many. */
static warpbound_status take_execution(struct search *search, const int64_t *taken)
{
  struct wb_launch_analysis *analysis = search->analysis;
  const struct wb_path_system *system = &analysis->paths.system;
  uint32_t *nodes;
  size_t count;
  struct known_path path = {0};
  const warpbound_status status =
      wb_paths_walk(&analysis->paths, taken, MOST_LENGTH, &nodes, &count, search->job->error);
  if (status != WARPBOUND_OK || nodes == NULL)
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
  promise_of(&analysis->timed, &analysis->shape, &path);
  enter(search, &path);
  return WARPBOUND_OK;
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
  const struct wb_launch_maxima *maxima = &analysis->maxima;
  const size_t bytes = analysis->paths.system.flow.edge_count * sizeof(int64_t);
  struct search search = {.job = job, .analysis = analysis};
  /* Numbers that are no bound from above may be too large as well. */
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->paths.estimate, NULL);
  wb_estimate_add_all(&analysis->lower_estimate, &analysis->timed.estimate, NULL);
  if (analysis->lower_estimate.failed)
    return wb_out_of_memory(job->error);
  analysis->lower_kind =
      wb_is_estimate(&analysis->lower_estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_LOWER;
  /* The executions at which maxima are reached, each once. Those over stretches between barriers
   * are of another system. */
  warpbound_status status = WARPBOUND_OK;
  for (size_t m = 0; m < maxima->count && status == WARPBOUND_OK; m++) {
    const int64_t *taken = maxima->items[m].ipet.taken;
    bool asked = taken != NULL && maxima->items[m].phase != WB_STRETCHES;
    for (size_t k = 0; k < m && asked; k++) {
      const int64_t *known = maxima->items[k].ipet.taken;
      asked = known == NULL || memcmp(known, taken, bytes) != 0;
    }
    if (asked)
      status = take_execution(&search, taken);
  }
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
