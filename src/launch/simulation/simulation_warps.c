/* What holds a warp back: its own past. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

void wb_launch_ready(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  const size_t part = warp->partition;
  const uint32_t group = machine->steps[warp->path[warp->step]].group;
  const uint32_t place = warp->place;
  warp->ready = true;
  machine->ready[(part * machine->group_count + group) * machine->words + place / 64] |=
      UINT64_C(1) << place % 64;
  machine->ready_groups[part * machine->group_words + group / 64] |= UINT64_C(1) << group % 64;
  machine->active[part / 64] |= UINT64_C(1) << part % 64;
}

void wb_launch_settle(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  const struct wb_launch_step *const step = &machine->steps[warp->path[warp->step]];
  uint64_t time = warp->stall;
  bool blocked = step->counted != WB_NO_SCOREBOARD && warp->held[step->counted] > step->left;
  for (uint32_t mask = step->wait_mask; mask != 0; mask &= mask - 1) {
    const unsigned scoreboard = (unsigned)__builtin_ctz(mask);
    blocked |= warp->held[scoreboard] > 0;
    time = wb_maximum(time, warp->known[scoreboard]);
  }
  if (step->fence) {
    blocked |= warp->flights > 0;
    time = wb_maximum(time, warp->done);
  }
  warp->blocked = blocked;
  if (blocked)
    return;
  const uint64_t now = machine->wheel.now;
  warp->ready_since = wb_maximum(time, now);
  if (time > now)
    wb_time_wheel_push(&machine->wheel, time, WB_WAKE_WARP, id, 0);
  else
    wb_launch_ready(machine, id);
}

void wb_launch_release(struct wb_launch_machine *machine, uint32_t id, uint64_t age,
                       uint8_t scoreboard, uint64_t time)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  if (warp->age != age) /* its block has left */
    return;
  warp->held[scoreboard]--;
  warp->known[scoreboard] = wb_maximum(warp->known[scoreboard], time);
  if (warp->blocked)
    wb_launch_settle(machine, id);
}

void wb_launch_end_flight(struct wb_launch_machine *machine, uint32_t id, uint64_t age)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  if (warp->age != age)
    return;
  warp->flights--;
  if (warp->blocked)
    wb_launch_settle(machine, id);
}

void wb_launch_will_end(struct wb_launch_machine *machine, uint32_t id, uint64_t age, uint64_t time)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  wb_launch_ends(machine, time);
  if (warp->age == age)
    warp->done = wb_maximum(warp->done, time);
}

/* The warp arrives at its block's barrier at warp->stall; the last of the block opens it. */
static void pass_barrier(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const arrived = &machine->warps[id];
  const uint32_t resident = arrived->resident;
  struct wb_resident_block *const block = &machine->blocks[resident];
  const uint32_t warps = machine->shape->block_warps;
  block->arrival =
      block->arrived == 0 ? arrived->stall : wb_maximum(block->arrival, arrived->stall);
  arrived->barrier_since = arrived->stall;
  arrived->at_barrier = arrived->step < arrived->length;
  if (++block->arrived < warps)
    return;
  block->arrived = 0;
  for (uint32_t other = resident * warps; other < (resident + 1) * warps; other++) {
    struct wb_launch_warp *const warp = &machine->warps[other];
    const size_t step = warp->step - 1;
    const struct wb_launch_event waited = {.kind = WB_EVENT_BARRIER_WAIT,
                                           .step = (uint32_t)step,
                                           .instruction = warp->path[step],
                                           .resource = WB_NOBODY,
                                           .time = warp->barrier_since,
                                           .until = block->arrival};
    if (machine->recording && waited.time != waited.until)
      wb_launch_record(machine, &waited, warp->age, warp->partition);
    if (!warp->at_barrier)
      continue;
    warp->at_barrier = false;
    warp->stall = block->arrival;
    wb_launch_settle(machine, other);
  }
}

/* Takes a server of a heap of ends of services, the earliest first. */
static void take_server(uint64_t *heap, uint32_t servers, uint64_t end)
{
  size_t place = 0;
  for (size_t child = 1; child < servers; child = 2 * place + 1) {
    if (child + 1 < servers && heap[child + 1] < heap[child])
      child++;
    if (heap[child] >= end)
      break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = end;
}

static void record_issue(struct wb_launch_machine *machine, const struct wb_launch_warp *warp,
                         uint32_t stall)
{
  const uint64_t now = machine->wheel.now;
  struct wb_launch_event event = {
      .kind = WB_EVENT_WAIT,
      .step = (uint32_t)warp->step,
      .instruction = warp->path[warp->step],
      .resource = warp->blocked_by,
      .time = warp->ready_since,
      .until = now,
  };
  if (warp->ready_since < now)
    wb_launch_record(machine, &event, warp->age, warp->partition);
  event.kind = WB_EVENT_ISSUE;
  event.resource = WB_NOBODY;
  event.time = now;
  event.until = now + stall;
  wb_launch_record(machine, &event, warp->age, warp->partition);
}

/* What releases scoreboards at times that are known at issue; else a flight does it. */
static void make_results(struct wb_launch_machine *machine, struct wb_launch_warp *warp,
                         const struct wb_launch_step *step)
{
  const uint64_t now = machine->wheel.now;
  const uint64_t results =
      now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_LATENCY, step->latency, 0);
  wb_launch_ends(machine, results);
  warp->done = wb_maximum(warp->done, results);
  if (step->write != WB_NO_SCOREBOARD)
    warp->known[step->write] = wb_maximum(warp->known[step->write], results);
  if (step->read == WB_NO_SCOREBOARD)
    return;
  const uint64_t read = now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_READ_LATENCY,
                                             step->read_latency, 0);
  wb_launch_ends(machine, read);
  warp->done = wb_maximum(warp->done, read);
  warp->known[step->read] = wb_maximum(warp->known[step->read], read);
}

void wb_launch_issue(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  struct wb_resident_block *const block = &machine->blocks[warp->resident];
  const uint32_t instruction = warp->path[warp->step];
  const struct wb_launch_step *const step = &machine->steps[instruction];
  const uint32_t stall =
      wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_STALL, step->stall, 1);
  if (machine->recording)
    record_issue(machine, warp, stall);
  warp->ready = false;
  warp->stall = machine->wheel.now + stall;
  uint64_t until = warp->stall;
  for (uint32_t u = 0; u < step->use_count; u++) {
    const struct wb_issue_use *const use = &machine->code->uses[step->first_use + u];
    const uint32_t service =
        wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_USE + u, use->service, 1);
    const uint64_t end = machine->wheel.now + service;
    take_server(wb_launch_servers(machine, warp->partition, use->resource),
                machine->places[use->resource].servers, end);
    until = wb_maximum(until, end);
    wb_launch_busy(machine, use->resource, service);
  }
  block->until = wb_maximum(block->until, until);
  warp->done = wb_maximum(warp->done, until);
  wb_launch_ends(machine, until);
  machine->launch->instructions++;
  const uint32_t scoreboards =
      (1u << step->write | 1u << step->read) & ((1u << WB_SCOREBOARD_COUNT) - 1);
  if (step->stage_count > 0 || (scoreboards & machine->counted) != 0)
    wb_launch_start_flight(machine, id, instruction);
  else
    make_results(machine, warp, step);
  const bool ended = ++warp->step == warp->length;
  if (step->barrier)
    pass_barrier(machine, id);
  else if (!ended)
    wb_launch_settle(machine, id);
  if (ended) {
    block->running--;
    wb_launch_try_leave(machine, warp->resident);
  }
}
