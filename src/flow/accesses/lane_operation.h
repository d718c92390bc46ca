/* An instruction with the lane values of its operands. */
#ifndef WB_FLOW_ACCESSES_LANE_OPERATION_H
#define WB_FLOW_ACCESSES_LANE_OPERATION_H

#include "flow/accesses/lane_state.h"
#include "flow/transfer/integer_operation.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most sums whose upper half is still to come, and most numbers whose other half is. */
#define WB_LANE_CARRIES 8
#define WB_LANE_HALVES 16
/* Most registers that are known as the upper word to one lower word. */
#define WB_LANE_UPPER 4

/* A word of a sum: (the register or number << shift), and which registers hold the upper word that
 * belongs to it. */
struct wb_lane_term {
  uint16_t slot; /* or that of no register: layout.count */
  uint8_t shift;
  bool negated;
  uint32_t value; /* without shift and sign */
  size_t upper_count;
  uint16_t upper[WB_LANE_UPPER];    /* slots */
  uint32_t together[WB_LANE_UPPER]; /* the wide numbers, shifted */
};

/* The lower half of a sum of 64 bits: IADD3 R0, P0, a, b, c. */
struct wb_lane_carry {
  uint16_t carry; /* the slot of the predicate or condition code with the carry */
  uint16_t target;
  uint16_t guard; /* its slot, layout.count for none */
  bool when;
  uint32_t time; /* of the instruction */
  struct wb_lane_term terms[3];
};

/* A register that holds one half of (a register's word, extended, << shift). */
struct wb_lane_half {
  uint16_t slot;
  uint16_t source;
  uint8_t shift;
  bool upper;
  uint32_t value; /* of an upper half: the whole number */
};

/* The walk through one block. */
struct wb_lane_walk {
  const struct wb_function *function;
  const struct wb_launch *launch; /* NULL: not known */
  struct wb_lane_layout layout;
  struct wb_lane_value_pool *values;
  struct wb_lane_state *state; /* before or after an instruction */
  uint32_t *written;           /* by slot: the time of its last write in the block; owned by the
                                  caller, layout.count of them */
  uint32_t time;               /* instructions of all walks, from 1 */
  uint32_t begun;              /* the time at which the block began */
  size_t carry_count, half_count;
  struct wb_lane_carry carries[WB_LANE_CARRIES];
  struct wb_lane_half halves[WB_LANE_HALVES];
};

struct wb_lane_operation {
  struct wb_lane_walk *walk;
  const struct wb_instruction *instruction;
  struct wb_integer_operation text; /* its operands; no values */
  uint16_t guard;                   /* the slot of the guard, layout.count for none */
  bool when;
};

/* Takes an instruction apart. False where it has too many operands. */
bool wb_lane_operation_read(struct wb_lane_walk *walk, uint32_t index,
                            struct wb_lane_operation *operation);

/* The word of a register for the lanes that do the instruction; slot: layout.count: unknown. */
uint32_t wb_lane_register(const struct wb_lane_operation *operation, uint16_t slot);
/* The wide number of two registers for those lanes. */
uint32_t wb_lane_registers(const struct wb_lane_operation *operation, uint16_t low, uint16_t high);

/* The word of an operand with its sign. */
uint32_t wb_lane_operand(const struct wb_lane_operation *operation, size_t number);
/* The word of an operand without its sign. */
uint32_t wb_lane_operand_plain(const struct wb_lane_operation *operation,
                               const struct wb_text_operand *operand);
/* The wide number of an operand with its sign: two registers, two words of constants, a number. */
uint32_t wb_lane_operand_wide(const struct wb_lane_operation *operation, size_t number);

/* Whether an operand is 0. */
bool wb_lane_operand_is_zero(const struct wb_lane_operation *operation, size_t number);
/* A number of places below 32 that all lanes have. */
bool wb_lane_operand_count(const struct wb_lane_operation *operation, size_t number,
                           unsigned *count);
/* The slot of an operand that is a plain register; layout.count for any other. */
uint16_t wb_lane_operand_slot(const struct wb_lane_operation *operation,
                              const struct wb_text_operand *operand);

#endif
