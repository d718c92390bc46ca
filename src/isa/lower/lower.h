/* Lowering: from an instruction to the micro-operations that it does. */
#ifndef WB_ISA_LOWER_LOWER_H
#define WB_ISA_LOWER_LOWER_H

#include "isa/lower/micro_operation.h"

/* Writes to *code what the instruction of that index computes. False where its opcode has no
 * lowering, or its operands are of no form that is known: then code has no operations, and what the
 * instruction writes is not known. Its guard and its control transfer are not looked at. Constant
 * time. */
bool wb_lower(const struct wb_function *function, uint32_t index, struct wb_micro_code *code);

/* Whether what an instruction computes is known. */
enum wb_meaning {
  WB_MEANING_NONE_NEEDED, /* it writes no register, or what it reads from memory or other lanes */
  WB_MEANING_KNOWN,       /* it has a lowering */
  WB_MEANING_FUNCTION,    /* to a function that is not told alone */
  WB_MEANING_MISSING      /* it has none: what it writes is not known */
};

/* Whether a result, of a write, is a function of its sources that is not told: a word, or a test of
 * one. */
bool wb_is_function(const struct wb_micro_code *code, size_t result);

/* Constant time. Of machine code. */
enum wb_meaning wb_meaning_of(const struct wb_function *function, uint32_t index);

/* What a least or greatest word is: where it is a word of the least or greatest of two numbers of
 * 64 bits, the upper word comes first (IMNMX.XHI), and the condition code tells the instruction of
 * the lower one (IMNMX.XLO) of which number that is, or that both have it. */
enum wb_extreme_part { WB_EXTREME_WHOLE, WB_EXTREME_UPPER, WB_EXTREME_LOWER };
enum wb_extreme_part wb_extreme_part_of(const struct wb_instruction *instruction);

#endif
