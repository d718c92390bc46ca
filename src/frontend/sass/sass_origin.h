/* Where the value of a register comes from, on the one way that leads to an instruction. */
#ifndef WB_FRONTEND_SASS_SASS_ORIGIN_H
#define WB_FRONTEND_SASS_SASS_ORIGIN_H

#include "model/code.h"

/* A function whose instructions have their targets. Borrows it. */
struct wb_sass_origin {
  const struct wb_function *function;
  bool *entered; /* entered[i]: something goes to instruction i */
};

/* Linear. False: memory is out. To be ended also then. */
bool wb_sass_origin_begin(const struct wb_function *function, struct wb_sass_origin *origin);
void wb_sass_origin_end(struct wb_sass_origin *origin);

/* The last instruction before the one with the index `before` that writes a register, on the one
 * way that leads to it; a guard may skip it, but not for all lanes (@!PT). NULL where there may be
 * several ways, or it is too far. */
const struct wb_instruction *wb_sass_last_writer(const struct wb_sass_origin *origin, size_t before,
                                                 unsigned number);

/* What made the value that a register has before an instruction, also where it was moved through
 * other registers; *number is the register that it was made in. NULL where that is not known, or a
 * guard may skip it. */
const struct wb_instruction *wb_sass_maker(const struct wb_sass_origin *origin, size_t before,
                                           uint16_t *number);

/* What an instruction from Volta on copies to a register, `number`, by a copy of that kind; NULL
 * for none. */
const struct wb_copy *wb_sass_copied(const struct wb_sass_origin *origin,
                                     const struct wb_instruction *instruction, uint16_t number,
                                     enum wb_copy_kind kind);

/* Operand `number` of an instruction; NULL where it has fewer. */
const struct wb_operand *wb_sass_operand_at(const struct wb_sass_origin *origin,
                                            const struct wb_instruction *instruction,
                                            uint32_t number);

/* Whether an instruction from Volta on calls the address in a register, which may be in its
 * function: `CALL.REL.NOINC R8 0x0`. */
bool wb_sass_calls_register(const struct wb_function *function, const struct wb_instruction *call);

#endif
