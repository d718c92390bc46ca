/* Data of a fit, checked and brought to a location near 0 and a scale near 1. */
#ifndef WB_EVT_FIT_FIT_SAMPLE_H
#define WB_EVT_FIT_FIT_SAMPLE_H

#include "base/status.h"
#include "evt/fit/fit_data.h"
#include "evt/fit/l_moments.h"
#include "evt/fit/likelihood.h"

/* A standardised value is (value - shift) / unit, a covariate likewise. Owns `memory`, where the
 * arrays of `likelihood` lie. Equal values stand once, with a weight, but where there is a
 * covariate or the sample was made near a known distribution. */
struct wb_fit_sample {
  struct wb_likelihood likelihood;
  double shift, unit, covariate_shift, covariate_unit;
  double total;                /* of values */
  struct wb_l_moments moments; /* of standardised values, of those less their trend */
  double quantiles[3];         /* of the same: a tenth, a half and nine tenths lie below */
  double trend;                /* by least squares, standardised; 0 without a covariate */
  double least, greatest;      /* standardised value */
  unsigned free_count;         /* of parameters that are estimated */
  unsigned free[WB_LIKELIHOOD_PARAMETERS]; /* their places, ascending */
  void *memory;
};

/* WARPBOUND_INVALID_INPUT where values are not finite, lie below the threshold, have fewer
 * different values than a fit of the family needs, or cannot be standardised; WARPBOUND_INTERNAL
 * out of memory. Time: that of sorting. The caller frees the sample, after an error too. */
warpbound_status wb_fit_sample_make(const struct wb_fit_data *data, enum wb_tail_family family,
                                    struct wb_fit_sample *sample, warpbound_error *error);
/* The same without sorting, L-moments, quantiles and the check of different values, standardised by
 * the location and scale of `near`; a covariate is left out. */
warpbound_status wb_fit_sample_make_near(const struct wb_fit_data *data, const struct wb_tail *near,
                                         struct wb_fit_sample *sample, warpbound_error *error);
void wb_fit_sample_free(struct wb_fit_sample *sample);

/* Between a fit's parameters and those of the likelihood of the standardised sample. */
void wb_fit_sample_standardise(const struct wb_fit_sample *sample, const struct wb_tail *tail,
                               double trend, double parameters[WB_LIKELIHOOD_PARAMETERS]);
struct wb_tail wb_fit_sample_tail(const struct wb_fit_sample *sample,
                                  const double parameters[WB_LIKELIHOOD_PARAMETERS], double *trend);
/* Negative log likelihood in the unit of the data. */
double wb_fit_sample_value(const struct wb_fit_sample *sample, double standardised_value);

#endif
