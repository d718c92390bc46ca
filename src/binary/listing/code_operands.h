/* Operands of instructions that a linker is still to fill in. */
#ifndef WB_BINARY_LISTING_CODE_OPERANDS_H
#define WB_BINARY_LISTING_CODE_OPERANDS_H

#include "binary/listing/code_section.h"

/* Appends an instruction's text with the symbol of its relocation in place of the operand:
 * 32@lo(sym), `(sym). False where that operand is not found. */
bool wb_listed_append_relocated(struct wb_listed_code *code,
                                const struct wb_cubin_relocation *relocation,
                                const uint64_t word[2], const struct wb_decoded_word *decoded);

#endif
