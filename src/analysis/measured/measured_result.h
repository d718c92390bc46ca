/* The statistical analysis of measured times: applicability, then fits and return levels. */
#ifndef WB_ANALYSIS_MEASURED_MEASURED_RESULT_H
#define WB_ANALYSIS_MEASURED_MEASURED_RESULT_H

#include "base/work_control.h"
#include "evt/extremes/maxima_and_peaks.h"
#include "evt/extremes/tail_points.h"
#include "evt/extremes/thresholds.h"
#include "evt/fit/intervals.h"
#include "evt/fit/tail_fit.h"
#include "evt/goodness/goodness.h"
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most exceedance probabilities that are asked for, and lags of the autocorrelation. */
#define WB_MEASURED_LEVELS 32
#define WB_MEASURED_LAGS 50

enum wb_measured_method { WB_MEASURED_BOTH, WB_MEASURED_MAXIMA, WB_MEASURED_PEAKS };

/* A proven bound that stands beside the fits, in the unit of the samples. */
struct wb_measured_bound {
  bool given;
  double value;
  const char *source; /* "--bound", or the file that it is from; borrowed */
};

/* What is asked. */
struct wb_measured_options {
  enum wb_measured_method method;
  size_t block_size;  /* 0: chosen; 1: the samples are maxima already */
  bool has_threshold; /* else it is chosen by the rule */
  double threshold;
  enum wb_threshold_rule rule;
  bool decluster;                           /* peaks of clusters, not all exceedances */
  size_t run_length;                        /* of declustering; 0: by the intervals estimator */
  double probabilities[WB_MEASURED_LEVELS]; /* that one run is longer; 0 < p < 1 */
  size_t probability_count;
  double confidence;   /* of intervals, as 0.95 */
  double significance; /* of tests, as 0.05 */
  unsigned replicates; /* of the bootstrap of goodness of fit */
  unsigned bootstrap;  /* replicates of intervals by bootstrap; 0: none */
  uint64_t seed;
  bool fit_anyway; /* also data that fail the tests of applicability */
  struct wb_measured_bound bound;
};

/* Whether extreme value statistics may be applied. */
enum wb_applicability { WB_APPLICABLE, WB_APPLICABLE_WITH_CARE, WB_NOT_APPLICABLE };
const char *wb_applicability_words(enum wb_applicability applicability);

/* What is checked before anything is fitted, in the order of reports. */
enum wb_measured_check_kind {
  WB_CHECK_SIZE,       /* enough samples */
  WB_CHECK_CONSTANT,   /* not all equal */
  WB_CHECK_RESOLUTION, /* ticks and ties */
  WB_CHECK_LJUNG_BOX,
  WB_CHECK_RUNS,
  WB_CHECK_KPSS,
  WB_CHECK_HALVES,
  WB_CHECK_CHANGE_POINT,
  WB_CHECK_WARM_UP,     /* the first runs are as the others */
  WB_CHECK_PERIOD,      /* no slow runs at regular distances */
  WB_CHECK_TREND,       /* of maxima of blocks: Mann-Kendall */
  WB_CHECK_CLUSTERS,    /* extremal index */
  WB_CHECK_MODES,       /* one mode of behaviour */
  WB_CHECK_TAIL_POINTS, /* mixtures and outliers in the tail */
  WB_MEASURED_CHECKS
};

/* The name of a check in JSON, as "ljung-box", and for people, as "independence (Ljung-Box)"; of a
 * fit, as "gev-l-moments" and "GEV, L-moments". */
struct wb_measured_words {
  const char *name, *title;
};
extern const struct wb_measured_words wb_measured_check_words[WB_MEASURED_CHECKS];

struct wb_measured_check {
  enum wb_measured_check_kind kind;
  bool done;        /* false: it could not be made; `meaning` says why */
  double statistic; /* NAN: it has none */
  double detail;   /* of the change point the index of the value after which it changes; else NAN */
  double p_value;  /* NAN: it has none */
  double adjusted; /* the p-value adjusted for the number of tests (Holm 1979) */
  enum wb_applicability outcome;
  char meaning[240]; /* a sentence with its numbers */
  char advice[240];  /* what to do; "" where it passes */
};

/* A pWCET estimate: the time that one run exceeds with a probability of at most `probability`, if
 * the fit holds. */
struct wb_measured_level {
  double probability; /* of one run */
  double survival;    /* of the fitted distribution: of a block's maximum, of an excess */
  double level;       /* NAN where the probability is above what the fit speaks of */
  double error;       /* standard error by the delta method; NAN: none */
  struct wb_interval profile, bootstrap;
  bool extrapolated;   /* it lies above all observations */
  bool below_observed; /* refuted: a longer time was measured, though the fit gives all runs
                          together a chance below the significance of one so long */
  bool above_bound;    /* pessimistic: no run takes longer than the proven bound */
};

/* A fit with all that is said of it. */
struct wb_measured_fit {
  struct wb_tail_fit fit;
  bool failed; /* `why` says it; nothing else is set */
  char why[200];
  /* Of a probability of one run wb_measured_survival makes that of the fitted distribution. */
  double runs_per_block; /* maxima: runs of a block, shortened by the extremal index */
  double share_above;    /* peaks: runs above the threshold, of all */
  struct wb_goodness goodness;
  bool has_goodness;
  struct wb_interval shape;         /* by profile likelihood */
  struct wb_likelihood_ratio ratio; /* against the family of two parameters; of GEV, GPD */
  bool has_ratio;
  bool impossible; /* its upper end is below the largest observation */
  bool worse; /* Gumbel, exponential: with a free shape the fit is better by more than chance gives
                 at the significance (likelihood ratio) */
  struct wb_measured_level levels[WB_MEASURED_LEVELS]; /* by probability asked for */
};

/* Whether the values refuse a fit at the significance of tests: they are farther from it than
 * chance allows (Anderson-Darling), or it is worse than that of a free shape. */
bool wb_measured_is_refused(const struct wb_measured_options *options,
                            const struct wb_measured_fit *fit);

/* The probability with which the fitted distribution exceeds a level that one run exceeds with
 * probability p, 0 < p < 1: of maxima of b runs 1 - (1 - p)^b; of peaks p over the share of runs
 * that are above the threshold. 1 or more: the fit does not speak of p. */
double wb_measured_survival(const struct wb_measured_fit *fit, double probability);

enum wb_measured_fit_kind {
  WB_FIT_OF_GEV,
  WB_FIT_OF_GUMBEL,
  WB_FIT_OF_GEV_L_MOMENTS,
  WB_FIT_OF_PARETO,
  WB_FIT_OF_EXPONENTIAL,
  WB_FIT_OF_PARETO_L_MOMENTS,
  WB_FIT_OF_VARIATION,
  WB_MEASURED_FITS
};
extern const struct wb_measured_words wb_measured_fit_words[WB_MEASURED_FITS];

/* A block size or a threshold, with the levels of its GEV or GPD: how far the answer hangs on the
 * choice. Those in use are among them. */
struct wb_measured_choice {
  bool of_maxima;
  size_t block;     /* of maxima */
  double threshold; /* of peaks */
  size_t values;    /* maxima, or peaks, that are fitted */
  bool made;        /* false: nothing can be fitted there */
  bool in_use;      /* the one that the table of fits is of */
  bool averaged;    /* the recommended levels are averaged over it and the others so marked */
  double shape;
};
struct wb_measured_choice_level {
  double level;                /* NAN: it does not speak of the probability */
  struct wb_interval interval; /* by profile likelihood */
};

/* Thresholds and block sizes that are listed at most, both together. */
#define WB_MEASURED_CHOICES 32

/* The one answer, or why there is none. */
struct wb_measured_recommended_level {
  double level, low, high; /* high is INFINITY where the times do not limit it */
  bool observed;           /* a quantile of the times, with the interval of its rank: no fit */
};
struct wb_measured_recommendation {
  bool given;
  enum wb_measured_fit_kind kind; /* WB_FIT_OF_GEV or WB_FIT_OF_PARETO */
  size_t averaged;                /* block sizes or thresholds that it is averaged over */
  struct wb_measured_recommended_level levels[WB_MEASURED_LEVELS]; /* by probability asked for */
  char reason[400];                                                /* why this one, or why none */
};

struct wb_measured_summary {
  size_t count;
  double least, most, mean, deviation, median, quantile_95, quantile_99, quantile_999;
};

/* The analysis of one series. Owns its arrays. */
struct wb_measured_series {
  const struct wb_series *series; /* borrowed */
  double *ascending;              /* its values, sorted */
  struct wb_measured_summary summary;
  struct wb_resolution resolution;
  double correlations[WB_MEASURED_LAGS]; /* at lags 1 .. */
  size_t lag_count;
  struct wb_measured_check checks[WB_MEASURED_CHECKS];
  size_t mode_above; /* values above where an overlapping slow mode begins, which thresholds have to
                        keep to; 0: none is found */
  size_t *outliers;  /* indices of the values that stand apart, in the order of measurement */
  size_t outlier_count;
  enum wb_applicability verdict;
  char verdict_words[800];
  bool fitted; /* fits were made: it is applicable, or --fit-anyway */
  /* Block maxima. */
  size_t block_size, left_out;
  double *maxima;
  size_t maximum_count;
  struct wb_block_sizes blocks; /* that were tried; count 0: the size was given */
  /* Peaks over a threshold. */
  bool has_threshold;
  bool threshold_refused; /* no threshold passes the rule; the highest was taken */
  double threshold;
  struct wb_threshold_scan scan;  /* count 0: none was made */
  struct wb_extremal_index index; /* at the threshold */
  size_t exceedances;             /* values above the threshold */
  bool declustered;               /* peaks are of clusters; else all exceedances */
  double *peaks;                  /* those that are fitted, values rather than excesses */
  size_t peak_count;
  struct wb_measured_fit fits[WB_MEASURED_FITS];
  bool variation_heavy; /* below the threshold of MBPTA-CV the variation is above the band: the
                           exponential tail lies below the true one there */
  struct wb_markov_level markov[WB_MEASURED_LEVELS];
  struct wb_measured_choice choices[WB_MEASURED_CHOICES]; /* maxima first, from small blocks and low
                                                             thresholds up */
  size_t choice_count;
  struct wb_measured_choice_level *choice_levels; /* of each as many as probabilities; NULL: none */
  struct wb_measured_recommendation recommended;
};

/* A time of the series' scale in plain decimals, so many that a thousandth of the standard
 * deviation shows; "-" of NAN, "unlimited" of INFINITY. Returns text. */
#define WB_MEASURED_TIME 48
const char *wb_measured_time(const struct wb_measured_series *series, double value,
                             char text[WB_MEASURED_TIME]);

struct wb_measured {
  const struct wb_samples *samples; /* borrowed */
  struct wb_measured_options options;
  struct wb_measured_series *series; /* as in samples; owned */
  size_t count;                      /* fewer than in samples where a limit ended the analysis */
};

/* Analyses each series. samples stay the caller's and are needed as long as the result. Data of any
 * kind have a verdict; a series that nothing can be fitted to is no error. Errors: WARPBOUND_USAGE
 * (an option out of its range), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. At WARPBOUND_LIMIT *measured
 * holds the series that are done, count of them, maybe 0, and the caller frees it too; after other
 * errors it is empty. */
warpbound_status wb_measured_analyse(const struct wb_samples *samples,
                                     const struct wb_measured_options *options,
                                     const struct wb_control *control, struct wb_measured *measured,
                                     warpbound_error *error);
void wb_measured_free(struct wb_measured *measured);

#endif
