/* The opcodes, from Volta on, that put a value unchanged elsewhere, or a number that the code
 * shows: what struct wb_copy is made of. */
#ifndef WB_ISA_SASS_MOVES_H
#define WB_ISA_SASS_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an opcode's result follows from its operands. The result is the first operand, after
 * which (of R2UR: before which) predicates may stand that it writes too. */
enum wb_sass_move {
  WB_SASS_MOVE_NONE,     /* it computes */
  WB_SASS_MOVE_PLAIN,    /* MOV: the second operand */
  WB_SASS_MOVE_PRODUCT,  /* IMAD: the second times the third plus the fourth, modulo 2^32 */
  WB_SASS_MOVE_SUM,      /* IADD3: the sum of the others, modulo 2^32 */
  WB_SASS_MOVE_SPECIAL,  /* S2R: a special register */
  WB_SASS_MOVE_CONSTANT, /* LDC: the words of constant memory at the second operand */
  WB_SASS_MOVE_BARRIER,  /* BMOV: the second operand, one of both being a barrier register */
  WB_SASS_MOVE_STORE,    /* STL: the second operand or a part of it, to local memory at the first */
  WB_SASS_MOVE_LOAD      /* LDL: the words of local memory at the second operand */
};

/* What an opcode with its modifiers ("IMAD.MOV.U32") moves. NONE where it has a modifier of which
 * it is not known that all bits stay: a row for each opcode lists those that may be there. A store
 * may be of a part of a word (U8, S16). */
enum wb_sass_move wb_sass_move_of(const char *opcode, size_t length);

/* Whether a special register ("SR_CTAID.X", "SRZ") holds one value for all lanes of a warp during
 * the launch; *value then tells them apart, and is 0 for SRZ alone, which is zero. */
bool wb_sass_launch_value(const char *name, size_t length, uint64_t *value);

#endif
