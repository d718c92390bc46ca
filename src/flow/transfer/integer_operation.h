/* An integer instruction with the state before it, and the values of its operands. */
#ifndef WB_FLOW_TRANSFER_INTEGER_OPERATION_H
#define WB_FLOW_TRANSFER_INTEGER_OPERATION_H

#include "flow/transfer/operand_text.h"
#include "values/interval/integer_state.h"
#include "values/launch.h"
#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

/* The surroundings of the instructions of a function. All borrowed. */
struct wb_integer_environment {
  const struct wb_function *function;
  const struct wb_launch *launch;     /* NULL: not known */
  struct wb_comparisons *comparisons; /* grows with each comparison that is met */
  struct wb_carries *carries;         /* grows with each carry that is met in the block */
  uint32_t visit;                     /* the visit of a block that new comparisons belong to */
};

/* Most predicates that an instruction from Volta on writes beside its result. */
#define WB_OUTPUT_LIMIT 2

/* All borrowed. From Volta on the instructions of the uniform datapath are those of the other one:
 * their opcodes lose the U, and predicates that are written beside a result are not among the
 * operands. */
struct wb_integer_operation {
  const struct wb_integer_environment *environment;
  const struct wb_integer_state *before; /* the state before the instruction */
  const char *opcode;                    /* with its modifiers */
  uint32_t index;                        /* of the instruction */
  bool volta;                            /* for an architecture from Volta on */
  bool guarded;                          /* threads may skip it */
  size_t guard;    /* the index of the guard's predicate, or WB_TRUTH_COUNT (wb_predicate_index) */
  bool guard_when; /* threads do it where that predicate is so */
  struct wb_text_operand operands[WB_TEXT_LIMIT];
  size_t count;                                    /* of operands */
  struct wb_text_operand outputs[WB_OUTPUT_LIMIT]; /* the predicates beside the result */
  size_t output_count;                             /* of them */
};

/* Takes the instruction of that index apart. False where it has too many operands. */
bool wb_operation_read(const struct wb_integer_environment *environment, uint32_t index,
                       const struct wb_integer_state *before,
                       struct wb_integer_operation *operation);

/* The value of the operand of that index, with its sign; top where it is a half of a register. */
struct wb_integer wb_operand_value(const struct wb_integer_operation *operation, size_t number);

/* The value of an operand without its sign: a number, a register or a constant; else top. */
struct wb_integer wb_operand_unsigned_value(const struct wb_integer_operation *operation,
                                            const struct wb_text_operand *operand);

/* The 64-bit value of the operand of that index, with its sign: a pair of registers, two words of
 * constant memory, or a number as it is printed. */
struct wb_wide wb_operand_wide_value(const struct wb_integer_operation *operation, size_t number);

#endif
