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

/* Marks the fetches of data that L2 keeps: of each access that is kept the stage of the memory
 * behind L2. Takes a copy of the data. False where memory is out. */
bool wb_timed_code_keep(const struct wb_device_timing *device, const struct wb_accesses *accesses,
                        const struct wb_kept_data *kept, struct wb_timed_code *code);
/* Takes the marks back. */
void wb_timed_code_keep_none(struct wb_timed_code *code);
/* A copy with arrays of its own, but without reasons for an estimate; false where memory is out. */
bool wb_timed_code_copy(const struct wb_timed_code *code, struct wb_timed_code *copy);
/* The code where all kept data are in L2, or in first caches, hits take no time, and nothing is
 * fetched again and again: a run of it is one of the code. What is fetched once stays; translated:
 * each access finds its translation. To be freed as the code is; false where memory is out. */
bool wb_timed_code_of_hits(const struct wb_timed_code *code, bool translated,
                           struct wb_timed_code *hits);

/* Whether the instruction reads constant memory as an operand, rather than loads from it. */
bool wb_has_constant_operand(const struct wb_function *function, uint32_t instruction);

#endif
