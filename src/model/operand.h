/* An operand of a SASS instruction, as a structure. */
#ifndef WB_MODEL_OPERAND_H
#define WB_MODEL_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

enum wb_operand_kind {
  WB_OPERAND_OTHER,         /* a word ("2D", "SB0"), a label, or what is not understood */
  WB_OPERAND_REGISTER,      /* number: the register; WB_NO_REGISTER: RZ, URZ, SRZ */
  WB_OPERAND_PREDICATE,     /* number: the predicate; WB_NO_REGISTER: PT, UPT */
  WB_OPERAND_CONDITION,     /* value: enum wb_condition; the condition code of Maxwell and Pascal */
  WB_OPERAND_NUMBER,        /* value: an integer whose magnitude has 32 bits, in two's complement */
  WB_OPERAND_WIDE_NUMBER,   /* value: an integer of more bits */
  WB_OPERAND_FLOAT,         /* value: the bits of a double */
  WB_OPERAND_CONSTANT,      /* c[bank][index + value] */
  WB_OPERAND_CONSTANT_PART, /* of a constant a part, or one whose bank a register names */
  WB_OPERAND_ADDRESS,       /* [number << scale + index + value] */
  WB_OPERAND_LABEL,   /* value: bytes from the start of the function to the place that it names */
  WB_OPERAND_SPECIAL, /* value: enum wb_special_register */
  WB_OPERAND_SCOREBOARD,  /* value: the number, of SB0 */
  WB_OPERAND_SCOREBOARDS, /* value: a mask of numbers, of {5,3} */
  WB_OPERAND_PRODUCTS     /* value: the number, of gsb0: products of a group of warps */
};

/* Tests of the condition code that instructions of compiled code name. */
enum wb_condition { WB_CONDITION_CC, WB_CONDITION_OTHER };

/* Registers are numbered as in model/code.h. 16 bytes, for listings have millions. */
struct wb_operand {
  uint64_t value;  /* by kind; of a constant and an address the offset in bytes, of an address
                    * in two's complement */
  uint16_t number; /* by kind; of an address the general register, WB_NO_REGISTER for none */
  uint16_t index;  /* of a constant: the register added; of an address: the uniform register or
                    * a second one; WB_NO_REGISTER for none */
  uint8_t kind;    /* enum wb_operand_kind */
  uint8_t bank;    /* of a constant */
  union {
    uint8_t scale; /* of an address: places by which `number` is shifted to the left */
    uint8_t part;  /* of a register or constant: which byte of it, 1 to 3 for .B1 to .B3; 0: none
                    * is named */
  };
  bool negated : 1;      /* by -, or by the ! of a predicate; never of a number */
  bool complemented : 1; /* by ~ */
  bool absolute : 1;     /* |R2| */
  bool half : 1;         /* H0 or H1 of a register or constant */
  bool upper : 1;        /* H1 */
  bool carry : 1;        /* of a result, .CC: the condition code is written too */
  bool wide : 1;         /* of an address: `number` is a pair of registers (.64) */
  bool narrow : 1;       /* of an address: `number` is one register, continued by zeros (.U32) */
};

/* Whether an operand is a register as it stands, not a part of it nor with a sign; RZ and the like
 * too. */
static inline bool wb_operand_is_plain_register(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_REGISTER && !operand->negated && !operand->complemented &&
         !operand->absolute && !operand->half && !operand->carry;
}

/* Whether an operand is [R2 + offset], of one general register (numbers below 255). */
static inline bool wb_operand_is_plain_address(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_ADDRESS && operand->number < 255 && operand->index == 0xffff &&
         operand->scale == 0 && !operand->wide && !operand->narrow;
}

#endif
