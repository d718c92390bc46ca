/* The check of bounds that add up over phases: each phase's certificate by its own checker, then
 * their sum. */
#ifndef WB_ANALYSIS_VERIFY_PHASES_PROOFS_H
#define WB_ANALYSIS_VERIFY_PHASES_PROOFS_H

#include "base/status.h"
#include "base/work_control.h"

#include <jansson.h>
#include <stdint.h>

/* Checks the object of a phases file under a control. Sets the number of warps and the cycles that
 * are claimed for them, and where the claim holds those that are proven; 0 of what is not known.
 * WARPBOUND_CHECK_FAILED: *error says what is refused. Other errors: those of the files, which name
 * the proof, and of the checkers. */
warpbound_status wb_verify_phases_proofs(const char *name, const json_t *object,
                                         const struct wb_control *control, uint64_t *warps,
                                         uint64_t *claimed, uint64_t *cycles,
                                         warpbound_error *error);

#endif
