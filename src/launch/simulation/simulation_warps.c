/* Warps of a simulated run: what holds them back, and when they issue. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

/* ---- what holds a warp back: its own past ---- */

void wb_launch_ready(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  if (machine->cold && !wb_launch_finds_lines(machine, id)) {
    warp->ready = false;
    return;
  }
  const size_t part = warp->partition;
  const uint32_t group = machine->group_of[warp->path[warp->step]];
  const uint32_t place = warp->place;
  warp->ready = true;
  machine->ready[(part * machine->group_count + group) * machine->words + place / 64] |=
      UINT64_C(1) << place % 64;
  machine->ready_groups[part * machine->group_words + group / 64] |= UINT64_C(1) << group % 64;
  machine->active[part / 64] |= UINT64_C(1) << part % 64;
}

static void settle(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  const struct wb_timed_instruction *const step =
      &machine->code->instructions[warp->path[warp->step]];
  uint64_t time = warp->stall;
  bool blocked = step->counted_scoreboard != WB_NO_SCOREBOARD &&
                 warp->held[step->counted_scoreboard] > step->counted_left;
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
    settle(machine, id);
}

void wb_launch_end_flight(struct wb_launch_machine *machine, uint32_t id, uint64_t age)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  if (warp->age != age)
    return;
  warp->flights--;
  if (warp->blocked)
    settle(machine, id);
}

void wb_launch_will_end(struct wb_launch_machine *machine, const struct wb_launch_flight *flight,
                        uint64_t time)
{
  struct wb_launch_warp *const warp = &machine->warps[flight->warp];
  wb_launch_ends(machine, flight->member, time);
  if (warp->age == flight->age)
    warp->done = wb_maximum(warp->done, time);
}

/* The warp arrives at its block's barrier at warp->stall; the last of the block opens it. */
static void pass_barrier(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const arrived = &machine->warps[id];
  const uint32_t resident = arrived->resident;
  struct wb_resident_block *const block = &machine->blocks[resident];
  block->arrival =
      block->arrived == 0 ? arrived->stall : wb_maximum(block->arrival, arrived->stall);
  arrived->barrier_since = arrived->stall;
  arrived->at_barrier = arrived->step < arrived->length;
  if (++block->arrived < block->warps)
    return;
  block->arrived = 0;
  const uint32_t first = resident * machine->stride;
  for (uint32_t other = first; other < first + block->warps; other++) {
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
    settle(machine, other);
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
                         const struct wb_timed_instruction *step)
{
  const uint32_t member = machine->blocks[warp->resident].member;
  const uint64_t now = machine->wheel.now;
  const uint64_t results =
      now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_LATENCY, step->latency, 0);
  wb_launch_ends(machine, member, results);
  warp->done = wb_maximum(warp->done, results);
  if (step->write_scoreboard != WB_NO_SCOREBOARD)
    warp->known[step->write_scoreboard] = wb_maximum(warp->known[step->write_scoreboard], results);
  if (step->read_scoreboard == WB_NO_SCOREBOARD)
    return;
  const uint64_t read = now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_READ_LATENCY,
                                             step->read_latency, 0);
  wb_launch_ends(machine, member, read);
  warp->done = wb_maximum(warp->done, read);
  warp->known[step->read_scoreboard] = wb_maximum(warp->known[step->read_scoreboard], read);
}

/* ---- who issues in a cycle: partition by partition, as the policy says ---- */

static void issue_next(struct wb_launch_machine *machine, uint32_t id)
{
  struct wb_launch_warp *const warp = &machine->warps[id];
  struct wb_resident_block *const block = &machine->blocks[warp->resident];
  const uint32_t instruction = warp->path[warp->step];
  const struct wb_timed_instruction *const step = &machine->code->instructions[instruction];
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
  wb_launch_ends(machine, block->member, until);
  machine->launch->instructions++;
  if (machine->convoys.on)
    wb_launch_count_issue(machine, warp->partition);
  const uint32_t scoreboards = (1u << step->write_scoreboard | 1u << step->read_scoreboard) &
                               ((1u << WB_SCOREBOARD_COUNT) - 1);
  if (step->stage_count > 0 || (scoreboards & machine->counted) != 0)
    wb_launch_start_flight(machine, id, instruction);
  else
    make_results(machine, warp, step);
  const bool ended = ++warp->step == warp->length;
  if (step->barrier)
    pass_barrier(machine, id);
  else if (!ended)
    settle(machine, id);
  if (ended) {
    block->running--;
    wb_launch_try_leave(machine, warp->resident);
  }
}

/* From when on all resources of a set have a free server, if nobody else takes one. */
static uint64_t set_free(const struct wb_launch_machine *machine, size_t part, uint32_t resources)
{
  uint64_t free = 0;
  for (uint32_t set = resources; set != 0; set &= set - 1)
    free = wb_maximum(free, *wb_launch_servers(machine, part, (unsigned)__builtin_ctz(set)));
  return free;
}

static uint64_t *ready_set(const struct wb_launch_machine *machine, size_t part, size_t group)
{
  return &machine->ready[(part * machine->group_count + group) * machine->words];
}

/* Sets machine->candidates: ready warps that find all that they need. Returns when the first of the
 * others might; UINT64_MAX: none. words: machine->words; nearly always one, for which the compiler
 * makes a copy. */
static inline uint64_t find_candidates(struct wb_launch_machine *machine, size_t part, size_t words)
{
  uint64_t next = UINT64_MAX;
  for (size_t w = 0; w < words; w++)
    machine->candidates[w] = 0;
  for (size_t g = 0; g < machine->group_words; g++) {
    uint64_t groups = machine->ready_groups[part * machine->group_words + g];
    for (; groups != 0; groups &= groups - 1) {
      const size_t group = g * 64 + (size_t)__builtin_ctzll(groups);
      const uint64_t free = set_free(machine, part, machine->groups[group]);
      if (free > machine->wheel.now) {
        next = wb_minimum(next, free);
        continue;
      }
      const uint64_t *const ready = ready_set(machine, part, group);
      for (size_t w = 0; w < words; w++)
        machine->candidates[w] |= ready[w];
    }
  }
  return next;
}

/* The first candidate at or after a place; WB_NOBODY: none. */
static uint32_t first_from(const struct wb_launch_machine *machine, uint32_t place)
{
  size_t word = place / 64;
  if (word >= machine->words)
    return WB_NOBODY;
  uint64_t bits = machine->candidates[word] & UINT64_MAX << place % 64;
  while (bits == 0) {
    if (++word == machine->words)
      return WB_NOBODY;
    bits = machine->candidates[word];
  }
  return (uint32_t)(word * 64 + (size_t)__builtin_ctzll(bits));
}

/* The candidate that is least far in its path, the oldest of these; WB_NOBODY: there is none. */
static uint32_t least_far(const struct wb_launch_machine *machine,
                          const struct wb_launch_partition *part)
{
  const uint32_t *const warp_at =
      &machine->warp_at[(size_t)(part - machine->parts) * machine->partition_warps];
  uint32_t best = WB_NOBODY;
  size_t least = SIZE_MAX;
  for (size_t word = 0; word < machine->words; word++) {
    for (uint64_t bits = machine->candidates[word]; bits != 0; bits &= bits - 1) {
      const uint32_t place = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(bits));
      const size_t step = machine->warps[warp_at[place]].step;
      if (step < least) {
        least = step;
        best = place;
      }
    }
  }
  return best;
}

/* The place of the candidate that goes first; WB_NOBODY: there is none. */
static uint32_t choose(struct wb_launch_machine *machine, const struct wb_launch_partition *part)
{
  const enum wb_launch_policy policy = machine->options->policy;
  const bool greedy = policy == WB_LAUNCH_GREEDY_OLDEST || policy == WB_LAUNCH_GREEDY_YOUNGEST;
  const uint32_t last = part->last_place;
  if (machine->convoys.on)
    return least_far(machine, part);
  if (greedy && last != WB_NOBODY && (machine->candidates[last / 64] >> last % 64 & 1) != 0)
    return last;
  if (policy == WB_LAUNCH_GREEDY_OLDEST)
    return first_from(machine, 0);
  if (policy == WB_LAUNCH_GREEDY_YOUNGEST) {
    for (size_t word = machine->words; word-- > 0;) {
      if (machine->candidates[word] != 0)
        return (uint32_t)(word * 64 + 63 - (size_t)__builtin_clzll(machine->candidates[word]));
    }
    return WB_NOBODY;
  }
  if (policy == WB_LAUNCH_RANDOM) {
    uint32_t count = 0;
    for (size_t w = 0; w < machine->words; w++)
      count += (uint32_t)__builtin_popcountll(machine->candidates[w]);
    uint64_t skip = count > 1 ? wb_random_below(&machine->random, count) : 0;
    uint32_t place = first_from(machine, 0);
    while (count > 0 && skip-- > 0)
      place = first_from(machine, place + 1);
    return place;
  }
  const uint32_t place = first_from(machine, part->next_place); /* in turn */
  return place != WB_NOBODY ? place : first_from(machine, 0);
}

static void issue_at(struct wb_launch_machine *machine, size_t number, uint32_t place)
{
  struct wb_launch_partition *const part = &machine->parts[number];
  const uint32_t id = machine->warp_at[number * machine->partition_warps + place];
  const struct wb_launch_warp *const warp = &machine->warps[id];
  const uint32_t group = machine->group_of[warp->path[warp->step]];
  uint64_t *const ready = ready_set(machine, number, group);
  ready[place / 64] &= ~(UINT64_C(1) << place % 64);
  uint64_t any = 0;
  for (size_t w = 0; w < machine->words; w++)
    any |= ready[w];
  if (any == 0)
    machine->ready_groups[number * machine->group_words + group / 64] &=
        ~(UINT64_C(1) << group % 64);
  part->last_age = warp->age;
  part->last_place = place;
  part->next_place = place + 1;
  issue_next(machine, id);
}

/* No warp of the partition can issue any more in this cycle, nor before `next`. */
static void leave_waiting(struct wb_launch_machine *machine, size_t number, uint64_t next)
{
  struct wb_launch_partition *const part = &machine->parts[number];
  /* For events: which resource keeps each warp that is ready and did not issue. */
  for (uint32_t p = 0; p < part->warps && machine->recording; p++) {
    struct wb_launch_warp *const warp =
        &machine->warps[machine->warp_at[number * machine->partition_warps + p]];
    if (!warp->ready)
      continue;
    const uint32_t group = machine->group_of[warp->path[warp->step]];
    uint64_t latest = 0;
    for (uint32_t set = machine->groups[group]; set != 0; set &= set - 1) {
      const unsigned resource = (unsigned)__builtin_ctz(set);
      const uint64_t free = *wb_launch_servers(machine, number, resource);
      if (free > latest)
        warp->blocked_by = (uint8_t)resource;
      latest = wb_maximum(latest, free);
    }
  }
  /* Wakes the partition when resources may be free again. */
  if (next == machine->wheel.now + 1) {
    machine->active_next[number / 64] |= UINT64_C(1) << number % 64;
    machine->any_next = true;
  } else if (next < part->wake) {
    part->wake = next;
    wb_time_wheel_push(&machine->wheel, next, WB_WAKE_PARTITION, (uint32_t)number, 0);
  }
}

/* Lets the warps of a partition issue. Returns whether starved ones are left that can: they go
 * after those of all partitions. */
static bool issue_partition(struct wb_launch_machine *machine, size_t number, bool with_victims)
{
  while (!wb_launch_issue_waits(machine, number)) {
    uint64_t next = set_free(machine, number, machine->common);
    if (next > machine->wheel.now) { /* the slot is taken: nobody can issue */
      uint64_t groups = 0;
      for (size_t g = 0; g < machine->group_words; g++)
        groups |= machine->ready_groups[number * machine->group_words + g];
      leave_waiting(machine, number, groups != 0 ? next : UINT64_MAX);
      return false;
    }
    next = machine->words == 1 ? find_candidates(machine, number, 1)
                               : find_candidates(machine, number, machine->words);
    uint64_t left_out = 0;
    for (size_t w = 0; w < machine->words && !with_victims; w++) {
      const uint64_t victims = machine->victims[number * machine->words + w];
      left_out |= machine->candidates[w] & victims;
      machine->candidates[w] &= ~victims;
    }
    const uint32_t place = choose(machine, &machine->parts[number]);
    if (place != WB_NOBODY) {
      issue_at(machine, number, place);
      continue;
    }
    if (left_out != 0)
      return true;
    leave_waiting(machine, number, next);
    return false;
  }
  return false;
}

/* Which of `count` partitions in turn goes first, where they meet at issue. */
static size_t first_in_turn(const struct wb_launch_machine *machine, size_t count)
{
  if (!machine->shared_issue)
    return 0;
  const uint64_t parts = (uint64_t)machine->sms * machine->partitions;
  uint64_t first = 0;
  if (machine->options->policy == WB_LAUNCH_ROUND_ROBIN)
    first = machine->wheel.now % parts;
  else if (machine->options->policy == WB_LAUNCH_RANDOM)
    first = wb_launch_mix(machine->salt, machine->wheel.now, 2) % parts;
  size_t index = 0;
  while (index < count && machine->turn[index] < first)
    index++;
  return index < count ? index : 0;
}

void wb_launch_issue_all(struct wb_launch_machine *machine)
{
  const bool starving = wb_launch_has_victims(machine);
  const bool backwards =
      machine->shared_issue && machine->options->policy == WB_LAUNCH_GREEDY_YOUNGEST;
  size_t count = 0;
  for (size_t w = 0; w < machine->active_words; w++) {
    for (uint64_t bits = machine->active[w]; bits != 0; bits &= bits - 1)
      machine->turn[count++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
    machine->active[w] = 0;
  }
  const size_t first = first_in_turn(machine, count);
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t index = first + i < count ? first + i : first + i - count;
    const uint32_t part = machine->turn[backwards ? count - 1 - index : index];
    if (issue_partition(machine, part, !starving))
      machine->turn[left++] = part; /* before the next ones: starving begins with 0 */
  }
  for (size_t i = 0; i < left; i++)
    issue_partition(machine, machine->turn[i], true);
}
