/* The part of the checker of schedules that goes from cycle to cycle. */
#ifndef WB_CERTIFICATE_SCHEDULE_SCHEDULE_SWEEP_H
#define WB_CERTIFICATE_SCHEDULE_SCHEDULE_SWEEP_H

#include "base/status.h"
#include "certificate/schedule/schedule_claim.h"

#include <stdint.h>

/* Checks capacities, issue slots, barriers and work conservation of a claim that is well-formed and
 * whose warps issue their strings in order, the last instruction in cycle `makespan`.
 * WARPBOUND_CHECK_FAILED: the message names the first violation by cycle, then warp. Linear in the
 * number of issue cycles plus makespan. WARPBOUND_INTERNAL: out of memory. */
warpbound_status wb_check_schedule_sweep(const struct wb_check_schedule_claim *claim,
                                         uint64_t makespan, warpbound_error *error);

#endif
