/* Operands of instructions that a linker is still to fill in. */
#ifndef WB_BINARY_LISTING_CODE_OPERANDS_H
#define WB_BINARY_LISTING_CODE_OPERANDS_H

#include "binary/listing/code_section.h"

/* Whether a relocation changes an operand: others leave the text as it is. */
bool wb_listed_fills_operand(const struct wb_listed_code *code,
                             const struct wb_cubin_relocation *relocation);

/* Appends an instruction's text with the symbol of a relocation that fills an operand in its place:
 * 32@lo(sym), `(sym). Where that operand is not found the instruction becomes one whose operands
 * are not known (UNKNOWN.LDC), for the word holds others than those that it will have. */
void wb_listed_append_relocated(struct wb_listed_code *code,
                                const struct wb_cubin_relocation *relocation,
                                const uint64_t word[2], const struct wb_decoded_word *decoded);

#endif
