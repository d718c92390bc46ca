/* The analysis of measured times as text for people: the answer, the summary, the checks, the fits.
 */
#include "report/measured/measured_plots.h"

#include "base/text/utf8.h"
#include "report/report_words.h"

#include <math.h>

/* Series that are named at most where a limit left them out, and runs that stand apart. */
#define MOST_NAMED 10

/* What the writers of one series share. */
struct words {
  const struct wb_measured *measured;
  const struct wb_measured_series *series;
  const char *unit; /* of the times, cycles where the samples name none */
  bool colour;
  struct wb_text *text;
};

/* A time as text, which lives as long as the block that it is written in. */
#define TIME(words, value) wb_measured_time((words)->series, (value), (char[WB_MEASURED_TIME]){0})

/* An empty line, and "  TITLE" in bold, without the end of its line. */
static void write_title(const struct words *words, const char *title)
{
  wb_text_format(words->text, "\n  %s%s%s", wb_style(WB_STYLE_BOLD, words->colour), title,
                 wb_style(WB_STYLE_PLAIN, words->colour));
}

/* Why there is no fit, after what was to be fitted and a colon. */
static void write_no_fit(struct wb_text *text, const char *why)
{
  wb_text_string(text, " no fit: ");
  wb_text_clean(text, why);
  wb_text_string(text, "\n");
}

/* The runs whose times stand apart, by number, in the order of measurement. */
static void write_outliers(const struct words *words)
{
  const struct wb_measured_series *series = words->series;
  struct wb_text *text = words->text;
  const size_t from = text->length;
  wb_text_format(text, "          run%s", series->outlier_count == 1 ? "" : "s");
  for (size_t k = 0; k < series->outlier_count && k < MOST_NAMED; k++)
    wb_text_format(text, "%s %zu (%s)", k == 0 ? "" : ",",
                   words->measured->samples->skipped + series->outliers[k] + 1,
                   TIME(words, series->series->values[series->outliers[k]]));
  if (series->outlier_count > MOST_NAMED)
    wb_text_format(text, " and %zu more, which --json names", series->outlier_count - MOST_NAMED);
  wb_text_string(text, "\n");
  wb_text_break(text, from, 10);
}

static void write_checks(const struct words *words)
{
  static const char *const marks[] = {"ok", "care", "FAIL"};
  const struct wb_measured_check *const checks = words->series->checks;
  struct wb_text *text = words->text;
  write_title(words, "may extreme value statistics be applied?");
  wb_text_format(text, " tests at %g, p-values adjusted for their number\n",
                 words->measured->options.significance);
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++) {
    const struct wb_measured_check *const check = &checks[kind];
    size_t from = text->length;
    wb_text_format(text, "    %-4s  %s: %s", check->done ? marks[check->outcome] : "-",
                   wb_measured_check_words[check->kind].title, check->meaning);
    if (check->p_value == 0)
      wb_text_string(text, "; p < 1e-300");
    else if (!isnan(check->p_value))
      wb_text_format(text, "; p = %.3g, adjusted %.3g", check->p_value, check->adjusted);
    wb_text_string(text, "\n");
    wb_text_break(text, from, 10);
    if (kind == WB_CHECK_TAIL_POINTS && words->series->outlier_count > 0)
      write_outliers(words);
    /* Advice that several checks in a row give is written below the last of them. */
    const bool is_last =
        kind + 1 == WB_MEASURED_CHECKS || strcmp(check->advice, checks[kind + 1].advice) != 0;
    if (check->advice[0] == '\0' || !is_last)
      continue;
    from = text->length;
    wb_text_format(text, "          %s-> %s%s\n", wb_style(WB_STYLE_FAINT, words->colour),
                   check->advice, wb_style(WB_STYLE_PLAIN, words->colour));
    wb_text_break(text, from, 13);
  }
}

/* The fits that levels are shown of: those by likelihood. */
static const struct {
  enum wb_measured_fit_kind kind;
  const char *title;
} columns[] = {{WB_FIT_OF_GEV, "GEV"},
               {WB_FIT_OF_GUMBEL, "Gumbel"},
               {WB_FIT_OF_PARETO, "GPD"},
               {WB_FIT_OF_EXPONENTIAL, "exponential"}};
#define COLUMNS (sizeof columns / sizeof *columns)

static const struct wb_measured_fit *fit_of(const struct words *words, size_t column)
{
  return &words->series->fits[columns[column].kind];
}

/* The levels at probability p, with '!' where one is refuted, '+' where it is above the proven
 * bound; below them the intervals, where a level has one. */
static void add_levels(const struct words *words, size_t p, struct wb_text *rows)
{
  struct wb_text intervals = {0};
  bool any = false;
  wb_text_format(rows, "%.3g", words->measured->options.probabilities[p]);
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    const struct wb_measured_level *level = &fit->levels[p];
    if (fit->failed)
      continue;
    wb_text_format(rows, "\t%s%s", TIME(words, level->level),
                   level->below_observed ? "!"
                   : level->above_bound  ? "+"
                                         : "");
    any = any || level->profile.found;
    if (level->profile.found)
      wb_text_format(&intervals, "\t[%s, %s]", TIME(words, level->profile.low),
                     TIME(words, level->profile.high));
    else
      wb_text_string(&intervals, isnan(level->level) ? "\t" : "\t[not found]");
  }
  wb_text_format(rows, "\t%s\n", TIME(words, words->series->markov[p].level));
  wb_text_string(&intervals, "\n");
  if (!any)
    wb_text_free(&intervals);
  wb_text_join(rows, &intervals);
}

/* What the marks of the table mean that any fit has at any probability. */
static void write_marks(const struct words *words)
{
  const struct wb_measured_options *const options = &words->measured->options;
  struct wb_text *text = words->text;
  bool pessimistic = false, refuted = false, refused = false, impossible = false, unknown = false;
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (fit->failed)
      continue;
    refused = refused || wb_measured_is_refused(&words->measured->options, fit);
    impossible = impossible || fit->impossible;
    for (size_t p = 0; p < options->probability_count; p++) {
      const struct wb_measured_level *level = &fit->levels[p];
      refuted = refuted || level->below_observed;
      pessimistic = pessimistic || (level->above_bound && !level->below_observed);
      unknown = unknown || isnan(level->level);
    }
  }
  if (pessimistic)
    wb_text_string(text, "    +: above the proven bound: pessimistic\n");
  if (refuted)
    wb_text_format(text,
                   "    !: refuted: a longer time was measured, of which the fit gives all runs "
                   "together a chance below %g\n",
                   options->significance);
  if (refused)
    wb_text_string(text, "    refused: the values are farther from the fit than chance allows "
                         "(Anderson-Darling), or from shape 0 (likelihood ratio)\n");
  if (impossible)
    wb_text_string(text, "    impossible: the fit ends below the longest time measured\n");
  if (unknown)
    wb_text_string(text,
                   "    -: the fit says nothing at that probability: its level would be at or "
                   "below the threshold\n");
}

/* The one answer, or that there is none, and why. */
static void write_recommended(const struct words *words)
{
  const struct wb_measured_recommendation *recommended = &words->series->recommended;
  const struct wb_measured_options *options = &words->measured->options;
  struct wb_text *text = words->text;
  size_t from;
  write_title(words, "recommended pWCET: ");
  from = text->length;
  if (!recommended->given) {
    wb_text_string(text, "none: ");
    wb_text_clean(text, recommended->reason);
    wb_text_string(text, "\n");
    wb_text_break(text, from, 4);
    return;
  }
  struct wb_text rows = {0};
  wb_text_clean(text, recommended->reason);
  wb_text_string(text, "\n");
  wb_text_break(text, from, 4);
  wb_text_format(&rows, "p\tlevel\t%g %% interval\n", 100 * options->confidence);
  for (size_t p = 0; p < options->probability_count; p++) {
    const struct wb_measured_recommended_level *level = &recommended->levels[p];
    wb_text_format(&rows, "%.3g\t%s", options->probabilities[p], TIME(words, level->level));
    wb_text_format(&rows, "\t[%s, %s]%s\n", TIME(words, level->low), TIME(words, level->high),
                   level->observed ? "  observed, without a fit" : "");
  }
  wb_text_columns(text, 4, &rows);
}

static void write_levels(const struct words *words)
{
  const struct wb_measured_options *options = &words->measured->options;
  struct wb_text rows = {0};
  write_title(words, "pWCET: the time that one run exceeds with probability p, in ");
  wb_text_clean(words->text, words->unit);
  wb_text_format(words->text,
                 "; an estimate, never a bound\n"
                 "    below each level its %g %% interval by profile likelihood\n",
                 100 * options->confidence);
  wb_text_string(&rows, "p");
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (!fit->failed)
      wb_text_format(&rows, "\t%s%s", columns[c].title,
                     fit->impossible                                          ? " (impossible)"
                     : wb_measured_is_refused(&words->measured->options, fit) ? " (refused)"
                                                                              : "");
  }
  wb_text_string(&rows, "\tMarkov's inequality\n");
  for (size_t p = 0; p < options->probability_count; p++)
    add_levels(words, p, &rows);
  wb_text_columns(words->text, 4, &rows);
  const struct wb_measured_bound *bound = &words->measured->options.bound;
  const size_t from = words->text->length;
  if (bound->given) {
    wb_text_format(words->text, "    bound: %s, proven: no run takes longer (",
                   TIME(words, bound->value));
    wb_text_clean(words->text, bound->source);
    wb_text_string(words->text, ")");
    if (words->series->summary.most > bound->value)
      wb_text_format(words->text,
                     "; but a time of %s was measured: bound and measurement do not speak of the "
                     "same launch",
                     TIME(words, words->series->summary.most));
    wb_text_string(words->text, "\n");
    wb_text_break(words->text, from, 6);
  }
  write_marks(words);
  /* The fits that were asked for and could not be made. */
  for (size_t c = 0; c < COLUMNS; c++)
    if (fit_of(words, c)->failed &&
        options->method != (c < 2 ? WB_MEASURED_PEAKS : WB_MEASURED_MAXIMA)) {
      wb_text_format(words->text, "    %s:", columns[c].title);
      write_no_fit(words->text, fit_of(words, c)->why);
    }
}

/* A cell with a time and its standard error, where it has one. */
static void add_time(const struct words *words, double time, double error, struct wb_text *rows)
{
  wb_text_format(rows, "\t%s", TIME(words, time));
  if (!isnan(error))
    wb_text_format(rows, " (%s)", TIME(words, error));
}

/* What is to be said of a fit, below its row. */
static void add_remarks(const struct words *words, const struct wb_measured_fit *fit,
                        struct wb_text *rows)
{
  const double end = wb_tail_upper_end(&fit->fit.tail);
  if (fit->shape.found || fit->has_ratio)
    wb_text_string(rows, "    ");
  if (fit->shape.found)
    wb_text_format(rows, "xi from %.3f to %.3f by profile likelihood", fit->shape.low,
                   fit->shape.high);
  if (fit->has_ratio)
    wb_text_format(rows, "%sxi = 0: likelihood ratio %.3f, p = %.3g", fit->shape.found ? "; " : "",
                   fit->ratio.statistic, fit->ratio.p_value);
  if (fit->shape.found || fit->has_ratio)
    wb_text_string(rows, "\n");
  if (fit->fit.at_boundary)
    wb_text_string(rows, "    the likelihood has no maximum above xi = -1: shown is the edge; take "
                         "more values or L-moments\n");
  if (wb_measured_is_refused(&words->measured->options, fit))
    wb_text_string(rows, fit->worse
                             ? "    the values refuse it: with a free shape the fit is better "
                               "by more than chance\n"
                             : "    the values refuse it: their distance from it is greater "
                               "than chance allows\n");
  if (fit->impossible)
    wb_text_format(rows, "    impossible: it ends at %s, below the longest time measured (%s)\n",
                   TIME(words, end), TIME(words, words->series->summary.most));
  else if (isfinite(end))
    wb_text_format(rows, "    it ends at %s\n", TIME(words, end));
}

static void write_fits(const struct words *words, enum wb_measured_fit_kind first,
                       enum wb_measured_fit_kind last, const char *location)
{
  struct wb_text rows = {0};
  wb_text_format(&rows,
                 "estimate (standard error)\t%s\tscale sigma\txi > 0: heavy tail\t-log L\t"
                 "p of A^2\tp of W^2\n",
                 location);
  for (int kind = first; kind <= (int)last; kind++) {
    const struct wb_measured_fit *fit = &words->series->fits[kind];
    const char *const title = wb_measured_fit_words[kind].title;
    if (fit->failed) {
      wb_text_format(&rows, "%s:", title);
      write_no_fit(&rows, fit->why);
      continue;
    }
    wb_text_string(&rows, title);
    const struct wb_tail *tail = &fit->fit.tail;
    const bool maxima = wb_tail_is_of_maxima(tail->family);
    const double shape_error = wb_fit_error(&fit->fit, wb_fit_shape_place(&fit->fit));
    add_time(words, tail->location, maxima ? wb_fit_error(&fit->fit, 0) : NAN, &rows);
    add_time(words, tail->scale, wb_fit_error(&fit->fit, wb_fit_scale_place(&fit->fit)), &rows);
    wb_text_format(&rows, "\t%.4f", tail->shape);
    if (!isnan(shape_error))
      wb_text_format(&rows, " (%.3g)", shape_error);
    const double likelihood = fit->fit.negative_log_likelihood;
    wb_text_format(&rows, fabs(likelihood) < 99999 ? "\t%.6g" : "\t%.0f", likelihood);
    if (fit->has_goodness)
      wb_text_format(&rows, "\t%.3f\t%.3f\n", fit->goodness.anderson_darling_p,
                     fit->goodness.cramer_von_mises_p);
    else
      wb_text_string(&rows, "\t-\t-\n");
    add_remarks(words, fit, &rows);
    if (kind == WB_FIT_OF_VARIATION && words->series->variation_heavy)
      wb_text_string(&rows,
                     "    below that threshold the variation is above the band: the tail may "
                     "be heavier\n");
  }
  wb_text_columns(words->text, 4, &rows);
}

static void write_maxima(const struct words *words)
{
  const struct wb_measured_series *series = words->series;
  write_title(words, "block maxima:");
  if (series->maxima == NULL) {
    write_no_fit(words->text, series->fits[WB_FIT_OF_GEV].why);
    return;
  }
  if (series->block_size == 1)
    wb_text_format(words->text, " the %zu times are maxima already", series->maximum_count);
  else
    wb_text_format(words->text, " %zu block%s of %zu runs%s", series->maximum_count,
                   series->maximum_count == 1 ? "" : "s", series->block_size,
                   words->measured->options.block_size > 0 ? ""
                   : series->blocks.refused                ? ", none of the sizes tried fits well"
                                                           : ", the smallest size that fits");
  if (series->left_out > 0)
    wb_text_format(words->text, "; the last %zu %s no block", series->left_out,
                   series->left_out == 1 ? "time fills" : "times fill");
  wb_text_string(words->text, "\n");
  write_fits(words, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, "location mu");
}

static void write_peaks(const struct words *words)
{
  static const char *const rules[] = {"Anderson-Darling", "Northrop-Coleman", "stability"};
  const struct wb_measured_series *series = words->series;
  const size_t from = words->text->length;
  write_title(words, "peaks over a threshold:");
  if (series->peaks == NULL) {
    write_no_fit(words->text, series->fits[WB_FIT_OF_PARETO].why);
    return;
  }
  wb_text_format(words->text, " %zu of %zu times above %s", series->exceedances,
                 series->summary.count, TIME(words, series->threshold));
  if (!words->measured->options.has_threshold)
    wb_text_format(words->text,
                   series->threshold_refused ? ", the highest tried: none passes the rule of %s"
                                             : ", by the rule of %s",
                   rules[words->measured->options.rule]);
  if (series->declustered)
    wb_text_format(words->text, ", %zu clusters (runs of %zu), extremal index %.3f",
                   series->peak_count, series->index.run_length, series->index.intervals);
  wb_text_string(words->text, "\n");
  wb_text_break(words->text, from, 4);
  write_fits(words, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION, "threshold u");
}

static void write_series(const struct words *words, bool quiet)
{
  const struct wb_measured_series *series = words->series;
  const enum wb_measured_method method = words->measured->options.method;
  struct wb_text *text = words->text;
  wb_text_clean(text, words->measured->samples->file);
  if (series->series->name[0] != '\0') {
    wb_text_string(text, ", ");
    wb_text_clean(text, series->series->name);
  }
  wb_text_format(text, ": %zu %s in ", series->summary.count,
                 series->summary.count == 1 ? "time" : "times");
  wb_text_clean(text, words->unit);
  if (words->measured->samples->unit == NULL)
    wb_text_string(text, " (assumed: no unit is given)");
  wb_text_format(
      text, ", %s%s%s\n",
      wb_kind_style(series->verdict == WB_APPLICABLE ? WARPBOUND_UPPER : WARPBOUND_ESTIMATE,
                    words->colour),
      series->verdict_words, wb_style(WB_STYLE_PLAIN, words->colour));
  bool any_fit = false;
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    any_fit = any_fit || !series->fits[kind].failed;
  if (series->fitted)
    write_recommended(words);
  if (any_fit)
    write_levels(words);
  else
    wb_text_string(words->text,
                   series->fitted ? "  nothing could be fitted\n"
                   : series->summary.most > series->summary.least
                       ? "  nothing was fitted; --fit-anyway fits what fails the tests\n"
                       : "  nothing was fitted: all times are equal\n");
  if (quiet)
    return;
  const struct wb_measured_summary *summary = &words->series->summary;
  if (summary->count != 0) {
    write_title(words, "times:");
    wb_text_format(words->text, " least %s, median %s, mean %s (deviation %s), most %s\n",
                   TIME(words, summary->least), TIME(words, summary->median),
                   TIME(words, summary->mean), TIME(words, summary->deviation),
                   TIME(words, summary->most));
    wb_text_format(words->text, "    quantiles: 95 %% %s, 99 %% %s, 99.9 %% %s\n",
                   TIME(words, summary->quantile_95), TIME(words, summary->quantile_99),
                   TIME(words, summary->quantile_999));
  }
  write_checks(words);
  if (series->fitted && method != WB_MEASURED_PEAKS)
    write_maxima(words);
  if (series->fitted && method != WB_MEASURED_MAXIMA)
    write_peaks(words);
}

void wb_measured_text(const struct wb_measured *measured, bool quiet, bool colour,
                      struct wb_text *text)
{
  const struct wb_samples *samples = measured->samples;
  const size_t missing = samples->count - measured->count;
  for (size_t s = 0; s < measured->count; s++) {
    if (s > 0)
      wb_text_string(text, "\n");
    const struct words words = {.measured = measured,
                                .series = &measured->series[s],
                                .unit = samples->unit != NULL ? samples->unit : "cycles",
                                .colour = colour,
                                .text = text};
    write_series(&words, quiet);
  }
  /* The series that a limit left out. */
  for (size_t s = measured->count; s < samples->count && s < measured->count + MOST_NAMED; s++)
    wb_text_format(text, "%s'%.100s'", s == measured->count ? "\nnot analysed: " : ", ",
                   samples->series[s].name);
  if (missing > MOST_NAMED)
    wb_text_format(text, " and %zu more", missing - MOST_NAMED);
  if (missing > 0)
    wb_text_string(text, "\n");
}
