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
  warpbound_error *error;
};

/* Sorted values, summary, resolution, autocorrelations. */
warpbound_status wb_measured_summarise(struct wb_measured_work *work);
/* The checks of applicability, and the verdict on them. */
warpbound_status wb_measured_check_all(struct wb_measured_work *work);
void wb_measured_judge(struct wb_measured_work *work);
/* Block maxima with their fits; peaks over a threshold with theirs. Nothing where the verdict
 * forbids it. */
warpbound_status wb_measured_fit_maxima(struct wb_measured_work *work);
warpbound_status wb_measured_fit_peaks(struct wb_measured_work *work);
/* Levels without a fit. */
warpbound_status wb_measured_bound_levels(struct wb_measured_work *work);

/* Fits a family and all that is said of the fit: goodness, intervals, levels. per_run: the survival
 * of the fitted distribution for a probability of one run is found by `survival_of`. */
struct wb_measured_fitting {
  enum wb_measured_fit_kind kind;
  enum wb_tail_family family;
  enum wb_fit_method method;
  struct wb_fit_data data;
  /* Maxima: runs of a block, times the extremal index. Peaks: the share of runs above the
   * threshold. */
  double runs_per_block, share_above;
};
warpbound_status wb_measured_fit_family(struct wb_measured_work *work,
                                        const struct wb_measured_fitting *fitting);
/* The same of a fit that was made elsewhere. */
warpbound_status wb_measured_judge_fit(struct wb_measured_work *work,
                                       const struct wb_measured_fitting *fitting,
                                       const struct wb_tail_fit *fit);

/* Says of the fits first .. last why there is none. */
void wb_measured_fail_fits(struct wb_measured_work *work, enum wb_measured_fit_kind first,
                           enum wb_measured_fit_kind last, const char *why);
/* Where both are fitted, the likelihood ratio of a family in the larger one that holds it. */
void wb_measured_compare(struct wb_measured_work *work, enum wb_measured_fit_kind larger,
                         enum wb_measured_fit_kind smaller);

/* A seed of one step's random choices that depends on nothing else. */
uint64_t wb_measured_seed(const struct wb_measured_work *work, unsigned step);

#endif
