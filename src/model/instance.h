/* An instance: a makespan question as the user asked it, with the problem that
 * normalisation makes of it. */
#ifndef WB_MODEL_INSTANCE_H
#define WB_MODEL_INSTANCE_H

#include "base/list.h"
#include "base/status.h"
#include "model/estimate.h"
#include "model/kernel_string.h"
#include "model/problem.h"
#include "model/sm_configuration.h"

#include <stdbool.h>
#include <stdint.h>

/* A question. Owns all of it: wb_instance_clear. */
struct wb_instance {
  struct wb_kernel_string kernel; /* before normalisation */
  struct wb_sm_configuration sm;
  uint32_t warps;              /* on the whole SM */
  struct wb_estimate estimate; /* why the string only estimates what a warp does, so that no number
                                  that rests on it is of a better kind */
  struct wb_problem problem;   /* one partition's part of it, barriers read as N */
  struct wb_sm_problem whole;  /* the whole SM's, with barriers, blocks, shared units and every path
                                  that a warp may take (the string alone, at first) */
  struct wb_fair_blocks fair;  /* blocks of `kernel` between which the scheduler is fair, if any */
  struct wb_list origin;       /* assumptions of the string's making */
  struct wb_list
      assumptions; /* of the question (origin, the model, the partitions), one sentence each */
};

/* Makes an instance of copies of its arguments: `warps` warps on the SM, in `blocks` blocks of as
 * many each; `origin` (may be NULL) is what the string's making assumed. The caller frees with
 * wb_instance_clear. Errors: WARPBOUND_USAGE where the number of warps is no multiple of that of
 * blocks, and those of wb_problem_normalise. */
warpbound_status wb_instance_make(const struct wb_kernel_string *kernel,
                                  const struct wb_sm_configuration *sm, uint32_t warps,
                                  uint32_t blocks, const struct wb_list *origin,
                                  struct wb_instance *instance, warpbound_error *error);

/* The same question about another number of warps, in `blocks` blocks: the estimate and fairness
 * are taken over. Errors: those of wb_instance_make and wb_instance_make_fair. */
warpbound_status wb_instance_make_like(const struct wb_instance *question, uint32_t warps,
                                       uint32_t blocks, struct wb_instance *instance,
                                       warpbound_error *error);

/* Restricts the instance to schedules that are fair between blocks of its kernel string.
 * Errors: WARPBOUND_USAGE (no such blocks; several partitions; done before),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_instance_make_fair(struct wb_instance *instance,
                                       const struct wb_fair_blocks *blocks, warpbound_error *error);

void wb_instance_clear(struct wb_instance *instance);

#endif
