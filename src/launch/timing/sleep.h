/* How long an instruction sleeps at most, where its documents say so. */
#ifndef WB_LAUNCH_TIMING_SLEEP_H
#define WB_LAUNCH_TIMING_SLEEP_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the instruction is a NANOSLEEP as PTX's nanosleep becomes one: of a time alone, for its
 * lanes or the warp. *nanoseconds: it sleeps no longer. The PTX ISA (nanosleep) guarantees at most
 * twice the time that is asked for, and 1 ms; a time in a register may be any. Constant time. */
bool wb_sleep_most(const struct wb_function *function, uint32_t instruction, uint64_t *nanoseconds);

#endif
