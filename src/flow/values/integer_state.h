/* The abstract state of a thread at a place of the code: the values of its general registers, and
 * for each predicate the comparisons that it implies. */
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

/* "left relation right", as one instruction found it on one visit of its block. */
struct wb_comparison {
  struct wb_integer left;
  struct wb_integer right;
  struct wb_wide wide_left;  /* where `wide`, in place of left */
  struct wb_wide wide_right; /* where `wide`, in place of right */
  uint8_t relation;          /* enum wb_relation */
  bool as_signed;
  bool wide;            /* of 64-bit numbers */
  uint32_t instruction; /* index of the instruction that compared */
  uint32_t visit;       /* the visit of its block (wb_integer_environment.visit) */
  uint32_t next;        /* the row of another comparison that holds too; 0: none */
};

/* All comparisons that were met. Rows never change; row 0 stands for none.
 * Invariant: the `next` of a row is the number of another row. Owns its rows; zero-initialise. */
struct wb_comparisons {
  struct wb_comparison *rows;
  size_t count;
  size_t capacity;
  bool failed; /* memory was out; no more are added */
};

/* The truth of a predicate. */
enum wb_truth { WB_TRUTH_UNKNOWN, WB_TRUTH_FALSE, WB_TRUTH_TRUE };

/* A predicate: the first rows of the comparisons that it implies; 0: none. */
struct wb_implications {
  uint32_t when_true;  /* hold where the predicate is true */
  uint32_t when_false; /* hold where it is false */
  uint8_t truth;       /* enum wb_truth */
};

/* The last sum of lower words that set the carry, for the upper words that come after it. The other
 * fields have a meaning only where `known`. */
struct wb_carry {
  bool known;
  struct wb_integer words[2]; /* the lower words, without their signs */
  uint16_t sources[2];        /* the registers of the words; WB_NO_REGISTER: none */
  bool negated[2];            /* whether each word was subtracted */
  uint16_t target;            /* the register of the sum; WB_NO_REGISTER: none, or written since */
  struct wb_pairs pairs;      /* before the sum, without pairs whose upper register was written
                                 since */
};

/* Invariant: every value is valid (wb_integer_is_valid, wb_pairs_are_valid), bases are general
 * registers, and rows of comparisons exist; wb_integer_state_is_valid checks it. */
struct wb_integer_state {
  struct wb_integer registers[WB_GENERAL_COUNT];
  struct wb_implications predicates[WB_PREDICATE_COUNT];
  struct wb_pairs pairs;
  struct wb_carry carry;
};

/* Every register may hold any number. */
void wb_integer_state_top(struct wb_integer_state *state);
/* The state at the reference point itself: each register is its own base. */
void wb_integer_state_identity(struct wb_integer_state *state);
/* Joins *other into *state. */
void wb_integer_state_join(struct wb_integer_state *state, const struct wb_integer_state *other);
/* Whether the invariant holds, with the comparisons that the state refers to. Linear. */
bool wb_integer_state_is_valid(const struct wb_integer_state *state,
                               const struct wb_comparisons *comparisons);

/* Most comparisons that a predicate implies; more are forgotten. */
#define WB_COMPARISON_CHAIN 8

/* The number of a new row; 0 where memory is out. */
uint32_t wb_comparisons_add(struct wb_comparisons *table, const struct wb_comparison *row);
/* The first row of a chain with the comparisons of both, at most WB_COMPARISON_CHAIN. */
uint32_t wb_comparisons_concatenate(struct wb_comparisons *table, uint32_t a, uint32_t b);
void wb_comparisons_free(struct wb_comparisons *table);

/* The relation that holds where this one does not. */
enum wb_relation wb_relation_negated(enum wb_relation relation);
/* The same relation with left and right exchanged. */
enum wb_relation wb_relation_mirrored(enum wb_relation relation);

#endif
