/* Sums of words with their carries in the domain of strided intervals, and the 64-bit numbers that
 * they add and compare word by word. */
#ifndef WB_VALUES_INTERVAL_INTERVAL_SUMS_H
#define WB_VALUES_INTERVAL_INTERVAL_SUMS_H

#include "values/interval/interval_context.h"

/* Operations of struct wb_domain. An ADD that reads the carry of a sum of lower words finds the
 * 64-bit sum too; CARRY remembers the lower words. */
void wb_interval_add(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_carry(void *context, const struct wb_micro_code *code, size_t index);

/* The register gets the sum of that index: the sums that carry out of it are of that register. */
void wb_interval_name_sum(struct wb_interval_context *context, const struct wb_micro_code *code,
                          size_t index, uint16_t number);

/* A 64-bit number that is compared. */
struct wb_compared_number {
  struct wb_wide value;
  struct wb_integer low, high; /* its words */
  uint16_t source;      /* the register that still holds the lower word; WB_NO_REGISTER: none */
  uint16_t high_source; /* the same of the upper word */
};

/* The two 64-bit numbers of COMPARE_BY_CARRY; top where they are not known. */
void wb_interval_carry_sides(const struct wb_interval_context *context,
                             const struct wb_micro_operation *operation,
                             struct wb_compared_number sides[2]);

#endif
