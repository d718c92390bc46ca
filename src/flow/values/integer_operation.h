/* An integer instruction of Maxwell or Pascal with the state before it, and the values of its
 * operands. */
#ifndef WB_FLOW_VALUES_INTEGER_OPERATION_H
#define WB_FLOW_VALUES_INTEGER_OPERATION_H

#include "flow/values/integer_state.h"
#include "flow/values/launch.h"
#include "flow/values/operand_text.h"
#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

/* The surroundings of the instructions of a function. All borrowed. */
struct wb_integer_environment {
  const struct wb_function *function;
  const struct wb_launch *launch;     /* NULL: not known */
  struct wb_comparisons *comparisons; /* grows with each comparison that is met */
  uint32_t visit;                     /* the visit of a block that new comparisons belong to */
};

/* All borrowed. */
struct wb_integer_operation {
  const struct wb_integer_environment *environment;
  const struct wb_integer_state *before; /* the state before the instruction */
  const char *opcode;                    /* with its modifiers */
  struct wb_operand operands[WB_OPERAND_LIMIT];
  size_t count; /* of operands */
};

/* The value of the operand of that index, with its sign; top where it is a half of a register. */
struct wb_integer wb_operand_value(const struct wb_integer_operation *operation, size_t number);

/* The value of an operand without its sign: a number, a register or a constant; else top. */
struct wb_integer wb_operand_unsigned_value(const struct wb_integer_operation *operation,
                                            const struct wb_operand *operand);

#endif
