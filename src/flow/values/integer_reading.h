/* The operands that an integer instruction of Maxwell or Pascal reads, and their values. */
#ifndef WB_FLOW_VALUES_INTEGER_READING_H
#define WB_FLOW_VALUES_INTEGER_READING_H

#include "flow/values/integer_state.h"
#include "flow/values/launch.h"
#include "flow/values/operand_text.h"
#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

/* The surroundings of the instructions of a function; all borrowed. */
struct wb_integer_machine {
  const struct wb_function *function;
  const struct wb_launch *launch;     /* NULL: nothing is known of it */
  struct wb_comparisons *comparisons; /* grows with each comparison that is met */
  uint32_t visit;                     /* the visit to a block that new comparisons belong to */
};

/* An instruction with the state before it, which does not change; all borrowed. */
struct wb_reading {
  const struct wb_integer_machine *machine;
  const struct wb_integer_state *before;
  const char *opcode; /* with its modifiers */
  struct wb_operand operands[WB_OPERAND_LIMIT];
  size_t count; /* of operands */
};

/* The value of the operand of that index, with its sign; anything where it is a half of a
 * register. */
struct wb_integer wb_reading_value(const struct wb_reading *reading, size_t number);

/* The value of an operand without its sign: a number, a register or a constant. */
struct wb_integer wb_reading_plain(const struct wb_reading *reading,
                                   const struct wb_operand *operand);

#endif
