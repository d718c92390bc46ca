/* What an instruction's control word says of its timing: stall, scoreboards and waits
 * (doc/warp-timing.md, "From control words"). */
#ifndef WB_LAUNCH_TIMING_CONTROL_TIMES_H
#define WB_LAUNCH_TIMING_CONTROL_TIMES_H

#include "model/code.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a stall comes from, beside the count of the control word. */
enum wb_stall_source {
  WB_STALL_COUNT,     /* the count itself */
  WB_STALL_DRAIN,     /* a count of 0 from Volta on: until the pipeline is empty */
  WB_STALL_DUAL_ISSUE /* a count of 0 before: together with the next instruction */
};

/* The stall source of an instruction that has a control word. */
enum wb_stall_source wb_stall_source_of(const struct wb_function *function, uint32_t instruction);

/* Fills the scoreboards and waits of *timed, those of the operands of DEPBAR among them. False
 * where the control word names a scoreboard that there is not. */
bool wb_control_waits(const struct wb_function *function, uint32_t instruction,
                      struct wb_timed_instruction *timed);

/* Whether the instruction reads constant memory as an operand, rather than loads from it. */
bool wb_has_constant_operand(const struct wb_function *function, uint32_t instruction);

#endif
