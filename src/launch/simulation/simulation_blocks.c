/* Blocks of a simulated run: where they come, and when they leave. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

#include <string.h>

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

/* Whether a block of the launch has room on the SM, of those of a graph. */
static bool has_room(const struct wb_launch_machine *machine, uint32_t sm, uint32_t kernel)
{
  const struct wb_mixes *const mixes = machine->graph->mixes;
  bool room = machine->held[sm * mixes->kernel_count + kernel] < mixes->most[kernel];
  for (size_t r = 0; r < mixes->room_count && room; r++)
    room = machine->room_left[sm * mixes->room_count + r] >= mixes->rooms[r].size[kernel];
  return room;
}

/* A block of the kernel comes to the SM, or leaves it. */
static void take_room(struct wb_launch_machine *machine, uint32_t sm, uint32_t kernel, bool comes)
{
  const struct wb_mixes *const mixes = machine->graph->mixes;
  machine->held[sm * mixes->kernel_count + kernel] += comes ? 1 : UINT32_MAX;
  for (size_t r = 0; r < mixes->room_count; r++) {
    uint64_t *const left = &machine->room_left[sm * mixes->room_count + r];
    const uint64_t size = mixes->rooms[r].size[kernel];
    *left = comes ? *left - size : *left + size;
  }
}

/* The same among the SMs that have room for a block of the launch; WB_NOBODY: none has. */
static uint32_t choose_sm_of(struct wb_launch_machine *machine,
                             const struct wb_launch_member *member)
{
  const uint32_t kernel = member->kernel;
  const uint64_t seed = machine->options->seed;
  const bool balanced = machine->options->balanced;
  uint32_t start = seed % RULES == FILL && !balanced ? 0 : machine->next_room;
  if (seed % RULES == SCATTER && !balanced)
    start = (uint32_t)(wb_launch_mix(machine->salt, machine->ended_blocks, kernel) % machine->sms);
  uint32_t best = WB_NOBODY;
  for (uint32_t i = 0; i < machine->sms; i++) {
    const uint32_t sm = (start + i) % machine->sms;
    const bool own = member->sms == 0 || sm - member->first_sm < member->sms;
    if (!own || !has_room(machine, sm, kernel))
      continue;
    if (best == WB_NOBODY || machine->residents[sm] < machine->residents[best])
      best = sm;
    if (!balanced)
      break;
  }
  if (best != WB_NOBODY)
    machine->next_room = (best + 1) % machine->sms;
  return best;
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
        machine,
        (uint32_t)(wb_launch_mix(machine->salt, machine->members[0].next_block, 0) % machine->sms));
  const uint32_t sm = find_room(machine, machine->next_room);
  machine->next_room = seed % RULES == SPREAD ? (sm + 1) % machine->sms : sm;
  return sm;
}

static void start_warp(struct wb_launch_machine *machine, uint32_t resident, uint32_t number,
                       uint64_t start)
{
  const struct wb_simulation_options *const options = machine->options;
  const struct wb_launch_member *const member = &machine->members[machine->blocks[resident].member];
  const uint32_t id = resident * machine->stride + number;
  const uint64_t block = machine->blocks[resident].block;
  const uint64_t age = block * machine->stride + number;
  uint64_t path = wb_launch_mix(machine->salt, age, 1);
  if (options->seed / RULES % 3 == 0)
    path = age;
  else if (options->seed / RULES % 3 == 1)
    path = block;
  path %= member->path_count;
  const uint32_t own =
      wb_launch_draw(machine, age, UINT64_MAX, WB_DRAW_START, machine->shape->block_start, 0);
  start = options->early_starts ? wb_maximum(start, machine->wheel.now + own) : start + own;
  machine->warps[id] = (struct wb_launch_warp){
      .age = age,
      .stall = start,
      .path = member->paths[path].instructions,
      .length = member->paths[path].length,
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

static void place_block(struct wb_launch_machine *machine, uint32_t owner, uint32_t sm)
{
  struct wb_launch_member *const member = &machine->members[owner];
  const uint64_t now = machine->wheel.now;
  const uint64_t number = member->first_block + member->next_block++;
  const uint32_t place = machine->residents[sm]++;
  const uint32_t resident =
      sm * machine->rooms + machine->by_age[(size_t)sm * machine->rooms + place];
  machine->blocks[resident] = (struct wb_resident_block){
      .block = number,
      .member = owner,
      .warps = member->block_warps,
      .begin = now,
      .until = now,
      .running = member->block_warps,
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
  if (machine->graph != NULL)
    take_room(machine, sm, member->kernel, true);
  for (uint32_t w = 0; w < member->block_warps; w++)
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
  for (uint32_t i = 0; i < machine->residents[sm] * machine->stride; i++) {
    const uint32_t room = machine->by_age[(size_t)sm * machine->rooms + i / machine->stride];
    const uint32_t resident = sm * machine->rooms + room;
    const uint32_t number = i % machine->stride;
    if (number >= machine->blocks[resident].warps)
      continue;
    const uint32_t id = resident * machine->stride + number;
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

/* Blocks of released launches come while any has room; which launch goes first is by the seed. */
static void dispatch_graph(struct wb_launch_machine *machine)
{
  const bool last_first = machine->options->seed / (3 * RULES) % 2 != 0;
  for (uint32_t i = 0; i < machine->member_count; i++) {
    const uint32_t owner = last_first ? machine->member_count - 1 - i : i;
    struct wb_launch_member *const member = &machine->members[owner];
    while (member->released && member->next_block < member->blocks) {
      const uint32_t sm = choose_sm_of(machine, member);
      if (sm == WB_NOBODY)
        break;
      place_block(machine, owner, sm);
    }
  }
}

void wb_launch_dispatch(struct wb_launch_machine *machine)
{
  if (machine->graph != NULL)
    dispatch_graph(machine);
  else
    while (machine->members[0].next_block < machine->members[0].blocks && machine->free_rooms > 0)
      place_block(machine, 0, choose_sm(machine));
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
  if (machine->graph != NULL)
    take_room(machine, sm, machine->members[block->member].kernel, false);
  machine->members[block->member].ended_blocks++;
  wb_launch_try_end(machine, block->member);
}
