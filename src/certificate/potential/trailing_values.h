/* What the steps of the rear and of the crowd are worth, for the checker of potentials whose
 * rear is followed (doc/potentials.md, "Following the rear"). */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_VALUES_H

#include "certificate/potential/potential_views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of single steps and the state offsets, times weight_sum, are at most this, so that
 * whatever is added up over a cycle fits 64 bits with room to spare. */
#define WB_CHECK_TRAILING_NUMBER_LIMIT (INT64_C(1) << 52)

/* In place of a step that leaves a run: one that stays in it. */
#define WB_CHECK_TRAILING_STAY SIZE_MAX

/* Whether a rear warp at the front of the rear issues: then those of the crowd who do not issue
 * stand further on. */
enum wb_check_trailing_front {
  WB_CHECK_TRAILING_FRONT_WAITS,
  WB_CHECK_TRAILING_FRONT_ISSUES,
  WB_CHECK_TRAILING_FRONTS
};

/* An instruction of the string. pool: that of its type; left: instructions to the end of its run,
 * itself included; step: the index in the machine's leave, or WB_CHECK_TRAILING_STAY; own: the own
 * warp's value of the step, times weight_sum. */
struct wb_check_trailing_position {
  size_t pool;
  uint64_t left;
  size_t step;
  int64_t own;
};

/* One view of a component. machine: with the steps that the crowd can make, and their least values.
 * shares: scaled so that they add up to the weight_sum of wb_check_trailing_values. worth: what a
 * warp is worth before each instruction to those who answer; 0 at the end. idle: what one of the
 * crowd in a pool is worth that does not issue; 0 where none can be. */
struct wb_check_trailing_view {
  struct wb_check_potential_machine machine;
  size_t component;
  int64_t weights[WB_CHECK_POTENTIAL_POOLS];
  int64_t *worth;
  int64_t idle[WB_CHECK_TRAILING_FRONTS][WB_CHECK_POTENTIAL_POOLS];
};

/* weight_sum: D, one for all views: the least common multiple of theirs. position: length entries.
 * value[j]: what a warp is worth to component j, times weight_sum, length + 1 entries. front: where
 * the crowd begins; waits: whether one of the crowd can stand in a pool and not issue.
 * Zero-initialise. */
struct wb_check_trailing_values {
  size_t length;
  size_t component_count;
  size_t view_count;
  int64_t weight_sum;
  struct wb_check_trailing_position *position;
  int64_t *value[WB_CHECK_POTENTIAL_POOLS];
  struct wb_check_trailing_view view[WB_CHECK_POTENTIAL_VIEWS];
  size_t front;
  bool waits[WB_CHECK_TRAILING_FRONTS][WB_CHECK_POTENTIAL_POOLS];
};

/* The values for a crowd that has ended: front is the end of the string. Claim, machine and views
 * passed their checks. Errors: WARPBOUND_CHECK_FAILED where numbers are beyond the limit, out of
 * memory. Free, after a failure too. Time: views * length, and runs * kinds of steps. */
warpbound_status wb_check_trailing_values_make(const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               struct wb_check_trailing_values *values,
                                               warpbound_error *error);

/* Lets the crowd begin one position earlier; front > 0. *changed: whether anything but `idle`
 * is other than before. */
warpbound_status wb_check_trailing_values_retreat(struct wb_check_trailing_values *values,
                                                  bool *changed, warpbound_error *error);

void wb_check_trailing_values_free(struct wb_check_trailing_values *values);

#endif
