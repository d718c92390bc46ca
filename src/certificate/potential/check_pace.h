/* How the check of a potential, which can take minutes, notices that it is to stop. */
#ifndef WB_CERTIFICATE_POTENTIAL_CHECK_PACE_H
#define WB_CERTIFICATE_POTENTIAL_CHECK_PACE_H

#include "base/status.h"
#include "base/work_control.h"

#include <stddef.h>
#include <stdint.h>

/* The control is asked once in so many steps of work, as a power of 2: about every 10 ms. */
#define WB_CHECK_PACE_SHIFT 18

/* Asks the control (NULL: none) where the count of work steps passes a multiple of that number.
 * Errors: WARPBOUND_LIMIT. */
static inline warpbound_status wb_check_pace(const struct wb_control *control, uint64_t before,
                                             uint64_t after, warpbound_error *error)
{
  if (control == NULL || before >> WB_CHECK_PACE_SHIFT == after >> WB_CHECK_PACE_SHIFT)
    return WARPBOUND_OK;
  const enum wb_stop stop = wb_control_stopped(control);
  if (stop == WB_STOP_NONE)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_LIMIT, "not checked: %s",
                 stop == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
}

#endif
