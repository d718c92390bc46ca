/* The independent checker of fairness between the repetitions of a sub-block. */
#ifndef WB_CERTIFICATE_SCHEDULE_FAIRNESS_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_FAIRNESS_CHECK_H

#include "base/status.h"
#include "certificate/schedule/schedule_check.h"

#include <stdint.h>

/* Refuses blocks beyond the string, ones whose repetitions differ, and all where there is more than
 * one string, block or partition, or a barrier. Nothing is wrong where none are claimed. Errors:
 * WARPBOUND_INVALID_INPUT. */
warpbound_status wb_check_fair_blocks_refuse(const struct wb_check_schedule_claim *claim,
                                             warpbound_error *error);

/* Checks a work-conserving schedule of so many cycles: in no cycle does a warp idle before an
 * instruction of an earlier repetition than that of one which issues, if both compete: for a unit,
 * where they are of one type and all its units are taken, else for an issue slot. Instructions
 * before the blocks are earlier than all, those behind them later. WARPBOUND_CHECK_FAILED: the
 * message names the first violation by cycle, then warp, and its reason. Time: nearly linear in the
 * number of issue cycles plus, for each type, makespan. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_check_fairness(const struct wb_check_schedule_claim *claim, uint64_t makespan,
                                   warpbound_error *error);

#endif
