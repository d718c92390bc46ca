/* The values of the steps of trailing and leading warps, for the checker of potentials that follows
 * the trailing warps (doc/potentials.md, "Trailing warps"). */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/potential/potential_views.h"

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

#endif
