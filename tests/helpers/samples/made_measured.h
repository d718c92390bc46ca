/* An analysis of measured times whose numbers are made by hand: what the writers of reports are
 * tested on, without the analysis. */
#ifndef TESTS_MADE_MEASURED_H
#define TESTS_MADE_MEASURED_H

#include "analysis/measured/measured_result.h"

#include <stdbool.h>
#include <stddef.h>

#define MADE_SERIES 3

/* All that a report needs. Not to be moved. */
struct made_measured {
  struct wb_series series[MADE_SERIES];
  struct wb_measured_series results[MADE_SERIES];
  struct wb_samples samples;
  struct wb_measured measured;
};

/* `count` series ("cold", "warm", "third") of `size` times in cycles: quantiles of an exponential
 * tail of scale 100 above 1000 in a mixed order, each fit made of round numbers: GEV and GPD with
 * xi 0.1, Gumbel, exponential; the rest was not fitted. Levels at 1e-3, 1e-6, 1e-9 with intervals;
 * the proven bound is 5000, "wcet.json". size: at least 1. */
void made_measured_start(struct made_measured *made, size_t count, size_t size);

/* Takes other values for the first series, which are copied; scan, fits and checks stay. */
void made_measured_take(struct made_measured *made, const double *values, size_t size);

void made_measured_free(struct made_measured *made);

#endif
