/* Profile likelihoods: the greatest likelihood with one quantity held, a level or the shape. */
#ifndef WB_EVT_FIT_PROFILE_H
#define WB_EVT_FIT_PROFILE_H

#include "evt/fit/maximum_likelihood.h"

/* What is held. */
enum wb_profile_kind { WB_PROFILE_LEVEL, WB_PROFILE_SHAPE };

/* A profile of a standardised sample, which it borrows. A level is exceeded with a probability
 * whose reduced level is y (wb_tail_reduced_level). One parameter follows from the held quantity
 * and the others: the shape from itself; of a level the scale, and where the level is not in the
 * upper tail of maxima, so that k below may be 0, the location: level = location + scale k, k =
 * (exp(xi y) - 1) / xi. */
struct wb_profile {
  const struct wb_fit_sample *sample;
  enum wb_profile_kind kind;
  double y;
  unsigned held;                             /* place of the parameter that follows */
  unsigned count;                            /* of the other free parameters */
  unsigned places[WB_LIKELIHOOD_PARAMETERS]; /* theirs, ascending */
};

/* A place of the profile: what is held, the greatest likelihood with it, and where that is. */
struct wb_profile_point {
  double at;
  double value; /* negative log likelihood */
  double parameters[WB_LIKELIHOOD_PARAMETERS];
};

struct wb_profile wb_profile_of_level(const struct wb_fit_sample *sample, double survival);
struct wb_profile wb_profile_of_shape(const struct wb_fit_sample *sample);

/* The point at a standardised level, or at a shape > -1, found from the parameters of a point near
 * it; at xi = -1 where that is greater than any inner maximum found. False where none was found. */
bool wb_profile_at(const struct wb_profile *profile, double at, const struct wb_profile_point *near,
                   struct wb_profile_point *point);

/* What the profile holds at these parameters. */
double wb_profile_held(const struct wb_profile *profile,
                       const double parameters[WB_LIKELIHOOD_PARAMETERS]);

#endif
