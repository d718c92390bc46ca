/* The effect of one iteration of a loop on the registers, the bound that follows from it, and the
 * state at all visits of the header (loop acceleration). */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_SUMMARY_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_SUMMARY_H

#include "model/code.h"
#include "values/interval/integer_state.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Greatest bound that is given, in iterations: larger ones come from the width of registers. */
#define WB_COUNTER_MOST ((uint64_t)1 << 30)

/* A counter and its test. Every iteration executes the test; a thread goes on only where
 * "tested relation limit" holds. The values of a counter of one register are modulo 2^32, those of
 * one in two registers modulo 2^64. */
struct wb_counter {
  bool wide; /* in two registers: `pair` has a meaning, else `word` */
  struct wb_word_counter {
    struct wb_integer start;  /* the counter at the entry of the loop */
    struct wb_integer next;   /* the counter after an iteration, relative to the one before */
    struct wb_integer tested; /* the left side of the test, relative to the counter */
    struct wb_integer limit;  /* the right side of the test */
    struct wb_integer way;    /* contains the limit less the tested number at the entry */
  } word;
  struct wb_pair_counter {
    struct wb_wide start, next, tested, limit; /* as those of a word */
  } pair;
  enum wb_relation relation; /* that lets the thread go on */
  bool as_signed;            /* the test compares signed numbers */
  bool limit_fixed;          /* the limit is the same number in all iterations of an entry */
};

/* A bound that rests on the width of a register, or of a part of one, is of use where it is no
 * greater than this: more than a block has threads, and more than two exponents of doubles can
 * differ by, which fmod goes down one by one. */
#define WB_COUNTER_USEFUL 4096

struct wb_iterations {
  uint64_t most; /* in so many iterations of an entry at most the thread goes on */
  bool by_width; /* the number rests on the width of a register alone, and is above
                    WB_COUNTER_USEFUL: true, but of no use */
};

/* ---- counters (loop_counters.c) ---- */

/* Whether the form is a register and a number, not shifted. */
static inline bool wb_form_is_sum(const struct wb_integer *form)
{
  return form->shape == WB_SHIFTED_LEFT && form->shift == 0;
}

/* The most iterations of an entry in which the test can pass. False where none is known. */
bool wb_counter_iterations(const struct wb_counter *counter, struct wb_iterations *iterations);

/* Iterations of an entry, from the first on, in which the relation surely does not hold. */
uint64_t wb_counter_before(const struct wb_counter *counter);

/* ---- loops ---- */

/* number + the sum of factor * register, modulo 2^32, with what registers hold at the header. */
struct wb_loop_sum {
  bool known; /* else the other members have no meaning */
  uint32_t number;
  uint32_t count;
  uint16_t registers[WB_SUM_TERMS];
  uint32_t factors[WB_SUM_TERMS];
};

/* A test that every iteration of a loop executes. */
struct wb_loop_test {
  struct wb_comparison comparison; /* holds where the thread stays; its sides are relative to the
                                      registers at the header */
  uint32_t leaves;                 /* index of the instruction that ends the loop otherwise */
  struct wb_loop_sum difference;   /* of words: the left side less the right one */
  struct wb_loop_sum sides[2];     /* of words: the left and the right side */
};

/* A comparison that holds for every thread that leaves the loop by one of its ways; sides as in
 * struct wb_loop_test. */
struct wb_loop_leave {
  struct wb_comparison comparison;
  uint32_t way; /* which one, below way_count; a way may have several comparisons, or none */
};

/* Whether a register is supposed to stay in the set that it is in at all entries. */
enum wb_supposition {
  WB_SUPPOSED_NOT,
  WB_SUPPOSED,      /* its set stands in `constant` */
  WB_SUPPOSED_FALSE /* the loop may take it out of that */
};

/* The effect of one iteration. Invariant: the loop has one entry where `known`; without `known`,
 * next, pairs, tests and ways have no meaning. Owns its arrays. Zero-initialise. */
struct wb_loop_summary {
  bool known;                  /* the loop was analysed */
  bool never;                  /* no thread takes a back edge */
  bool entered;                /* `constant` has a meaning */
  struct wb_integer *next;     /* by register: its value at the next visit of the header, relative
                                  to the registers at this one */
  struct wb_pairs pairs;       /* the same for 64-bit numbers */
  struct wb_integer *constant; /* by register: its number, where the loop does not change it and
                                  each entry has the same one; or what it is supposed to hold at
                                  all visits of the header; else the register itself */
  uint8_t *supposed;           /* by register: enum wb_supposition */
  struct wb_integer_state *fixed; /* what registers and pairs hold at all entries, and so at all
                                     visits of the header, that the loop does not change; has a
                                     meaning where `entered` */
  uint16_t predicates;            /* bit p: the loop may write that predicate */
  struct wb_loop_test *tests;
  size_t test_count;
  size_t test_capacity;
  struct wb_loop_leave *leaves; /* by ascending way */
  size_t leave_count;
  size_t leave_capacity;
  uint32_t way_count; /* the ways by which threads may leave the loop or end in it */
};

/* The test that bounds a loop. Borrows from the summary. */
struct wb_loop_count {
  struct wb_iterations bound; /* back edges for each entry */
  const struct wb_loop_test *test;
  uint16_t base;                 /* the counter's register; the lower one of a 64-bit counter */
  bool mirrored;                 /* the counter is the right side of the comparison */
  const struct wb_loop_sum *sum; /* that is the counter; NULL: it is a register */
  struct wb_counter counter;
  const struct wb_stack_slots *slots; /* for texts */
};

/* ---- followers (loop_followers.c) ---- */

/* Most registers of a loop that are told to follow; more are not. */
#define WB_FOLLOWER_LIMIT 16

/* Registers that an iteration gives what another register holds, and a number, with these forms. */
struct wb_loop_followers {
  size_t count;
  uint16_t registers[WB_FOLLOWER_LIMIT];
  struct wb_integer forms[WB_FOLLOWER_LIMIT];
};

/* Of entries in state *entry, whose sums are of those terms: registers that are another one and a
 * number at all visits of the header get what an iteration adds to them for their effect. */
void wb_loop_followers_put(struct wb_loop_summary *summary, struct wb_terms *terms,
                           struct wb_integer_state *entry, struct wb_loop_followers *followers);
/* As it was before, for it need not hold of other entries. */
void wb_loop_followers_take_back(struct wb_loop_summary *summary,
                                 const struct wb_loop_followers *followers);

/* Whether the left bound is of more use: it does not rest on a width alone where the right one
 * does, else it is smaller. */
bool wb_iterations_better(const struct wb_iterations *left, const struct wb_iterations *right);

/* Forgets all but the constants, to analyse the loop once more. False where memory is out. */
bool wb_loop_summary_reset(struct wb_loop_summary *summary);

/* Takes the constants from the state at all entries of the loop, what is fixed, and what is
 * supposed. */
void wb_loop_summary_set_constants(struct wb_loop_summary *summary, const struct wb_terms *terms,
                                   const struct wb_integer_state *entry);

/* Whether some register is supposed to stay in a set. */
bool wb_loop_summary_supposes(const struct wb_loop_summary *summary);
/* Whether an iteration from a state in which all that is supposed holds leaves it so. What it does
 * not is supposed no more, or nothing is where `last`. */
bool wb_loop_summary_confirm(struct wb_loop_summary *summary, bool last);

/* The least bound that a test gives for entries in state *entry, whose sums are of those terms.
 * False where none gives one. Linear in the tests. */
bool wb_loop_summary_count(const struct wb_loop_summary *summary, struct wb_terms *terms,
                           struct wb_integer_state *entry, struct wb_loop_count *count);

/* Back edges that every thread takes at least that enters the loop in state *entry and leaves it;
 * 0: nothing is known, at most WB_COUNTER_MOST. Linear in the leaves. */
uint64_t wb_loop_summary_least(const struct wb_loop_summary *summary,
                               const struct wb_integer_state *entry);

/* The least and the greatest number by which one turn of the loop changes the counter of a test, up
 * or down; both 0 where no test has a counter that each turn changes by one number. Linear in the
 * tests. */
void wb_loop_summary_steps(const struct wb_loop_summary *summary, uint64_t *least, uint64_t *most);

/* Whether each test compares with a number that is any for entries in state *entry, and the same in
 * all iterations: no iteration is known to fail it. Linear in the tests. */
bool wb_loop_summary_has_unknown_limits(const struct wb_loop_summary *summary,
                                        const struct wb_integer_state *entry);

/* Turns the state at all entries of the loop into the state at all visits of its header, with at
 * most `bound` back edges for each entry; NULL: not known. */
void wb_loop_summary_accelerate(const struct wb_loop_summary *summary,
                                const struct wb_iterations *bound, struct wb_integer_state *state);

/* Narrows that state to the visits of the header after `first` to `last` back edges of an entry.
 * entry: the state at all entries; last: at most the loop's bound. */
void wb_loop_summary_narrow(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *entry, uint64_t first, uint64_t last,
                            struct wb_integer_state *state);

void wb_loop_summary_free(struct wb_loop_summary *summary);

/* ---- texts (bound_text.c) ---- */

/* "R0 starts at 0, grows by 1 and the loop ends at R0 + 1 >= 16 ...". The caller frees it. NULL
 * where memory is out. */
char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count);

/* Finds the unknown parts of the loop's tests, and the option that gives them ("R4's limit comes
 * from c[0x0][0x148] (comparison at 0x0028): --param 0x8=N may bound it"), a parameter by the
 * name that the launch's sources give it (launch may be NULL); the caller frees *hint,
 * NULL where no test has a counter with an unknown part. entry: the state at all entries of the
 * loop. False where memory is out. */
bool wb_bound_hint(const struct wb_launch *launch, const struct wb_function *function,
                   const struct wb_stack_slots *slots, const struct wb_loop_summary *summary,
                   const struct wb_integer_state *entry, char **hint);

#endif
