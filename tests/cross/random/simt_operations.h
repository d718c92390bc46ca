/* The instructions of random SIMT programs: their text, and what it means. */
#ifndef TESTS_CROSS_SIMT_OPERATIONS_H
#define TESTS_CROSS_SIMT_OPERATIONS_H

#include <stdint.h>

/* What an instruction is; simt_operations.c says what it means. Those from SSY on have labels. */
enum simt_operation {
  SIMT_MOVE_PARAMETER,
  SIMT_MOVE_NUMBER,
  SIMT_MOVE,
  SIMT_THREAD_INDEX,
  SIMT_BLOCK_INDEX,
  SIMT_LANE_INDEX,
  SIMT_CLOCK,
  SIMT_ADD,
  SIMT_ADD_CARRY_OUT,
  SIMT_ADD_CARRY_IN,
  SIMT_MULTIPLY,
  SIMT_DOUBLE_ADD,
  SIMT_SELECT,
  SIMT_COMPARE,
  SIMT_COMPARE_NUMBER,
  SIMT_COMPARE_AND,
  SIMT_COMBINE_PREDICATES,
  SIMT_PREDICATES_OF_REGISTER,
  SIMT_REGISTER_OF_PREDICATES,
  SIMT_LOAD_GLOBAL,
  SIMT_LOAD_GLOBAL_PAIR,
  SIMT_LOAD_SHARED,
  SIMT_LOAD_LOCAL,
  SIMT_LOAD_GENERIC,
  SIMT_LOAD_CONSTANT,
  SIMT_STORE_GLOBAL,
  SIMT_ATOMIC,
  SIMT_VOTE,
  SIMT_VOTE_PREDICATE,
  SIMT_SHUFFLE,
  SIMT_SHUFFLE_OF_LANE,
  SIMT_BARRIER,
  SIMT_UNKNOWN, /* an opcode that nobody knows */
  SIMT_DATA_COUNT,
  SIMT_SYNC = SIMT_DATA_COUNT,
  SIMT_BREAK,
  SIMT_CONTINUE,
  SIMT_RETURN,
  SIMT_EXIT,
  SIMT_KILL,
  SIMT_CALL_OUTSIDE,
  SIMT_PUSH_SYNC,
  SIMT_PUSH_BREAK,
  SIMT_PUSH_CONTINUE,
  SIMT_PUSH_RETURN,
  SIMT_CALL,
  SIMT_BRANCH,
  SIMT_BRANCH_UNIFORM,
  SIMT_BRANCH_CONDITION, /* of the condition code */
  SIMT_BRANCH_INDEXED,
  SIMT_OPERATION_COUNT
};

/* In text, writes and reads: $0 to $2: the operands as general registers, #0 to #2: as pairs of
 * them, %0 to %2: as predicates; & (text): the target; ~ (text): a
 * function that is not in the listing; C and P (writes, reads): the condition
 * code and all predicates; * (writes): every register. */
struct simt_operation_row {
  const char *text;
  const char *writes;
  const char *reads;
  uint8_t agreement; /* enum wb_agreement_rule */
  uint8_t transfer;  /* enum wb_transfer */
  uint8_t token;     /* enum wb_token */
};

const struct simt_operation_row *simt_operation_row(enum simt_operation operation);

/* What an operand stands for, the character before it deciding. */
unsigned simt_general(uint8_t operand);   /* R0 to R7 */
unsigned simt_pair(uint8_t operand);      /* R0, R2, R4, R6 */
unsigned simt_predicate(uint8_t operand); /* P0 to P3 */

#endif
