/* What instructions from Volta on have beside registers and targets: barrier registers, masks of
 * lanes, and link registers. */
#ifndef WB_FRONTEND_SASS_SASS_CONVERGENCE_H
#define WB_FRONTEND_SASS_SASS_CONVERGENCE_H

#include "frontend/sass/text/sass_parser.h"
#include "isa/parse/sass_operand.h"

/* Sets an instruction's barrier, mask, link, together, unless_all and yields from its opcode and
 * operands; its transfer is known. `function` is the name of the function that it stands in. What
 * has an effect on control that is not modelled becomes UNSUPPORTED. NULL, or what was expected in
 * place of operand *fault. */
const char *wb_sass_convergence(struct wb_instruction *instruction, struct wb_sass_piece function,
                                const struct wb_sass_operand *operands, size_t operand_count,
                                size_t *fault);

#endif
