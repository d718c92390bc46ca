#include "certificate/launch/run_warps.h"

#include "base/checked.h"
#include "certificate/launch/run_blocks.h"

#include <inttypes.h>

/* Most instructions that a warp can wait for by count (counted_left is a byte), and one more. */
#define COUNT_LIMIT 256

/* The latest times at which instructions release a scoreboard, the latest first. */
struct releases {
  uint64_t time[COUNT_LIMIT];
  size_t count;
};

/* A warp under way. */
struct warp {
  struct wb_check_launch_block *block;
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

static warpbound_status check_request(const struct warp *warp,
                                      const struct wb_check_launch_event *event,
                                      const struct wb_request_stage *stage, uint64_t from)
{
  if (event->until != event->time + stage->service)
    return wrong(warp, event, "a request is not served for as long as it needs");
  if (event->time < from)
    return wrong(warp, event, "a request is served before the stage before has ended, and a delay");
  if (wb_check_launch_servers_idle(warp->block->servers, event, NULL, from, event->time) <
      event->time)
    return wrong(warp, event, "a request waits while no resource is full");
  return WARPBOUND_OK;
}

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
      const warpbound_status status = check_request(warp, event, stage, from);
      if (status != WARPBOUND_OK)
        return status;
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

/* From when on the warp's past lets it issue. */
static uint64_t allowed_from(const struct warp *warp,
                             const struct wb_timed_instruction *instruction)
{
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
  return from;
}

static warpbound_status check_issue(struct warp *warp, const struct wb_check_launch_event *event,
                                    const struct wb_timed_instruction *instruction)
{
  const uint64_t from = allowed_from(warp, instruction);
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

warpbound_status wb_check_launch_warp(struct wb_check_launch_block *block,
                                      const struct wb_check_launch_event *const *events,
                                      uint32_t number, warpbound_error *error)
{
  const struct wb_check_launch_run *run = block->run;
  const uint64_t index = block->block * run->shape.block_warps + number;
  struct warp warp = {.block = block,
                      .code = run->code,
                      .next = events,
                      .number = number,
                      .allowed = wb_check_launch_ready(run, block->block),
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
