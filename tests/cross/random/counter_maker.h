/* The maker of random programs of counting loops, for random_counters.c: lines, operands, and what
 * is no loop. */
#ifndef TESTS_CROSS_COUNTER_MAKER_H
#define TESTS_CROSS_COUNTER_MAKER_H

#include "random_counters.h"

#include <stdbool.h>
#include <stdint.h>

#define COUNTER_REGISTERS 6 /* few, so that loops spoil each other's counters now and then */

struct counter_maker {
  struct wb_random *random;
  struct counters_program *program;
  unsigned depth;
  bool tame;     /* counters are changed by their steps alone, mostly */
  unsigned busy; /* bit r: Rr counts a loop around */
  bool stack;    /* R10 points to the stack */
};

uint64_t counter_below(struct counter_maker *maker, uint64_t bound);
bool counter_one_in(struct counter_maker *maker, uint64_t n);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void counter_line(struct counter_maker *maker, const char *format, ...);
unsigned counter_any_register(struct counter_maker *maker);
unsigned counter_any_target(struct counter_maker *maker);
uint32_t counter_any_number(struct counter_maker *maker);
void counter_operand(struct counter_maker *maker, char text[24]);
const char *counter_any_relation(struct counter_maker *maker);
void counter_compare(struct counter_maker *maker, unsigned predicate, const char *left,
                     const char *relation, const char *right);
void counter_arithmetic(struct counter_maker *maker);
void counter_division(struct counter_maker *maker);
void counter_division_to(struct counter_maker *maker, unsigned to);
void counter_float_to(struct counter_maker *maker, unsigned to);
void counter_stack_access(struct counter_maker *maker);

/* In random_counters.c. The relation is one that a counter with such a step leaves sooner or later,
 * or any. */
const char *counter_some_relation(struct counter_maker *maker, uint32_t by);
void counter_start(struct counter_maker *maker, unsigned counter);
/* R7 is between two counters, or somewhere else. */
void counter_middle(struct counter_maker *maker, unsigned low, unsigned high);
void counter_statements(struct counter_maker *maker, unsigned most);
/* In counter_shapes.c: a loop of one of its shapes. */
void counter_shape(struct counter_maker *maker);

#endif
