/* Who issues in a cycle: partition by partition, as the policy says. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

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

static bool is_candidate(const struct wb_launch_machine *machine, uint32_t place)
{
  return place != WB_NOBODY && (machine->candidates[place / 64] >> place % 64 & 1) != 0;
}

/* The place of the candidate that goes first; WB_NOBODY: there is none. */
static uint32_t choose(struct wb_launch_machine *machine, const struct wb_launch_partition *part)
{
  const enum wb_launch_policy policy = machine->options->policy;
  const bool greedy = policy == WB_LAUNCH_GREEDY_OLDEST || policy == WB_LAUNCH_GREEDY_YOUNGEST;
  if (greedy && is_candidate(machine, part->last_place))
    return part->last_place;
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
  const uint32_t group = machine->steps[warp->path[warp->step]].group;
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
  wb_launch_issue(machine, id);
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
    const uint32_t group = machine->steps[warp->path[warp->step]].group;
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
  const bool starving = machine->options->policy == WB_LAUNCH_STARVING;
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
