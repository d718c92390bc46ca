#include "certificate/launch_run/launch_run_check.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/status.h"
#include "certificate/launch_run/launch_run_fetches.h"
#include "certificate/launch_run/launch_run_servers.h"
#include "certificate/launch_run/launch_run_steps.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- warps ---- */

/* A block under way. */
struct block {
  const struct wb_check_launch_run *run;         /* borrowed */
  const struct wb_check_launch_servers *servers; /* borrowed */
  struct wb_check_run_lines *lines;              /* borrowed */
  uint64_t block;
  uint64_t *released;   /* by barrier that the block's warps pass: from when on they may go on */
  size_t barrier_count; /* barriers */
  uint64_t leaves;      /* it keeps its room so long */
  uint64_t ends;        /* all that it made has ended */
};

/* Most instructions that a warp can wait for by count (counted_left is a byte), and one more. */
#define COUNT_LIMIT 256

/* The latest times at which instructions release a scoreboard, the latest first. */
struct releases {
  uint64_t time[COUNT_LIMIT];
  size_t count;
};

/* A warp under way. */
struct warp {
  struct block *block;
  const struct wb_timed_code *code;
  const struct wb_check_launch_event *const *next; /* its next event */
  uint32_t number;
  uint64_t allowed; /* its next instruction may issue from then on, but for scoreboards */
  size_t barriers;  /* that it has passed */
  uint64_t ends;    /* of all that it has made */
  struct releases releases[WB_SCOREBOARD_COUNT];
  warpbound_error *error;
};

static void raise(uint64_t *number, uint64_t least)
{
  *number = wb_maximum(*number, least);
}

/* Of many releases only the latest are kept: no wait is about others. */
static void add_release(struct releases *releases, uint64_t time)
{
  size_t at = releases->count < COUNT_LIMIT ? releases->count++ : COUNT_LIMIT - 1;
  if (at == COUNT_LIMIT - 1 && releases->count == COUNT_LIMIT && releases->time[at] > time)
    return;
  while (at > 0 && releases->time[at - 1] < time) {
    releases->time[at] = releases->time[at - 1];
    at--;
  }
  releases->time[at] = time;
}

/* The time from which on at most `left` instructions have not released the scoreboard. */
static uint64_t released_but(const struct releases *releases, size_t left)
{
  return left < releases->count ? releases->time[left] : 0;
}

static warpbound_status wrong(const struct warp *warp, const struct wb_check_launch_event *event,
                              const char *what)
{
  return wb_fail(warp->error, WARPBOUND_CHECK_FAILED,
                 "cycle %" PRIu64 ": block %" PRIu64 ", warp %" PRIu32 ", step %" PRIu32 ": %s",
                 event->time, warp->block->block, warp->number, event->step, what);
}

/* ---- requests ---- */

/* The requests of the instruction, which issued with `issue`: releases its scoreboards. */
static warpbound_status check_requests(struct warp *warp, const struct wb_check_launch_event *issue,
                                       const struct wb_timed_instruction *instruction)
{
  uint64_t end = issue->time;
  uint64_t read = issue->time;
  for (uint32_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &warp->code->stages[instruction->first_stage + s];
    const uint64_t from = end + stage->delay;
    for (uint32_t n = 0; n < stage->requests; n++) {
      const struct wb_check_launch_event *event = *warp->next++;
      if (event->until != event->time + stage->service)
        return wrong(warp, event, "a request is not served for as long as it needs");
      if (event->time < from)
        return wrong(warp, event,
                     "a request is served before the stage before has ended, and a delay");
      if (wb_check_launch_servers_idle(warp->block->servers, event, NULL, from, event->time) <
          event->time)
        return wrong(warp, event, "a request waits while no resource is full");
      raise(&end, event->until);
    }
    if (s + 1U == instruction->read_stages)
      read = end;
    if (warp->code->resources[stage->resource].level != WB_LEVEL_GPU)
      raise(&warp->block->leaves, end);
  }
  const uint64_t written = end + instruction->latency;
  read += instruction->read_latency;
  raise(&warp->ends, written);
  if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
    raise(&warp->ends, read);
  if (instruction->write_scoreboard == instruction->read_scoreboard)
    raise(&read, written);
  else if (instruction->write_scoreboard != WB_NO_SCOREBOARD)
    add_release(&warp->releases[instruction->write_scoreboard], written);
  if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
    add_release(&warp->releases[instruction->read_scoreboard], read);
  return WARPBOUND_OK;
}

/* ---- issue ---- */

static const uint32_t *instruction_number(const struct warp *warp,
                                          const struct wb_check_launch_event *event)
{
  const struct wb_check_launch_run *run = warp->block->run;
  return &run->path[warp->block->block * run->shape.block_warps + warp->number][event->step];
}

static warpbound_status check_issue(struct warp *warp, const struct wb_check_launch_event *event,
                                    const struct wb_timed_instruction *instruction)
{
  /* From when on the warp's past lets it issue. */
  uint64_t from = warp->allowed;
  for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((instruction->wait_mask >> b & 1) != 0)
      raise(&from, released_but(&warp->releases[b], 0));
  }
  if (instruction->counted_scoreboard != WB_NO_SCOREBOARD)
    raise(&from, released_but(&warp->releases[instruction->counted_scoreboard],
                              instruction->counted_left));
  if (instruction->fence)
    raise(&from, warp->ends);
  const char *missing =
      wb_check_run_lines_find(warp->block->lines, event, *instruction_number(warp, event), &from);
  if (missing != NULL)
    return wrong(warp, event, missing);
  if (event->time < from)
    return wrong(warp, event,
                 "it issues before its own past allows, or before its lines are there");
  if (wb_check_launch_servers_idle(warp->block->servers, event, instruction, from, event->time) <
      event->time)
    return wrong(warp, event, "it waits while no resource that it needs is full");
  uint64_t held = event->time;
  warp->allowed = event->time + instruction->stall;
  raise(&warp->block->leaves, warp->allowed);
  for (size_t u = 0; u < instruction->use_count; u++)
    raise(&held, event->time + warp->code->uses[instruction->first_use + u].service);
  raise(&warp->ends, held);
  raise(&warp->block->leaves, held);
  if (instruction->barrier)
    raise(&warp->allowed, warp->block->released[warp->barriers++]);
  return WARPBOUND_OK;
}

/* Goes through the events of one warp of the block, in the order of its steps (an issue before its
 * requests, these by stage and number): that they are those of its path, each at a time that its
 * past allows and, if later, kept by full resources. Raises leaves and ends. Errors:
 * WARPBOUND_CHECK_FAILED. Linear, but for searches among the servers. */
static warpbound_status check_warp(struct block *block,
                                   const struct wb_check_launch_event *const *events,
                                   uint32_t number, warpbound_error *error)
{
  const struct wb_check_launch_run *run = block->run;
  const uint64_t index = block->block * run->shape.block_warps + number;
  struct warp warp = {.block = block,
                      .code = run->code,
                      .next = events,
                      .number = number,
                      .allowed = wb_check_run_ready(run, block->block),
                      .error = error};
  warpbound_status status = WARPBOUND_OK;
  for (size_t step = 0; step < run->length[index] && status == WARPBOUND_OK; step++) {
    const struct wb_timed_instruction *instruction =
        &run->code->instructions[run->path[index][step]];
    const struct wb_check_launch_event *issue = *warp.next++;
    status = check_issue(&warp, issue, instruction);
    if (status == WARPBOUND_OK)
      status = check_requests(&warp, issue, instruction);
  }
  raise(&block->ends, wb_maximum(warp.ends, block->leaves));
  return status;
}

/* The check under way. */
struct checker {
  struct wb_arena arena; /* owns the arrays but released */
  const struct wb_check_launch_run *run;
  const struct wb_check_launch_event **sorted; /* by block, warp and step */
  size_t taken;                                /* of the sorted events */
  struct wb_check_launch_servers servers;
  struct wb_check_run_lines lines;
  struct wb_check_run_stay *stays; /* by block */
  uint32_t *partition;             /* by warp of the block under way */
  size_t *first;                   /* the same: its first event among the sorted ones */
  uint64_t *released;              /* by barrier of the block under way */
  size_t released_capacity;
  uint64_t *ends; /* by step: of all that it made */
  warpbound_error *error;
};

static uint32_t warps_of(const struct checker *checker, uint64_t block)
{
  return wb_check_run_warps(checker->run, block);
}

/* Whether there is such a warp: blocks of a graph may have fewer than the most. */
static bool is_there(const struct checker *checker, size_t warp)
{
  const uint32_t stride = checker->run->shape.block_warps;
  return warp % stride < warps_of(checker, warp / stride);
}

/* ---- the form ---- */

/* The number of events that a warp's path makes, added to *count. */
static warpbound_status count_path(const struct checker *checker, size_t warp, uint64_t *count)
{
  const struct wb_check_launch_run *run = checker->run;
  if (run->length[warp] == 0)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a warp has an empty path");
  for (size_t step = 0; step < run->length[warp]; step++) {
    const uint32_t index = run->path[warp][step];
    if (index >= run->code->instruction_count)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "there is no instruction %" PRIu32,
                     index);
    const struct wb_timed_instruction *instruction = &run->code->instructions[index];
    *count += 1;
    for (size_t s = 0; s < instruction->stage_count; s++)
      *count += run->code->stages[instruction->first_stage + s].requests;
  }
  return WARPBOUND_OK;
}

static warpbound_status check_form(struct checker *checker, uint64_t *warps)
{
  const struct wb_check_launch_run *run = checker->run;
  const struct wb_launch_shape *shape = &run->shape;
  uint64_t count = 0;
  if (shape->block_warps < 1 || shape->sms < 1 || shape->partitions < 1 ||
      (run->graph == NULL && (shape->blocks < 1 || shape->resident_blocks < 1)))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an empty launch");
  const char *broken = wb_timed_code_check(run->code);
  if (broken != NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "%s", broken);
  if (!wb_multiply(shape->blocks, shape->block_warps, warps) || shape->blocks > run->event_count ||
      (run->graph == NULL && *warps > run->event_count))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a warp has no events");
  if (shape->dispatch > 0 && run->ready == NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "it is not known when blocks are ready");
  bool fit = run->shape.overhead < WB_CHECK_RUN_LATEST;
  for (size_t e = 0; e < run->event_count; e++)
    fit = fit && run->events[e].time < WB_CHECK_RUN_LATEST &&
          run->events[e].until < WB_CHECK_RUN_LATEST;
  for (size_t b = 0; b < run->shape.blocks; b++)
    fit = fit && run->placed[b] < WB_CHECK_RUN_LATEST &&
          (run->ready == NULL || run->ready[b] < WB_CHECK_RUN_LATEST);
  fit = fit && wb_check_run_lines_fit(run) && wb_check_run_steps_fit(run);
  warpbound_status status =
      fit ? WARPBOUND_OK
          : wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                    "a time is above 2^62 cycles, or a number out of its range");
  for (size_t w = 0; w < *warps && status == WARPBOUND_OK; w++)
    status = is_there(checker, w) ? count_path(checker, w, &count) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && count != run->event_count)
    status = wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "the paths make %" PRIu64 " events, not %zu", count, run->event_count);
  return status;
}

/* ---- the order of the events ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int compare(const void *a, const void *b)
{
  const struct wb_check_launch_event *left = *(const struct wb_check_launch_event *const *)a;
  const struct wb_check_launch_event *right = *(const struct wb_check_launch_event *const *)b;
  int order = compare_numbers(left->block, right->block);
  if (order == 0)
    order = compare_numbers(left->warp, right->warp);
  if (order == 0)
    order = compare_numbers(left->step, right->step);
  if (order == 0)
    order = compare_numbers(left->request, right->request);
  if (order == 0)
    order = compare_numbers(left->stage, right->stage);
  return order != 0 ? order : compare_numbers(left->number, right->number);
}

/* Whether the next event is this one, at the place of the warp's first. */
static bool take(struct checker *checker, const struct wb_check_launch_event *first,
                 const struct wb_check_launch_event *expected)
{
  const struct wb_check_launch_event *event = checker->sorted[checker->taken++];
  return event->block == expected->block && event->warp == expected->warp &&
         event->step == expected->step && event->request == expected->request &&
         event->stage == expected->stage && event->number == expected->number &&
         event->sm == first->sm && event->partition == first->partition;
}

/* Takes the events of an instruction: its issue, its requests. */
static bool take_instruction(struct checker *checker, const struct wb_check_launch_event *first,
                             const struct wb_check_launch_event *issue,
                             const struct wb_timed_instruction *instruction)
{
  bool taken = take(checker, first, issue);
  for (uint32_t s = 0; s < instruction->stage_count && taken; s++) {
    const uint32_t requests = checker->run->code->stages[instruction->first_stage + s].requests;
    for (uint32_t n = 0; n < requests && taken; n++) {
      struct wb_check_launch_event request = *issue;
      request.request = true;
      request.stage = s;
      request.number = n;
      taken = take(checker, first, &request);
    }
  }
  return taken;
}

/* As many events as the paths make are there; if each is the next one of its path, all are. */
static warpbound_status match_events(struct checker *checker, size_t warps)
{
  const struct wb_check_launch_run *run = checker->run;
  for (size_t w = 0; w < warps; w++) {
    if (!is_there(checker, w))
      continue;
    const struct wb_check_launch_event *first = checker->sorted[checker->taken];
    for (size_t step = 0; step < run->length[w]; step++) {
      const struct wb_check_launch_event issue = {.block = w / run->shape.block_warps,
                                                  .warp = (uint32_t)(w % run->shape.block_warps),
                                                  .step = (uint32_t)step};
      if (first->sm >= run->shape.sms || first->partition >= run->shape.partitions ||
          !take_instruction(checker, first, &issue, &run->code->instructions[run->path[w][step]]))
        return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                       "block %" PRIu64 ", warp %" PRIu32 ", step %zu: an event is missing, or in "
                       "another partition",
                       issue.block, issue.warp, step);
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status sort_events(struct checker *checker, size_t warps)
{
  const struct wb_check_launch_run *run = checker->run;
  checker->sorted =
      wb_arena_array(&checker->arena, const struct wb_check_launch_event *, run->event_count);
  if (checker->sorted == NULL)
    return wb_out_of_memory(checker->error);
  for (size_t e = 0; e < run->event_count; e++)
    checker->sorted[e] = &run->events[e];
  qsort(checker->sorted, run->event_count, sizeof *checker->sorted, compare);
  warpbound_status status = match_events(checker, warps);
  checker->taken = 0;
  return status;
}

/* ---- blocks ---- */

/* Notes when a warp comes to its barriers, and moves checker->taken after its events. */
static warpbound_status note_warp(struct checker *checker, size_t warp, bool first,
                                  size_t *barriers)
{
  const struct wb_check_launch_run *run = checker->run;
  size_t passed = 0;
  for (size_t step = 0; step < run->length[warp]; step++) {
    const struct wb_timed_instruction *instruction =
        &run->code->instructions[run->path[warp][step]];
    const uint64_t comes = checker->sorted[checker->taken++]->time + instruction->stall;
    for (size_t s = 0; s < instruction->stage_count; s++)
      checker->taken += run->code->stages[instruction->first_stage + s].requests;
    if (!instruction->barrier)
      continue;
    passed++;
    if (first && !wb_grow(checker->released, &checker->released_capacity, passed))
      return wb_out_of_memory(checker->error);
    if (first)
      checker->released[passed - 1] = comes;
    else if (passed <= *barriers)
      checker->released[passed - 1] = wb_maximum(checker->released[passed - 1], comes);
  }
  if (!first && passed != *barriers)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "block %zu: its warps pass different numbers of barriers",
                   warp / run->shape.block_warps);
  *barriers = passed;
  return WARPBOUND_OK;
}

/* Notes where the warps of a block are, where their events begin, and when its barriers let go. */
static warpbound_status note_block(struct checker *checker, size_t block, size_t *barriers)
{
  const uint32_t warps = warps_of(checker, block);
  warpbound_status status = WARPBOUND_OK;
  *barriers = 0;
  for (uint32_t w = 0; w < warps && status == WARPBOUND_OK; w++) {
    checker->first[w] = checker->taken;
    checker->partition[w] = checker->sorted[checker->taken]->partition;
    if (checker->sorted[checker->taken]->sm != checker->sorted[checker->first[0]]->sm)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "block %zu is on two SMs", block);
    status = note_warp(checker, block * checker->run->shape.block_warps + w, w == 0, barriers);
  }
  return status;
}

static int compare_partitions(const void *a, const void *b)
{
  return compare_numbers(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* The warps of a block are spread evenly over the partitions. */
static warpbound_status check_spread(const struct checker *checker, size_t block)
{
  const struct wb_launch_shape *shape = &checker->run->shape;
  const uint32_t warps = warps_of(checker, block);
  const uint64_t most = wb_divide_up(warps, shape->partitions);
  uint64_t same = 0;
  qsort(checker->partition, warps, sizeof *checker->partition, compare_partitions);
  for (uint32_t w = 0; w < warps; w++) {
    same = w > 0 && checker->partition[w] == checker->partition[w - 1] ? same + 1 : 1;
    if (same > most)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "block %zu: more than %" PRIu64 " of its warps are in one partition", block,
                     most);
  }
  return WARPBOUND_OK;
}

static warpbound_status check_block(struct checker *checker, size_t number)
{
  const struct wb_check_launch_run *run = checker->run;
  struct block block = {
      .run = run, .servers = &checker->servers, .lines = &checker->lines, .block = number};
  warpbound_status status = note_block(checker, number, &block.barrier_count);
  block.released = checker->released;
  if (status == WARPBOUND_OK)
    status = check_spread(checker, number);
  for (uint32_t w = 0; w < warps_of(checker, number) && status == WARPBOUND_OK; w++)
    status = check_warp(&block, checker->sorted + checker->first[w], w, checker->error);
  if (status != WARPBOUND_OK)
    return status;
  checker->stays[number] = (struct wb_check_run_stay){.block = number,
                                                      .sm = checker->sorted[checker->first[0]]->sm,
                                                      .placed = run->placed[number],
                                                      .ready = wb_check_run_ready(run, number),
                                                      .leaves = block.leaves};
  raise(&checker->ends[wb_check_run_step_of(run, number)], block.ends);
  return WARPBOUND_OK;
}

static warpbound_status check_blocks(struct checker *checker)
{
  const struct wb_launch_shape *shape = &checker->run->shape;
  const size_t steps = checker->run->graph != NULL ? checker->run->graph->step_count : 1;
  checker->stays = wb_arena_array(&checker->arena, struct wb_check_run_stay, shape->blocks);
  checker->ends = wb_arena_array(&checker->arena, uint64_t, steps);
  checker->partition = wb_arena_array(&checker->arena, uint32_t, shape->block_warps);
  checker->first = wb_arena_array(&checker->arena, size_t, shape->block_warps);
  warpbound_status status = checker->arena.failed ? wb_out_of_memory(checker->error) : WARPBOUND_OK;
  for (size_t b = 0; b < shape->blocks && status == WARPBOUND_OK; b++)
    status = check_block(checker, b);
  return status == WARPBOUND_OK ? wb_check_run_stays(checker->run, checker->stays, checker->error)
                                : status;
}

/* ---- the run ---- */

static warpbound_status check(struct checker *checker)
{
  const struct wb_check_launch_run *run = checker->run;
  uint64_t warps = 0;
  warpbound_status status = check_form(checker, &warps);
  if (status == WARPBOUND_OK)
    status = sort_events(checker, warps);
  if (status == WARPBOUND_OK)
    status = wb_check_launch_servers_make(&checker->arena, run, &checker->servers, checker->error);
  if (status == WARPBOUND_OK)
    status = wb_check_run_lines_make(&checker->arena, run, &checker->lines, checker->error);
  if (status == WARPBOUND_OK)
    status = check_blocks(checker);
  if (status == WARPBOUND_OK)
    status = wb_check_run_lines_end(&checker->lines, &checker->servers, checker->error);
  return status == WARPBOUND_OK ? wb_check_run_steps(run, checker->ends, checker->error) : status;
}

warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error)
{
  struct checker checker = {.run = run, .error = error};
  warpbound_status status = check(&checker);
  wb_arena_free(&checker.arena);
  free(checker.released);
  return status;
}
