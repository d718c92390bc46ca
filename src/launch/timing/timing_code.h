/* From a function's code and a device to the timing of its instructions. */
#ifndef WB_LAUNCH_TIMING_TIMING_CODE_H
#define WB_LAUNCH_TIMING_TIMING_CODE_H

#include "base/list.h"
#include "base/status.h"
#include "flow/accesses/accesses.h"
#include "model/code.h"
#include "model/devices/device_timing.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* Times each instruction of machine code: control word (stall, scoreboards, waits, yield) and the
 * device's class. Adds to `assumptions` what that rests on beside the values that it reads. A
 * resource that no instruction uses has one server. listing: the code of the function, for the
 * source files of places; may be NULL. calls: by instruction the cycles that the code outside takes
 * that it calls, as somebody assumes, -1: none are; may be NULL. A call makes an estimate, for its
 * requests are not counted.
 * Errors: WARPBOUND_INVALID_INPUT where control words are missing (with the place and what would
 * give them), where no class is for an opcode, where a product does not fit;
 * WARPBOUND_INTERNAL. */
warpbound_status wb_timed_code_make(const struct wb_code *listing,
                                    const struct wb_function *function,
                                    const struct wb_device_timing *device,
                                    const struct wb_accesses *accesses, const int64_t *calls,
                                    struct wb_timed_code *code, struct wb_list *assumptions,
                                    warpbound_error *error);

/* Whether the instruction reads constant memory as an operand, rather than loads from it. */
bool wb_has_constant_operand(const struct wb_function *function, uint32_t instruction);

#endif
