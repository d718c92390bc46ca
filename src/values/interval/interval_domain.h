/* The domain of strided intervals (values/domain.h): what the registers of one thread hold, for
 * loop bounds. Lemmas: doc/loop-bounds.md. */
#ifndef WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H
#define WB_VALUES_INTERVAL_INTERVAL_DOMAIN_H

#include "values/domain.h"
#include "values/interval/interval_context.h"

/* Its context is a struct wb_interval_context, which has all that stands before `function` in it.
 */
extern const struct wb_domain wb_interval_domain;

#endif
