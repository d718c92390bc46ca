/* The timed code of several kernels of one device as that of one, for runs in which they share it.
 */
#ifndef WB_LAUNCH_SIMULATION_JOINED_CODE_H
#define WB_LAUNCH_SIMULATION_JOINED_CODE_H

#include "base/status.h"
#include "model/timed_code.h"

#include <stddef.h>

/* Instructions of code k are those of its own from number first[k] on. Resources of one name are
 * one. Each kernel keeps lines of its own; where all have more kinds of fetches than a code may
 * have, nothing is fetched. Data that L2 keeps are not taken. The caller frees *joined with
 * wb_timed_code_free; after an error it is empty. Errors: WARPBOUND_INVALID_INPUT (resources of one
 * name that differ, or too many), WARPBOUND_INTERNAL. */
warpbound_status wb_timed_code_join(const struct wb_timed_code *const *codes, size_t count,
                                    struct wb_timed_code *joined, size_t *first,
                                    warpbound_error *error);

#endif
