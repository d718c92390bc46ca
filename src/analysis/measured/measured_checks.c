/* The checks of applicability: each with what it found in words, and what to do about it. */
#include "analysis/measured/measured_checks.h"

#include "base/memory.h"
#include "evt/samples/ascending.h"
#include "evt/tests/modes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Samples below which nothing is fitted, and from which on nothing is said. */
#define LEAST_SAMPLES 100
#define GOOD_SAMPLES 1000
/* The same where the samples are maxima already. */
#define LEAST_MAXIMA 20
#define GOOD_MAXIMA 50
/* Samples whose largest twentieth is enough to look for points that stand apart. */
#define MANY_SAMPLES 2000
/* Ticks of the clock in the mean excess over the 90 % quantile. */
#define LEAST_TICKS 2.0
#define GOOD_TICKS 10.0
/* Exceedances that the largest mode of several has to have. */
#define LEAST_IN_MODE 100.0

struct wb_measured_check *wb_measured_check_set(struct wb_measured_work *work,
                                                enum wb_measured_check_kind kind,
                                                enum wb_applicability outcome, const char *advice,
                                                const char *format, ...)
{
  struct wb_measured_check *check = &work->result->checks[kind];
  *check = (struct wb_measured_check){.kind = kind,
                                      .done = true,
                                      .statistic = NAN,
                                      .detail = NAN,
                                      .p_value = NAN,
                                      .adjusted = NAN,
                                      .outcome = outcome};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->meaning, sizeof check->meaning, format, arguments);
  va_end(arguments);
  snprintf(check->advice, sizeof check->advice, "%s", outcome == WB_APPLICABLE ? "" : advice);
  return check;
}

static enum wb_applicability grade(double value, double least, double good)
{
  return value < least ? WB_NOT_APPLICABLE : value < good ? WB_APPLICABLE_WITH_CARE : WB_APPLICABLE;
}

static void check_size(struct wb_measured_work *work)
{
  const bool maxima = work->options->block_size == 1;
  const size_t good = maxima ? GOOD_MAXIMA : GOOD_SAMPLES;
  const size_t least = maxima ? LEAST_MAXIMA : LEAST_SAMPLES;
  wb_measured_check_set(work, WB_CHECK_SIZE,
                        grade((double)work->count, (double)least, (double)good),
                        "measure more runs: the tail of a small sample says little",
                        "%zu %s; at least %zu are needed, %zu or more advised", work->count,
                        maxima             ? "maxima"
                        : work->count == 1 ? "value"
                                           : "values",
                        least, good)
      ->statistic = (double)work->count;
}

static bool is_constant(const struct wb_measured_work *work)
{
  return work->count == 0 || !(work->result->summary.most > work->result->summary.least);
}

static void check_variation(struct wb_measured_work *work)
{
  const size_t distinct = work->result->resolution.distinct;
  if (is_constant(work))
    wb_measured_check_set(work, WB_CHECK_CONSTANT, WB_NOT_APPLICABLE,
                          "no tail can be seen: the clock is too coarse, or the runs do not differ",
                          "all values are equal");
  else
    wb_measured_check_set(work, WB_CHECK_CONSTANT, WB_APPLICABLE, "", "%zu different values",
                          distinct);
  work->result->checks[WB_CHECK_CONSTANT].statistic = (double)distinct;
}

/* ---- resolution ---- */

/* The mean excess over the 90 % quantile: about the scale of the tail. */
static double tail_spread(const struct wb_measured_work *work)
{
  const double *ascending = work->result->ascending;
  const size_t first = work->count - (work->count + 9) / 10;
  double sum = 0;
  for (size_t k = first; k < work->count; k++)
    sum += ascending[k] - ascending[first];
  return sum / (double)(work->count - first);
}

static void check_resolution(struct wb_measured_work *work)
{
  const struct wb_resolution *found = &work->result->resolution;
  const double ticks = found->tick > 0 ? tail_spread(work) / found->tick : INFINITY;
  enum wb_applicability outcome = grade(ticks, LEAST_TICKS, GOOD_TICKS);
  if (found->tick > 0)
    wb_measured_check_set(
        work, WB_CHECK_RESOLUTION, outcome,
        "measure with a finer clock, or time several runs together; the fits take rounding to "
        "ticks into account, levels are sharp to a tick at best",
        "ticks of %s; the largest tenth spreads over %.*f ticks on average; %.3g %% of all "
        "values "
        "equal another one",
        WB_MEASURED_TEXT(work, found->tick), ticks < 100 ? 1 : 0, ticks, 100 * found->tied_share);
  else {
    outcome = grade(-found->tail_tied_share, -0.5, -0.1);
    wb_measured_check_set(work, WB_CHECK_RESOLUTION, outcome,
                          "equal times without a tick of the clock: look for times that were "
                          "copied, capped or replaced",
                          "no tick is seen; %.3g %% of all values equal another one, %.3g %% of "
                          "the largest tenth",
                          100 * found->tied_share, 100 * found->tail_tied_share);
  }
  work->result->checks[WB_CHECK_RESOLUTION].statistic =
      found->tick > 0 ? ticks : found->tail_tied_share;
}

/* ---- tails ---- */

static warpbound_status check_modes(struct wb_measured_work *work)
{
  struct wb_modes modes;
  const warpbound_status status = wb_modes_find(work->result->ascending, work->count,
                                                work->result->resolution.tick, &modes, work->error);
  if (status != WARPBOUND_OK)
    return status;
  if (!modes.found) {
    wb_measured_check_set(work, WB_CHECK_MODES, WB_APPLICABLE, "", "one heap of values is seen");
    return status;
  }
  const double above = modes.upper_share * (double)work->count;
  wb_measured_check_set(
      work, WB_CHECK_MODES, above < LEAST_IN_MODE ? WB_NOT_APPLICABLE : WB_APPLICABLE_WITH_CARE,
      above < LEAST_IN_MODE
          ? "too few runs in the slow mode: provoke it, and measure the modes apart"
          : "the tail is that of the upper mode alone: keep the threshold in it, or measure the "
            "modes apart; a third one may not have been seen",
      "two heaps, near %s and %s, with a valley near %s; %.3g %% of the values (%.0f) are in "
      "the upper one",
      WB_MEASURED_TEXT(work, modes.lower), WB_MEASURED_TEXT(work, modes.upper),
      WB_MEASURED_TEXT(work, modes.valley), 100 * modes.upper_share, above)
      ->statistic = modes.depth;
  return status;
}

static double upper_quantile(const struct wb_measured_work *work, double share)
{
  const size_t above = (size_t)(share * (double)work->count);
  return work->result->ascending[work->count - 1 - (above < work->count ? above : 0)];
}

static warpbound_status check_clusters(struct wb_measured_work *work)
{
  struct wb_extremal_index index;
  const double threshold = upper_quantile(work, 0.05);
  const warpbound_status status = wb_extremal_index_of(
      work->values, work->count, threshold, work->options->run_length, &index, work->error);
  if (status != WARPBOUND_OK)
    return status;
  if (isnan(index.intervals)) {
    wb_measured_check_skip(work, WB_CHECK_CLUSTERS, "fewer than 10 values above the 95 % quantile");
    return status;
  }
  wb_measured_check_set(work, WB_CHECK_CLUSTERS, grade(index.intervals, 0.05, 0.7),
                        "long times come in clusters: peaks are taken one a cluster, and levels "
                        "speak of one run",
                        "%.3f by intervals, %.3f by runs: long times come in "
                        "clusters of %.2f on average",
                        index.intervals, index.runs, 1 / index.intervals)
      ->statistic = index.intervals;
  return status;
}

static warpbound_status check_tail_points(struct wb_measured_work *work)
{
  struct wb_tail_points_result found;
  warpbound_error ignored;
  /* Of normal times the largest tenth is no tail yet: 15 % of good samples of 5,000 would be
   * refused, of the largest twentieth 5 %. */
  const double share = work->count >= MANY_SAMPLES ? 0.05 : 0.1;
  const double threshold = upper_quantile(work, share);
  const size_t first =
      work->count - wb_count_above(work->result->ascending, work->count, threshold);
  const warpbound_status status = wb_tail_points_check(
      work->result->ascending + first, work->count - first, threshold,
      work->result->resolution.tick, work->options->confidence, &found, &ignored);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &ignored);
  if (status != WARPBOUND_OK) {
    wb_measured_check_skip(work, WB_CHECK_TAIL_POINTS, ignored.message);
    return WARPBOUND_OK;
  }
  if (found.outcome == WB_TAIL_POINTS_ALIKE && isnan(found.shape))
    wb_measured_check_skip(work, WB_CHECK_TAIL_POINTS, "no tail can be fitted without the largest");
  else if (found.outcome == WB_TAIL_POINTS_ALIKE)
    wb_measured_check_set(work, WB_CHECK_TAIL_POINTS, WB_APPLICABLE, "",
                          "they fit the tail of the others (shape xi %.3f, from %.3f "
                          "to %.3f)",
                          found.shape, found.shape_low, found.shape_high);
  else if (found.outcome == WB_TAIL_POINTS_MIXTURE)
    wb_measured_check_set(work, WB_CHECK_TAIL_POINTS, WB_NOT_APPLICABLE,
                          "the tail has a second mode: find its cause, measure it apart, or raise "
                          "the threshold into it",
                          "%zu values from %s on stand apart from the tail of the others: a "
                          "mixture",
                          found.apart, WB_MEASURED_TEXT(work, found.first_apart));
  else
    wb_measured_check_set(work, WB_CHECK_TAIL_POINTS, WB_APPLICABLE_WITH_CARE,
                          "take more samples until they are explained or common enough to be "
                          "fitted",
                          "%zu %s from %s on stand apart from the tail of the others, too few to "
                          "say why",
                          found.apart, found.apart == 1 ? "value" : "values",
                          WB_MEASURED_TEXT(work, found.first_apart));
  work->result->checks[WB_CHECK_TAIL_POINTS].statistic = (double)found.apart;
  return WARPBOUND_OK;
}

void wb_measured_check_skip(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                            const char *why)
{
  wb_measured_check_set(work, kind, WB_APPLICABLE, "", "not made: %s", why)->done = false;
}

/* Where the values do not vary, or are too few, the others have nothing to say. */
static void skip_rest(struct wb_measured_work *work, const char *why)
{
  for (int kind = WB_CHECK_RESOLUTION; kind < WB_MEASURED_CHECKS; kind++)
    wb_measured_check_skip(work, (enum wb_measured_check_kind)kind, why);
}

warpbound_status wb_measured_check_all(struct wb_measured_work *work)
{
  check_size(work);
  check_variation(work);
  if (is_constant(work) || work->count < LEAST_MAXIMA) {
    skip_rest(work, is_constant(work) ? "all values are equal" : "too few values");
    return WARPBOUND_OK;
  }
  check_resolution(work);
  warpbound_status status = wb_measured_check_order(work);
  if (status == WARPBOUND_OK)
    status = check_clusters(work);
  if (status == WARPBOUND_OK)
    status = check_modes(work);
  if (status == WARPBOUND_OK)
    status = check_tail_points(work);
  return status;
}
