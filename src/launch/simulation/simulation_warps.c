/* Blocks and warps of a simulated launch: where they come, and when they issue. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

#include <string.h>

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
  const uint64_t now = machine->wheel.now;
  const uint64_t results =
      now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_LATENCY, step->latency, 0);
  wb_launch_ends(machine, results);
  warp->done = wb_maximum(warp->done, results);
  if (step->write_scoreboard != WB_NO_SCOREBOARD)
    warp->known[step->write_scoreboard] = wb_maximum(warp->known[step->write_scoreboard], results);
  if (step->read_scoreboard == WB_NO_SCOREBOARD)
    return;
  const uint64_t read = now + wb_launch_draw(machine, warp->age, warp->step, WB_DRAW_READ_LATENCY,
                                             step->read_latency, 0);
  wb_launch_ends(machine, read);
  warp->done = wb_maximum(warp->done, read);
  warp->known[step->read_scoreboard] = wb_maximum(warp->known[step->read_scoreboard], read);
}

/* ---- blocks come to SMs that have room, and leave them ---- */

/* Which SM with room a block goes to, by the seed. */
enum { FILL, SPREAD, SCATTER, RULES };

/* The first SM with room from `start` on, around; there is one. */
static uint32_t find_room(const struct wb_launch_machine *machine, uint32_t start)
{
  const size_t words = (machine->sms + 63) / 64;
  size_t word = start / 64;
  uint64_t bits = machine->room[word] & UINT64_MAX << start % 64;
  while (bits == 0) {
    word = word + 1 < words ? word + 1 : 0;
    bits = machine->room[word];
  }
  return (uint32_t)(word * 64 + (size_t)__builtin_ctzll(bits));
}

static uint32_t choose_sm(struct wb_launch_machine *machine)
{
  const uint64_t seed = machine->options->seed;
  if (machine->options->balanced) {
    /* An SM with the fewest blocks, the first one from `start` on, around. */
    const uint32_t start = machine->next_room;
    uint32_t best = start;
    for (uint32_t i = 1; i < machine->sms && machine->residents[best] > 0; i++) {
      const uint32_t sm = (start + i) % machine->sms;
      if (machine->residents[sm] < machine->residents[best])
        best = sm;
    }
    machine->next_room = (best + 1) % machine->sms;
    return (machine->next_room + machine->sms - 1) % machine->sms;
  }
  if (seed % RULES == SCATTER)
    return find_room(
        machine, (uint32_t)(wb_launch_mix(machine->salt, machine->next_block, 0) % machine->sms));
  const uint32_t sm = find_room(machine, machine->next_room);
  machine->next_room = seed % RULES == SPREAD ? (sm + 1) % machine->sms : sm;
  return sm;
}

static void start_warp(struct wb_launch_machine *machine, uint32_t resident, uint32_t number,
                       uint64_t start)
{
  const struct wb_simulation_options *const options = machine->options;
  const uint32_t warps = machine->shape->block_warps;
  const uint32_t id = resident * warps + number;
  const uint64_t block = machine->blocks[resident].block;
  const uint64_t age = block * warps + number;
  uint64_t path = wb_launch_mix(machine->salt, age, 1);
  if (options->seed / RULES % 3 == 0)
    path = age;
  else if (options->seed / RULES % 3 == 1)
    path = block;
  path %= options->path_count;
  start += wb_launch_draw(machine, age, UINT64_MAX, WB_DRAW_START, machine->shape->block_start, 0);
  machine->warps[id] = (struct wb_launch_warp){
      .age = age,
      .stall = start,
      .path = options->paths[path].instructions,
      .length = options->paths[path].length,
      .resident = resident,
      .partition = resident / machine->rooms * machine->partitions + number % machine->partitions,
      .ready = start <= machine->wheel.now,
      .ready_since = start,
  };
  if (start > machine->wheel.now)
    wb_time_wheel_push(&machine->wheel, start, WB_WAKE_WARP, id, 0);
  if (machine->launch->path_of_warp == NULL)
    return;
  machine->launch->path_of_warp[age] = (uint32_t)path;
  machine->launch->block_ready[block] = wb_maximum(machine->launch->block_ready[block], start);
}

static void place_block(struct wb_launch_machine *machine, uint32_t sm)
{
  const uint64_t now = machine->wheel.now;
  const uint64_t number = machine->next_block++;
  const uint32_t place = machine->residents[sm]++;
  const uint32_t resident =
      sm * machine->rooms + machine->by_age[(size_t)sm * machine->rooms + place];
  machine->blocks[resident] = (struct wb_resident_block){
      .block = number,
      .begin = now,
      .until = now,
      .running = machine->shape->block_warps,
      .here = true,
  };
  machine->free_rooms--;
  if (machine->residents[sm] == machine->rooms)
    machine->room[sm / 64] &= ~(UINT64_C(1) << sm % 64);
  if (!machine->changed[sm]) {
    machine->changed[sm] = true;
    machine->changed_sms[machine->changed_count++] = sm;
  }
  uint64_t start = wb_maximum(now, machine->dispatcher);
  start +=
      wb_launch_draw(machine, number, UINT64_MAX, WB_DRAW_DISPATCH, machine->shape->dispatch, 0);
  machine->dispatcher = start;
  for (uint32_t w = 0; w < machine->shape->block_warps; w++)
    start_warp(machine, resident, w, start);
  if (machine->launch->block_begin != NULL) {
    machine->launch->block_begin[number] = now;
    machine->launch->block_sm[number] = sm;
  }
}

/* Gives the warps of an SM places in their partitions by age: its oldest block first. */
static void number_warps(struct wb_launch_machine *machine, uint32_t sm)
{
  const size_t words = machine->words;
  const uint32_t warps = machine->shape->block_warps;
  for (uint32_t p = 0; p < machine->partitions; p++) {
    const size_t part = (size_t)sm * machine->partitions + p;
    const size_t groups = machine->group_count;
    memset(&machine->ready[part * groups * words], 0, groups * words * sizeof(uint64_t));
    memset(&machine->ready_groups[part * machine->group_words], 0,
           machine->group_words * sizeof(uint64_t));
    memset(&machine->victims[part * words], 0, words * sizeof(uint64_t));
    machine->parts[part].next_place = 0;
    machine->parts[part].last_place = WB_NOBODY;
    machine->parts[part].warps = 0;
  }
  for (uint32_t i = 0; i < machine->residents[sm] * warps; i++) {
    const uint32_t room = machine->by_age[(size_t)sm * machine->rooms + i / warps];
    const uint32_t id = (sm * machine->rooms + room) * warps + i % warps;
    struct wb_launch_warp *const warp = &machine->warps[id];
    struct wb_launch_partition *const part = &machine->parts[warp->partition];
    const uint32_t place = part->warps++;
    warp->place = place;
    machine->warp_at[(size_t)warp->partition * machine->partition_warps + place] = id;
    if (part->last_age != UINT64_MAX && warp->age <= part->last_age)
      part->next_place = place + 1;
    if (warp->age == part->last_age)
      part->last_place = place;
    if (wb_launch_has_victims(machine) && wb_launch_is_victim(machine, warp->age))
      machine->victims[warp->partition * words + place / 64] |= UINT64_C(1) << place % 64;
    if (warp->ready)
      wb_launch_ready(machine, id);
  }
}

void wb_launch_dispatch(struct wb_launch_machine *machine)
{
  while (machine->next_block < machine->shape->blocks && machine->free_rooms > 0)
    place_block(machine, choose_sm(machine));
  for (size_t i = 0; i < machine->changed_count; i++) {
    number_warps(machine, machine->changed_sms[i]);
    machine->changed[machine->changed_sms[i]] = false;
  }
  machine->changed_count = 0;
  machine->left = false;
}

void wb_launch_try_leave(struct wb_launch_machine *machine, uint32_t resident)
{
  const struct wb_resident_block *const block = &machine->blocks[resident];
  if (block->running > 0 || block->flights > 0)
    return;
  if (block->until > machine->wheel.now)
    wb_time_wheel_push(&machine->wheel, block->until, WB_WAKE_BLOCK, resident, 0);
  else
    wb_launch_leave(machine, resident);
}

void wb_launch_leave(struct wb_launch_machine *machine, uint32_t resident)
{
  struct wb_resident_block *const block = &machine->blocks[resident];
  const uint64_t now = machine->wheel.now;
  const uint32_t sm = resident / machine->rooms;
  block->here = false;
  machine->launch->longest_block = wb_maximum(machine->launch->longest_block, now - block->begin);
  machine->launch->last_block = block->block;
  machine->launch->last_sm = sm;
  machine->launch->last_block_begin = block->begin;
  if (machine->launch->block_end != NULL)
    machine->launch->block_end[block->block] = now;
  uint32_t *const by_age = &machine->by_age[(size_t)sm * machine->rooms];
  uint32_t place = 0;
  while (by_age[place] != resident % machine->rooms)
    place++;
  const uint32_t after = --machine->residents[sm];
  memmove(&by_age[place], &by_age[place + 1], (after - place) * sizeof *by_age);
  by_age[after] = resident % machine->rooms;
  machine->room[sm / 64] |= UINT64_C(1) << sm % 64;
  if (machine->options->seed % RULES == FILL && sm < machine->next_room)
    machine->next_room = sm;
  machine->free_rooms++;
  machine->ended_blocks++;
  machine->left = true;
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
  wb_launch_ends(machine, until);
  machine->launch->instructions++;
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

/* The place of the candidate that goes first; WB_NOBODY: there is none. */
static uint32_t choose(struct wb_launch_machine *machine, const struct wb_launch_partition *part)
{
  const enum wb_launch_policy policy = machine->options->policy;
  const bool greedy = policy == WB_LAUNCH_GREEDY_OLDEST || policy == WB_LAUNCH_GREEDY_YOUNGEST;
  const uint32_t last = part->last_place;
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
  for (;;) {
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
