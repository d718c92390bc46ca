/* Instructions by which code asks which lanes of its warp run with it, and chooses one of them. */
#ifndef WB_ISA_LANE_MASKS_H
#define WB_ISA_LANE_MASKS_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* What gives predicates by tables of three others: bit 4 a + 2 b + c of the table. WB_NO_REGISTER:
 * a source that is true; a result that goes nowhere. */
struct wb_combination {
  uint16_t sources[3];
  bool negated[3];
  uint16_t to[2];
  uint8_t tables[2];
};

/* Whether the instruction gives a register the mask of the lanes that do it: VOTE.ANY R4, PT, PT
 * and VOTEU.ANY UR4, UPT, PT, without a guard. *to: the register, general or uniform. */
bool wb_instruction_reads_lanes(const struct wb_function *function,
                                const struct wb_instruction *instruction, uint16_t *to);

/* Whether the instruction gives a predicate whether lanes of the second mask are not in the first:
 * LOP3.LUT P0, RZ, R4, UR4, RZ, 0xc, !PT, without a guard. */
bool wb_instruction_compares_lanes(const struct wb_function *function,
                                   const struct wb_instruction *instruction, uint16_t masks[2],
                                   uint16_t *predicate);

/* Whether the instruction chooses one of the lanes that do it, those of which a predicate is true:
 * @P0 ELECT P1, URZ, PT. *elected: a predicate that it makes true for that lane. */
bool wb_instruction_elects(const struct wb_function *function,
                           const struct wb_instruction *instruction, uint16_t *elected);

/* Whether the instruction takes the number of one of the lanes that do it and gives a predicate
 * whether a lane has another: R2UR P1, UR4, R0; or, *too, whether it had another one before, too:
 * R2UR.OR P1, UR6, R4. *others: that predicate. */
bool wb_instruction_takes_number(const struct wb_function *function,
                                 const struct wb_instruction *instruction, uint16_t *others,
                                 bool *too);

/* Whether the instruction gives predicates by tables of three: PLOP3.LUT. */
bool wb_instruction_combines(const struct wb_function *function,
                             const struct wb_instruction *instruction,
                             struct wb_combination *combination);

/* Whether the instruction does nothing, or lets other warps or lanes run first: NOP, YIELD, what no
 * lane does. */
bool wb_instruction_only_yields(const struct wb_instruction *instruction);

#endif
