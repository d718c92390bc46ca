/* One operand of a SASS instruction: what kind it is, and which registers are in it. Any
 * text is an operand; what has no registers is a word. */
#ifndef WB_ISA_SASS_OPERAND_H
#define WB_ISA_SASS_OPERAND_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_sass_operand_kind {
  WB_SASS_REGISTER,   /* R4, RZ, UR6, B0, -R2, |R3|, R4.H0_H0 */
  WB_SASS_PREDICATE,  /* P0, !UP1, PT */
  WB_SASS_PREDICATES, /* PR, UPR: all of them */
  WB_SASS_CONDITION,  /* CC, CC.NEU */
  WB_SASS_MEMORY,     /* [R2+0x10], desc[UR4][R2.64], c[0x0][0x160] */
  WB_SASS_SYMBOL,     /* `(.L_x_1), 32@lo(name) */
  WB_SASS_NUMBER,     /* 0x10, -0x10, 1.5, +INF */
  WB_SASS_WORD        /* SR_TID.X, 2D, SB0, {1,0} */
};

/* Most registers of one operand: descriptor, base, uniform base, and one to spare. */
#define WB_SASS_OPERAND_REGISTERS 4

/* A register of an operand. */
struct wb_sass_register {
  uint16_t number; /* as WB_REGISTER_GENERAL and so on; WB_NO_REGISTER for a constant (RZ) */
  uint8_t width;   /* registers that hold this part of an address, where the text says it; else 0 */
};

/* An operand. */
struct wb_sass_operand {
  struct wb_operand meaning; /* what it is, without its text */
  const char *text;          /* in the listing, which is borrowed */
  size_t length;             /* of the text */
  const char *symbol;        /* WB_SASS_SYMBOL: the name alone */
  size_t symbol_length;
  const char *fault; /* what is expected there, where no machine has such an operand; else NULL */
  int64_t value;     /* WB_SASS_NUMBER, where it is an integer */
  struct wb_sass_register registers[WB_SASS_OPERAND_REGISTERS];
  uint8_t register_count;
  uint8_t kind;        /* enum wb_sass_operand_kind */
  bool integer;        /* `value` is known */
  bool negated;        /* !P0 */
  bool condition_code; /* R0.CC: writes the condition code as well */
};

/* The operand of an instruction from Maxwell on that a text, which may be empty, stands for. What
 * is not understood is WB_OPERAND_OTHER. Linear. */
struct wb_operand wb_operand_parse(const char *text, size_t length);

/* The next operand of a list, from *cursor on, which moves past it and its comma. A blank
 * separates operands too, except before a bracket: "R2 -0x110" are two, "c[0x0] [0x8]" is
 * one. False where the list has ended. */
bool wb_sass_next_operand(const char **cursor, const char *end, struct wb_sass_operand *operand);

/* An integer as listings write them: a sign or none, 0x and hexadecimal digits or decimal
 * ones, below 2^63. False where text is not one. */
bool wb_sass_integer(const char *text, size_t length, int64_t *value);

/* The register that text names: WB_NO_REGISTER for RZ, PT, ...; text must be it entirely.
 * *fault is what should have stood there where there is no such register, else NULL. False
 * where text does not look like one. */
bool wb_sass_register_number(const char *text, size_t length, uint16_t *number, const char **fault);

/* The symbol of a list's last operand where that is nothing but the symbol behind `before`, in
 * parentheses: add of "R2, 32@lo(add)" behind "32@lo(". */
bool wb_sass_last_symbol(const char *operands, const char *before, const char **name,
                         size_t *length);

#endif
