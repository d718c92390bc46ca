#include "sm/machine/sm_moves.h"

#include "base/checked.h"

#include <string.h>

bool wb_sm_moves_start(struct wb_sm_moves *moves, const struct wb_sm_problem *problem,
                       const struct wb_sm_words *words, const struct wb_sm_layout *layout,
                       struct wb_arena *arena)
{
  *moves = (struct wb_sm_moves){.problem = problem,
                                .words = words,
                                .layout = layout,
                                .next = wb_arena_array(arena, uint16_t, layout->warps),
                                .groups = wb_arena_array(arena, struct wb_sm_group, layout->warps)};
  return !arena->failed;
}

/* ---- the groups of a state ---- */

/* Counts what stands after each group, from the last one on. */
static void count_next(struct wb_sm_moves *moves)
{
  uint32_t shared[WB_UNIT_COUNT] = {0};
  uint32_t ready[WB_UNIT_COUNT] = {0};
  uint32_t total = 0;
  moves->all_roomy = true;
  for (size_t g = moves->group_count; g-- > 0;) {
    struct wb_sm_group *group = &moves->groups[g];
    group->last = g + 1 == moves->group_count || group[1].partition != group->partition;
    if (group->last) {
      memset(ready, 0, sizeof ready);
      total = 0;
    }
    memcpy(group->beside, ready, sizeof ready);
    group->after = moves->problem->shared[group->unit] ? shared[group->unit] : ready[group->unit];
    ready[group->unit] += group->count;
    shared[group->unit] += group->count;
    total += group->count;
    if (g > 0 && group[-1].partition == group->partition)
      continue;
    moves->roomy[group->partition] = total <= moves->problem->issue_slots;
    moves->all_roomy = moves->all_roomy && moves->roomy[group->partition];
    /* The least number of instructions that a partition with ready[u] warps waiting for each type
     * issues: all slots, or all units of types that are its own. */
    uint64_t own = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
      own += moves->problem->shared[u] ? 0 : wb_minimum(moves->problem->capacity[u], ready[u]);
    moves->needed[group->partition] = (uint32_t)wb_minimum(own, moves->problem->issue_slots);
  }
}

/* ---- the choices ---- */

/* The fewest of the group that can issue such that what has to issue still can. */
static uint32_t least_of_group(struct wb_sm_moves *moves, const struct wb_sm_group *group)
{
  const uint32_t units =
      *wb_sm_room_units(moves->problem, &moves->room, group->partition, group->unit);
  const bool shared = moves->problem->shared[group->unit];
  if (shared ? moves->all_roomy : moves->roomy[group->partition]) {
    const uint64_t wanted = wb_minimum(units, (uint64_t)group->count + group->after);
    return wanted > group->after ? (uint32_t)(wanted - group->after) : 0;
  }
  const uint32_t issued = moves->problem->issue_slots - moves->room.slots[group->partition];
  uint64_t others = issued;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (group->beside[u] > 0)
      others += wb_minimum(group->beside[u],
                           *wb_sm_room_units(moves->problem, &moves->room, group->partition, u));
  }
  const uint32_t needed = moves->needed[group->partition];
  return others < needed ? (uint32_t)(needed - others) : 0;
}

/* Whether the partition's warps leave nothing unused of what is its own; wanted: gets a bit for
 * each shared type that some of them, with slots left, wait for. `group` is its last one. */
static bool partition_is_full(struct wb_sm_moves *moves, const struct wb_sm_group *group,
                              uint32_t *wanted)
{
  if (moves->room.slots[group->partition] == 0)
    return true;
  for (const struct wb_sm_group *one = group;; one--) {
    /* the last warps of a group issue last: if the very last does not, some of it waits */
    const bool waits = moves->next[one->place + one->count - 1] == one->class;
    if (waits && moves->problem->shared[one->unit])
      *wanted |= UINT32_C(1) << one->unit;
    else if (waits && moves->room.units[one->partition][one->unit] > 0)
      return false;
    if (one == moves->groups || one[-1].partition != one->partition)
      return true;
  }
}

static bool choose(struct wb_sm_moves *moves, size_t g, uint32_t wanted);

/* Spreads `count` warps of a group, from a place on, over the children from `child` on of their
 * class, in every way; then goes on with the next group. */
static bool spread(struct wb_sm_moves *moves, size_t g, uint32_t child, uint32_t place,
                   uint32_t count, uint32_t wanted)
{
  const uint32_t end = moves->words->first[moves->groups[g].class + 1];
  if (count == 0) {
    const bool last = moves->groups[g].last;
    return (last && !partition_is_full(moves, &moves->groups[g], &wanted)) ||
           choose(moves, g + 1, wanted);
  }
  bool goes_on = true;
  for (uint32_t x = child + 1 == end ? count : 0; x <= count && goes_on; x++) {
    for (uint32_t i = 0; i < x; i++)
      moves->next[place + i] = (uint16_t)moves->words->children[child];
    goes_on = spread(moves, g, child + 1, place + x, count - x, wanted);
  }
  return goes_on;
}

/* Tries all numbers of warps of the groups g.. on; false: no further. */
static bool choose(struct wb_sm_moves *moves, size_t g, uint32_t wanted)
{
  if (!moves->visit(moves->context))
    return false;
  if (g == moves->group_count) {
    /* Nothing that is wanted and shared is left unused. */
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if ((wanted >> u & 1) != 0 && moves->room.units[0][u] > 0)
        return true;
    }
    return moves->reach(moves->context);
  }
  const struct wb_sm_group *group = &moves->groups[g];
  const uint32_t least = least_of_group(moves, group);
  const uint64_t units =
      *wb_sm_room_units(moves->problem, &moves->room, group->partition, group->unit);
  const uint64_t most =
      wb_minimum(group->count, wb_minimum(units, moves->room.slots[group->partition]));
  bool goes_on = true;
  for (uint32_t x = least; x <= most && goes_on; x++) {
    wb_sm_room_take(moves->problem, &moves->room, group->partition, group->unit, x);
    goes_on = spread(moves, g, moves->words->first[group->class], group->place, x, wanted);
    wb_sm_room_take(moves->problem, &moves->room, group->partition, group->unit, (uint32_t)-x);
    for (uint32_t i = 0; i < x; i++)
      moves->next[group->place + i] = group->class;
  }
  return goes_on;
}

void wb_sm_moves_try(struct wb_sm_moves *moves, const uint16_t *state)
{
  const struct wb_sm_layout *layout = moves->layout;
  memcpy(moves->next, state, layout->warps * sizeof *state);
  moves->group_count = 0;
  for (uint32_t p = 0; p < layout->partitions; p++) {
    for (uint32_t b = 0; b < layout->blocks; b++) {
      const uint32_t block = b * layout->block_warps;
      /* The most barriers that a warp of the block still has before it: whoever has fewer waits. */
      uint32_t barriers = 0;
      for (uint32_t i = 0; i < layout->block_warps; i++)
        barriers = (uint32_t)wb_maximum(barriers, moves->words->barriers[state[block + i]]);
      const uint32_t end = block + layout->begin[p + 1];
      uint32_t place = block + layout->begin[p];
      while (place < end) {
        const uint16_t class = state[place];
        uint32_t next = place + 1;
        while (next < end && state[next] == class)
          next++;
        if (class != 0 && moves->words->barriers[class] == barriers)
          moves->groups[moves->group_count++] =
              (struct wb_sm_group){.place = place,
                                   .count = next - place,
                                   .class = class,
                                   .unit = moves->words->type[class],
                                   .partition = (uint8_t)p};
        place = next;
      }
    }
  }
  count_next(moves);
  wb_sm_room_start(moves->problem, &moves->room);
  choose(moves, 0, 0);
}
