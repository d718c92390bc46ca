/* Quantiles of the Anderson-Darling statistic of a generalised Pareto distribution with estimated
 * scale and shape, in the limit of many values. */
#ifndef WB_EVT_EXTREMES_ANDERSON_DARLING_TABLE_H
#define WB_EVT_EXTREMES_ANDERSON_DARLING_TABLE_H

#define WB_ANDERSON_DARLING_SHAPES 20
#define WB_ANDERSON_DARLING_LEVELS 24

/* xi, ascending from -0.5; below that the largest value is known so well that only one parameter is
 * estimated, and the distribution is that at -0.5. */
extern const double wb_anderson_darling_shapes[WB_ANDERSON_DARLING_SHAPES];
/* P(statistic > quantile), descending. */
extern const double wb_anderson_darling_survivals[WB_ANDERSON_DARLING_LEVELS];
extern const double wb_anderson_darling_quantiles[WB_ANDERSON_DARLING_SHAPES]
                                                 [WB_ANDERSON_DARLING_LEVELS];

#endif
