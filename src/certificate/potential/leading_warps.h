/* The leading warps, those ahead of the trailing warps that are followed, and their moves in a
 * cycle, for the checker of potentials (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_CERTIFICATE_POTENTIAL_LEADING_WARPS_H
#define WB_CERTIFICATE_POTENTIAL_LEADING_WARPS_H

#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/content_map.h"
#include "certificate/potential/potential_moves.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

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
