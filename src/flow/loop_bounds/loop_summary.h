/* What one iteration of a loop does to the registers, and what follows from it. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_SUMMARY_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_SUMMARY_H

#include "flow/loop_bounds/counter.h"
#include "flow/values/integer_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread that stays in the loop finds that the comparison holds, in every iteration. Sides are
 * forms of the registers at the header; leaves: the instruction that ends the loop otherwise. */
struct wb_loop_test {
  struct wb_comparison comparison;
  uint32_t leaves;
};

/* known: the loop has one entry and was analysed; otherwise next and tests say nothing. never: no
 * thread takes its back edges.
 * next: what each register is at the next visit of the header, in terms of what registers were
 * at this one. constant: registers that the loop leaves alone and that hold one number whenever a
 * thread enters it, as that number, others as themselves; meaningful where entered is true.
 * predicates: bit p: the loop may write Pp. Owns its arrays. */
struct wb_loop_summary {
  bool known;
  bool never;
  bool entered;
  struct wb_integer *next;
  struct wb_pairs pairs; /* the same of 64-bit numbers */
  struct wb_integer *constant;
  uint8_t predicates;
  struct wb_loop_test *tests;
  size_t test_count;
  size_t test_capacity;
};

/* Which test bounds the loop: its counter's register, and the counter. */
struct wb_loop_count {
  struct wb_iterations bound;
  const struct wb_loop_test *test;
  uint16_t base;
  bool mirrored; /* the counter is the right side of the comparison */
  struct wb_counter counter;
  struct wb_wide_counter wide; /* where the test is one of 64-bit numbers */
};

/* Whether a is of more use: fewer, but not by width where b is not. */
bool wb_iterations_better(const struct wb_iterations *a, const struct wb_iterations *b);

/* Forgets all but the constants, to analyse the loop once more. False where memory is out. */
bool wb_loop_summary_begin(struct wb_loop_summary *summary);
/* Where no back edge was met: no thread takes one. */
void wb_loop_summary_no_back_edge(struct wb_loop_summary *summary);
/* The registers at the header in terms of themselves, and the constants. */
void wb_loop_summary_start(const struct wb_loop_summary *summary, struct wb_integer_state *state);
/* Takes the constants from what holds at all entries. */
void wb_loop_summary_enter(struct wb_loop_summary *summary, const struct wb_integer_state *entry);

/* The fewest back edges that a test allows to a thread that enters the loop in *entry; false
 * where none does. */
bool wb_loop_summary_count(const struct wb_loop_summary *summary,
                           const struct wb_integer_state *entry, struct wb_loop_count *count);

/* From the registers at all entries of the loop to those at all visits of its header, with at
 * most `bound` back edges for each entry; NULL: not known. */
void wb_loop_summary_widen(const struct wb_loop_summary *summary, const struct wb_iterations *bound,
                           struct wb_integer_state *state);

void wb_loop_summary_free(struct wb_loop_summary *summary);

#endif
