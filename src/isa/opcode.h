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
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  WB_OPCODE_##name,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
  WB_OPCODE_COUNT
};

/* What an opcode does beside its results, as bits. */
enum wb_trait {
  WB_TRAIT_FENCE = 1 << 0,          /* waits until what its warp has stored is there for others */
  WB_TRAIT_HIDDEN_WAIT = 1 << 1,    /* waits for a time that the code asks for, registers of other
                                     * warps, or other blocks */
  WB_TRAIT_STARTS_COPY = 1 << 2,    /* starts a copy to shared memory that goes on by itself */
  WB_TRAIT_STARTS_PRODUCT = 1 << 3, /* starts a product of matrices of a group of warps */
  WB_TRAIT_COMMITS_COPY = 1 << 4,   /* its scoreboard waits for copies started before */
  WB_TRAIT_WAITS_FOR_SCOREBOARDS = 1 << 5, /* DEPBAR: for those among its operands */
  WB_TRAIT_WAITS_FOR_PRODUCTS = 1 << 6,    /* may wait for products of a group of warps */
  WB_TRAIT_LOADS_CONSTANT = 1 << 7,        /* its constant operand is a load, not a factor */
  WB_TRAIT_BLOCK_BARRIER = 1 << 8,         /* BAR: its first operand is the number of a barrier */
  WB_TRAIT_YIELDS = 1 << 9,                /* lets other lanes of its warp run on before its own */
  WB_TRAIT_BREAKPOINT = 1 << 10,           /* BPT: with TRAP it ends its lanes */
  WB_TRAIT_MOVES_BARRIER_REGISTER = 1 << 11, /* BMOV */
  WB_TRAIT_LOADS_LOCAL = 1 << 12,            /* LDL */
  WB_TRAIT_STORES_LOCAL = 1 << 13            /* STL */
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

/* The length of a name such as "IMAD.WIDE" where it is the opcode of a text or its first words; 0:
 * it is not. */
size_t wb_opcode_matches(const char *text, const char *name);

/* Whether the opcode of an instruction has that trait. Its operands may still be of a form that is
 * not known. */
bool wb_instruction_is(const struct wb_instruction *instruction, enum wb_trait trait);

/* Whether the modifier is among those of the instruction. */
bool wb_instruction_has(const struct wb_instruction *instruction, enum wb_modifier modifier);

/* Whether the instruction has these modifiers in this order and no other. */
bool wb_instruction_has_just(const struct wb_instruction *instruction,
                             const enum wb_modifier *modifiers, size_t count);

/* Whether the instruction goes by what all lanes together say (.ANY, .ALL), not by each lane's own
 * condition. */
bool wb_instruction_votes(const struct wb_instruction *instruction);

/* Whether all modifiers of the instruction are among these. */
bool wb_instruction_has_among(const struct wb_instruction *instruction,
                              const enum wb_modifier *modifiers, size_t count);

/* How many bytes of local memory LDL or STL moves, each lane. False where it has a modifier of
 * which it is not known that all bits stay. */
bool wb_instruction_local_bytes(const struct wb_instruction *instruction, unsigned *bytes);

#endif
