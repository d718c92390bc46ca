/* Predicates in the domain of strided intervals: comparisons, and what they imply. Operations of
 * struct wb_domain. */
#ifndef WB_VALUES_INTERVAL_INTERVAL_PREDICATES_H
#define WB_VALUES_INTERVAL_INTERVAL_PREDICATES_H

#include "values/interval/interval_context.h"

void wb_interval_compare(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_compare_upper(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_compare_by_carry(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_compare_wide(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_is_not_zero(void *context, const struct wb_micro_code *code, size_t index);
void wb_interval_combine(void *context, const struct wb_micro_code *code, size_t index);

#endif
