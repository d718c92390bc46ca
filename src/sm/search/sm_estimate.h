/* The value of a state of a whole SM: an estimate of the cycles that it can still last, for
 * beams. Nothing is claimed of how near it is to the truth. */
#ifndef WB_SM_SEARCH_SM_ESTIMATE_H
#define WB_SM_SEARCH_SM_ESTIMATE_H

#include "base/arena.h"
#include "base/random.h"
#include "model/problem.h"
#include "sm/machine/sm_words.h"

#include <stdbool.h>
#include <stdint.h>

/* Values are in fixed point, so that every machine finds the same: one cycle. */
#define WB_SM_CYCLE (INT64_C(1) << 16)
/* Waiting warps of a type and partition up to which their number counts. */
#define WB_SM_WAITING 4u

/* An estimate, in 1 / WB_SM_CYCLE cycles. No value is above 2^40 in magnitude. */
struct wb_sm_estimate {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  int64_t *gain;  /* by class: of the next instruction of a warp */
  int64_t *worth; /* by class: of all that a warp has left, the sum of the gains on its best way */
  uint32_t *by_height; /* the classes, the fewest instructions left first */
  int64_t hindmost;    /* of each instruction that the hindmost warp of all has left, besides */
  int64_t hindmost_of_block; /* of each that the hindmost warp of a block has left, besides */
  /* By type and warps that wait for it (WB_SM_WAITING: or more): of each partition. */
  int64_t waiting[WB_UNIT_COUNT][WB_SM_WAITING + 1];
};

/* Makes the arrays in an arena. problem and words are borrowed. false: no memory. */
bool wb_sm_estimate_start(struct wb_sm_estimate *estimate, const struct wb_sm_problem *problem,
                          const struct wb_sm_words *words, struct wb_arena *arena);

/* Makes it the kind-th of the first estimates, any number. */
void wb_sm_estimate_begin(struct wb_sm_estimate *estimate, unsigned kind);

/* Takes over the values of another estimate of the same words. */
void wb_sm_estimate_copy(struct wb_sm_estimate *to, const struct wb_sm_estimate *from);

/* A random change. */
void wb_sm_estimate_change(struct wb_sm_estimate *estimate, struct wb_random *random);

#endif
