/* What is known of a thread's registers at a place: values of the general ones, and of the
 * predicates the comparisons that they imply. */
#ifndef WB_FLOW_VALUES_INTEGER_STATE_H
#define WB_FLOW_VALUES_INTEGER_STATE_H

#include "flow/values/integer_value.h"
#include "flow/values/wide_value.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WB_GENERAL_COUNT = WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL,
  WB_PREDICATE_COUNT = WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE
};

/* "left relation right", made by the instruction of that index on the visit of that number to
 * its block. next: another one that holds
 * too, as an index of the table, 0: none. */
struct wb_comparison {
  struct wb_integer left;
  struct wb_integer right;
  struct wb_wide wide_left; /* wide: the two sides, of 64 bits */
  struct wb_wide wide_right;
  uint8_t relation; /* enum wb_relation */
  bool as_signed;
  bool wide;
  uint32_t instruction;
  uint32_t visit;
  uint32_t next;
};

/* Comparisons are made once and never change: row 0 stands for none. Owns its rows; zero it. */
struct wb_comparisons {
  struct wb_comparison *rows;
  size_t count;
  size_t capacity;
  bool failed; /* memory was out; no more are added */
};

/* What is known of a predicate itself. */
enum wb_truth { WB_TRUTH_UNKNOWN, WB_TRUTH_FALSE, WB_TRUTH_TRUE };

/* The comparisons that hold where the predicate is true, and where it is false; truth: which of
 * the two it is (enum wb_truth). */
struct wb_implications {
  uint32_t when_true;
  uint32_t when_false;
  uint8_t truth;
};

/* What the last sum with carry was made of, for the sum or comparison of the upper words that
 * follows: the lower words without their signs, the registers that held them (WB_NO_REGISTER for
 * none), which of them was subtracted, the register that took the sum; pairs: as they were before
 * it, without those whose upper register was written since. */
struct wb_carry {
  bool known;
  struct wb_integer words[2];
  uint16_t sources[2];
  bool negated[2];
  uint16_t target;
  struct wb_pairs pairs;
};

struct wb_integer_state {
  struct wb_integer registers[WB_GENERAL_COUNT];
  struct wb_implications predicates[WB_PREDICATE_COUNT];
  struct wb_pairs pairs;
  struct wb_carry carry;
};

/* Nothing known. */
void wb_integer_state_anything(struct wb_integer_state *state);
/* Each register is what it is: its own base. */
void wb_integer_state_itself(struct wb_integer_state *state);
/* Adds to *state what the other may be. */
void wb_integer_state_join(struct wb_integer_state *state, const struct wb_integer_state *other);

/* A new row, or 0 where memory is out. */
uint32_t wb_comparisons_add(struct wb_comparisons *table, const struct wb_comparison *row);
/* All of both, or the first few: at most WB_COMPARISON_CHAIN. */
uint32_t wb_comparisons_concatenate(struct wb_comparisons *table, uint32_t a, uint32_t b);
void wb_comparisons_free(struct wb_comparisons *table);

/* Most comparisons that a predicate implies; more are forgotten. */
#define WB_COMPARISON_CHAIN 8

/* What holds where a relation does not. */
enum wb_relation wb_relation_negated(enum wb_relation relation);
/* The same with left and right exchanged. */
enum wb_relation wb_relation_mirrored(enum wb_relation relation);

#endif
