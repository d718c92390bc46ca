#include "launches/run_check.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/status.h"
#include "launches/run_servers.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* When a block was on which SM. */
struct stay {
  uint64_t block;
  uint32_t sm;
  uint64_t placed, ready, leaves;
};

/* From when on the warps of the block may issue. */
static uint64_t ready_time(const struct wb_check_launch_run *run, uint64_t block)
{
  return run->ready != NULL ? run->ready[block] : run->placed[block] + run->shape.block_start;
}

/* ---- room ---- */

/* A block comes to an SM, or leaves it. */
struct move {
  uint64_t time;
  uint32_t sm;
  bool comes;
};

/* Those that leave make room before others come. */
static int compare_moves(const void *a, const void *b)
{
  const struct move *left = a;
  const struct move *right = b;
  if (left->sm != right->sm)
    return left->sm < right->sm ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->comes - right->comes;
}

/* The moves of one SM: first .. end - 1. last: when the last block of all is placed. */
static warpbound_status check_sm(const struct wb_check_launch_run *run, const struct move *first,
                                 const struct move *end, uint64_t last, warpbound_error *error)
{
  uint64_t resident = 0;
  uint64_t time = 0;
  for (const struct move *move = first; move < end; move++) {
    if (move->time > time && time < last && resident < run->shape.resident_blocks)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": SM %" PRIu32 " has room while a block waits", time,
                     move->sm);
    time = move->time;
    resident += move->comes ? 1 : UINT64_MAX;
    if (resident > run->shape.resident_blocks)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": SM %" PRIu32 " holds more blocks than it has room for",
                     time, move->sm);
  }
  return time >= last ? WARPBOUND_OK
                      : wb_fail(error, WARPBOUND_CHECK_FAILED,
                                "cycle %" PRIu64 ": SM %" PRIu32 " has room while a block waits",
                                time, first->sm);
}

static warpbound_status check_room(const struct wb_check_launch_run *run, const struct stay *stays,
                                   struct move *moves, warpbound_error *error)
{
  const size_t count = 2 * (size_t)run->shape.blocks;
  uint64_t last = 0;
  uint64_t sms = 0;
  for (size_t b = 0; b < run->shape.blocks; b++) {
    moves[2 * b] = (struct move){stays[b].placed, stays[b].sm, true};
    moves[2 * b + 1] = (struct move){stays[b].leaves, stays[b].sm, false};
    last = wb_maximum(last, stays[b].placed);
  }
  qsort(moves, count, sizeof *moves, compare_moves);
  warpbound_status status = WARPBOUND_OK;
  for (size_t first = 0, end = 0; first < count && status == WARPBOUND_OK; first = end) {
    while (end < count && moves[end].sm == moves[first].sm)
      end++;
    status = check_sm(run, moves + first, moves + end, last, error);
    sms++;
  }
  if (status == WARPBOUND_OK && last > 0 && sms < run->shape.sms)
    status =
        wb_fail(error, WARPBOUND_CHECK_FAILED, "cycle 0: an SM has no block while a block waits");
  return status;
}

/* ---- the dispatcher ---- */

static int compare_stays(const void *a, const void *b)
{
  const struct stay *left = a;
  const struct stay *right = b;
  return left->ready < right->ready ? -1 : left->ready > right->ready;
}

/* Each block has the dispatcher for `dispatch` cycles, `block_start` cycles before it is ready. */
static warpbound_status check_dispatch(const struct wb_check_launch_run *run, struct stay *stays,
                                       warpbound_error *error)
{
  const uint64_t dispatch = run->shape.dispatch;
  uint64_t busy_from = 0;
  uint64_t free_at = 0;
  qsort(stays, run->shape.blocks, sizeof *stays, compare_stays);
  for (size_t b = 0; b < run->shape.blocks; b++) {
    const struct stay *stay = &stays[b];
    if (stay->ready < stay->placed + run->shape.block_start + dispatch)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is ready before its dispatch and its start are over",
                     stay->block);
    const uint64_t begin = stay->ready - run->shape.block_start - dispatch;
    if (begin < free_at && dispatch > 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %" PRIu64 ": the dispatcher serves two blocks", begin);
    if (b == 0 || begin > free_at)
      busy_from = begin;
    if (stay->placed < busy_from && begin > stay->placed)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " waits while the dispatcher is idle", stay->block);
    free_at = begin + dispatch;
  }
  return WARPBOUND_OK;
}

/* Without a dispatcher that takes time a block waits for nothing but its start. */
static warpbound_status check_starts(const struct wb_check_launch_run *run,
                                     const struct stay *stays, warpbound_error *error)
{
  for (size_t b = 0; b < run->shape.blocks; b++) {
    if (stays[b].ready != stays[b].placed + run->shape.block_start)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "block %" PRIu64 " is not ready when its start is over", stays[b].block);
  }
  return WARPBOUND_OK;
}

/* Checks the stays of all blocks, which it sorts anew: an SM holds no more blocks than it has room
 * for, and has no room while a block waits; the dispatcher serves one block at a time, and is not
 * idle while one waits. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear, times the
 * logarithm of the blocks. */
static warpbound_status check_stays(const struct wb_check_launch_run *run, struct stay *stays,
                                    warpbound_error *error)
{
  struct move *moves = wb_allocate(2 * (size_t)run->shape.blocks, sizeof *moves);
  warpbound_status status =
      moves != NULL ? check_room(run, stays, moves, error) : wb_out_of_memory(error);
  free(moves);
  if (status != WARPBOUND_OK)
    return status;
  return run->shape.dispatch > 0 ? check_dispatch(run, stays, error)
                                 : check_starts(run, stays, error);
}

/* ---- warps ---- */

/* A block under way. */
struct block {
  const struct wb_check_launch_run *run;         /* borrowed */
  const struct wb_check_launch_servers *servers; /* borrowed */
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
  if (event->time < from)
    return wrong(warp, event, "it issues before its own past allows");
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
                      .allowed = ready_time(run, block->block),
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

/* Times of a run are below this, so that sums of a few of them fit. */
#define LATEST (UINT64_C(1) << 62)

/* The check under way. */
struct checker {
  struct wb_arena arena; /* owns the arrays but released */
  const struct wb_check_launch_run *run;
  const struct wb_check_launch_event **sorted; /* by block, warp and step */
  size_t taken;                                /* of the sorted events */
  struct wb_check_launch_servers servers;
  struct stay *stays;  /* by block */
  uint32_t *partition; /* by warp of the block under way */
  size_t *first;       /* the same: its first event among the sorted ones */
  uint64_t *released;  /* by barrier of the block under way */
  size_t released_capacity;
  uint64_t ends; /* of all that was made */
  warpbound_error *error;
};

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
  if (shape->blocks < 1 || shape->block_warps < 1 || shape->sms < 1 || shape->partitions < 1 ||
      shape->resident_blocks < 1)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an empty launch");
  const char *broken = wb_timed_code_check(run->code);
  if (broken != NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "%s", broken);
  if (!wb_multiply(shape->blocks, shape->block_warps, warps) || *warps > run->event_count)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a warp has no events");
  if (shape->dispatch > 0 && run->ready == NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "it is not known when blocks are ready");
  bool fit = run->shape.overhead < LATEST;
  for (size_t e = 0; e < run->event_count; e++)
    fit = fit && run->events[e].time < LATEST && run->events[e].until < LATEST;
  for (size_t b = 0; b < run->shape.blocks; b++)
    fit = fit && run->placed[b] < LATEST && (run->ready == NULL || run->ready[b] < LATEST);
  warpbound_status status =
      fit ? WARPBOUND_OK
          : wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a time is above 2^62 cycles");
  for (size_t w = 0; w < *warps && status == WARPBOUND_OK; w++)
    status = count_path(checker, w, &count);
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
  const uint32_t warps = checker->run->shape.block_warps;
  warpbound_status status = WARPBOUND_OK;
  *barriers = 0;
  for (uint32_t w = 0; w < warps && status == WARPBOUND_OK; w++) {
    checker->first[w] = checker->taken;
    checker->partition[w] = checker->sorted[checker->taken]->partition;
    if (checker->sorted[checker->taken]->sm != checker->sorted[checker->first[0]]->sm)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "block %zu is on two SMs", block);
    status = note_warp(checker, block * warps + w, w == 0, barriers);
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
  const uint64_t most = wb_divide_up(shape->block_warps, shape->partitions);
  uint64_t same = 0;
  qsort(checker->partition, shape->block_warps, sizeof *checker->partition, compare_partitions);
  for (uint32_t w = 0; w < shape->block_warps; w++) {
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
  struct block block = {.run = run, .servers = &checker->servers, .block = number};
  warpbound_status status = note_block(checker, number, &block.barrier_count);
  block.released = checker->released;
  if (status == WARPBOUND_OK)
    status = check_spread(checker, number);
  for (uint32_t w = 0; w < run->shape.block_warps && status == WARPBOUND_OK; w++)
    status = check_warp(&block, checker->sorted + checker->first[w], w, checker->error);
  if (status != WARPBOUND_OK)
    return status;
  checker->stays[number] = (struct stay){.block = number,
                                         .sm = checker->sorted[checker->first[0]]->sm,
                                         .placed = run->placed[number],
                                         .ready = ready_time(run, number),
                                         .leaves = block.leaves};
  checker->ends = wb_maximum(checker->ends, block.ends);
  return WARPBOUND_OK;
}

static warpbound_status check_blocks(struct checker *checker)
{
  const struct wb_launch_shape *shape = &checker->run->shape;
  checker->stays = wb_arena_array(&checker->arena, struct stay, shape->blocks);
  checker->partition = wb_arena_array(&checker->arena, uint32_t, shape->block_warps);
  checker->first = wb_arena_array(&checker->arena, size_t, shape->block_warps);
  warpbound_status status = checker->arena.failed ? wb_out_of_memory(checker->error) : WARPBOUND_OK;
  for (size_t b = 0; b < shape->blocks && status == WARPBOUND_OK; b++)
    status = check_block(checker, b);
  return status == WARPBOUND_OK ? check_stays(checker->run, checker->stays, checker->error)
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
    status = check_blocks(checker);
  if (status == WARPBOUND_OK && checker->ends + run->shape.overhead != run->cycles)
    status = wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                     "the run takes %" PRIu64 " cycles, not %" PRIu64,
                     checker->ends + run->shape.overhead, run->cycles);
  return status;
}

warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error)
{
  struct checker checker = {.run = run, .error = error};
  warpbound_status status = check(&checker);
  wb_arena_free(&checker.arena);
  free(checker.released);
  return status;
}
