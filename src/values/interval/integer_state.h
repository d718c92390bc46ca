/* The abstract state of a thread at a place of the code: the values of its registers, general and
 * uniform, and for each predicate the comparisons that it implies. */
#ifndef WB_VALUES_INTERVAL_INTEGER_STATE_H
#define WB_VALUES_INTERVAL_INTEGER_STATE_H

#include "model/code.h"
#include "values/interval/integer_value.h"
#include "values/interval/number_terms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values are numbered as registers in model/code.h: R0 to R254 and UR0 to UR79; no instruction
 * writes the numbers between these. Predicates are numbered P0 to P6, UP0 to UP6, and the carry of
 * the condition code. */
enum {
  /* Behind the last uniform register stand pointers of declared buffers, two words each, which no
   * instruction writes: where they are a base, it is that of each place of the code. */
  WB_VALUE_BUFFERS = WB_REGISTER_UNIFORM + WB_UNIFORM_COUNT,
  WB_VALUE_BUFFER_COUNT = 8,
  /* Where the thread's stack begins in local memory: the number with which kernels set R1, which no
   * instruction writes either. */
  WB_VALUE_STACK = WB_VALUE_BUFFERS + 2 * WB_VALUE_BUFFER_COUNT,
  /* Words of the stack (struct wb_stack_slots), which are as registers that only stores write. */
  WB_VALUE_SLOTS,
  WB_VALUE_SLOT_COUNT = 24,
  WB_VALUE_COUNT = WB_VALUE_SLOTS + WB_VALUE_SLOT_COUNT,
  /* Registers below it may hold sums of terms. */
  WB_NAMED_REGISTERS = WB_VALUE_BUFFERS,
  WB_PREDICATE_COUNT = WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE,
  WB_TRUTH_CONDITION_CODE = 2 * WB_PREDICATE_COUNT, /* index of the condition code's carry */
  WB_TRUTH_COUNT
};

/* Which words of local memory the values from WB_VALUE_SLOTS on are: by distance from the stack's
 * begin, in bytes modulo 2^32, multiples of 4, each once. The values behind them are those of words
 * that are not chosen yet: they are known where no store can have touched any other word. */
struct wb_stack_slots {
  size_t count;
  uint32_t places[WB_VALUE_SLOT_COUNT];
};

/* ---- pairs of registers ---- */

struct wb_pair {
  uint16_t low;         /* the register of the lower word */
  uint16_t high;        /* the register of the upper word */
  struct wb_wide value; /* the number that they hold */
};

/* Most pairs of a list; more push the oldest out. */
#define WB_PAIR_LIMIT 10

/* Pairs whose value is known better than their two words say, the oldest first.
 * Invariant: no pair twice, and low != high in each. */
struct wb_pairs {
  size_t count;
  struct wb_pair rows[WB_PAIR_LIMIT];
};

/* The row of a pair; NULL where there is none. */
const struct wb_pair *wb_pairs_find(const struct wb_pairs *pairs, uint32_t low, uint32_t high);
/* The value of a pair: by the list, else by its words. registers: by number. */
struct wb_wide wb_pairs_value(const struct wb_pairs *pairs, const struct wb_integer *registers,
                              uint16_t low, uint16_t high);
/* Sets a pair's value; a value of top, or low == high, removes the pair. */
void wb_pairs_set(struct wb_pairs *pairs, uint16_t low, uint16_t high, const struct wb_wide *value);
/* Removes the pairs with that upper register and, where `either`, those with that lower one. */
void wb_pairs_forget(struct wb_pairs *pairs, uint32_t number, bool either);
/* A register was given the word of another one, when the pairs were those of *before: makes pairs
 * of it and the words that the other one makes pairs with. */
void wb_pairs_copy(struct wb_pairs *pairs, const struct wb_pairs *before, uint16_t from,
                   uint16_t to);
/* Joins *its into *mine. The registers are those before they are joined. */
void wb_pairs_join(struct wb_pairs *mine, const struct wb_integer *my_registers,
                   const struct wb_pairs *its, const struct wb_integer *its_registers);
/* Whether the invariants of the list and of its values hold. Linear in WB_PAIR_LIMIT squared. */
bool wb_pairs_are_valid(const struct wb_pairs *pairs);

/* ---- predicates ---- */

/* "left relation right", as one instruction found it on one visit of its block. */
struct wb_comparison {
  struct wb_integer left;
  struct wb_integer right;
  struct wb_wide wide_left;  /* where `wide`, in place of left */
  struct wb_wide wide_right; /* where `wide`, in place of right */
  uint8_t relation;          /* enum wb_relation */
  bool as_signed;
  bool wide;           /* of 64-bit numbers */
  uint16_t sources[2]; /* the registers that hold the sides after the instruction that compared;
                        * WB_NO_REGISTER: none */
  struct wb_side_pair {
    uint16_t low, high; /* WB_NO_REGISTER: not both are known */
  } pairs[2];           /* where `wide`: the registers that hold the two words of the sides */
  struct wb_mask {      /* each side is the bits of the mask of a register, or of its complement */
    uint16_t number;    /* WB_NO_REGISTER: it is not */
    bool complemented;
    uint32_t bits;
  } masks[2];
  uint32_t sums[2];     /* of words: the sums of terms that the sides are, or 0 */
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
  uint32_t carry;      /* the row of the sum whose carry it is, or 0 */
  uint8_t truth;       /* enum wb_truth */
};

/* A word of a sum: a register or number, shifted to the left. */
struct wb_addend {
  struct wb_integer whole; /* without sign and shift */
  struct wb_integer word;  /* shifted, without sign */
  uint16_t source;         /* the register of `whole`; WB_NO_REGISTER: none */
  uint8_t shift;           /* 0 to 31 */
  bool subtracted;
};

/* A sum of lower words that set a carry, for the upper words that come after it; or a word that was
 * chosen by a predicate, for the other word of a number. */
struct wb_carry {
  bool choice;          /* the latter: addends[0] where the predicate holds, else addends[1] */
  uint8_t predicate;    /* of a choice: its index */
  uint32_t outcomes[2]; /* of a choice: the comparisons that each outcome implies */
  bool extreme;         /* an upper word of the least or the greatest of the numbers of both */
  bool least;           /* of the latter: the least one */
  bool as_signed;       /* of the latter */
  struct wb_addend addends[3]; /* not all are subtracted */
  uint8_t count;               /* of addends; three are all added; of a choice 0 */
  bool second;                 /* the second carry of a sum of three words */
  uint16_t target;             /* the register of the sum; WB_NO_REGISTER: none */
  struct wb_pairs pairs;       /* before the sum */
  uint32_t instruction;        /* index of the sum */
  struct wb_pair above;        /* the number of an addend's register before the sum with the upper
                                * register that instruction `completed` wrote after the sum */
  uint32_t completed;          /* 0: there is none */
};

/* The sums of a block that set a carry, and its choices. Row 0 stands for none; rows change by
 * `above` alone. Owns its rows; zero-initialise. */
struct wb_carries {
  struct wb_carry *rows;
  size_t count;
  size_t capacity;
  bool failed; /* memory was out; no more are added */
};

/* The register holds the value where the predicate is `when`. */
struct wb_conditional_value {
  uint16_t number;   /* the register, as in model/code.h */
  uint8_t predicate; /* its index (wb_predicate_index) */
  bool when;
  struct wb_integer value;
};

/* Most values of a list; more push the oldest out. */
#define WB_CONDITIONAL_LIMIT 16

/* The oldest first. Invariant: no register twice with the same predicate and outcome; values are
 * not top. */
struct wb_conditionals {
  size_t count;
  struct wb_conditional_value rows[WB_CONDITIONAL_LIMIT];
};

/* The bits of a mask in a register: x & bits. The value holds them, or, where the mask is 2^k - 1,
 * a number that is congruent to them modulo 2^k. */
struct wb_masked {
  uint16_t number; /* x */
  uint16_t holder; /* the register that holds these bits; WB_NO_REGISTER: none */
  uint32_t bits;
  struct wb_integer value;
};

/* Most masked registers of a list; more push the oldest out. */
#define WB_MASKED_LIMIT 6

/* The oldest first. Invariant: no register twice with the same mask; none is its own holder. */
struct wb_masks {
  size_t count;
  struct wb_masked rows[WB_MASKED_LIMIT];
};

/* The difference of two registers modulo 2^32: from - less. The value holds it, and has no base. */
struct wb_difference {
  uint16_t from, less;
  uint16_t holder; /* the register that holds it; WB_NO_REGISTER: none */
  struct wb_integer value;
};

/* Most differences of a list; more push the oldest known number out, or else the oldest. */
#define WB_DIFFERENCE_LIMIT 8

/* The oldest first. Invariant: no two registers twice, in either order; the three registers of a
 * row differ. */
struct wb_differences {
  size_t count;
  struct wb_difference rows[WB_DIFFERENCE_LIMIT];
};

/* The registers of the lower and the upper word of a number of 64 bits. */
struct wb_register_pair {
  uint16_t low, high;
};

/* The difference of the numbers of two pairs modulo 2^64: from - less. The value holds it, has no
 * base, and is not top unless a pair holds it. */
struct wb_wide_difference {
  struct wb_register_pair from, less;
  struct wb_wide value;
  bool held;                      /* a pair holds it */
  struct wb_register_pair holder; /* where held */
};

/* Most differences of pairs of a list; more push the oldest out. */
#define WB_WIDE_DIFFERENCE_LIMIT 6

/* The oldest first. Invariant: no two pairs twice, in either order; registers are below
 * WB_VALUE_BUFFERS. */
struct wb_wide_differences {
  size_t count;
  struct wb_wide_difference rows[WB_WIDE_DIFFERENCE_LIMIT];
};

/* A register holds the lowest bits of the difference of two others modulo 2^32: (from - less) &
 * bits.
 */
struct wb_rest {
  uint16_t from, less;
  uint16_t holder;
  uint32_t bits; /* 2^k - 1, 0 < k < 31 */
};

/* Most rests of a list; more push the oldest out. */
#define WB_REST_LIMIT 4

/* The oldest first. Invariant: no row twice; the three registers of a row differ and are below
 * WB_VALUE_BUFFERS. */
struct wb_rests {
  size_t count;
  struct wb_rest rows[WB_REST_LIMIT];
};

/* "left relation right" holds of two registers, as they stand, where the predicate is `when`. */
struct wb_order {
  uint16_t left, right;
  uint8_t predicate; /* its index (wb_predicate_index); WB_TRUTH_COUNT: it always holds, and the
                      * relation is AT_MOST or AT_LEAST */
  bool when;
  uint8_t relation; /* enum wb_relation */
  bool as_signed;
};

/* Most orders of a list; more push the oldest out. */
#define WB_ORDER_LIMIT 12

/* The oldest first. Invariant: no row twice; the registers of a row differ and are below
 * WB_VALUE_BUFFERS. */
struct wb_orders {
  size_t count;
  struct wb_order rows[WB_ORDER_LIMIT];
};

/* A bit of a register is set where a predicate was true, whatever became of that. */
struct wb_flag {
  uint16_t number;
  uint8_t bit;                 /* 0 to 31 */
  struct wb_implications what; /* of "the bit is set"; no carry */
};

/* Most bits of a list; more push the oldest out. */
#define WB_FLAG_LIMIT 16

/* The oldest first. Invariant: no bit twice; registers are below WB_VALUE_BUFFERS. */
struct wb_flags {
  size_t count;
  struct wb_flag rows[WB_FLAG_LIMIT];
};

/* In place of a sum: that of the term WB_TERM_START of the register, which nobody has named yet. */
#define WB_SUM_OF_START UINT32_MAX

/* Invariant: every value is valid (wb_integer_is_valid, wb_pairs_are_valid), bases are below
 * WB_VALUE_COUNT, and rows of comparisons exist; wb_integer_state_is_valid checks it. Rows of
 * carries have a meaning in the block of their sums alone, sums of terms in the walk that has the
 * table. */
struct wb_integer_state {
  struct wb_integer registers[WB_VALUE_COUNT];
  struct wb_implications predicates[WB_TRUTH_COUNT];
  struct wb_pairs pairs;
  struct wb_conditionals conditionals;
  struct wb_masks masks;
  struct wb_differences differences;
  struct wb_wide_differences wide_differences;
  struct wb_rests rests;
  struct wb_orders orders;
  struct wb_flags flags;
  uint32_t sums[WB_NAMED_REGISTERS]; /* of terms, by register: a row of struct wb_terms; 0: none */
  struct wb_sum_facts facts;
};

/* The index of a predicate's register or of the condition code; WB_TRUTH_COUNT where it is none (PT
 * too). */
size_t wb_predicate_index(uint32_t number);
/* The register of the predicate of that index. */
uint32_t wb_predicate_register(size_t index);

/* Every register may hold any number; pointers of buffers are themselves. */
void wb_integer_state_top(struct wb_integer_state *state);
/* The state at the reference point itself: each register is its own base, and its own term. */
void wb_integer_state_identity(struct wb_integer_state *state);
/* Forgets sums of terms: the walk begins, or has another table. */
void wb_integer_state_forget_sums(struct wb_integer_state *state);
/* Forgets the carries: they are set and read in one block. */
void wb_integer_state_forget_carries(struct wb_integer_state *state);
/* Forgets the comparisons that predicates imply, and carries; a predicate that is true or false
 * stays so. */
void wb_integer_state_forget_comparisons(struct wb_integer_state *state);
/* The two registers hold a number of the set: keeps what is new of it, by the words where they can
 * say it, else as a pair. */
void wb_integer_state_narrow_pair(struct wb_integer_state *state, uint16_t low, uint16_t high,
                                  const struct wb_wide *value);
/* Whether both know the same: of registers, pairs, conditions, bits, differences and the truth of
 * predicates. The comparisons that predicates imply do not count. */
bool wb_integer_state_same_values(const struct wb_integer_state *a,
                                  const struct wb_integer_state *b);
/* Joins *other into *state; carries are forgotten. */
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

/* The number of a new row; 0 where memory is out. */
uint32_t wb_carries_add(struct wb_carries *table, const struct wb_carry *row);
void wb_carries_free(struct wb_carries *table);

/* The relation that holds where this one does not. */
enum wb_relation wb_relation_negated(enum wb_relation relation);
/* The same relation with left and right exchanged. */
enum wb_relation wb_relation_mirrored(enum wb_relation relation);

/* ---- values under conditions ---- */

/* The value of a register under a condition; NULL where the list has none. */
const struct wb_integer *wb_conditionals_find(const struct wb_conditionals *list, uint32_t number,
                                              size_t predicate, bool when);
/* Sets it; top removes it. */
void wb_conditionals_set(struct wb_conditionals *list, uint32_t number, size_t predicate, bool when,
                         const struct wb_integer *value);
/* The register, which may be a predicate's, was written. */
void wb_conditionals_forget(struct wb_conditionals *list, uint32_t number);

/* ---- masked registers ---- */

/* The row of a register and a mask; NULL where the list has none. */
const struct wb_masked *wb_masks_find(const struct wb_masks *list, uint32_t number, uint32_t bits);
/* What is known of the bits of the row in that state: by its value or its holder. */
struct wb_integer wb_masked_value(const struct wb_integer_state *state,
                                  const struct wb_masked *row);
/* Adds the row, in place of that of the same register and mask. */
void wb_masks_set(struct wb_masks *list, const struct wb_masked *row);
/* The list as it stands, each row with its value. */
void wb_masks_keep(const struct wb_integer_state *state, struct wb_masks *kept);
/* The register is about to be written: its bits are forgotten, and those that it holds are kept by
 * their value. */
void wb_masks_release(struct wb_integer_state *state, uint32_t number);

/* ---- differences of registers ---- */

/* What is known of the row's difference in that state: by its value or its holder. */
struct wb_integer wb_difference_value(const struct wb_integer_state *state,
                                      const struct wb_difference *row);
/* The same of two registers, whichever stands first. False where the list has none. */
bool wb_difference_find(const struct wb_integer_state *state, uint16_t from, uint16_t less,
                        struct wb_integer *value);
/* Adds the row, in place of that of the same registers, whose holder it keeps where it has none and
 * the order is the same. A row without holder that says nothing is left out, and one of a known
 * number where the list is full of others. */
void wb_difference_set(struct wb_integer_state *state, const struct wb_difference *row);
/* The list as it stands, each row with its value. */
void wb_differences_keep(const struct wb_integer_state *state, struct wb_differences *kept);
/* The register is about to be written: its differences are forgotten, and those that it holds are
 * kept by their value. */
void wb_differences_release(struct wb_integer_state *state, uint32_t number);

/* ---- differences of pairs (interval_wide_differences.c) ---- */

/* What the list has of the difference, whichever pair stands first in it. False: nothing. */
bool wb_wide_difference_find(const struct wb_wide_differences *list, struct wb_register_pair from,
                             struct wb_register_pair less, struct wb_wide *value);
/* Adds the row, in place of that of the same pairs. One that says nothing, or that has a base, is
 * left out. */
void wb_wide_difference_set(struct wb_wide_differences *list, const struct wb_wide_difference *row);
/* The register is about to be written. */
void wb_wide_differences_forget(struct wb_wide_differences *list, uint32_t number);
/* "left relation right" holds of the numbers of two pairs: cuts what is known of their difference.
 */
void wb_wide_difference_assume(struct wb_integer_state *state, struct wb_register_pair left,
                               struct wb_register_pair right, enum wb_relation relation,
                               bool as_signed);
/* Cuts pairs by the differences that are known of them, and differences by the pairs that hold
 * them. False where that leaves no number. */
bool wb_wide_differences_reduce(struct wb_integer_state *state);
/* Joins those of *other into those of *state. Registers and pairs are those before they are joined.
 */
void wb_wide_differences_join(struct wb_integer_state *state, const struct wb_integer_state *other);
bool wb_wide_differences_same(const struct wb_wide_differences *a,
                              const struct wb_wide_differences *b);
/* Whether the invariant of the list holds. */
bool wb_wide_differences_are_valid(const struct wb_wide_differences *list);

/* ---- rests of differences (interval_rests.c) ---- */

/* The register is about to be written. */
void wb_rests_forget(struct wb_rests *list, uint32_t number);
/* Keeps what both lists have. */
void wb_rests_join(struct wb_rests *list, const struct wb_rests *other);
bool wb_rests_same(const struct wb_rests *a, const struct wb_rests *b);
/* Whether the invariant of the list holds. */
bool wb_rests_are_valid(const struct wb_rests *list);
/* Narrows what is known of a difference by the registers that hold its lowest bits. */
void wb_rests_narrow(const struct wb_integer_state *state, uint16_t from, uint16_t less,
                     struct wb_integer *value);

/* ---- orders under a predicate (interval_orders.c) ---- */

/* The register, which may be a predicate's, is about to be written. */
void wb_orders_forget(struct wb_orders *list, uint32_t number);
/* Joins those of *other into those of *state. Predicates are those before they are joined. */
void wb_orders_join(struct wb_integer_state *state, const struct wb_integer_state *other);
bool wb_orders_same(const struct wb_orders *a, const struct wb_orders *b);
/* Whether the invariant of the list holds. */
bool wb_orders_are_valid(const struct wb_orders *list);

/* ---- predicates in bits of a register (interval_flags.c) ---- */

/* The register is about to be written. */
void wb_flags_forget(struct wb_flags *list, uint32_t number);
/* Forgets the comparisons that bits imply; one that is known stays so. */
void wb_flags_forget_comparisons(struct wb_flags *list);
/* Keeps what both lists have. */
void wb_flags_join(struct wb_flags *list, const struct wb_flags *other);
/* Whether the same bits are known. The comparisons that they imply do not count. */
bool wb_flags_same_truths(const struct wb_flags *a, const struct wb_flags *b);
/* Whether the invariant of the list holds, and rows of comparisons are below that number. */
bool wb_flags_are_valid(const struct wb_flags *list, size_t comparisons);

#endif
