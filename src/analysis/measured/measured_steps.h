/* The steps of the statistical analysis of one series, and what they share. */
#ifndef WB_ANALYSIS_MEASURED_MEASURED_STEPS_H
#define WB_ANALYSIS_MEASURED_MEASURED_STEPS_H

#include "analysis/measured/measured_result.h"
#include "base/work_control.h"

/* The analysis of one series under way. */
struct wb_measured_work {
  const struct wb_measured_options *options;
  const struct wb_control *control;
  struct wb_measured_series *result;
  const double *values; /* in the order of measurement */
  size_t count;
  const char *unit; /* of the values, by its short name; NULL: not said; borrowed */
  size_t skipped;   /* runs before the first value: for run numbers */
  warpbound_error *error;
};

/* The checks of applicability. */
warpbound_status wb_measured_check_all(struct wb_measured_work *work);
/* Block maxima with their fits; peaks over a threshold with theirs. Nothing where the verdict
 * forbids it. */
/* Says of the fits first .. last why there is none. */
void wb_measured_fail_fits(struct wb_measured_work *work, enum wb_measured_fit_kind first,
                           enum wb_measured_fit_kind last, const char *why);

warpbound_status wb_measured_fit_maxima(struct wb_measured_work *work);
warpbound_status wb_measured_fit_peaks(struct wb_measured_work *work);
/* Levels at other block sizes and thresholds; then the one that is recommended, if any. */
warpbound_status wb_measured_try_choices(struct wb_measured_work *work);
warpbound_status wb_measured_recommend(struct wb_measured_work *work);
/* Whether an error ends the analysis; another one is why there is no fit. */
bool wb_measured_is_fatal(warpbound_status status);
/* The independent runs of a block: long times that come in clusters are fewer, of b runs b theta
 * with the extremal index theta (Leadbetter 1983). */
double wb_measured_runs_of(const struct wb_measured_work *work, size_t block);
/* Levels without a fit. */
warpbound_status wb_measured_bound_levels(struct wb_measured_work *work);

/* A seed of one step's random choices that depends on nothing else. */
uint64_t wb_measured_seed(const struct wb_measured_work *work, unsigned step);

#endif
