/* Bounds on how often a test of a counter can let a thread go on (doc/loop-bounds.md). */
#ifndef WB_FLOW_LOOP_BOUNDS_COUNTER_H
#define WB_FLOW_LOOP_BOUNDS_COUNTER_H

#include "values/interval/integer_state.h"
#include "values/interval/integer_value.h"

#include <stdbool.h>
#include <stdint.h>

/* Greatest bound that is given, in iterations: larger ones come from the width of registers. */
#define WB_COUNTER_MOST ((uint64_t)1 << 30)

/* A counter and its test. Every iteration executes the test; a thread goes on only where
 * "tested relation limit" holds. The values of the counter are modulo 2^32. */
struct wb_counter {
  struct wb_integer start;   /* the counter at the entry of the loop */
  struct wb_integer next;    /* the counter after an iteration, relative to the one before */
  struct wb_integer tested;  /* the left side of the test, relative to the counter */
  struct wb_integer limit;   /* the right side of the test */
  enum wb_relation relation; /* that lets the thread go on */
  bool as_signed;            /* the test compares signed numbers */
  bool limit_fixed;          /* the limit is the same number in all iterations of an entry */
};

/* The same with a 64-bit counter in two registers, modulo 2^64. */
struct wb_wide_counter {
  struct wb_wide start;      /* as in struct wb_counter, and so are the others */
  struct wb_wide next;       /* relative to the counter before */
  struct wb_wide tested;     /* relative to the counter */
  struct wb_wide limit;      /* the right side of the test */
  enum wb_relation relation; /* that lets the thread go on */
  bool as_signed;            /* the test compares signed numbers */
  bool limit_fixed;          /* one number in all iterations of an entry */
};

/* A bound that rests on the width of a register is of use where it is no greater than this: as many
 * as a block has threads. */
#define WB_COUNTER_USEFUL 1024

struct wb_iterations {
  uint64_t most; /* in so many iterations of an entry at most the thread goes on */
  bool by_width; /* the number rests on the width of a register alone, and is above
                    WB_COUNTER_USEFUL: true, but of no use */
};

/* Bounds the iterations. False where no bound up to WB_COUNTER_MOST is found. Constant time.
 * Proof: doc/loop-bounds.md, Lemmas 1 to 3. */
bool wb_counter_iterations(const struct wb_counter *counter, struct wb_iterations *iterations);
bool wb_wide_counter_iterations(const struct wb_wide_counter *counter,
                                struct wb_iterations *iterations);

/* The other way round, for a test whose relation lets a thread *leave*: the number of iterations of
 * an entry, from the first on, in which the relation surely does not hold. 0: nothing is known, at
 * most WB_COUNTER_MOST. Every iteration need not execute the test. Constant time. Proof:
 * doc/loop-bounds.md, Lemmas 4 and 5. */
uint64_t wb_counter_before(const struct wb_counter *counter);
uint64_t wb_wide_counter_before(const struct wb_wide_counter *counter);

#endif
