/* Instructions that change or test single bits of a register, in which code keeps predicates where
 * it has more of them than the machine: `LOP3.LUT R9, R9, 0xfffffffe, RZ, 0xc0, !PT` and `@P1
 * LOP3.LUT R9, R9, 0x1, RZ, 0xfc, !PT` keep P1 in bit 0, `LOP3.LUT P2, RZ, R9, 0x1, RZ, 0xc0, !PT`
 * takes it back. */
#ifndef WB_ISA_LOWER_REGISTER_BITS_H
#define WB_ISA_LOWER_REGISTER_BITS_H

#include "model/code.h"

/* Chooses the register of which instructions test bits most often, and marks what tests or changes
 * its bits: bit_register of the function and bit_use, bit_register and bits of the instructions,
 * all 0 before. Linear. */
void wb_mark_register_bits(struct wb_function *function);

#endif
