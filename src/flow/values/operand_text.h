/* Operands of the 64-bit SASS family, as the listing has them, for analyses that know what
 * instructions compute. */
#ifndef WB_FLOW_VALUES_OPERAND_TEXT_H
#define WB_FLOW_VALUES_OPERAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_operand_kind {
  WB_OPERAND_OTHER, /* nothing is known of it */
  WB_OPERAND_REGISTER,
  WB_OPERAND_NUMBER,
  WB_OPERAND_CONSTANT, /* c[bank][offset], c[bank][index + offset] */
  WB_OPERAND_PREDICATE,
  WB_OPERAND_WORD /* the name of a special register */
};

/* number: a register's or predicate's, as in model/code.h, WB_NO_REGISTER for RZ and
 * PT; a number's 32 bits; the offset of a constant, on top of the register `index`. half: H0
 * or H1 is named. */
struct wb_operand {
  enum wb_operand_kind kind;
  uint32_t number;
  uint32_t bank;
  uint16_t index; /* WB_NO_REGISTER: none */
  const char *text;
  size_t length;
  bool negated; /* -, or ! of a predicate */
  bool complemented;
  bool half;
  bool upper;
  bool carry; /* .CC: the condition code is a result too */
};

#define WB_OPERAND_LIMIT 8

/* Splits operands at their commas; WB_OPERAND_LIMIT + 1 where there are more than fit. */
size_t wb_operands_read(const char *text, struct wb_operand operands[WB_OPERAND_LIMIT]);

#endif
