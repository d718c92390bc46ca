/* The results of integer instructions of Maxwell and Pascal: a table of those that are understood.
 */
#ifndef WB_FLOW_VALUES_INTEGER_RESULTS_H
#define WB_FLOW_VALUES_INTEGER_RESULTS_H

#include "flow/values/integer_semantics.h"
#include "flow/values/operand_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One instruction: what it reads stands in *before, which does not change. */
struct wb_reading {
  const struct wb_integer_machine *machine;
  const struct wb_integer_state *before;
  const char *opcode;
  struct wb_operand operands[WB_OPERAND_LIMIT];
  size_t count;
};

/* What the operand of that number is, with its sign; anything where it is a half. */
struct wb_integer wb_reading_value(const struct wb_reading *reading, size_t number);

/* A number of the text, a register without its sign, or what stands at a constant's place. */
struct wb_integer wb_reading_plain(const struct wb_reading *reading,
                                   const struct wb_operand *operand);

/* What the instruction writes to its first operand; false where it is not in the table. */
bool wb_integer_result(const struct wb_reading *reading, struct wb_integer *result);

#endif
