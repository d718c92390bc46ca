/* Long schedules of large problems of one partition, by a portfolio of wide beams. */
#ifndef WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H
#define WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H

#include "makespan/beam/portfolio.h"
#include "model/problem.h"

/* Only where wb_wide_beam_fits. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error);

#endif
