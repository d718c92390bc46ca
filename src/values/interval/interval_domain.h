/* The domain of strided intervals (values/domain.h): what the registers of one thread hold, for
 * loop bounds. Lemmas: doc/loop-bounds.md. */
#ifndef WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H
#define WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H

#include "isa/lower/micro_operation.h"
#include "model/code.h"
#include "values/interval/integer_state.h"
#include "values/interval/number_terms.h"
#include "values/interval/quotient_terms.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of 64 bits: as one, and what its words say beside it. */
struct wb_interval_wide {
  struct wb_wide value;
  struct wb_integer words[2]; /* lower, upper */
};

/* What an operation computes: the members of its type have a meaning. */
struct wb_interval_result {
  struct wb_interval_wide wide;     /* a word: words[0]. An upper word with `below`: value too */
  struct wb_implications predicate; /* a predicate */
  uint16_t below;      /* of an upper word: the register with the lower word of wide.value;
                        * WB_NO_REGISTER: none */
  uint16_t above;      /* of a lower word that is chosen: the same of the upper one */
  uint32_t choice;     /* of a word that is chosen: its row of `carries`, or 0 */
  uint32_t slack;      /* of MINIMUM, MAXIMUM: it is no farther from a source */
  struct wb_mask mask; /* of a word of LOOKUP: it is these bits of a register */
};

/* Most registers whose values before an instruction with a guard are kept. */
#define WB_INTERVAL_KEPT 16

/* The word of some lane that does an instruction, of all lanes at all its visits. */
struct wb_lane_word {
  bool known; /* the instruction was visited; else `word` has no meaning */
  struct wb_integer word;
};

/* Most addends of 64 bits that an instruction finds of a sum. */
#define WB_WIDE_SUM_LIMIT 4

/* What an instruction finds of a sum of 64 bits less one of its addends. Their `from` has no
 * meaning: it is the pair that gets the sum. */
struct wb_interval_wide_sum {
  size_t result; /* the operation that gives the upper word */
  bool differs;  /* it is a difference: of those pairs, in that set; then no rows */
  struct wb_wide_difference difference;
  size_t count;
  struct wb_wide_difference rows[WB_WIDE_SUM_LIMIT];
};

/* All borrowed. What stands after `state` belongs to one instruction. */
struct wb_interval_context {
  const struct wb_launch *launch;       /* NULL: not known */
  struct wb_comparisons *comparisons;   /* grows with each comparison that is met */
  struct wb_carries *carries;           /* grows with each carry that is met in the block */
  struct wb_stack_slots *slots;         /* grows with each word of the stack that is stored; NULL:
                                           loads give anything */
  struct wb_quotients *quotients;       /* of the block; NULL: none are looked for */
  struct wb_terms *terms;               /* of the walk; NULL: no sums of terms are looked for */
  struct wb_lane_word *lane_words;      /* by instruction; NULL: none are kept */
  const struct wb_integer_state *fixed; /* of a walk in terms of a header: what bases hold at all
                                           its visits, where it is known; or NULL */
  bool
      keeps_lane_words; /* the state holds for all threads at all visits: words of lanes are kept */
  bool some_iterations; /* it holds for some iterations of a loop alone; another lane may be in
                           another one, and has any of the words that are kept */
  uint32_t visit;       /* the visit of a block that new comparisons belong to */
  struct wb_integer_state *state;
  const struct wb_function *function;
  uint32_t first;  /* the first instruction of the block, whose instructions are applied in order */
  uint32_t index;  /* of the instruction */
  bool guarded;    /* threads may skip it */
  bool guard_when; /* threads do it where the predicate `guard` is so */
  size_t guard;    /* the index of the guard's predicate, or WB_TRUTH_COUNT */
  struct wb_interval_result results[WB_MICRO_LIMIT];
  uint32_t sums[WB_MICRO_LIMIT]; /* of terms, by micro-operation: what it gives; 0: not known */
  struct wb_interval_chosen {
    uint32_t of;            /* a sum of terms; 0: none */
    struct wb_integer rest; /* of a choice: what it gives less that sum */
  } chosen[WB_MICRO_LIMIT];
  struct wb_pairs kept_pairs;             /* before the instruction, as the three that follow */
  struct wb_masks kept_masks;             /* each with its value */
  struct wb_differences kept_differences; /* the same */
  struct wb_wide_differences kept_wide_differences;
  struct wb_interval_wide_sum wide_sum;
  size_t kept_count; /* of an instruction with a guard: registers that it writes, */
  uint16_t kept[WB_INTERVAL_KEPT];
  struct wb_integer kept_values[WB_INTERVAL_KEPT]; /* and their values before it */
  struct wb_conditionals kept_conditionals;        /* of any instruction: before it */
  struct wb_orders kept_orders;                    /* the same */
  struct wb_flags kept_flags;                      /* the same */
};

/* The result of the operation of that index is this word; of an unknown one the origin is that of
 * the first source that has one. */
void wb_interval_set_word(struct wb_interval_context *context, const struct wb_micro_code *code,
                          size_t index, struct wb_integer word);

/* A register gets the value where threads do the instruction; those that skip an instruction with a
 * guard keep their old value, which it had before the instruction wrote it. */
void wb_interval_set_register(struct wb_interval_context *context, uint32_t number,
                              const struct wb_integer *value);

/* ---- sources, for threads that do the instruction ---- */

struct wb_integer wb_interval_word(const struct wb_interval_context *context,
                                   const struct wb_source *source);
/* The same without the source's sign. */
struct wb_integer wb_interval_plain_word(const struct wb_interval_context *context,
                                         const struct wb_source *source);
struct wb_interval_wide wb_interval_wide(const struct wb_interval_context *context,
                                         const struct wb_source *source);
struct wb_implications wb_interval_predicate(const struct wb_interval_context *context,
                                             const struct wb_source *source);
/* The register that holds the source as it stands; WB_NO_REGISTER where there is none. */
uint16_t wb_interval_source_register(const struct wb_source *source);
/* Whether an instruction from `first` on, before this one, writes the register. */
bool wb_interval_written_since(const struct wb_interval_context *context, uint32_t first,
                               uint32_t number);

/* Registers hold, where a predicate that the instruction has written is so, what follows from its
 * result: until one of them is written, in whatever block that is (interval_conditions.c). */
void wb_interval_note_conditions(struct wb_interval_context *context,
                                 const struct wb_micro_code *code, size_t result, size_t predicate);

/* The word of some lane that does the instruction, with the one that this thread has for it
 * (interval_lanes.c). */
struct wb_integer wb_interval_lane_word(const struct wb_interval_context *context,
                                        const struct wb_integer *own);

/* What holds where the predicate does not. */
struct wb_implications wb_implications_not(struct wb_implications a);

/* ---- bits of a register (interval_masks.c) ---- */

/* Whether the operation of that index is the bits of a mask of one register. */
bool wb_interval_find_mask(const struct wb_interval_context *context,
                           const struct wb_micro_code *code, size_t index, struct wb_mask *mask);

/* Refines the word of a LOOKUP, whose mask it finds, by what is known of the same bits of the same
 * register; or of an ADD of a register less some of its bits. */
void wb_interval_refine_by_masks(struct wb_interval_context *context,
                                 const struct wb_micro_code *code, size_t index);

/* The bits of a register that the register holds, or that the source is; of no register where there
 * are none. */
struct wb_mask wb_interval_held_mask(const struct wb_interval_context *context, uint16_t holder);
struct wb_mask wb_interval_source_mask(const struct wb_interval_context *context,
                                       const struct wb_micro_code *code,
                                       const struct wb_source *source);

/* The bits of the mask from those of its register, or the other way round. */
struct wb_integer wb_interval_masked(const struct wb_mask *mask, const struct wb_integer *bits);

/* The register was given the result, a word of LOOKUP that is bits of another one: notes that, and
 * what it is of pairs and differences that the other one was a word of, or held. */
void wb_interval_name_bits(struct wb_interval_context *context,
                           const struct wb_interval_result *result, uint16_t number);
/* The pair has got its upper word: so have registers that hold its lower one without its lowest
 * bits. */
void wb_interval_round_held_words(struct wb_interval_context *context, const struct wb_pair *pair);

/* The bits of the row, whose set that was, are not that number: all others of them are one interval
 * of congruent numbers. */
void wb_masked_exclude(struct wb_masked *row, const struct wb_integer *value,
                       const struct wb_integer *other);

/* Whether the operation is the sum of one register and a number, or that register; of 64 bits: of a
 * pair. *from: the register, or the lower one. */
bool wb_interval_find_difference(const struct wb_micro_operation *operation, uint16_t *from,
                                 uint32_t *offset);

/* What was known of bits of a register that the operation of that index copies, shifts to the right
 * or adds a number to says what those of its result are, which is written. */
void wb_interval_move_masks(struct wb_interval_context *context, const struct wb_micro_code *code,
                            size_t index, uint16_t number);

/* ---- differences of registers (interval_differences.c) ---- */

/* How far the least or greatest of a and b, which is in the set, is from either at most; of other
 * operations nothing. */
uint32_t wb_interval_slack(const struct wb_micro_operation *operation, const struct wb_integer *a,
                           const struct wb_integer *b, const struct wb_integer *extreme);
/* Refines the word of an ADD of one register less another one by what is known of these. */
void wb_interval_refine_by_differences(struct wb_interval_context *context,
                                       const struct wb_micro_code *code, size_t index);
/* The register was given the result by an instruction without a guard: notes that it holds a
 * difference, or what those of a register that it was made of say of it. */
void wb_interval_move_differences(struct wb_interval_context *context,
                                  const struct wb_micro_operation *operation,
                                  const struct wb_interval_result *result, uint16_t number);
/* Notes what a relation says of the difference of two registers, of which it holds. */
void wb_interval_assume_difference(struct wb_integer_state *state, uint16_t left, uint16_t right,
                                   enum wb_relation relation, bool as_signed);
/* What the difference of two words as exact numbers of a type is, of which `from` is above the
 * other one, or, if not strict, no less. False: nothing is known. */
bool wb_interval_ordered_difference(const struct wb_integer *from, const struct wb_integer *less,
                                    bool strict, bool as_signed, struct wb_integer *value);
/* Refines registers by differences and bits. */
void wb_interval_reduce(struct wb_integer_state *state);

/* ---- rests of differences (interval_rests.c) ---- */

/* The register was given the bits of the mask of a register. */
void wb_interval_note_rest(struct wb_interval_context *context, const struct wb_mask *mask,
                           uint16_t number);

/* ---- orders under a predicate (interval_orders.c) ---- */

/* The predicate was written: notes what it implies of two registers. */
void wb_interval_note_orders(struct wb_interval_context *context, size_t predicate);
/* The register was given the result by an instruction without a guard: what was known of a register
 * that it was made of may hold of it. */
void wb_interval_move_orders(struct wb_interval_context *context,
                             const struct wb_micro_operation *operation, uint16_t number);
/* Refines *state by the rows of the list for that outcome; *some: set where there are any. False
 * where they leave no number. */
bool wb_interval_assume_orders(const struct wb_orders *list, size_t predicate, bool when,
                               struct wb_integer_state *state, bool *some);

/* ---- predicates in bits of a register (interval_flags.c) ---- */

/* The register was given the result of that index, perhaps under a guard: notes which of its bits
 * tell a predicate. */
void wb_interval_keep_flags(struct wb_interval_context *context, const struct wb_micro_code *code,
                            size_t index, uint16_t number);
/* A comparison with 0 of a word that holds a bit alone tells what that bit does: adds it to
 * *outcome. */
void wb_interval_add_flag(struct wb_interval_context *context, const struct wb_micro_code *code,
                          const struct wb_micro_operation *operation,
                          const struct wb_comparison *row, struct wb_implications *outcome);

/* ---- differences of pairs (interval_wide_differences.c) ---- */

/* The operation of that index is the upper word of a 64-bit sum of two numbers, one of which has
 * these words, and the other is in the set `rest`. Before the instruction writes. */
void wb_interval_note_wide_addend(struct wb_interval_context *context, size_t index,
                                  const struct wb_carry *carry, const struct wb_addend *low,
                                  const struct wb_source *high, const struct wb_wide *rest);
/* The number, that of the operation of that index, is that of the first words less that of the
 * second ones: cuts it by what is known of the difference. Before the instruction writes. */
void wb_interval_refine_by_wide_differences(struct wb_interval_context *context, size_t index,
                                            const struct wb_carry *carry,
                                            const struct wb_addend low[2],
                                            const struct wb_source *const high[2],
                                            struct wb_wide *number);
/* The operation of that index is a sum by one instruction: notes what it is less each of its pairs.
 * Before the instruction writes. */
void wb_interval_note_whole_addends(struct wb_interval_context *context,
                                    const struct wb_micro_operation *operation, size_t index);
/* The number is that of the sum: cuts it by what is known of the difference that it is, if any. */
void wb_interval_refine_whole_difference(const struct wb_interval_context *context,
                                         const struct wb_micro_operation *operation,
                                         struct wb_wide *number);
/* The register was given the upper word of that result, whose lower word is in register `below`. */
void wb_interval_name_wide_sum(struct wb_interval_context *context, size_t result, uint16_t below,
                               uint16_t number);
/* "left relation right" holds of the numbers of two pairs: notes their difference. */
void wb_interval_assume_wide_difference(struct wb_integer_state *state,
                                        struct wb_register_pair left, struct wb_register_pair right,
                                        enum wb_relation relation, bool as_signed);
/* The register was given the word that the other one had before the instruction. */
void wb_interval_copy_wide_differences(struct wb_interval_context *context, uint16_t from,
                                       uint16_t number);

/* ---- sums of terms (interval_terms.c) ---- */

/* The sum that a register holds, which is a term of its own where no other one is known; 0 where
 * there is no table, or it is full. */
uint32_t wb_interval_register_sum(struct wb_terms *terms, struct wb_integer_state *state,
                                  uint32_t number);
/* The sum that a source is, with its sign, before the instruction writes; 0: not known. */
uint32_t wb_interval_source_sum(struct wb_interval_context *context,
                                const struct wb_source *source);
/* Finds the sums of all results of the instruction, before it writes. */
void wb_interval_find_sums(struct wb_interval_context *context, const struct wb_micro_code *code);
/* The register was given that result by an instruction without a guard. */
void wb_interval_name_sum_of(struct wb_interval_context *context, size_t result, uint32_t number);
/* Notes what a comparison of words that holds says of the difference of the sums that its sides
 * are, and refines registers by it. sides: their values. terms may be NULL. */
void wb_interval_assume_sums(struct wb_terms *terms, struct wb_integer_state *state,
                             const struct wb_comparison *row, const struct wb_integer sides[2]);

/* A limit of 64 bits with the number that its base is known to hold at all visits of the header. */
struct wb_wide wb_interval_fixed_limit(const struct wb_interval_context *context,
                                       const struct wb_wide *limit);

/* ---- sums of words with their carries (interval_sums.c) ---- */

/* Operations of struct wb_domain. An ADD that reads the carry of a sum of lower words finds the
 * 64-bit sum too; CARRY remembers the lower words. */
void wb_interval_add(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_carry(void *context, const struct wb_micro_code *code, size_t index);

/* The register gets the sum of that index: the sums that carry out of it are of that register. */
void wb_interval_name_sum(struct wb_interval_context *context, const struct wb_micro_code *code,
                          size_t index, uint16_t number);

/* ---- choices by a predicate (interval_choices.c) ---- */

/* Operation of struct wb_domain; of WIDE_SELECT what it gives. */
void wb_interval_select(void *context, const struct wb_micro_code *code, size_t index);
struct wb_interval_wide wb_interval_select_wide(const struct wb_interval_context *context,
                                                const struct wb_micro_operation *operation);
/* The register gets the word that was chosen: it makes a number with the other word that was chosen
 * by the same predicate, if any. */
void wb_interval_name_choice(struct wb_interval_context *context,
                             const struct wb_interval_result *result, uint16_t number);

/* The number whose lower word an instruction finds after another one has found its upper word. */
struct wb_interval_extreme {
  uint16_t below, above; /* the registers of its words; WB_NO_REGISTER: there is none */
  struct wb_wide number;
};

/* Before and after an instruction is done that has begun: finds the least or the greatest of two
 * numbers of 64 bits that two instructions find word by word. */
void wb_interval_extreme_before(const struct wb_interval_context *context,
                                struct wb_interval_extreme *extreme);
void wb_interval_extreme_after(struct wb_interval_context *context,
                               const struct wb_interval_extreme *extreme);

/* ---- comparisons, and what they imply (interval_sums.c, interval_predicates.c): operations of
 * struct wb_domain ---- */

void wb_interval_compare(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_compare_upper(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_compare_wide(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_combine(void *context, const struct wb_micro_code *code, size_t index);

/* ---- the stack in local memory (interval_stack.c) ---- */

/* Does the instruction, which has begun, and what it does with words of the stack. */
void wb_interval_stack_transfer(struct wb_interval_context *context,
                                const struct wb_function *function, uint32_t index);

/* ---- quotients by a variable (interval_quotients.c) ---- */

/* Before and after an instruction is done that has begun: finds what it computes of a quotient or
 * remainder, and narrows the registers that get one. */
void wb_interval_quotients_before(struct wb_interval_context *context);
void wb_interval_quotients_after(struct wb_interval_context *context);

/* ---- conversions (interval_floats.c) ---- */

/* What a FUNCTION gives of integers or floats in ranges, by its first words; false where nothing is
 * known. */
bool wb_interval_convert(const struct wb_micro_operation *operation,
                         const struct wb_integer words[3], uint32_t origin,
                         struct wb_integer *result);

/* The same of sums, products, minima and maxima of single floats (interval_float_ranges.c). */
bool wb_interval_float_range(enum wb_conversion kind, const struct wb_integer words[3],
                             uint32_t origin, struct wb_integer *result);

/* What a FUNCTION gives of floats that are known, by their words; false where nothing is known. */
bool wb_interval_calculate(const struct wb_micro_operation *operation,
                           const struct wb_integer words[4], uint32_t *result);

/* ---- the domain ---- */

/* Operation of struct wb_domain: keeps what held before the instruction, and forgets what it
 * writes. */
void wb_interval_forget_writes(void *context, const struct wb_function *function, uint32_t index,
                               const struct wb_micro_code *code);

/* Its context is a struct wb_interval_context, which has all that stands before `function` in it.
 */
extern const struct wb_domain wb_interval_domain;

/* Whether threads do the instruction that the domain has begun, as far as its guard tells:
 * WB_TRUTH_FALSE: none does. Of one without a guard unknown. */
enum wb_truth wb_interval_guard(const struct wb_interval_context *context);
/* Whether a predicate, by its register, is as `when` says in threads that come to the instruction.
 */
enum wb_truth wb_interval_truth(const struct wb_interval_context *context, uint32_t number,
                                bool when);

/* From the state before the instruction of that index to the state after it: nothing where its
 * guard is known to be false. A control transfer computes nothing. */
void wb_interval_transfer(struct wb_interval_context *context, const struct wb_function *function,
                          uint32_t index);

#endif
