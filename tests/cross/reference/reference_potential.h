/* The abstract moves of doc/potentials/potentials.md a second time, for tests: from the warps of a
 * pool one by one instead of from the inequality, every move written down. */
#ifndef TESTS_CROSS_REFERENCE_POTENTIAL_H
#define TESTS_CROSS_REFERENCE_POTENTIAL_H

#include "certificate/potential/potential_claim.h"
#include "random_instance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_STEPS 40u
#define REFERENCE_MOVES ((size_t)100000)
#define REFERENCE_CELLS ((size_t)60000)

/* How often each kind of step happens in a cycle from state `from` to state `to`
 * (-1: the end). */
struct reference_move {
  int32_t from;
  int32_t to;
  uint8_t times[REFERENCE_STEPS];
};

/* steps: stay, leave, own_stay, own_leave, in this order; group g is steps
 * [first[g]] .. [first[g + 1] - 1]. Their values are the caller's to set. in_string:
 * how often a warp makes the step. states: all that the start reaches, the start of
 * `warps` warps first; state offsets are the caller's. Free with reference_potential_free. */
struct reference_potential {
  const struct instance *instance;
  struct wb_check_potential_pool pools[WB_CHECK_POTENTIAL_POOLS];
  size_t pool_count;
  uint32_t service[WB_CHECK_POTENTIAL_POOLS];
  uint32_t longest[WB_CHECK_POTENTIAL_POOLS];
  struct wb_check_potential_value steps[REFERENCE_STEPS];
  uint32_t in_string[REFERENCE_STEPS];
  size_t first[5];
  struct wb_check_potential_state *states;
  size_t state_count;
  struct reference_move *moves;
  size_t move_count;
  int32_t *index_of_cell;
};

/* warps_above and work: by pool, K - s and B. False: too large, or a type N without a
 * cap; nothing is to be freed then. */
bool reference_potential_make(const struct instance *instance,
                              const uint32_t warps_above[WB_CHECK_POTENTIAL_POOLS],
                              const uint32_t work[WB_CHECK_POTENTIAL_POOLS],
                              struct reference_potential *potential);
void reference_potential_free(struct reference_potential *potential);

/* What a move gains under the values and state offsets as they are. */
int64_t reference_gain(const struct reference_potential *potential,
                       const struct reference_move *move);

/* The least state offsets under which every move gains `gain`. False: there are none. */
bool reference_offsets(struct reference_potential *potential, int64_t gain);

/* (W - 1) A + O + h(start). */
int64_t reference_total(const struct reference_potential *potential);

/* The claim of it all; borrows from the potential. */
struct wb_check_potential_claim reference_claim(const struct reference_potential *potential,
                                                int64_t gain, uint64_t cycles);

#endif
