/* Instructions of random programs from Volta on. */
#ifndef TESTS_CROSS_GROUP_OPERATIONS_H
#define TESTS_CROSS_GROUP_OPERATIONS_H

#include "random_group_program.h"

#include <stdarg.h>

#define GROUP_PREDICATES 4

/* A number below a limit that is not 0; true by some chance of 100. */
unsigned group_below(struct wb_random *random, unsigned limit);
bool group_chance(struct wb_random *random, unsigned percent);

/* An instruction without guard and labels, by printf. */
struct program_item group_item(const char *format, ...);
/* The same item with a guard; with one more label. */
struct program_item group_guarded(struct program_item item, uint8_t guard, bool negated);
struct program_item group_labelled(struct program_item item, uint32_t label);

/* A form of instructions, drawn by its weight: with labels for $, and numbers for %r (2 to 7), %k
 * (8 or 9), %p (a predicate), %b (0 to 2), %u (0 or 1). */
struct group_form {
  unsigned weight;
  const char *text;
};
/* One of them, with labels below `places`. */
struct program_item group_drawn(struct wb_random *random, const struct group_form *forms,
                                size_t count, size_t places);

/* A data instruction of general registers R2 to R7, P0 to P3, UR0 and UR1. */
struct program_item group_data(struct wb_random *random);

#endif
