/* Instructions by which code asks which lanes of its warp run with it. */
#ifndef WB_ISA_LANE_MASKS_H
#define WB_ISA_LANE_MASKS_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the instruction gives a register the mask of the lanes that do it: VOTE.ANY R4, PT, PT
 * and VOTEU.ANY UR4, UPT, PT, without a guard. *to: the register, general or uniform. */
bool wb_instruction_reads_lanes(const struct wb_function *function,
                                const struct wb_instruction *instruction, uint16_t *to);

/* Whether the instruction gives a predicate whether lanes of the second mask are not in the first:
 * LOP3.LUT P0, RZ, R4, UR4, RZ, 0xc, !PT, without a guard. */
bool wb_instruction_compares_lanes(const struct wb_function *function,
                                   const struct wb_instruction *instruction, uint16_t masks[2],
                                   uint16_t *predicate);

/* Whether the instruction does nothing, or lets other warps or lanes run first: NOP, YIELD, what no
 * lane does. */
bool wb_instruction_only_yields(const struct wb_instruction *instruction);

#endif
