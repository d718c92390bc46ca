/* The domain of strided intervals (values/domain.h): what the registers of one thread hold, for
 * loop bounds. Lemmas: doc/loop-bounds.md. */
#ifndef WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H
#define WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H

#include "values/domain.h"
#include "values/interval/interval_context.h"

/* Its context is a struct wb_interval_context, which has all that stands before `function` in it.
 */
extern const struct wb_domain wb_interval_domain;

/* From the state before the instruction of that index to the state after it: nothing where its
 * guard is known to be false. A control transfer computes nothing. */
void wb_interval_transfer(struct wb_interval_context *context, const struct wb_function *function,
                          uint32_t index);

#endif
