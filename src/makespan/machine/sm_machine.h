/* A cycle of work-conserving schedulers: the one place with the semantics that searches share, of
 * one partition as a quota, and of an SM with units that are one partition's or the SM's, issue
 * slots and barriers. */
#ifndef WB_MAKESPAN_MACHINE_SM_MACHINE_H
#define WB_MAKESPAN_MACHINE_SM_MACHINE_H

#include "base/arena.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In a cycle exactly `total` warps issue, at most most[u] of them of type u. Or, of a machine:
 * at most so many can. */
struct wb_quota {
  uint32_t most[WB_UNIT_COUNT];
  uint32_t total;
};

/* The quota within what room a machine has, where ready[u] warps wait for type u. */
static inline struct wb_quota wb_quota_within(const uint32_t most[WB_UNIT_COUNT], uint32_t total,
                                              const uint32_t ready[WB_UNIT_COUNT])
{
  struct wb_quota quota = {.total = 0};
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    quota.most[u] = ready[u] < most[u] ? ready[u] : most[u];
    sum += quota.most[u];
  }
  quota.total = sum < total ? (uint32_t)sum : total;
  return quota;
}

/* The quota where ready[u] unfinished warps wait for type u: per type
 * min(sigma_u, ready), in all min(sigma, the sum of those). Any choice of waiting
 * warps within it is a cycle of some work-conserving schedule, and every cycle of
 * one is such a choice. Where the scheduler is fair between blocks this holds for the warps of
 * each repetition in turn, within what those of earlier ones have left. */
static inline struct wb_quota wb_cycle_quota(const struct wb_problem *problem,
                                             const uint32_t ready[WB_UNIT_COUNT])
{
  return wb_quota_within(problem->capacity, problem->issue_slots, ready);
}

/* The fewest warps that a group of type `unit` must let issue so that what is left of
 * the quota can still be filled from the groups after it, which hold after[u] waiting
 * warps of each type. capped: whether the cap can bind (wb_problem_capped); where it
 * cannot, types do not compete and only the group's own counts. */
static inline uint32_t wb_quota_least(const struct wb_quota *left,
                                      const uint32_t after[WB_UNIT_COUNT], enum wb_unit unit,
                                      bool capped)
{
  if (!capped)
    return left->most[unit] > after[unit] ? left->most[unit] - after[unit] : 0;
  uint64_t others = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    others += after[u] < left->most[u] ? after[u] : left->most[u];
  return others < left->total ? (uint32_t)(left->total - others) : 0;
}

/* Units and issue slots that a cycle has left. */
struct wb_sm_room {
  uint32_t units[WB_PARTITION_LIMIT][WB_UNIT_COUNT]; /* by partition and type; of units that the
                                                        partitions share, with partition 0 */
  uint32_t slots[WB_PARTITION_LIMIT];                /* by partition */
};

/* The room of a new cycle. */
void wb_sm_room_start(const struct wb_sm_problem *problem, struct wb_sm_room *room);

/* The units of a type that a partition's warps take from. */
static inline uint32_t *wb_sm_room_units(const struct wb_sm_problem *problem,
                                         struct wb_sm_room *room, uint32_t partition, unsigned unit)
{
  return &room->units[problem->shared[unit] ? 0 : partition][unit];
}

/* Whether a warp of the partition could issue an instruction of that type now. */
static inline bool wb_sm_room_has(const struct wb_sm_problem *problem, struct wb_sm_room *room,
                                  uint32_t partition, unsigned unit)
{
  return room->slots[partition] > 0 && *wb_sm_room_units(problem, room, partition, unit) > 0;
}

/* `warps` warps of the partition do so; there is room. */
static inline void wb_sm_room_take(const struct wb_sm_problem *problem, struct wb_sm_room *room,
                                   uint32_t partition, unsigned unit, uint32_t warps)
{
  room->slots[partition] -= warps;
  *wb_sm_room_units(problem, room, partition, unit) -= warps;
}

/* Explicit warps, each with a string of its own. Borrows all. */
struct wb_sm_machine {
  const struct wb_sm_problem *problem;
  uint8_t **types; /* by string: its letters, WB_UNIT_COUNT after the last */
  uint32_t warps;
  const uint8_t **letters; /* by warp: those of its string */
  uint32_t *string_of;     /* by warp */
  uint32_t *partition_of;  /* by warp */
  size_t *done;            /* by warp: instructions issued */
  bool *waits;             /* by warp: it has done a B that others of its block have not */
  uint32_t *missing;       /* by block: warps before its next barrier */
  uint32_t *released;      /* blocks whose barrier this cycle has opened, for the next one */
  uint32_t released_count;
  uint64_t left; /* instructions of all warps */
  struct wb_sm_room room;
};

/* A machine at the start of warps with these strings (NULL: all of string 0), its arrays in an
 * arena. false: no memory. */
bool wb_sm_machine_start(struct wb_sm_machine *machine, const struct wb_sm_problem *problem,
                         const uint32_t *string_of, struct wb_arena *arena);

/* Back to the start, with these strings. */
void wb_sm_machine_reset(struct wb_sm_machine *machine, const uint32_t *string_of);

/* A cycle: begin, offer each warp once in an order of preference, end. Whatever the order, the
 * warps that take what they are offered are a set that no other warp could join: a cycle of a
 * work-conserving schedule. And each such cycle is met, by an order with its warps first. */
static inline void wb_sm_machine_begin(struct wb_sm_machine *machine)
{
  wb_sm_room_start(machine->problem, &machine->room);
  machine->released_count = 0;
}

/* Whether the warp has an instruction that it may issue as soon as there is room. */
static inline bool wb_sm_machine_ready(const struct wb_sm_machine *machine, uint32_t warp)
{
  return !machine->waits[warp] && machine->letters[warp][machine->done[warp]] != WB_UNIT_COUNT;
}

/* Lets the warp issue if it may; says whether it did. */
static inline bool wb_sm_machine_offer(struct wb_sm_machine *machine, uint32_t warp)
{
  if (!wb_sm_machine_ready(machine, warp))
    return false;
  const unsigned unit = machine->letters[warp][machine->done[warp]];
  const uint32_t partition = machine->partition_of[warp];
  if (!wb_sm_room_has(machine->problem, &machine->room, partition, unit))
    return false;
  wb_sm_room_take(machine->problem, &machine->room, partition, unit, 1);
  machine->done[warp]++;
  machine->left--;
  if (unit == WB_UNIT_BARRIER) {
    /* It waits, until the end of a cycle in which the last of its block does a B. */
    const uint32_t block = wb_sm_block_of(machine->problem, warp);
    machine->waits[warp] = true;
    if (--machine->missing[block] == 0)
      machine->released[machine->released_count++] = block;
  }
  return true;
}

void wb_sm_machine_end(struct wb_sm_machine *machine);

#endif
