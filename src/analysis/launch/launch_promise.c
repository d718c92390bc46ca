/* What every run of a path takes, whatever the order in which the hardware serves (doc/launch.md,
 * "The lower end"). */
#include "analysis/launch/launch_promise.h"

#include "base/arena.h"
#include "base/checked.h"

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
                       const struct path_work *asked, struct wb_launch_promise *promise)
{
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  uint64_t warps;
  uint64_t work;
  promise->method = WB_LOWER_CHAIN;
  if (!wb_multiply(wb_divide_up(shape->blocks, slots) - 1, promise->stay + shape->block_start,
                   &promise->cycles) ||
      !wb_add(promise->cycles, promise->chain + shape->block_start, &promise->cycles))
    promise->cycles = promise->chain;
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
        wb_divide_up(work, servers) > promise->cycles) {
      promise->cycles = wb_divide_up(work, servers);
      promise->method = WB_LOWER_RESOURCE;
    }
  }
  if (!wb_add(promise->cycles, shape->overhead, &promise->cycles))
    promise->cycles = UINT64_MAX;
}

/* Numbers fit: a path has at most 2^22 instructions, and a time is at most some 2^34 cycles. */
void wb_launch_promise_of_steps(const struct wb_timed_code *code,
                                const struct wb_launch_shape *shape, const uint32_t *instructions,
                                size_t length, struct wb_launch_promise *promise)
{
  struct own_past past = {0};
  struct path_work work = {0};
  for (size_t i = 0; i < length; i++) {
    pass(code, &code->instructions[instructions[i]], &past);
    add_instruction(code, instructions[i], 1, &work);
  }
  promise->chain = past.end;
  promise->stay = past.stay;
  promise_of(code, shape, &work, promise);
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

/* Of rows of n runs in all at least (n - (ROW - 1) rows) / ROW times ROW runs follow each other. */
bool wb_launch_promise_of_counts(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape,
                                 const struct wb_path_system *system, const int64_t *taken,
                                 struct wb_launch_promise *promise)
{
  const struct wb_flow_system *flow = &system->flow;
  struct path_work work = {0};
  struct wb_arena arena = {0};
  uint64_t *run = wb_arena_array(&arena, uint64_t, flow->node_count);
  uint64_t *again = wb_arena_array(&arena, uint64_t, flow->node_count);
  uint64_t longest_stall = 0;
  if (arena.failed) {
    wb_arena_free(&arena);
    return false;
  }
  for (uint32_t v = 0; v < flow->node_count; v++)
    run[v] = (uint64_t)wb_flow_start_runs(flow, v);
  for (size_t e = 0; e < flow->edge_count; e++) {
    run[flow->to[e]] += (uint64_t)taken[e]; /* the checker of counts found that it fits */
    again[flow->to[e]] += flow->from[e] == flow->to[e] ? (uint64_t)taken[e] : 0;
  }
  promise->chain = 0;
  for (uint32_t v = 0; v < flow->node_count; v++) {
    const uint64_t runs = run[v];
    uint64_t rows = 0;
    if (runs == 0 || system->first[v] > system->last[v])
      continue;
    const bool fits = again[v] > 0 && wb_multiply(runs - again[v], ROW - 1, &rows);
    rows = fits && runs > rows ? (runs - rows) / ROW : 0;
    add_work(&promise->chain, rows, node_advance(code, system, v, ROW));
    add_work(&promise->chain, runs - rows * ROW, node_advance(code, system, v, 1));
    for (uint32_t i = system->first[v]; i <= system->last[v]; i++) {
      add_instruction(code, i, runs, &work);
      longest_stall = wb_maximum(longest_stall, code->instructions[i].stall);
    }
  }
  /* The last stall need not be over for the block to leave. */
  promise->chain -= wb_minimum(promise->chain, longest_stall);
  promise->stay = promise->chain;
  promise_of(code, shape, &work, promise);
  wb_arena_free(&arena);
  return true;
}
