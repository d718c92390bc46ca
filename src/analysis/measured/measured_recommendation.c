/* The one answer of an analysis: levels averaged over neighbouring thresholds or block sizes, or
 * the reason why there is none. */
#include "analysis/measured/measured_steps.h"
#include "evt/math/special_functions.h"

#include <math.h>
#include <stdio.h>

/* Times above a level in the sample that make its quantile better known than a fit: half of those
 * above the highest threshold, which fits would have to speak of from below. */
#define OBSERVED_SHARE 0.5
/* So many in any case. */
#define LEAST_OBSERVED 30.0

/* Mean shapes between which an interval goes from that of a light tail to that of a heavy one. */
#define LIGHT_SHAPE (-0.1)
#define HEAVY_SHAPE 0.0
/* How far the upper end of a light tail goes from the mean to the largest. */
#define LIGHT_UPPER 0.5

/* What is averaged at one probability. */
struct ends {
  double level, low, high, shape; /* sums, then means */
  double highest;                 /* of the upper ends */
  double most_low, least_high;
  size_t count, wanted;
};

/* The choices that are averaged, at one probability. Distances from `origin`, which lies below all
 * of them, are averaged by their logarithms: they spread by factors. */
static struct ends average(const struct wb_measured_work *work, bool of_maxima, size_t p,
                           double origin)
{
  const struct wb_measured_series *result = work->result;
  struct ends ends = {.highest = -INFINITY, .most_low = -INFINITY, .least_high = INFINITY};
  for (size_t k = 0; k < result->choice_count; k++) {
    const struct wb_measured_choice *choice = &result->choices[k];
    const struct wb_measured_choice_level *level =
        &result->choice_levels[k * work->options->probability_count + p];
    if (choice->of_maxima != of_maxima || !choice->averaged)
      continue;
    ends.wanted++;
    if (!choice->made || !level->interval.found || !(level->interval.low > origin))
      continue;
    ends.count++;
    ends.level += log(level->level - origin);
    ends.low += log(level->interval.low - origin);
    ends.high += log(level->interval.high - origin);
    ends.shape += choice->shape;
    ends.highest = fmax(ends.highest, level->interval.high);
    ends.most_low = fmax(ends.most_low, level->interval.low);
    ends.least_high = fmin(ends.least_high, level->interval.high);
  }
  const double count = (double)ends.count;
  ends.level /= count;
  ends.low /= count;
  ends.high /= count;
  ends.shape /= count;
  return ends;
}

/* The interval of averaged choices. Where the tail looks light, its shape may still rise with the
 * threshold, as that of normal times does: levels are then too low, hardly ever too high by as
 * much, and the upper end goes half way to the largest. Where it looks heavy, levels are rather too
 * high by chance than too low, and the intervals' lower ends are lower than they have to be: the
 * highest of them is taken. Both were found by samples of known distributions
 * (doc/measured/evt-coverage.md). */
static struct wb_measured_recommended_level interval_of(const struct ends *ends, double origin)
{
  const double heavy = fmin(1, fmax(0, (ends->shape - LIGHT_SHAPE) / (HEAVY_SHAPE - LIGHT_SHAPE)));
  const double low = ends->low + heavy * (log(ends->most_low - origin) - ends->low);
  double high = INFINITY;
  if (!isinf(ends->highest))
    high = ends->high + (1 - heavy) * LIGHT_UPPER * (log(ends->highest - origin) - ends->high);
  return (struct wb_measured_recommended_level){
      origin + exp(ends->level), origin + exp(fmin(low, ends->level)), origin + exp(high), false};
}

/* The least origin of the averages: below all levels that a fit speaks of. */
static double origin_of(const struct wb_measured_series *result, bool of_maxima)
{
  if (!of_maxima)
    return result->threshold;
  return result->block_size > 1 ? result->summary.median
                                : 2 * result->summary.least - result->summary.most;
}

/* The quantile of the times, with the interval of its rank by the normal distribution; clusters
 * count once. */
static struct wb_measured_recommended_level observed_level(const struct wb_measured_work *work,
                                                           double probability)
{
  const struct wb_measured_series *result = work->result;
  const struct wb_measured_check *clusters = &result->checks[WB_CHECK_CLUSTERS];
  const double index =
      clusters->done && clusters->outcome != WB_APPLICABLE ? clusters->statistic : 1;
  const double count = (double)work->count, above = probability * count;
  const double spread = wb_normal_level((1 - work->options->confidence) / 2) *
                        sqrt(above * (1 - probability) / index);
  const double ranks[3] = {above, above + spread, above - spread};
  double values[3];
  for (size_t k = 0; k < 3; k++) {
    /* The level that as many times exceed. */
    const double from_top = fmin(count - 1, fmax(0, floor(ranks[k])));
    values[k] = result->ascending[work->count - 1 - (size_t)from_top];
  }
  return (struct wb_measured_recommended_level){values[0], values[1], values[2], true};
}

/* Averages at all probabilities. Says in `why` what stands against it. */
static bool recommend(struct wb_measured_work *work, bool of_maxima, char *why, size_t room)
{
  struct wb_measured_recommendation *recommended = &work->result->recommended;
  const double origin = origin_of(work->result, of_maxima);
  double fewest = (double)work->count; /* values of a choice that is averaged */
  for (size_t k = 0; k < work->result->choice_count; k++) {
    const struct wb_measured_choice *choice = &work->result->choices[k];
    if (choice->of_maxima == of_maxima && choice->averaged)
      fewest = fmin(fewest, (double)choice->values);
  }
  const bool maxima_already = of_maxima && work->result->block_size == 1;
  for (size_t p = 0; p < work->options->probability_count; p++) {
    const double probability = work->options->probabilities[p];
    if (!maxima_already &&
        probability * (double)work->count >= fmax(LEAST_OBSERVED, OBSERVED_SHARE * fewest)) {
      recommended->levels[p] = observed_level(work, probability);
      continue;
    }
    const struct ends ends = average(work, of_maxima, p, origin);
    if (ends.count == 0 || 2 * ends.count <= ends.wanted) {
      snprintf(why, room, "no interval is found at probability %g", probability);
      return false;
    }
    if (ends.most_low > ends.least_high) {
      snprintf(why, room,
               "levels hang on the %s: at probability %g two intervals have no point in common",
               of_maxima ? "block size" : "threshold", probability);
      return false;
    }
    recommended->levels[p] = interval_of(&ends, origin);
    recommended->averaged = ends.count;
    if (isinf(recommended->levels[p].high)) {
      snprintf(why, room, "the times do not limit the level at probability %g: more are needed",
               probability);
      return false;
    }
  }
  return true;
}

/* Whether the fit in use may be recommended; else says why not. */
static bool is_usable(const struct wb_measured_work *work, enum wb_measured_fit_kind kind,
                      char *why, size_t room)
{
  const struct wb_measured_fit *fit = &work->result->fits[kind];
  const char *name = wb_measured_fit_words[kind].title;
  if (fit->failed)
    snprintf(why, room, "%s: no fit: %.150s", name, fit->why);
  else if (work->result->choice_levels == NULL)
    snprintf(why, room, "a limit was reached before its intervals were found");
  else if (fit->impossible)
    snprintf(why, room, "%s: it ends below the longest time measured", name);
  else if (wb_measured_is_refused(work->options, fit))
    snprintf(why, room, "%s: the values refuse it (Anderson-Darling)", name);
  else
    return true;
  return false;
}

/* Why this fit, in words. */
static void give_reason(const struct wb_measured_work *work, bool of_maxima, const char *other)
{
  const struct wb_measured_series *result = work->result;
  struct wb_measured_recommendation *recommended = &work->result->recommended;
  const char *care =
      result->verdict == WB_APPLICABLE_WITH_CARE ? "; applicable with care: see the checks" : "";
  char most[WB_MEASURED_TIME];
  if (of_maxima)
    snprintf(recommended->reason, sizeof recommended->reason,
             "GEV of %zu maxima of %zu runs, averaged over %zu block size%s%s%.150s%s",
             result->maximum_count, result->block_size, recommended->averaged,
             recommended->averaged == 1 ? "" : "s", other[0] != '\0' ? "; not of peaks: " : "",
             other, care);
  else
    snprintf(recommended->reason, sizeof recommended->reason,
             "GPD of the %zu longest of %zu times, above %s, averaged over %zu threshold%s: peaks "
             "use more of the longest times than maxima of blocks do%s",
             result->exceedances, work->count, wb_measured_time(result, result->threshold, most),
             recommended->averaged, recommended->averaged == 1 ? "" : "s", care);
}

warpbound_status wb_measured_recommend(struct wb_measured_work *work)
{
  struct wb_measured_recommendation *recommended = &work->result->recommended;
  const enum wb_measured_method method = work->options->method;
  char of_peaks[sizeof recommended->reason / 2 - 2] = "", why[sizeof of_peaks] = "";
  *recommended = (struct wb_measured_recommendation){.averaged = 1};
  if (work->result->verdict == WB_NOT_APPLICABLE) {
    snprintf(recommended->reason, sizeof recommended->reason,
             "the times fail the checks: no level of theirs is to be used");
    return WARPBOUND_OK;
  }
  if (work->options->probability_count == 0) {
    snprintf(recommended->reason, sizeof recommended->reason, "no probability is asked for");
    return WARPBOUND_OK;
  }
  /* Peaks first, but of times that are maxima already. */
  const bool maxima_first = work->options->block_size == 1;
  for (int turn = 0; turn < 2 && !recommended->given; turn++) {
    const bool of_maxima = (turn == 0) == maxima_first;
    const enum wb_measured_fit_kind kind = of_maxima ? WB_FIT_OF_GEV : WB_FIT_OF_PARETO;
    if (method == (of_maxima ? WB_MEASURED_PEAKS : WB_MEASURED_MAXIMA))
      continue;
    char *words = of_maxima ? why : of_peaks;
    recommended->kind = kind;
    recommended->given =
        is_usable(work, kind, words, sizeof why) && recommend(work, of_maxima, words, sizeof why);
    if (recommended->given)
      give_reason(work, of_maxima, of_peaks);
  }
  if (!recommended->given)
    snprintf(recommended->reason, sizeof recommended->reason, "%s%s%s", of_peaks,
             of_peaks[0] != '\0' && why[0] != '\0' ? "; " : "", why);
  return WARPBOUND_OK;
}
