/* How often a test on a counter can say "go on". */
#ifndef WB_FLOW_LOOP_BOUNDS_COUNTER_H
#define WB_FLOW_LOOP_BOUNDS_COUNTER_H

#include "flow/values/integer_state.h"
#include "flow/values/integer_value.h"

#include <stdbool.h>
#include <stdint.h>

/* Bounds above this are not given: they come from the width of the registers alone. */
#define WB_COUNTER_MOST ((uint64_t)1 << 30)

/* A register that starts as `start` and becomes `next` (a form of itself) from one iteration to
 * the next. Every iteration does the test; a thread that goes on there has
 * "tested relation limit", where tested is a form of the register. limit_fixed: limit is one
 * number, the same in all iterations of an entry, whichever of the interval it is. */
struct wb_counter {
  struct wb_integer start;
  struct wb_integer next;
  struct wb_integer tested;
  struct wb_integer limit;
  enum wb_relation relation;
  bool as_signed;
  bool limit_fixed;
};

/* The same of a number of 64 bits that two registers hold. */
struct wb_wide_counter {
  struct wb_wide start;
  struct wb_wide next;
  struct wb_wide tested;
  struct wb_wide limit;
  enum wb_relation relation;
  bool as_signed;
  bool limit_fixed;
};

/* In at most `most` iterations of an entry the thread goes on; by_width: that many because of how
 * wide a register is, and of nothing that the code or the launch says. */
struct wb_iterations {
  uint64_t most;
  bool by_width;
};

/* False where nothing is known, or more than WB_COUNTER_MOST. The numbers wrap round as the
 * machine's do. Constant time. doc/loop-bounds.md proves it. */
bool wb_counter_iterations(const struct wb_counter *counter, struct wb_iterations *iterations);
bool wb_wide_counter_iterations(const struct wb_wide_counter *counter,
                                struct wb_iterations *iterations);

#endif
