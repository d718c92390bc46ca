/* The independent checker of worst-case executions of a flow system: of counts, that some
 * execution of the system has them, and of a certificate, that no execution costs more. */
#ifndef WB_CERTIFICATE_FLOW_FLOW_CHECK_H
#define WB_CERTIFICATE_FLOW_FLOW_CHECK_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stdint.h>

/* Checks that an execution with these counts satisfies the system: a node is left as
 * often as it runs but for one end in all; all limits hold; every node that runs is reached from
 * the start over edges that are taken. taken: by edge, how often it is taken. *cycles: the
 * execution's cost, in cycles. Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow
 * is one), WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_counts(const struct wb_flow_system *system, const int64_t *taken,
                                      int64_t *cycles, warpbound_error *error);

/* Checks that no execution of the system costs more than *bound, which is computed here.
 *   price      by limit, at least 0: the price of a unit of it, in 1 / scale cycles
 *   potential  by node: the most that can still come after it, in 1 / scale cycles
 *   scale      at least 1
 * With p the prices, a the factors, c the constants, V the potentials, the conditions are
 * V(u) >= scale * cycles(v) + V(v) - sum p a for each edge from u to v, and V(u) >= 0 where u
 * may end. Added up along any execution they give scale * cost <= scale * cycles(start) +
 * V(start) + sum p c: weak duality, with nothing but integers.
 * Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow is one),
 * WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_bound(const struct wb_flow_system *system, const int64_t *price,
                                     const int64_t *potential, int64_t scale, int64_t *bound,
                                     warpbound_error *error);

/* Checks that the system has no execution at all, whatever nodes cost: with V(u) >= V(v) - sum p a
 * for each edge from u to v, V(u) >= 0 where u may end, and V(start) + sum p c below 0, the
 * conditions above added up give 0 <= V(start) + sum p c along any execution (Farkas' lemma).
 * Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow is one),
 * WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_no_execution(const struct wb_flow_system *system,
                                            const int64_t *price, const int64_t *potential,
                                            warpbound_error *error);

#endif
