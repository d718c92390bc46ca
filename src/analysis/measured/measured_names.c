/* The words for verdicts, checks, fits and times of measured times. */
#include "analysis/measured/measured_result.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const char *wb_applicability_words(enum wb_applicability applicability)
{
  static const char *const words[] = {"applicable", "applicable with care", "not applicable"};
  assert(applicability <= WB_NOT_APPLICABLE);
  return words[applicability];
}

/* By kind: the name in JSON, and what it is for people. */
static const struct {
  const char *name, *title;
} checks[WB_MEASURED_CHECKS] = {
    [WB_CHECK_SIZE] = {"sample-size", "enough samples"},
    [WB_CHECK_CONSTANT] = {"variation", "the times vary"},
    [WB_CHECK_RESOLUTION] = {"resolution", "clock resolution and ties"},
    [WB_CHECK_LJUNG_BOX] = {"ljung-box", "independence (Ljung-Box)"},
    [WB_CHECK_RUNS] = {"runs", "independence (runs about the median)"},
    [WB_CHECK_KPSS] = {"kpss", "stationarity (KPSS)"},
    [WB_CHECK_HALVES] = {"halves", "same distribution in both halves (Kolmogorov-Smirnov)"},
    [WB_CHECK_CHANGE_POINT] = {"change-point", "no change of the level (Pettitt)"},
    [WB_CHECK_TREND] = {"trend", "no trend of the maxima (Mann-Kendall)"},
    [WB_CHECK_CLUSTERS] = {"clusters", "long times come alone (extremal index)"},
    [WB_CHECK_MODES] = {"modes", "one mode of behaviour (valleys of the histogram)"},
    [WB_CHECK_TAIL_POINTS] = {"tail", "the largest times are of one tail (after TailID)"},
};

const char *wb_measured_check_name(enum wb_measured_check_kind kind)
{
  return checks[kind].name;
}

const char *wb_measured_check_title(enum wb_measured_check_kind kind)
{
  return checks[kind].title;
}

static const struct {
  const char *name, *title;
} fits[WB_MEASURED_FITS] = {
    [WB_FIT_OF_GEV] = {"gev", "GEV, maximum likelihood"},
    [WB_FIT_OF_GUMBEL] = {"gumbel", "Gumbel, maximum likelihood"},
    [WB_FIT_OF_GEV_L_MOMENTS] = {"gev-l-moments", "GEV, L-moments"},
    [WB_FIT_OF_PARETO] = {"gpd", "GPD, maximum likelihood"},
    [WB_FIT_OF_EXPONENTIAL] = {"exponential", "exponential, maximum likelihood"},
    [WB_FIT_OF_PARETO_L_MOMENTS] = {"gpd-l-moments", "GPD, L-moments"},
    [WB_FIT_OF_VARIATION] = {"exponential-cv", "exponential tail by variation (MBPTA-CV)"},
};

const char *wb_measured_fit_name(enum wb_measured_fit_kind kind)
{
  return fits[kind].name;
}

const char *wb_measured_fit_title(enum wb_measured_fit_kind kind)
{
  return fits[kind].title;
}

/* ---- times ---- */

/* Most decimals, and the magnitude from which on a double has none to show. */
#define MOST_DECIMALS 9
#define MOST_DIGITS 15
#define LARGEST_PLAIN 1e15

const char *wb_measured_time(const struct wb_measured_series *series, double value,
                             char text[WB_MEASURED_TIME])
{
  const double deviation = series->summary.deviation;
  const double wanted = deviation > 0 ? 3 - floor(log10(deviation)) : 0;
  /* Digits that show a thousandth of the deviation; all of a double without a deviation. */
  const bool all = deviation <= 0 || value == 0;
  const double digits = all ? MOST_DIGITS : floor(log10(fabs(value))) - floor(log10(deviation)) + 4;
  const int decimals = (int)fmin(MOST_DECIMALS, fmax(0, wanted));
  if (isnan(value))
    snprintf(text, WB_MEASURED_TIME, "-");
  else if (isinf(value))
    snprintf(text, WB_MEASURED_TIME, value > 0 ? "unlimited" : "none");
  else if (fabs(value) >= LARGEST_PLAIN || deviation == 0 || wanted > MOST_DECIMALS)
    snprintf(text, WB_MEASURED_TIME, "%.*g", (int)fmin(MOST_DIGITS, fmax(4, digits)), value);
  else
    snprintf(text, WB_MEASURED_TIME, "%.*f", decimals, value);
  return text;
}
