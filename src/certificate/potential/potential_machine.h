/* The pool abstraction of a claim's string: its pools, the kinds of steps with their values, and
 * the values of the whole string. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_MACHINE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/potential_claim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps of the string that the abstraction does not tell apart. */
struct wb_check_step_kind {
  /* The pool of the instruction that issues. */
  size_t from;
  /* The same pool: the warp stays in its run. Another: that of the run entered. The number of
   * pools: the warp ends. */
  size_t to;
  /* Instructions of the run entered; 0 where it does not matter. */
  uint64_t length;
  /* How many steps of the string are of this kind. */
  uint64_t times;
  /* The value of each of them. */
  int64_t value;
  /* Whether it has a value. A warp other than the own one makes no step without. */
  bool has_value;
};

struct wb_check_step_kinds {
  struct wb_check_step_kind *list;
  size_t count;
};

/* A pool of the abstraction. */
struct wb_check_machine_pool {
  char type;
  /* s: most instructions of the type in a cycle, the issue slots considered; at least 1. */
  int64_t service;
  /* K, at least `service`, and B. */
  int64_t most_warps;
  int64_t most_work;
  /* Instructions of the longest run of the type. */
  int64_t longest;
  /* The values of steps inside a run; 0 where `longest` is 1. */
  int64_t stay;
  int64_t own_stay;
  /* Whether a warp other than the own one that issues may stay in its run. */
  bool stays;
  /* Whether such a warp may stand in the pool and not issue. */
  bool waits;
};

/* Invariant: pools differ in their types, and every type of the string has one; `leave` and
 * `own_leave` are sorted by from, to and length, each kind once. The lists live in an
 * arena. */
struct wb_check_potential_machine {
  struct wb_check_machine_pool pool[WB_CHECK_POTENTIAL_POOLS];
  size_t pool_count;
  /* Most instructions in a cycle; INT64_MAX without a cap. */
  int64_t slots;
  /* The steps that end a run: of the other warps, and of the own one, whose kinds have length 0. */
  struct wb_check_step_kinds leave;
  struct wb_check_step_kinds own_leave;
  /* A and O: the sums of the values of all steps of the string. */
  int64_t through;
  int64_t own_through;
  /* The pool of the first run, and the instructions of that run. */
  size_t first;
  uint64_t first_length;
};

/* Checks the string, the units, the pools and the values of a claim, and makes the machine of them;
 * of a claim with components, the values of the own warp alone. Errors as wb_check_potential. Time:
 * sorting the runs. */
warpbound_status wb_check_potential_machine_make(struct wb_arena *arena,
                                                 const struct wb_check_potential_claim *claim,
                                                 struct wb_check_potential_machine *machine,
                                                 warpbound_error *error);

/* The pool of a type; the number of pools where it has none. */
size_t wb_check_machine_pool_of(const struct wb_check_potential_machine *machine, char type);

/* Whether the invariant holds but for the string. Linear in the kinds of steps. For assertions and
 * tests. */
bool wb_check_potential_machine_is_sound(const struct wb_check_potential_machine *machine);

/* ---- contents of the pools, and maps from them to values ---- */

/* The warps that the pools hold, and the instructions that these still need to the ends of their
 * runs. Pools beyond those in use hold 0. */
struct wb_check_content {
  /* By pool, cut off at K. */
  uint32_t warps[WB_CHECK_POTENTIAL_POOLS];
  /* By pool, cut off at B. */
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
};

/* An entry of the map. */
struct wb_check_content_value {
  struct wb_check_content content;
  int64_t value;
};

/* Invariant: the entries differ in their contents and stand in the order in which they were added;
 * slots is a hash table with linear probing, never more than half full, in which each entry has
 * one slot. Zero-initialise; free with wb_check_content_map_free. */
struct wb_check_content_map {
  /* The entries. */
  struct wb_check_content_value *list;
  size_t count;
  size_t capacity;
  /* Each an index into the list plus 1, or 0 for an empty slot. */
  uint32_t *slots;
  /* A power of 2, or 0. */
  size_t slot_count;
};

/* Entries of one map at most. */
#define WB_CHECK_CONTENT_MAP_LIMIT ((size_t)1 << 22)
enum wb_check_content_map_result {
  WB_CHECK_CONTENT_NEW,  /* the content was not in the map */
  WB_CHECK_CONTENT_OLD,  /* it was; its value is now the lesser of the two */
  WB_CHECK_CONTENT_FULL, /* WB_CHECK_CONTENT_MAP_LIMIT entries are there */
  WB_CHECK_CONTENT_NO_MEMORY
};

/* Adds an entry, or keeps the lesser value where the content is there already. Constant time on
 * average. */
enum wb_check_content_map_result
wb_check_content_map_add(struct wb_check_content_map *map,
                         const struct wb_check_content_value *entry);
/* The entry with that content, or NULL. Valid until the next addition. Constant time on average. */
const struct wb_check_content_value *
wb_check_content_map_find(const struct wb_check_content_map *map,
                          const struct wb_check_content *content);
/* Whether the invariant holds. Linear in entries and slots. For assertions and tests. */
bool wb_check_content_map_is_sound(const struct wb_check_content_map *map);
/* Makes the map empty and keeps its memory. Linear in the entries. */
void wb_check_content_map_clear(struct wb_check_content_map *map);
void wb_check_content_map_free(struct wb_check_content_map *map);

/* ---- pace: how a check, which can take minutes, notices that it is to stop ---- */

/* The control is asked once in so many steps of work, as a power of 2: about every 10 ms. */
#define WB_CHECK_PACE_SHIFT 18

/* Asks the control (NULL: none) where the count of work steps passes a multiple of that number.
 * Errors: WARPBOUND_LIMIT. */
static inline warpbound_status wb_check_pace(const struct wb_control *control, uint64_t before,
                                             uint64_t after, warpbound_error *error)
{
  if (control == NULL || before >> WB_CHECK_PACE_SHIFT == after >> WB_CHECK_PACE_SHIFT)
    return WARPBOUND_OK;
  const enum wb_stop stop = wb_control_stopped(control);
  if (stop == WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_LIMIT, "not checked: %s",
                 stop == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
}

/* ---- moves ---- */

/* A finder of moves; it keeps the exits from each pool that it has found. Free with
 * wb_check_potential_moves_free. */
struct wb_check_potential_moves {
  /* Borrowed. */
  const struct wb_check_potential_machine *machine;
  /* Steps of work at most, and so far. */
  uint64_t work_limit;
  uint64_t work;
  /* Limits that may end the work before; borrowed; NULL: none. */
  const struct wb_control *control;
  /* exits[p][e]: the contents that e warps which leave pool p in one cycle bring to the pools, for
   * e = 0 .. exit_counts[p] - 1. */
  struct wb_check_content_map *exits[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_counts[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_capacities[WB_CHECK_POTENTIAL_POOLS];
  /* Entries of all exits together. */
  size_t exit_total;
  /* Scratch: the ways in which one pool can change. */
  struct wb_check_content_value *ways;
  size_t way_count;
  size_t way_capacity;
  /* The answer of wb_check_potential_moves_find. */
  struct wb_check_content_map after;
  /* Scratch: the answer for the pools before the one at hand. */
  struct wb_check_content_map before;
};

void wb_check_potential_moves_start(struct wb_check_potential_moves *moves,
                                    const struct wb_check_potential_machine *machine,
                                    uint64_t work_limit, const struct wb_control *control);
/* Finds where the other warps can stand after a cycle that begins with `content` and in which
 * issuing[p] of them issue from pool p: moves->after has every content that they can reach, with
 * the least sum of the values of their steps; none where they cannot issue so. Errors:
 * WARPBOUND_LIMIT, WARPBOUND_CHECK_FAILED where values exceed 64 bits, WARPBOUND_INTERNAL. */
warpbound_status wb_check_potential_moves_find(struct wb_check_potential_moves *moves,
                                               const struct wb_check_content *content,
                                               const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                               warpbound_error *error);
void wb_check_potential_moves_free(struct wb_check_potential_moves *moves);

#endif
