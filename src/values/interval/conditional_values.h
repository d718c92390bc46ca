/* Values that registers hold where a predicate is true, or where it is false: what guarded
 * instructions write. */
#ifndef WB_VALUES_INTERVAL_CONDITIONAL_VALUES_H
#define WB_VALUES_INTERVAL_CONDITIONAL_VALUES_H

#include "values/interval/integer_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The register holds the value where the predicate is `when`. */
struct wb_conditional_value {
  uint16_t number;   /* the register, as in model/code.h */
  uint8_t predicate; /* its index (wb_predicate_index) */
  bool when;
  struct wb_integer value;
};

/* Most values of a list; more push the oldest out. */
#define WB_CONDITIONAL_LIMIT 12

/* The oldest first. Invariant: no register twice with the same predicate and outcome; values are
 * not top. */
struct wb_conditionals {
  size_t count;
  struct wb_conditional_value rows[WB_CONDITIONAL_LIMIT];
};

/* The value of a register under a condition; NULL where the list has none. */
const struct wb_integer *wb_conditionals_find(const struct wb_conditionals *list, uint32_t number,
                                              size_t predicate, bool when);
/* Sets it; top removes it. */
void wb_conditionals_set(struct wb_conditionals *list, uint32_t number, size_t predicate, bool when,
                         const struct wb_integer *value);
/* The register, or the predicate of that index, was written. */
void wb_conditionals_forget_register(struct wb_conditionals *list, uint32_t number);
void wb_conditionals_forget_predicate(struct wb_conditionals *list, size_t predicate);
/* Keeps what both lists have, joined. */
void wb_conditionals_join(struct wb_conditionals *mine, const struct wb_conditionals *its);
/* Whether the invariant holds. Linear in the square of WB_CONDITIONAL_LIMIT. */
bool wb_conditionals_are_valid(const struct wb_conditionals *list);

#endif
