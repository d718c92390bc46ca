/* The values of the steps of trailing and leading warps, for the checker of potentials that follows
 * the trailing warps (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/potential_machine.h"
#include "certificate/potential/potential_states.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of single steps and the offsets, times the scale, are at most this, so that the sum
 * over a cycle fits into 64 bits with room to spare. */
#define WB_CHECK_TRAILING_NUMBER_LIMIT (INT64_C(1) << 52)

/* In place of a step that leaves a run: one that stays in it. */
#define WB_CHECK_TRAILING_STAY SIZE_MAX

/* In place of a slack: no path leads from there to the end. */
#define WB_CHECK_TRAILING_NO_PATH INT64_MAX

/* Whether the foremost trailing warp issues: then the leading warps that do not issue stand further
 * ahead than it stood. */
enum wb_check_trailing_front {
  WB_CHECK_TRAILING_FRONT_WAITS,
  WB_CHECK_TRAILING_FRONT_ISSUES,
  WB_CHECK_TRAILING_FRONTS
};

/* An instruction of the string. */
struct wb_check_trailing_position {
  /* The pool of its type. */
  size_t pool;
  /* Instructions to the end of its run, itself included. */
  uint64_t left;
  /* Its index among the machine's `leave`, or WB_CHECK_TRAILING_STAY. */
  size_t step;
  /* The own warp's value of the step, times the scale. */
  int64_t own;
};

/* A view of a component, with the values of the steps that the leading warps can make. */
struct wb_check_trailing_view {
  /* Those steps have their least values; no other has one. */
  struct wb_check_potential_machine machine;
  /* The component. */
  size_t component;
  /* By component: its weight before a cycle; they add up to the scale. */
  int64_t weights[WB_CHECK_POTENTIAL_POOLS];
  /* By position: the weighted value of a warp before a cycle; length + 1 numbers, 0 at the end. */
  int64_t *weighted_value;
  /* By front and pool: the least value of a leading warp that does not issue; 0 where none can
   * be. */
  int64_t idle[WB_CHECK_TRAILING_FRONTS][WB_CHECK_POTENTIAL_POOLS];
};

/* Zero-initialise. */
struct wb_check_trailing_values {
  /* Instructions of the string. */
  size_t length;
  size_t component_count;
  size_t view_count;
  /* D, one for all views: the least common multiple of their sums of weights. */
  int64_t scale;
  /* By position; `length` entries. */
  struct wb_check_trailing_position *position;
  /* By component and position: the value of a warp, times the scale; length + 1 numbers each. */
  int64_t *value[WB_CHECK_POTENTIAL_POOLS];
  struct wb_check_trailing_view view[WB_CHECK_POTENTIAL_VIEWS];
  /* The position that all leading warps have reached at least. */
  size_t front;
  /* By front and pool: whether a leading warp can stand in the pool and not issue. */
  bool waits[WB_CHECK_TRAILING_FRONTS][WB_CHECK_POTENTIAL_POOLS];
};

/* Makes the values for leading warps that have ended: front is the end of the string. Claim,
 * machine and views passed their checks. Errors: WARPBOUND_CHECK_FAILED where numbers are beyond
 * the limit, WARPBOUND_INTERNAL. Time: views * length, and runs * kinds
 * of steps. */
warpbound_status wb_check_trailing_values_make(struct wb_arena *arena,
                                               const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               struct wb_check_trailing_values *values,
                                               warpbound_error *error);

/* Lets the leading warps begin one position earlier; front > 0. *changed: whether anything but
 * `idle` differs from before. */
warpbound_status wb_check_trailing_values_retreat(struct wb_check_trailing_values *values,
                                                  bool *changed, warpbound_error *error);

/* Trailing warps at most, and moves of so many. */
#define WB_CHECK_TRAILING_LIMIT 6
#define WB_CHECK_TRAILING_MOVES ((size_t)1 << WB_CHECK_TRAILING_LIMIT)
/* A move of all trailing warps. */
struct wb_check_trailing_move {
  /* By warp, the own one first: instructions that it has done after the move. Ascending. */
  size_t position[WB_CHECK_TRAILING_LIMIT];
  /* Whether the foremost trailing warp issues. */
  enum wb_check_trailing_front front;
  /* No trailing warp issues. */
  bool stays;
  /* By pool: trailing warps that issue. */
  int64_t issued[WB_CHECK_POTENTIAL_POOLS];
  /* By view: the value of their steps, the own warp's among them, and of those that do not issue.
   */
  int64_t value[WB_CHECK_POTENTIAL_VIEWS];
};

/* All moves of `count` trailing warps that stand at position[0] <= .. <= position[count - 1], the
 * own warp first: of those at one position the last issue. Returns how many, at least one. */
size_t wb_check_trailing_moves_make(const struct wb_check_trailing_values *values,
                                    const size_t *position, size_t count,
                                    struct wb_check_trailing_move list[WB_CHECK_TRAILING_MOVES]);
/* A numbering of the ways in which warps can stand at sorted positions 0 to `length`. The rank of
 * one is the sum over the warps i of steps[i][position[i]]: a warp further ahead means a higher
 * rank, and the last warp weighs most. Zero-initialise. */
struct wb_check_trailing_ranks {
  /* Trailing warps. */
  size_t count;
  /* Instructions of the string; a warp at this position has ended. */
  size_t length;
  /* Ranks go from 0 to rank_count - 1. */
  size_t rank_count;
  /* steps[i][q]: in how many ways i + 1 warps can stand, all before q. length + 1 numbers each. */
  size_t *steps[WB_CHECK_TRAILING_LIMIT];
};

/* Makes the numbering of at most WB_CHECK_TRAILING_LIMIT warps. More than `most` ranks are
 * WARPBOUND_LIMIT. The arrays live in the arena. Time: count * length. */
warpbound_status wb_check_trailing_ranks_make(struct wb_arena *arena, size_t count, size_t length,
                                              size_t most, struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error);
/* The rank of sorted positions. */
size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position);
/* Goes to the positions of the rank below, which there must be. */
void wb_check_trailing_ranks_previous(const struct wb_check_trailing_ranks *ranks,
                                      size_t *position);

/* The moves of the leading warps from one state in which certain numbers of them issue. */
struct wb_check_leading_moves {
  /* The state before the moves. */
  size_t state;
  /* Whether the foremost trailing warp issues; WB_CHECK_TRAILING_FRONT_WAITS also where nothing
   * depends on it. */
  enum wb_check_trailing_front front;
  /* By pool: leading warps that issue. */
  int64_t issuing[WB_CHECK_POTENTIAL_POOLS];
  /* The targets are those from `first` on, `count` of them. */
  size_t first;
  size_t count;
};

/* The states that the leading warps can reach, and the moves found so far for the values' front.
 * Invariant: lists differ in state, front or issuing; slots is a hash table of them with linear
 * probing, never more than half full; the lists' targets follow each other. Zero-initialise. */
struct wb_check_leading_warps {
  /* Borrowed. */
  struct wb_check_trailing_values *values;
  /* A state is a content; its number is its index in this map, whose values mean nothing. */
  struct wb_check_content_map states;
  /* By view. */
  struct wb_check_potential_moves moves[WB_CHECK_POTENTIAL_VIEWS];
  struct wb_check_leading_moves *lists;
  size_t list_count;
  size_t list_capacity;
  /* Each an index into the lists plus 1, or 0. slot_count is a power of 2, or 0. */
  uint32_t *slots;
  size_t slot_count;
  /* By target: the state after the move. */
  uint32_t *target;
  size_t target_count;
  size_t target_capacity;
  /* By target and view: the least sum of values of the steps that lead there. */
  int64_t *value;
  size_t value_capacity;
  /* Steps of work at most, and so far. */
  uint64_t work_limit;
  uint64_t work;
  /* Limits that may end the work before; borrowed; NULL: none. */
  const struct wb_control *control;
};

/* Finds the states that the leading warps can reach from those given. More than `most` are
 * WARPBOUND_LIMIT. machine: one in which they can make every step. values: borrowed as long as
 * `leading` is used; its machines' `waits` are set by each search of moves. Free, after a failure
 * too. */
warpbound_status wb_check_leading_warps_make(const struct wb_check_potential_machine *machine,
                                             struct wb_check_trailing_values *values,
                                             const struct wb_check_content *starts,
                                             size_t start_count, size_t most, uint64_t work_limit,
                                             const struct wb_control *control,
                                             struct wb_check_leading_warps *leading,
                                             warpbound_error *error);
/* Counts steps of work; WARPBOUND_LIMIT beyond the limit. */
warpbound_status wb_check_leading_warps_spend(struct wb_check_leading_warps *leading, uint64_t work,
                                              warpbound_error *error);
/* Forgets the moves: the values changed. */
void wb_check_leading_warps_forget(struct wb_check_leading_warps *leading);
/* The moves from a state in which issuing[p] leading warps issue from pool p, valid until the next
 * call. Errors as wb_check_potential_moves_find. */
warpbound_status wb_check_leading_warps_find(struct wb_check_leading_warps *leading, size_t state,
                                             enum wb_check_trailing_front front,
                                             const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                             const struct wb_check_leading_moves **moves,
                                             warpbound_error *error);
void wb_check_leading_warps_free(struct wb_check_leading_warps *leading);

#endif
