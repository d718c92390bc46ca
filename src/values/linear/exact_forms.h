/* Exact forms: numbers modulo 2^64 as sums of words, each a number from 0 to 2^32 - 1, and of whole
 * numbers of 64 bits. Where a word is a sum that was cut to 32 bits, what was cut off is a symbol
 * of its own, so that the upper word that gets it as a carry takes it away again. Lemmas:
 * doc/loop-bounds.md. */
#ifndef WB_VALUES_LINEAR_EXACT_FORMS_H
#define WB_VALUES_LINEAR_EXACT_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WB_EXACT_TERMS = 8, WB_EXACT_PARTS = 32, WB_EXACT_CUTS = 16 };

struct wb_exact_term {
  uint16_t symbol;
  uint64_t factor; /* not 0 */
};

/* number + the sum of factor * symbol, modulo 2^64. Invariant: terms by ascending symbol, none
 * twice. */
struct wb_exact {
  uint64_t number;
  uint8_t count; /* of terms */
  struct wb_exact_term terms[WB_EXACT_TERMS];
};

/* A word that has a symbol of its own. */
struct wb_exact_part {
  struct wb_exact of;    /* a word; of a lower word the number of 64 bits */
  struct wb_exact upper; /* of a lower word: the number's upper word; of a word of which it is
                          * known: the number of 64 bits that the word is the upper one of */
  uint16_t symbol;       /* of the lower word of the number, or the word, shifted to the right */
  uint16_t mate;         /* the symbol of the upper word, where places is 0 */
  uint16_t whole[2];     /* of a lower word: the shifted number, unsigned and signed */
  uint8_t places;
  bool is_lower;
  bool as_signed; /* of a word: the shift */
  bool is_upper;  /* of a word: `upper` is known */
};

/* A sum of words, of which 2^32 was cut off so often as the symbol says. */
struct wb_exact_cut {
  struct wb_exact total;
  uint16_t symbol;
};

struct wb_exact wb_exact_number(uint64_t number);
struct wb_exact wb_exact_symbol(uint16_t symbol);
/* *left + factor * *right. False where that has too many terms. */
bool wb_exact_add(const struct wb_exact *left, const struct wb_exact *right, uint64_t factor,
                  struct wb_exact *sum);
bool wb_exact_equal(const struct wb_exact *left, const struct wb_exact *right);
/* The factor of a symbol; 0: it is none of the form's. */
uint64_t wb_exact_factor(const struct wb_exact *form, uint16_t symbol);
/* Puts both words of a part together, in sums that have them so; the number stays the same. */
void wb_exact_unite(const struct wb_exact_part *parts, size_t count, struct wb_exact *form);
/* The number of two words. False where that has too many terms. */
bool wb_exact_pair(const struct wb_exact_part *parts, size_t count, const struct wb_exact *low,
                   const struct wb_exact *high, struct wb_exact *number);

#endif
