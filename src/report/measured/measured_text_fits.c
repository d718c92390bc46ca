/* Block maxima, peaks over a threshold and their fits, as text for people. */
#include "report/measured/measured_plots.h"
#include "report/measured/measured_text.h"
#include "report/measured/text_columns.h"

#include "base/text/utf8.h"

#include <math.h>
#include <stdio.h>

/* ---- a row of the table ---- */

/* A cell with a time and its standard error, where it has one. */
static void add_time(const struct wb_measured_words *words, double time, double error,
                     struct wb_text *rows)
{
  wb_text_format(rows, "\t%s", WB_TIME_WORDS(words, time));
  if (!isnan(error))
    wb_text_format(rows, " (%s)", WB_TIME_WORDS(words, error));
}

/* The same of a parameter without unit. */
static void add_shape_value(double shape, double error, struct wb_text *rows)
{
  wb_text_format(rows, "\t%.4f", shape);
  if (!isnan(error))
    wb_text_format(rows, " (%.3g)", error);
}

static double error_at(const struct wb_tail_fit *fit, unsigned place)
{
  return place < fit->parameter_count ? wb_fit_error(fit, place) : NAN;
}

static void add_parameters(const struct wb_measured_words *words, const struct wb_measured_fit *fit,
                           struct wb_text *rows)
{
  const struct wb_tail *tail = &fit->fit.tail;
  const bool maxima = wb_tail_is_of_maxima(tail->family);
  add_time(words, tail->location, maxima ? error_at(&fit->fit, 0) : NAN, rows);
  add_time(words, tail->scale, error_at(&fit->fit, wb_fit_scale_place(&fit->fit)), rows);
  add_shape_value(tail->shape, error_at(&fit->fit, wb_fit_shape_place(&fit->fit)), rows);
  const double likelihood = fit->fit.negative_log_likelihood;
  wb_text_format(rows, fabs(likelihood) < 99999 ? "\t%.6g" : "\t%.0f", likelihood);
  if (fit->has_goodness)
    wb_text_format(rows, "\t%.3f\t%.3f\n", fit->goodness.anderson_darling_p,
                   fit->goodness.cramer_von_mises_p);
  else
    wb_text_string(rows, "\t-\t-\n");
}

/* ---- what is to be said of a fit ---- */

static void add_shape(const struct wb_measured_fit *fit, struct wb_text *rows)
{
  if (!fit->shape.found && !fit->has_ratio)
    return;
  wb_text_string(rows, "    ");
  if (fit->shape.found)
    wb_text_format(rows, "xi from %.3f to %.3f by profile likelihood", fit->shape.low,
                   fit->shape.high);
  if (fit->has_ratio)
    wb_text_format(rows, "%sxi = 0: likelihood ratio %.3f, p = %.3g", fit->shape.found ? "; " : "",
                   fit->ratio.statistic, fit->ratio.p_value);
  wb_text_string(rows, "\n");
}

static void add_end(const struct wb_measured_words *words, const struct wb_measured_fit *fit,
                    struct wb_text *rows)
{
  const double end = wb_tail_upper_end(&fit->fit.tail);
  if (fit->impossible)
    wb_text_format(rows, "    impossible: it ends at %s, below the longest time measured (%s)\n",
                   WB_TIME_WORDS(words, end), WB_TIME_WORDS(words, words->series->summary.most));
  else if (isfinite(end))
    wb_text_format(rows, "    it ends at %s\n", WB_TIME_WORDS(words, end));
}

static void add_remarks(const struct wb_measured_words *words, const struct wb_measured_fit *fit,
                        struct wb_text *rows)
{
  add_shape(fit, rows);
  if (fit->fit.at_boundary)
    wb_text_string(rows, "    the likelihood has no maximum above xi = -1: shown is the edge; take "
                         "more values or L-moments\n");
  if (wb_fit_is_refused(words->measured, fit))
    wb_text_string(rows, "    the values refuse it: their distance from it is greater than chance "
                         "allows\n");
  add_end(words, fit, rows);
}

static void add_fit(const struct wb_measured_words *words, enum wb_measured_fit_kind kind,
                    struct wb_text *rows)
{
  const struct wb_measured_fit *fit = &words->series->fits[kind];
  if (fit->failed) {
    wb_text_format(rows, "%s: no fit: ", wb_measured_fit_title(kind));
    wb_text_clean(rows, fit->why);
    wb_text_string(rows, "\n");
    return;
  }
  wb_text_string(rows, wb_measured_fit_title(kind));
  add_parameters(words, fit, rows);
  add_remarks(words, fit, rows);
  if (kind == WB_FIT_OF_VARIATION && words->series->variation_heavy)
    wb_text_string(rows, "    below that threshold the variation is above the band: the tail may "
                         "be heavier\n");
}

static void write_fits(const struct wb_measured_words *words, enum wb_measured_fit_kind first,
                       enum wb_measured_fit_kind last, const char *location)
{
  struct wb_text rows = {0};
  wb_text_format(&rows,
                 "estimate (standard error)\t%s\tscale sigma\txi > 0: heavy tail\t-log L\t"
                 "p of A^2\tp of W^2\n",
                 location);
  for (int kind = first; kind <= (int)last; kind++)
    add_fit(words, (enum wb_measured_fit_kind)kind, &rows);
  wb_text_columns(words->text, 4, &rows);
  wb_text_free(&rows);
}

/* ---- maxima, peaks ---- */

static void write_blocks(const struct wb_measured_words *words)
{
  const struct wb_measured_series *series = words->series;
  if (series->block_size == 1)
    wb_text_format(words->text, " the %zu times are maxima already", series->maximum_count);
  else
    wb_text_format(words->text, " %zu block%s of %zu runs%s", series->maximum_count,
                   series->maximum_count == 1 ? "" : "s", series->block_size,
                   words->measured->options.block_size > 0 ? ""
                   : series->block_refused                 ? ", none of the sizes tried fits well"
                                                           : ", the smallest size that fits");
  if (series->left_out > 0)
    wb_text_format(words->text, "; the last %zu %s no block", series->left_out,
                   series->left_out == 1 ? "time fills" : "times fill");
}

/* A title, and why there is nothing below it. */
static void write_nothing(const struct wb_measured_words *words, const char *title, const char *why)
{
  wb_measured_title_words(words, title);
  wb_text_string(words->text, " no fit: ");
  wb_text_clean(words->text, why);
  wb_text_string(words->text, "\n");
}

static void write_maxima(const struct wb_measured_words *words)
{
  const struct wb_measured_series *series = words->series;
  if (series->maxima == NULL) {
    write_nothing(words, "block maxima:", series->fits[WB_FIT_OF_GEV].why);
    return;
  }
  wb_measured_title_words(words, "block maxima:");
  write_blocks(words);
  wb_text_string(words->text, "\n");
  write_fits(words, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, "location mu");
}

static void write_threshold(const struct wb_measured_words *words)
{
  static const char *const rules[] = {"Anderson-Darling", "Northrop-Coleman", "stability"};
  const struct wb_measured_series *series = words->series;
  wb_text_format(words->text, " %zu of %zu times above %s", series->exceedances,
                 series->summary.count, WB_TIME_WORDS(words, series->threshold));
  if (!words->measured->options.has_threshold)
    wb_text_format(words->text,
                   series->threshold_refused ? ", the highest tried: none passes the rule of %s"
                                             : ", by the rule of %s",
                   rules[words->measured->options.rule]);
  if (series->declustered)
    wb_text_format(words->text, ", %zu clusters (runs of %zu), extremal index %.3f",
                   series->peak_count, series->index.run_length, series->index.intervals);
}

static void write_peaks(const struct wb_measured_words *words)
{
  const struct wb_measured_series *series = words->series;
  if (series->peaks == NULL) {
    write_nothing(words, "peaks over a threshold:", series->fits[WB_FIT_OF_PARETO].why);
    return;
  }
  const size_t from = words->text->length;
  wb_measured_title_words(words, "peaks over a threshold:");
  write_threshold(words);
  wb_text_string(words->text, "\n");
  wb_text_break(words->text, from, 4);
  write_fits(words, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION, "threshold u");
}

void wb_measured_fit_words(const struct wb_measured_words *words)
{
  const enum wb_measured_method method = words->measured->options.method;
  if (!words->series->fitted)
    return;
  if (method != WB_MEASURED_PEAKS)
    write_maxima(words);
  if (method != WB_MEASURED_MAXIMA)
    write_peaks(words);
}
