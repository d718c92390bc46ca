/* A checksum of a function's code, by which facts know what they were written for. */
#ifndef WB_MODEL_CODE_CHECKSUM_H
#define WB_MODEL_CODE_CHECKSUM_H

#include "model/code.h"

#include <stdint.h>

/* FNV-1a (Fowler, Noll and Vo; 64 bits) over address, opcode, guard, registers and targets of
 * every instruction: the same for all forms of a listing of the same code, whatever they call
 * their labels and source lines. Against mistakes, not against malice. Linear. */
uint64_t wb_function_checksum(const struct wb_function *function);

#endif
