/* Maximum likelihood of a standardised sample. */
#ifndef WB_EVT_FIT_MAXIMUM_LIKELIHOOD_H
#define WB_EVT_FIT_MAXIMUM_LIKELIHOOD_H

#include "evt/fit/fit_sample.h"

/* Up to so many values, a search tries all its starts and methods; above, evaluations cost more and
 * the likelihood is smooth: one start that leads to a maximum will do. */
#define WB_FEW_VALUES 200.0

/* Where the likelihood is greatest. score: by the free parameters alone, in their order. */
struct wb_likelihood_peak {
  double parameters[WB_LIKELIHOOD_PARAMETERS];
  double value; /* negative log likelihood of the standardised sample */
  bool at_boundary;
  struct wb_score score; /* not at a boundary */
};

/* The greatest likelihood with xi >= -1: at xi = -1 (the uniform distribution, and for GEV the
 * reversed exponential) where it is greater there than at all inner maxima found. False where
 * nothing was found. */
bool wb_maximise_likelihood(const struct wb_fit_sample *sample, struct wb_likelihood_peak *peak);
/* The least negative log likelihood with xi = -1. */
double wb_boundary_likelihood(const struct wb_fit_sample *sample);
/* The inner maximum that Newton's method finds from these parameters. */
bool wb_maximise_likelihood_near(const struct wb_fit_sample *sample,
                                 const double parameters[WB_LIKELIHOOD_PARAMETERS],
                                 struct wb_likelihood_peak *peak);
/* The greater of the inner maximum that Newton's method finds from near these parameters, with a
 * scale at which all values lie inside, and the boundary. For values drawn from a distribution with
 * these parameters and a shape that is -0.5 or less; the family has a shape. */
bool wb_maximise_likelihood_of_draw(const struct wb_fit_sample *sample,
                                    const double parameters[WB_LIKELIHOOD_PARAMETERS],
                                    struct wb_likelihood_peak *peak);

#endif
