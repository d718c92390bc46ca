/* Estimates as a search for good ones changes them: by what an instruction is worth. */
#ifndef WB_MAKESPAN_BEAM_VALUE_PLAN_H
#define WB_MAKESPAN_BEAM_VALUE_PLAN_H

#include "base/arena.h"
#include "base/random.h"
#include "base/status.h"
#include "makespan/beam/state_value.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

/* A plan of an estimate. Owns its arrays. */
struct wb_value_plan {
  size_t length;
  uint8_t *types;     /* of each instruction */
  int64_t *drop;      /* by instruction: the value that a warp gives up by issuing it */
  int64_t *last_drop; /* by instruction: the value that the state gives up besides where that was
                         its least advanced warp */
  uint32_t ready_limit;
  int64_t *ready[WB_UNIT_COUNT]; /* as in wb_state_value */
  struct wb_arena arena;         /* of the arrays */
};

/* How many ways there are to begin. */
#define WB_FIRST_PLANS 8
/* Counts of waiting warps beyond which plans usually make no difference. */
#define WB_PLAN_READY_LIMIT 12

/* The first plans: an instruction is worth the share of a cycle in which it keeps its
 * units busy (1/s_u), or less where it leaves a run, and the warp that is furthest behind
 * from nothing to a cycle for each instruction besides; in some, instructions are worth the
 * more the later they stand, so that the warps behind go first. which: from 0 to
 * WB_FIRST_PLANS - 1. Free with wb_value_plan_free, failed or not.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_value_plan_start(struct wb_value_plan *plan, const struct wb_problem *problem,
                                     uint32_t ready_limit, unsigned which, warpbound_error *error);
void wb_value_plan_free(struct wb_value_plan *plan);

/* Makes a plan one of the first again. */
void wb_value_plan_begin(struct wb_value_plan *plan, const struct wb_problem *problem,
                         unsigned which);

/* to becomes what from is; both of one problem. */
void wb_value_plan_copy(struct wb_value_plan *to, const struct wb_value_plan *from);

/* The plan of an estimate for the same problem; what it says of more than
 * plan->ready_limit waiting warps is lost. */
void wb_value_plan_read(struct wb_value_plan *plan, const struct wb_state_value *value);

/* One to three random changes: of a stretch of the string, of the ways between types, of the
 * warp furthest behind, of how many warps wait. */
void wb_value_plan_change(struct wb_value_plan *plan, struct wb_random *random);

/* The estimate that the plan makes; value was started for the same problem with
 * plan->ready_limit. */
void wb_value_plan_apply(const struct wb_value_plan *plan, struct wb_state_value *value);

#endif
