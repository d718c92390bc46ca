/* Opcodes of SASS and their modifiers as numbers. */
#ifndef WB_ISA_OPCODE_H
#define WB_ISA_OPCODE_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One number for the first word of an opcode, both families; WB_OPCODE_NONE: not in the table. */
enum wb_opcode {
  WB_OPCODE_NONE,
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption)         \
  WB_OPCODE_##name,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
  WB_OPCODE_COUNT
};

/* The words after an opcode's dots. */
enum wb_modifier {
  WB_MODIFIER_OTHER, /* one that has no meaning for any analysis */
#define MODIFIER(name) WB_MODIFIER_##name,
#include "isa/modifiers.def"
#undef MODIFIER
  WB_MODIFIER_COUNT
};

/* Numbers of the words of a text such as "IMAD.WIDE.U32", for the fields of an instruction.
 * Logarithmic in the sizes of the tables for each word. */
void wb_opcode_parse(const char *text, size_t length, struct wb_instruction *instruction);

/* The name of an opcode, without modifiers; "" for WB_OPCODE_NONE. */
const char *wb_opcode_name(enum wb_opcode opcode);

/* Whether the modifier is among those of the instruction. */
bool wb_instruction_has(const struct wb_instruction *instruction, enum wb_modifier modifier);

/* Whether the instruction has these modifiers in this order and no other. */
bool wb_instruction_has_just(const struct wb_instruction *instruction,
                             const enum wb_modifier *modifiers, size_t count);

/* Whether the instruction goes by what all lanes together say (.ANY, .ALL), not by each lane's own
 * condition. */
bool wb_instruction_votes(const struct wb_instruction *instruction);

#endif
