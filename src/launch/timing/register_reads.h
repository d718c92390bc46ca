/* How often an instruction reads the banks of the register file (doc/launch.md, "Register banks").
 */
#ifndef WB_LAUNCH_TIMING_REGISTER_READS_H
#define WB_LAUNCH_TIMING_REGISTER_READS_H

#include "model/code.h"

#include <stdint.h>

/* The most different general registers of one bank that an instruction of machine code reads as
 * operands: register n is in bank n modulo `banks` (0: one bank). What the reuse cache may hold is
 * read again. Of an opcode that is not in the table, four in one bank for each operand with a
 * register. 0 of products of groups of warps, which read their registers while they compute, and of
 * calls of code that is not there. Linear in the registers. */
uint32_t wb_register_bank_reads(const struct wb_function *function, uint32_t instruction,
                                uint64_t banks);

#endif
