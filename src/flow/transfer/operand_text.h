/* The operands of SASS instructions from Maxwell on, parsed from the text of the listing. */
#ifndef WB_FLOW_TRANSFER_OPERAND_TEXT_H
#define WB_FLOW_TRANSFER_OPERAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_text_operand_kind {
  WB_TEXT_OTHER, /* not understood */
  WB_TEXT_REGISTER,
  WB_TEXT_NUMBER,      /* of 32 bits */
  WB_TEXT_WIDE_NUMBER, /* of more */
  WB_TEXT_CONSTANT,    /* c[bank][offset], c[bank][index + offset] */
  WB_TEXT_PREDICATE,
  WB_TEXT_WORD /* the name of a special register */
};

/* An operand. Borrows the text of the listing. */
struct wb_text_operand {
  enum wb_text_operand_kind kind;
  /* By kind: the register or predicate, as in model/code.h (WB_NO_REGISTER for RZ, URZ, SRZ, PT and
   * UPT); the lower 32 bits of a number; the offset of a constant in bytes, which is added to the
   * register `index`. */
  uint32_t number;
  uint64_t wide;  /* of a number: as it is printed, as 64 bits */
  uint32_t bank;  /* of a constant */
  uint16_t index; /* of a constant: a register, or WB_NO_REGISTER */
  const char *text;
  size_t length;     /* of text, in characters */
  bool negated;      /* by -, or by the ! of a predicate */
  bool complemented; /* by ~ */
  bool half;         /* H0 or H1 of a register */
  bool upper;        /* H1 */
  bool carry;        /* .CC: the condition code is a result too */
};

/* Most operands of an instruction. */
#define WB_TEXT_LIMIT 8

/* Parses the operands of an instruction and returns their number; WB_TEXT_LIMIT + 1 where there
 * are more than fit. Linear. */
size_t wb_operands_read(const char *text, struct wb_text_operand operands[WB_TEXT_LIMIT]);

#endif
