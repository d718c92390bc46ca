/* Fits to block maxima and to peaks of a series, and all that is said of each: goodness, intervals,
 * return levels; levels without a fit. */
#include "analysis/measured/measured_steps.h"

#include "base/memory.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdio.h>

/* The share of values above the lowest threshold that is tried, where that is enough of them: so
 * many, of fewer values up to a fifth. */
#define LOWEST_SHARE 0.05
#define MOST_SHARE 0.2
/* The lowest threshold that is chosen leaves so many of 2,000 values above it, and more by the
 * first power of more values, fewer by the second of fewer. Tests see little of the bias of lower
 * ones: the tail of normal values is not yet a GPD there, and levels of 1e-6 come out too low, the
 * more surely the more values there are (doc/measured/evt-coverage.md). */
#define CHOSEN_ABOVE 110.0
#define CHOSEN_OF 2000.0
#define MORE_GROWTH 0.26
#define FEWER_GROWTH 0.5

/* A fit that is to be made. */
struct fitting {
  enum wb_measured_fit_kind kind;
  enum wb_tail_family family;
  enum wb_fit_method method;
  struct wb_fit_data data;
  /* Maxima: runs of a block, times the extremal index. Peaks: the share of runs above the
   * threshold. */
  double runs_per_block, share_above;
};

bool wb_measured_is_fatal(warpbound_status status)
{
  return status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT;
}

bool wb_measured_is_refused(const struct wb_measured_options *options,
                            const struct wb_measured_fit *fit)
{
  return fit->worse ||
         (fit->has_goodness && fit->goodness.anderson_darling_p < options->significance);
}

/* ---- levels ---- */

double wb_measured_survival(const struct wb_measured_fit *fit, double probability)
{
  if (wb_tail_is_of_maxima(fit->fit.tail.family))
    return -expm1(fit->runs_per_block * log1p(-probability));
  return probability / fit->share_above;
}

static warpbound_status find_level(struct wb_measured_work *work, const struct wb_fit_data *data,
                                   const struct wb_measured_fit *result, double probability,
                                   struct wb_measured_level *level)
{
  const struct wb_tail_fit *fit = &result->fit;
  const struct wb_measured_bound *bound = &work->options->bound;
  const double most = work->result->summary.most;
  const double survival = wb_measured_survival(result, probability);
  *level = (struct wb_measured_level){
      .probability = probability, .survival = survival, .level = NAN, .error = NAN};
  if (!(survival > 0 && survival < 1))
    return WARPBOUND_OK;
  level->level = wb_tail_level(&fit->tail, survival);
  level->error = wb_fit_level_error(fit, survival);
  level->extrapolated = level->level > most;
  level->below_observed =
      level->level < most && probability * (double)work->count < work->options->significance;
  level->above_bound = bound->given && level->level > bound->value;
  if (fit->method != WB_FIT_LIKELIHOOD)
    return WARPBOUND_OK;
  return wb_profile_level(data, fit, survival, work->options->confidence, &level->profile,
                          work->error);
}

/* ---- one fit ---- */

void wb_measured_fail_fits(struct wb_measured_work *work, enum wb_measured_fit_kind first,
                           enum wb_measured_fit_kind last, const char *why)
{
  for (int kind = (int)first; kind <= (int)last; kind++) {
    struct wb_measured_fit *fit = &work->result->fits[kind];
    fit->failed = true;
    snprintf(fit->why, sizeof fit->why, "%.199s", why);
  }
}

/* All that is said of a fit: levels, intervals, goodness. */
static warpbound_status judge_fit(struct wb_measured_work *work, const struct fitting *fitting,
                                  const struct wb_tail_fit *fit)
{
  struct wb_measured_fit *result = &work->result->fits[fitting->kind];
  result->fit = *fit;
  result->runs_per_block = fitting->runs_per_block;
  result->share_above = fitting->share_above;
  result->impossible = wb_tail_upper_end(&fit->tail) < work->result->summary.most;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < work->options->probability_count; p++)
    status = find_level(work, &fitting->data, result, work->options->probabilities[p],
                        &result->levels[p]);
  double survivals[WB_MEASURED_LEVELS];
  struct wb_interval intervals[WB_MEASURED_LEVELS];
  size_t places[WB_MEASURED_LEVELS], count = 0;
  for (size_t p = 0; p < work->options->probability_count && status == WARPBOUND_OK; p++) {
    if (!isnan(result->levels[p].level)) {
      places[count] = p;
      survivals[count++] = result->levels[p].survival;
    }
  }
  if (work->options->bootstrap > 0 && count > 0) {
    unsigned failed;
    status = wb_bootstrap_levels(fit, survivals, count, work->options->confidence,
                                 work->options->bootstrap,
                                 wb_measured_seed(work, 100 + (unsigned)fitting->kind),
                                 work->control, intervals, &failed, work->error);
    for (size_t k = 0; status == WARPBOUND_OK && k < count; k++)
      result->levels[places[k]].bootstrap = intervals[k];
  }
  if (status == WARPBOUND_OK && wb_fit_shape_place(fit) < fit->parameter_count)
    status = wb_profile_shape(&fitting->data, fit, work->options->confidence, &result->shape,
                              work->error);
  if (status == WARPBOUND_OK && work->options->replicates > 0) {
    status = wb_goodness_of_fit(&fitting->data, fit, work->result->resolution.tick,
                                work->options->replicates,
                                wb_measured_seed(work, 200 + (unsigned)fitting->kind),
                                work->control, &result->goodness, work->error);
    result->has_goodness = status == WARPBOUND_OK;
  }
  return status;
}

/* The fits to maxima, or peaks: a family of three parameters, that of two in it, and the first by
 * L-moments; with the likelihood ratio of the first two. */
static warpbound_status fit_families(struct wb_measured_work *work, struct fitting fitting,
                                     bool of_maxima)
{
  static const struct {
    enum wb_measured_fit_kind kind;
    enum wb_tail_family family;
    enum wb_fit_method method;
  } rows[2][3] = {{{WB_FIT_OF_PARETO, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD},
                   {WB_FIT_OF_EXPONENTIAL, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD},
                   {WB_FIT_OF_PARETO_L_MOMENTS, WB_TAIL_PARETO, WB_FIT_L_MOMENTS}},
                  {{WB_FIT_OF_GEV, WB_TAIL_GEV, WB_FIT_LIKELIHOOD},
                   {WB_FIT_OF_GUMBEL, WB_TAIL_GUMBEL, WB_FIT_LIKELIHOOD},
                   {WB_FIT_OF_GEV_L_MOMENTS, WB_TAIL_GEV, WB_FIT_L_MOMENTS}}};
  struct wb_measured_fit *larger = &work->result->fits[rows[of_maxima][0].kind];
  struct wb_measured_fit *smaller = &work->result->fits[rows[of_maxima][1].kind];
  warpbound_status status = WARPBOUND_OK;
  for (size_t r = 0; status == WARPBOUND_OK && r < 3; r++) {
    fitting.kind = rows[of_maxima][r].kind;
    fitting.family = rows[of_maxima][r].family;
    fitting.method = rows[of_maxima][r].method;
    struct wb_tail_fit fit;
    warpbound_error why;
    status = wb_tail_fit(&fitting.data, fitting.family, fitting.method, &fit, &why);
    if (wb_measured_is_fatal(status))
      return wb_fail_with(work->error, &why);
    if (status != WARPBOUND_OK)
      wb_measured_fail_fits(work, fitting.kind, fitting.kind, why.message);
    status = status == WARPBOUND_OK ? judge_fit(work, &fitting, &fit) : WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK && !larger->failed && !smaller->failed) {
    larger->ratio = wb_likelihood_ratio_of(&smaller->fit, &larger->fit);
    larger->has_ratio = true;
    smaller->worse = larger->ratio.p_value < work->options->significance;
  }
  return status;
}

/* Whether fits of maxima, or of peaks, are wanted; else says of them why there is none. */
static bool is_wanted(struct wb_measured_work *work, enum wb_measured_method other,
                      enum wb_measured_fit_kind first, enum wb_measured_fit_kind last)
{
  const bool fitted = work->result->fitted;
  if (fitted && work->options->method != other)
    return true;
  wb_measured_fail_fits(work, first, last,
                        fitted ? "not asked for" : "not fitted: the verdict is against it");
  return false;
}

/* ---- block maxima ---- */

double wb_measured_runs_of(const struct wb_measured_work *work, size_t block)
{
  const struct wb_measured_check *clusters = &work->result->checks[WB_CHECK_CLUSTERS];
  const bool clustered = clusters->done && clusters->outcome != WB_APPLICABLE;
  return (double)block * (clustered && block > 1 ? clusters->statistic : 1);
}

warpbound_status wb_measured_fit_maxima(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  if (!is_wanted(work, WB_MEASURED_PEAKS, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS))
    return WARPBOUND_OK;
  result->block_size = work->options->block_size;
  if (result->block_size == 0) {
    warpbound_error why;
    const struct wb_block_question question = {.values = work->values,
                                               .count = work->count,
                                               .significance = work->options->significance,
                                               .tick = result->resolution.tick,
                                               .seed = wb_measured_seed(work, 1),
                                               .control = work->control};
    const warpbound_status status = wb_block_size_choose(&question, &result->blocks, &why);
    result->block_size = result->blocks.block;
    if (status == WARPBOUND_INVALID_INPUT)
      wb_measured_fail_fits(work, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, why.message);
    else if (status != WARPBOUND_OK)
      return wb_fail_with(work->error, &why);
  }
  if (result->block_size == 0) /* no size can be tried */
    return WARPBOUND_OK;
  result->maximum_count = work->count / result->block_size;
  result->left_out = work->count % result->block_size;
  result->maxima = wb_allocate(result->maximum_count, sizeof *result->maxima);
  if (result->maxima == NULL)
    return wb_out_of_memory(work->error);
  (void)wb_block_maxima(work->values, work->count, result->block_size, result->maxima);
  const struct fitting fitting = {
      .data = {.values = result->maxima, .count = result->maximum_count, .control = work->control},
      .runs_per_block = wb_measured_runs_of(work, result->block_size)};
  return fit_families(work, fitting, true);
}

/* ---- peaks over a threshold ---- */

/* The threshold given, or the rule's choice; where nothing passes, the highest that was tried. */
static warpbound_status choose_threshold(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  struct wb_threshold_scan *scan = &result->scan;
  const double size = (double)work->count;
  const double most =
      CHOSEN_ABOVE * pow(size / CHOSEN_OF, size < CHOSEN_OF ? FEWER_GROWTH : MORE_GROWTH);
  const size_t mode = result->mode_above; /* above where a slow mode begins */
  const struct wb_threshold_range range = {
      .lowest_share = fmax(LOWEST_SHARE, fmin(MOST_SHARE, CHOSEN_ABOVE / size)),
      .most_chosen = mode > 0 && mode < (size_t)most ? mode : (size_t)most,
  };
  warpbound_error why;
  const warpbound_status status = wb_threshold_scan(
      result->ascending, work->count, &range, result->resolution.tick, work->options->significance,
      wb_measured_seed(work, 2), work->control, scan, &why);
  if (wb_measured_is_fatal(status))
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK)
    scan->count = 0;
  if (work->options->has_threshold) {
    result->threshold = work->options->threshold;
    result->has_threshold = true;
  } else if (scan->count > 0) {
    const size_t chosen = scan->chosen[work->options->rule];
    result->threshold_refused = chosen >= scan->count;
    result->threshold =
        scan->points[result->threshold_refused ? scan->count - 1 : chosen].threshold;
    result->has_threshold = true;
  } else {
    wb_measured_fail_fits(work, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION,
                          status == WARPBOUND_OK ? "no threshold can be tried" : why.message);
  }
  return WARPBOUND_OK;
}

/* The exponential tail of MBPTA-CV. */
static warpbound_status fit_variation(struct wb_measured_work *work)
{
  struct wb_exponential_tail tail;
  warpbound_error why;
  const struct wb_measured_series *result = work->result;
  const warpbound_status status = wb_exponential_tail_find(result->ascending, work->count,
                                                           work->options->confidence, &tail, &why);
  if (wb_measured_is_fatal(status))
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
  const struct fitting fitting = {
      .kind = WB_FIT_OF_VARIATION,
      .data = {.values = result->ascending + work->count - tail.exceedances,
               .count = tail.exceedances,
               .threshold = tail.fit.tail.location,
               .control = work->control},
      .share_above = (double)tail.exceedances / (double)work->count};
  return judge_fit(work, &fitting, &tail.fit);
}

warpbound_status wb_measured_fit_peaks(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  if (!is_wanted(work, WB_MEASURED_MAXIMA, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION))
    return WARPBOUND_OK;
  warpbound_status status = choose_threshold(work);
  if (status != WARPBOUND_OK || !result->has_threshold)
    return status;
  status = wb_extremal_index_of(work->values, work->count, result->threshold,
                                work->options->run_length, &result->index, work->error);
  if (status != WARPBOUND_OK)
    return status;
  result->exceedances = wb_count_above(result->ascending, work->count, result->threshold);
  result->peaks = wb_allocate(result->exceedances, sizeof *result->peaks);
  if (result->peaks == NULL)
    return wb_out_of_memory(work->error);
  /* Peaks of clusters where long times come in clusters, else all exceedances. */
  const struct wb_measured_check *clusters = &result->checks[WB_CHECK_CLUSTERS];
  const bool clustered =
      work->options->run_length > 0 || (clusters->done && clusters->outcome != WB_APPLICABLE);
  result->declustered = work->options->decluster && clustered && !isnan(result->index.intervals);
  result->peak_count =
      wb_decluster(work->values, work->count, result->threshold,
                   result->declustered ? result->index.run_length : 0, result->peaks);
  const struct fitting fitting = {.data = {.values = result->peaks,
                                           .count = result->peak_count,
                                           .threshold = result->threshold,
                                           .control = work->control},
                                  .share_above = (double)result->exceedances / (double)work->count};
  status = fit_families(work, fitting, false);
  return status == WARPBOUND_OK ? fit_variation(work) : status;
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
