/* Instructions whose result is an integer that code alone does not tell. */
#ifndef WB_ISA_INTEGER_RESULTS_H
#define WB_ISA_INTEGER_RESULTS_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* The register that such an instruction writes, and the numbers that its type has. */
struct wb_integer_result {
  uint16_t number;     /* general or uniform; of eight bytes that of the lower word */
  uint8_t bytes;       /* 4 or 8: what is written; of shorter types it is continued to 4 */
  int64_t least, most; /* of four bytes of no type -2^31 to 2^32 - 1: with a sign or without; of
                        * eight bytes at most 63 bits */
};

/* Whether an instruction writes one register, or one pair, with an integer of which no analysis of
 * the code knows more than its type: conversions of floats (F2I), atomics on integers, shuffles,
 * votes and other reductions of a warp, clocks and other special registers that no launch gives,
 * words of constant memory whose place is computed. No instruction that loads from global, shared
 * or local memory is one, and none whose result is a float. It may write predicates besides. Where
 * it is none the number is WB_NO_REGISTER. */
bool wb_instruction_gives_integer(const struct wb_function *function,
                                  const struct wb_instruction *instruction,
                                  struct wb_integer_result *result);

#endif
