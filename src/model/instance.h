/* An instance: a makespan question as the user asked it, with the problem that
 * normalisation makes of it. */
#ifndef WB_MODEL_INSTANCE_H
#define WB_MODEL_INSTANCE_H

#include "base/list.h"
#include "base/status.h"
#include "model/kernel_string.h"
#include "model/problem.h"
#include "model/sm_configuration.h"
#include "model/sm_problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Owns all of it. kernel: the string before normalisation. warps: on the whole SM.
 * problem: what one partition does of it, barriers read as N; whole: what the whole SM does, with
 * barriers, blocks, shared units and every path that a warp may take (the string alone, at first).
 * fair: blocks of `kernel` between which the scheduler is fair, if any (model/fair_blocks.h).
 * assumptions: what the question itself assumes (where the string comes from, the
 * model, the partitions), one sentence each.
 * estimate: the question rests on something that is not proven, so that no answer is. */
struct warpbound_instance {
  struct wb_kernel_string kernel;
  struct wb_sm_configuration sm;
  uint32_t warps;
  struct wb_problem problem;
  struct wb_sm_problem whole;
  struct wb_fair_blocks fair;
  struct wb_list assumptions;
  bool estimate;
};

/* Makes an instance of copies of its arguments; `origin` (may be NULL) is what the
 * string's making assumed. The caller frees with wb_instance_clear. */
warpbound_status wb_instance_make(const struct wb_kernel_string *kernel,
                                  const struct wb_sm_configuration *sm, uint32_t warps,
                                  const struct wb_list *origin, struct warpbound_instance *instance,
                                  warpbound_error *error);

/* The same warps in `blocks` blocks of as many each. Errors: WARPBOUND_USAGE where the number of
 * warps is no multiple, WARPBOUND_INTERNAL. */
warpbound_status wb_instance_divide(struct warpbound_instance *instance, uint32_t blocks,
                                    warpbound_error *error);

/* Restricts the instance to schedules that are fair between blocks of its kernel string.
 * Errors: WARPBOUND_USAGE (no such blocks; several partitions; done before),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_instance_make_fair(struct warpbound_instance *instance,
                                       const struct wb_fair_blocks *blocks, warpbound_error *error);

void wb_instance_clear(struct warpbound_instance *instance);

#endif
