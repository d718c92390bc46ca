/* Peaks of a series over a threshold, and their fits; levels without a fit. */
#include "analysis/measured/measured_steps.h"

#include "base/memory.h"
#include "evt/samples/ascending.h"

#include <math.h>
#include <stdlib.h>

/* The share of values above the lowest threshold that is tried, where that is enough of them: so
 * many, of fewer values up to a fifth. Lower ones pass the tests, which see little, but the tail of
 * normal values is not yet a GPD there: levels of 1e-6 come out too low. */
#define LOWEST_SHARE 0.05
#define ENOUGH_ABOVE 100.0
#define MOST_SHARE 0.2

static void fail_all(struct wb_measured_work *work, const char *why)
{
  wb_measured_fail_fits(work, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION, why);
}

/* ---- the threshold ---- */

/* The rule's choice; where nothing passes, the highest threshold that was tried. */
static void take_choice(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const size_t chosen = result->scan.chosen[work->options->rule];
  result->threshold_refused = chosen >= result->scan.count;
  result->threshold =
      result->scan.points[result->threshold_refused ? result->scan.count - 1 : chosen].threshold;
  result->has_threshold = true;
}

static double lowest_share(size_t count)
{
  return fmax(LOWEST_SHARE, fmin(MOST_SHARE, ENOUGH_ABOVE / (double)count));
}

static warpbound_status choose_threshold(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  warpbound_error why;
  const warpbound_status status = wb_threshold_scan(
      result->ascending, work->count, lowest_share(work->count), result->resolution.tick,
      work->options->significance, wb_measured_seed(work, 2), work->control, &result->scan, &why);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK)
    result->scan.count = 0;
  if (work->options->has_threshold) {
    result->threshold = work->options->threshold;
    result->has_threshold = true;
  } else if (result->scan.count > 0) {
    take_choice(work);
  } else {
    fail_all(work, status == WARPBOUND_OK ? "no threshold can be tried" : why.message);
  }
  return WARPBOUND_OK;
}

/* ---- the peaks ---- */

/* Peaks of clusters where long times come in clusters, else all exceedances. */
static warpbound_status take_peaks(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const struct wb_measured_check *clusters = &result->checks[WB_CHECK_CLUSTERS];
  const bool clustered =
      work->options->run_length > 0 || (clusters->done && clusters->outcome != WB_APPLICABLE);
  result->exceedances = wb_count_above(result->ascending, work->count, result->threshold);
  warpbound_status status =
      wb_extremal_index_of(work->values, work->count, result->threshold, work->options->run_length,
                           &result->index, work->error);
  if (status != WARPBOUND_OK)
    return status;
  result->peaks = wb_allocate(result->exceedances, sizeof *result->peaks);
  if (result->peaks == NULL)
    return wb_out_of_memory(work->error);
  result->declustered = work->options->decluster && clustered && !isnan(result->index.intervals);
  result->peak_count =
      wb_decluster(work->values, work->count, result->threshold,
                   result->declustered ? result->index.run_length : 0, result->peaks);
  return WARPBOUND_OK;
}

/* ---- the fits ---- */

static struct wb_measured_fitting fitting_of(const struct wb_measured_work *work,
                                             enum wb_measured_fit_kind kind,
                                             enum wb_tail_family family, enum wb_fit_method method)
{
  const struct wb_measured_series *result = work->result;
  return (struct wb_measured_fitting){.kind = kind,
                                      .family = family,
                                      .method = method,
                                      .data = {.values = result->peaks,
                                               .count = result->peak_count,
                                               .threshold = result->threshold,
                                               .control = work->control},
                                      .share_above =
                                          (double)result->exceedances / (double)work->count};
}

static warpbound_status fit_variation(struct wb_measured_work *work)
{
  struct wb_exponential_tail tail;
  warpbound_error why;
  const struct wb_measured_series *result = work->result;
  const warpbound_status status = wb_exponential_tail_find(result->ascending, work->count,
                                                           work->options->confidence, &tail, &why);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK || !tail.found) {
    wb_measured_fail_fits(
        work, WB_FIT_OF_VARIATION, WB_FIT_OF_VARIATION,
        status != WARPBOUND_OK ? why.message
        : tail.light ? "the coefficient of variation is below the band of an exponential tail: "
                       "an exponential tail would be safe but pessimistic"
        : tail.heavy ? "the coefficient of variation is above the band of an exponential tail: "
                       "an exponential tail would be unsafe"
                     : "no threshold has a coefficient of variation within the band");
    return WARPBOUND_OK;
  }
  work->result->variation_heavy = tail.heavy;
  struct wb_measured_fitting fitting =
      fitting_of(work, WB_FIT_OF_VARIATION, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD);
  fitting.data = (struct wb_fit_data){.values = result->ascending + work->count - tail.exceedances,
                                      .count = tail.exceedances,
                                      .threshold = tail.fit.tail.location,
                                      .control = work->control};
  fitting.share_above = (double)tail.exceedances / (double)work->count;
  return wb_measured_judge_fit(work, &fitting, &tail.fit);
}

static warpbound_status fit_peaks(struct wb_measured_work *work)
{
  static const struct {
    enum wb_measured_fit_kind kind;
    enum wb_tail_family family;
    enum wb_fit_method method;
  } rows[] = {{WB_FIT_OF_PARETO, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD},
              {WB_FIT_OF_EXPONENTIAL, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD},
              {WB_FIT_OF_PARETO_L_MOMENTS, WB_TAIL_PARETO, WB_FIT_L_MOMENTS}};
  warpbound_status status = WARPBOUND_OK;
  for (size_t r = 0; status == WARPBOUND_OK && r < sizeof rows / sizeof *rows; r++) {
    const struct wb_measured_fitting fitting =
        fitting_of(work, rows[r].kind, rows[r].family, rows[r].method);
    status = wb_measured_fit_family(work, &fitting);
  }
  if (status == WARPBOUND_OK)
    wb_measured_compare(work, WB_FIT_OF_PARETO, WB_FIT_OF_EXPONENTIAL);
  return status == WARPBOUND_OK ? fit_variation(work) : status;
}

warpbound_status wb_measured_fit_peaks(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  if (!result->fitted || work->options->method == WB_MEASURED_MAXIMA) {
    fail_all(work, result->fitted ? "not asked for" : "not fitted: the verdict is against it");
    return WARPBOUND_OK;
  }
  warpbound_status status = choose_threshold(work);
  if (status != WARPBOUND_OK || !result->has_threshold)
    return status;
  status = take_peaks(work);
  return status == WARPBOUND_OK ? fit_peaks(work) : status;
}

warpbound_status wb_measured_bound_levels(struct wb_measured_work *work)
{
  for (size_t p = 0; p < work->options->probability_count; p++)
    work->result->markov[p] =
        work->count == 0
            ? (struct wb_markov_level){.level = NAN}
            : wb_markov_level_of(work->values, work->count, work->options->probabilities[p]);
  return WARPBOUND_OK;
}
