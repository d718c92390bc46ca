/* The crowd: the warps in front of the rear that is followed, and what they can do in a cycle, for
 * the checker of potentials (doc/potentials.md, "Following the rear"). */
#ifndef WB_CERTIFICATE_POTENTIAL_LEADING_CHECK_H
#define WB_CERTIFICATE_POTENTIAL_LEADING_CHECK_H

#include "certificate/potential/potential_moves.h"
#include "certificate/potential/potential_sums.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* What the crowd can do from a state where issuing[p] of it issue from pool p: targets first to
 * first + count - 1. Lists that differ in `waits` alone are one where nothing depends on it. */
struct wb_check_trailing_list {
  size_t state;
  enum wb_check_trailing_front front;
  int64_t issuing[WB_CHECK_POTENTIAL_POOLS];
  size_t first;
  size_t count;
};

/* states: what the pools can hold of the crowd; the index in the list is the state's number, values
 * mean nothing. lists, slots: those made for the values' front, and a hash table of indices into
 * them plus 1. target[t]: a state's number; value[t * view_count + v]: the least sum of values of
 * the steps that lead there under view v. work: steps of work so far. Zero-initialise. */
struct wb_check_leading_warps {
  struct wb_check_trailing_values *values;
  struct wb_check_potential_sums states;
  struct wb_check_potential_moves moves[WB_CHECK_POTENTIAL_VIEWS];
  struct wb_check_trailing_list *lists;
  size_t list_count;
  size_t list_capacity;
  uint32_t *slots;
  size_t slot_count;
  uint32_t *target;
  size_t target_count;
  size_t target_capacity;
  int64_t *value;
  size_t value_capacity;
  uint64_t work_limit;
  uint64_t work;
};

/* The states that the crowd can reach from those given. More than `most` are
 * WARPBOUND_LIMIT. machine: one in which the crowd can make every step. values: borrowed, as long
 * as the crowd is used; whether the crowd waits is set in their machines. Free, after a failure
 * too. */
warpbound_status wb_check_leading_warps_make(const struct wb_check_potential_machine *machine,
                                             struct wb_check_trailing_values *values,
                                             const struct wb_check_potential_content *starts,
                                             size_t start_count, size_t most, uint64_t work_limit,
                                             struct wb_check_leading_warps *leading,
                                             warpbound_error *error);

/* Counts steps of work; WARPBOUND_LIMIT beyond the limit. */
warpbound_status wb_check_leading_warps_spend(struct wb_check_leading_warps *leading, uint64_t work,
                                              warpbound_error *error);

/* Forgets the lists: the values changed. */
void wb_check_leading_warps_forget(struct wb_check_leading_warps *leading);

/* The list for a state of which issuing[p] issue from pool p; it holds until the next is asked for.
 * Errors as wb_check_potential_moves_find. */
warpbound_status wb_check_leading_warps_find(struct wb_check_leading_warps *leading, size_t state,
                                             enum wb_check_trailing_front front,
                                             const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                             const struct wb_check_trailing_list **list,
                                             warpbound_error *error);

void wb_check_leading_warps_free(struct wb_check_leading_warps *leading);

#endif
