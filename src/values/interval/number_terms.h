/* Sums of terms: what words are in terms of numbers that the thread has met and that never change,
 * whatever is written to the registers that held them (doc/loop-bounds.md, "Sums of terms"). */
#ifndef WB_VALUES_INTERVAL_NUMBER_TERMS_H
#define WB_VALUES_INTERVAL_NUMBER_TERMS_H

#include "values/interval/integer_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a term is. */
enum wb_term_kind {
  WB_TERM_WORD,     /* a word that a register held at one place of the walk; no two are the same */
  WB_TERM_START,    /* `key`: the word that this register held at the start of the walk */
  WB_TERM_CONSTANT, /* `key`: a word of constant memory: bank << 16 | offset */
  WB_TERM_SPECIAL,  /* `key`: a special register that never changes: enum wb_special_register */
  WB_TERM_LEAST,    /* the lesser one of two sums, as signed or unsigned numbers */
  WB_TERM_BITS,     /* the lowest bits of a sum */
  WB_TERM_SHIFTED   /* a sum without its lowest bits, shifted down by as many, as an unsigned number
                     */
};

struct wb_term {
  uint8_t kind;   /* enum wb_term_kind */
  bool as_signed; /* of LEAST */
  uint32_t key;   /* of START, CONSTANT, SPECIAL; of BITS, SHIFTED how many, 1 to 31 */
  uint32_t of[2]; /* the numbers of sums: of LEAST two, the lesser one first; of BITS, SHIFTED one
                   */
  struct wb_integer range; /* has it, wherever it is known; no base */
};

#define WB_SUM_TERMS 4

/* number + the sum of factor * term, modulo 2^32. Invariant: terms by ascending number, none twice,
 * no factor 0; unused places are 0. */
struct wb_sum {
  uint32_t number;
  uint32_t count; /* of terms */
  struct {
    uint32_t term; /* the number of a row of terms */
    uint32_t factor;
  } terms[WB_SUM_TERMS];
};

/* The most terms and the most sums of a walk; more are not named. */
#define WB_TERM_LIMIT (1U << 16)
#define WB_SUM_LIMIT (1U << 17)

/* All terms and sums that a walk has named. Rows never change; sum 0 stands for none, and no sum is
 * there twice. Owns its arrays; zero-initialise. */
struct wb_terms {
  struct wb_term *terms;
  size_t term_count;
  size_t term_capacity;
  struct wb_sum *sums;
  size_t sum_count;
  size_t sum_capacity;
  uint32_t *places; /* of a hash table: the numbers of sums, or 0 */
  size_t place_count;
};

void wb_terms_free(struct wb_terms *terms);
/* Forgets all of them. */
void wb_terms_clear(struct wb_terms *terms);

/* The sum of that number; NULL for 0. Until the next one is named. */
const struct wb_sum *wb_terms_sum(const struct wb_terms *terms, uint32_t sum);

/* The number of a sum; 0 where it has none and there is no room, or no memory, for another one. */
uint32_t wb_terms_name(struct wb_terms *terms, const struct wb_sum *sum);
/* Of a known number. */
uint32_t wb_terms_name_number(struct wb_terms *terms, uint32_t number);
/* Of a term that is new, or, if it is none of WB_TERM_WORD, the same as one that is there. */
uint32_t wb_terms_name_term(struct wb_terms *terms, const struct wb_term *term);

/* Of left + factor * right + number. 0 where one of them is 0, or there are too many terms. */
uint32_t wb_terms_add(struct wb_terms *terms, uint32_t left, uint32_t right, uint32_t factor,
                      uint32_t number);
/* Of the lesser or the greater one of two sums. */
uint32_t wb_terms_extreme(struct wb_terms *terms, uint32_t left, uint32_t right, bool as_signed,
                          bool least);
/* Of the lowest bits, 1 to 31 of them. */
uint32_t wb_terms_bits(struct wb_terms *terms, uint32_t sum, unsigned bits);
/* Of the bits above them, shifted down. */
uint32_t wb_terms_shifted(struct wb_terms *terms, uint32_t sum, unsigned bits);

/* ---- what is known of sums ---- */

/* A sum is in the set. */
struct wb_sum_fact {
  uint32_t sum; /* of no number, its first factor below 2^31 */
  struct wb_integer value;
};

#define WB_SUM_FACTS 8

/* What is known of sums at a place, the oldest first. Invariant: no sum twice; values have no base.
 */
struct wb_sum_facts {
  size_t count;
  struct wb_sum_fact rows[WB_SUM_FACTS];
};

/* What is known of a sum; anything of 0. */
struct wb_integer wb_terms_value(struct wb_terms *terms, const struct wb_sum_facts *facts,
                                 uint32_t sum);
/* The sum, of two terms or more, is in the set. False: that is not kept. */
bool wb_terms_learn(struct wb_terms *terms, struct wb_sum_facts *facts, uint32_t sum,
                    const struct wb_integer *value);

#endif
