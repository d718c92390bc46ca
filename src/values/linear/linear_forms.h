/* Linear forms: what the registers of one thread hold on one way through a region, in terms of what
 * they held at its start, exactly, modulo 2^32; and the tests that this way passes with their
 * outcomes. Where a value depends on a predicate that is open, the way splits: each run takes one
 * outcome of each, and the next one another, until all are through. Lemmas: doc/loop-bounds.md. */
#ifndef WB_VALUES_LINEAR_LINEAR_FORMS_H
#define WB_VALUES_LINEAR_LINEAR_FORMS_H

#include "isa/lower/micro_operation.h"
#include "model/code.h"
#include "values/interval/integer_state.h"
#include "values/launch.h"
#include "values/linear/exact_forms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Symbols: numbers below WB_VALUE_COUNT are the registers at the start of the region. */
enum {
  WB_SYMBOL_CONSTANT = WB_VALUE_COUNT, /* words of constant memory, the same on all ways */
  WB_SYMBOL_CONSTANT_LIMIT = 32,
  WB_SYMBOL_SHIFTED = WB_SYMBOL_CONSTANT + WB_SYMBOL_CONSTANT_LIMIT, /* of this way */
  WB_SYMBOL_SHIFTED_LIMIT = 32,
  WB_SYMBOL_ANY = WB_SYMBOL_SHIFTED + WB_SYMBOL_SHIFTED_LIMIT, /* any word; from here on */
  WB_FORM_TERMS = 4,
  WB_FORM_TESTS = 48,
  WB_FORM_SPLITS = 64
};

struct wb_form_term {
  uint16_t symbol;
  uint32_t factor; /* not 0 */
};

/* number + the sum of factor * symbol, modulo 2^32. Invariant: terms by ascending symbol, none
 * twice. */
struct wb_form {
  uint32_t number;
  uint8_t count; /* of terms */
  struct wb_form_term terms[WB_FORM_TERMS];
};

/* The symbol of a form shifted to the right by 1 to 31 places. */
struct wb_form_shift {
  struct wb_form of;
  uint8_t places;
  bool as_signed;
};

/* "left relation right", or a test of which nothing is known. */
struct wb_form_test {
  struct wb_form left, right;
  struct wb_exact exact[2]; /* the same, as they are; where `wide`, numbers of 64 bits */
  uint8_t relation;         /* enum wb_relation */
  bool as_signed;
  bool known;    /* it is a comparison of forms */
  bool wide;     /* of numbers of 64 bits; then it is not `known` */
  uint8_t truth; /* enum wb_truth: on this way */
};

/* A predicate: true, false, or the outcome of a test. */
struct wb_form_truth {
  uint8_t truth; /* enum wb_truth; unknown: that of the test, or, negated, its opposite */
  bool negated;
  uint16_t test;
};

/* A predicate that is a carry: how often 2^32 was cut off from a sum, if it counts that alone, or
 * one of two that count it together. */
struct wb_form_carry {
  uint16_t symbol; /* 0: it is no carry */
  bool of_two;
  bool second;
  bool compares;            /* it is whether the first side is not below the second one, and the sum
                               that it is of is their difference */
  struct wb_exact sides[2]; /* where `compares`: words */
};

struct wb_form_result {
  struct wb_form words[2];
  struct wb_exact exact[2];
  struct wb_form_truth predicate;
  struct wb_form_carry carry;
};

/* One of several alternatives. */
struct wb_form_split {
  uint32_t choice;
  uint32_t count;
};

/* The state of a way. function and launch are borrowed. */
struct wb_forms {
  const struct wb_function *function;
  const struct wb_launch *launch; /* NULL: not known */
  struct wb_form registers[WB_VALUE_COUNT];
  struct wb_exact exact[WB_VALUE_COUNT]; /* the same, as numbers */
  struct wb_form_truth predicates[WB_TRUTH_COUNT];
  struct wb_form_carry carries[WB_TRUTH_COUNT];
  uint32_t constants[WB_SYMBOL_CONSTANT_LIMIT]; /* places, as in struct wb_constant_value */
  size_t constant_count;
  struct wb_form_shift shifts[WB_SYMBOL_SHIFTED_LIMIT];
  size_t shift_count;
  struct wb_exact_part parts[WB_EXACT_PARTS];
  size_t part_count;
  struct wb_exact_cut cuts[WB_EXACT_CUTS]; /* the first ones */
  size_t cut_count;
  uint32_t any_count;
  struct wb_form_test tests[WB_FORM_TESTS];
  size_t test_count;
  struct wb_form_split splits[WB_FORM_SPLITS]; /* in their order on the way */
  size_t split_count;
  size_t split_next;
  bool failed; /* a table is full: no way can be told */
  struct wb_form_result results[WB_MICRO_LIMIT];
};

struct wb_form wb_form_number(uint32_t number);
struct wb_form wb_form_symbol(uint16_t symbol);
/* *left + factor * *right. False where that has too many terms. */
bool wb_form_add(const struct wb_form *left, const struct wb_form *right, uint32_t factor,
                 struct wb_form *sum);
bool wb_form_equal(const struct wb_form *left, const struct wb_form *right);

/* At the start of the region, for the next way. */
void wb_forms_start(struct wb_forms *forms);
/* Turns to the next way: another alternative of the last split that has one. False: there is none.
 */
bool wb_forms_next(struct wb_forms *forms);
/* One of `count` alternatives, count > 0. */
uint32_t wb_forms_choose(struct wb_forms *forms, uint32_t count);
/* What the predicate of that index is on this way, which splits where it is open. */
bool wb_forms_decide(struct wb_forms *forms, size_t predicate);
/* Does the instruction of that index, which splits the way where its guard is open. */
void wb_forms_transfer(struct wb_forms *forms, uint32_t index);
/* All that the instruction may write, done or not, is any. */
void wb_forms_forget(struct wb_forms *forms, uint32_t index);

/* ---- for exact_transfer.c ---- */

/* A word of which nothing is known. */
struct wb_form wb_forms_any(struct wb_forms *forms);
/* The word of a source that stands `words` after it, with its sign. */
struct wb_form wb_forms_source(struct wb_forms *forms, const struct wb_source *source,
                               uint32_t words);
/* Decides a source that is a predicate. */
bool wb_forms_decide_source(struct wb_forms *forms, const struct wb_source *source);
/* Whether a source is the outcome of a test, and of which: *negated, of its opposite. */
bool wb_forms_source_test(struct wb_forms *forms, const struct wb_source *source, uint16_t *test,
                          bool *negated);

/* ---- exact_transfer.c ---- */

/* What the words of a result are exactly, after its forms were found, and of which sum it is the
 * carry. */
void wb_forms_find_exact(struct wb_forms *forms, const struct wb_micro_code *code, size_t index);
/* The word of a source. */
struct wb_exact wb_forms_exact_word(struct wb_forms *forms, const struct wb_source *source);
/* Makes a test of one of words a test of numbers of 64 bits, where the operation compares such. */
bool wb_forms_wide_test(struct wb_forms *forms, const struct wb_micro_code *code, size_t index,
                        struct wb_form_test *test);
/* Forgets what a register, or a predicate by its index, is exactly. */
void wb_forms_forget_exact(struct wb_forms *forms, uint32_t number);
void wb_forms_forget_carry(struct wb_forms *forms, size_t predicate);

#endif
