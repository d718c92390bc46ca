/* Long schedules of a whole SM, by a portfolio of beams. */
#ifndef WB_SM_SEARCH_SM_PORTFOLIO_H
#define WB_SM_SEARCH_SM_PORTFOLIO_H

#include "makespan/beam/portfolio.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps of a beam. */
#define WB_SM_BEAM_WARPS UINT32_C(4096)

/* Whether it can be used on the problem: not too many warps and letters. */
bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem);

/* string_of: NULL for any strings, which are then chosen in the beams. Only for what fits
 * (asserted). Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_sm_portfolio_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_portfolio_options *options,
                                        const struct wb_control *control,
                                        struct wb_portfolio_result *result, warpbound_error *error);

#endif
