/* Random programs of counting loops as code from Volta on has them. */
#ifndef TESTS_CROSS_VOLTA_DIALECT_H
#define TESTS_CROSS_VOLTA_DIALECT_H

#include "random_counters.h"

/* Writes to *to what the lines of *from are on sm_87: sums with carries in predicates, comparisons
 * of 64 bits in two halves, logic by tables. Some branches take their predicate as an operand. */
void counters_to_volta(const struct counters_program *from, struct wb_random *random,
                       struct counters_program *to);

#endif
