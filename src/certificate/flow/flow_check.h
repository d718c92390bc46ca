/* The independent checker of worst-case executions of a flow system: of counts, that some
 * execution of the system has them, and of a certificate, that no execution costs more. */
#ifndef WB_CERTIFICATE_FLOW_FLOW_CHECK_H
#define WB_CERTIFICATE_FLOW_FLOW_CHECK_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stdint.h>

/* Checks that there is a start, and that nodes, ports, and the ports of edges are in range. Errors:
 * WARPBOUND_CHECK_FAILED with the first violation. Linear. */
warpbound_status wb_check_system_form(const struct wb_flow_system *system, warpbound_error *error);

/* Checks that counts satisfy the system: a node is left by each port as often as it runs, or at
 * most so often where it may run without (of a walk: but for one end in all); all limits hold;
 * every node that runs is reached from a start over edges that are taken. taken: by edge, how often
 * it is taken. *cycles: the execution's cost, in cycles. Errors: WARPBOUND_CHECK_FAILED with the
 * first violation (an overflow is one), WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_counts(const struct wb_flow_system *system, const int64_t *taken,
                                      int64_t *cycles, warpbound_error *error);

/* Checks that no execution of the system costs more than *bound, which is computed here.
 *   price      by limit, at least 0: the price of a unit of it, in 1 / scale cycles
 *   potential  by port: the most that can still come after its node by it, in 1 / scale cycles
 *   scale      at least 1
 * With p the prices, a the factors, c the constants, W the potentials, V(v) the sum of W over the
 * ports of v, the conditions are W(q) >= scale * cycles(v) + V(v) - sum p a for each edge to v in
 * port q, 0 in place of W(q) for an edge in none, and W(q) >= 0 where q's node may run without
 * leaving by it. Times the counts of any execution and added up they give scale * cost <= the sum
 * over the starts of runs * (scale * cycles(start) + V(start)) + sum p c: weak duality, with
 * nothing but integers. (A node's runs times V is at least what its ports' edges take of W, as each
 * port is left as often or, where W >= 0, at most so often.) Errors: WARPBOUND_CHECK_FAILED with
 * the first violation (an overflow is one), WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_bound(const struct wb_flow_system *system, const int64_t *price,
                                     const int64_t *potential, int64_t scale, int64_t *bound,
                                     warpbound_error *error);

/* Checks that the system has no execution at all, whatever nodes cost: with the conditions above
 * for a scale of 0, and the sum of runs * V(start) over the starts + sum p c below 0. Added up over
 * any execution they say that this is at least 0 (Farkas' lemma). Errors: WARPBOUND_CHECK_FAILED
 * with the first violation (an overflow is one), WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_flow_no_execution(const struct wb_flow_system *system,
                                            const int64_t *price, const int64_t *potential,
                                            warpbound_error *error);

#endif
