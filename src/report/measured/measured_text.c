/* The analysis of measured times as text for people: the answer, the summary, the checks, the fits.
 */
#include "report/measured/measured_plots.h"
#include "report/measured/text_columns.h"

#include "base/text/utf8.h"
#include "report/report_words.h"

#include <math.h>

/* Series that are named at most where a limit left them out. */
#define MOST_NAMED 10

/* What the writers of one series share. */
struct words {
  const struct wb_measured *measured;
  const struct wb_measured_series *series;
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

/* "NAME: no fit: WHY". */
static void write_no_fit(struct wb_text *text, const char *name, const char *why)
{
  wb_text_format(text, "%s: no fit: ", name);
  wb_text_clean(text, why);
  wb_text_string(text, "\n");
}

/* The unit of the times, cycles where the samples name none. */
static const char *unit_of(const struct words *words)
{
  const char *const unit = words->measured->samples->unit;
  return unit != NULL ? unit : "cycles";
}

/* ---- checks ---- */

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

/* ---- levels ---- */

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
  rows->failed = rows->failed || intervals.failed;
  if (any && !intervals.failed)
    wb_text_string(rows, intervals.data);
  wb_text_free(&intervals);
}

/* The marks of the table, and what they mean. */
enum { PESSIMISTIC = 1, REFUTED = 2, REFUSED = 4, IMPOSSIBLE = 8, UNKNOWN = 16 };

static void write_marks(const struct words *words)
{
  struct wb_text *text = words->text;
  /* The marks that any fit has at any probability. */
  unsigned marks = 0;
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (fit->failed)
      continue;
    marks |= wb_fit_is_refused(words->measured, fit) ? REFUSED : 0;
    marks |= fit->impossible ? IMPOSSIBLE : 0;
    for (size_t p = 0; p < words->measured->options.probability_count; p++) {
      const struct wb_measured_level *level = &fit->levels[p];
      marks |= level->below_observed ? REFUTED : level->above_bound ? PESSIMISTIC : 0;
      marks |= isnan(level->level) ? UNKNOWN : 0;
    }
  }
  if ((marks & PESSIMISTIC) != 0)
    wb_text_string(text, "    +: above the proven bound: pessimistic\n");
  if ((marks & REFUTED) != 0)
    wb_text_format(text,
                   "    !: refuted: a longer time was measured, of which the fit gives all runs "
                   "together a chance below %g\n",
                   words->measured->options.significance);
  if ((marks & REFUSED) != 0)
    wb_text_string(text, "    refused: the values are farther from the fit than chance allows "
                         "(Anderson-Darling)\n");
  if ((marks & IMPOSSIBLE) != 0)
    wb_text_string(text, "    impossible: the fit ends below the longest time measured\n");
  if ((marks & UNKNOWN) != 0)
    wb_text_string(text,
                   "    -: the fit says nothing at that probability: its level would be at or "
                   "below the threshold\n");
}

static void write_levels(const struct words *words)
{
  const struct wb_measured_options *options = &words->measured->options;
  struct wb_text rows = {0};
  write_title(words, "pWCET: the time that one run exceeds with probability p, in ");
  wb_text_clean(words->text, unit_of(words));
  wb_text_format(words->text,
                 "; an estimate, never a bound\n"
                 "    below each level its %g %% interval by profile likelihood\n",
                 100 * options->confidence);
  wb_text_string(&rows, "p");
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (!fit->failed)
      wb_text_format(&rows, "\t%s%s", columns[c].title,
                     fit->impossible                           ? " (impossible)"
                     : wb_fit_is_refused(words->measured, fit) ? " (refused)"
                                                               : "");
  }
  wb_text_string(&rows, "\tMarkov's inequality\n");
  for (size_t p = 0; p < options->probability_count; p++)
    add_levels(words, p, &rows);
  wb_text_columns(words->text, 4, &rows);
  wb_text_free(&rows);
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
      wb_text_string(words->text, "    ");
      write_no_fit(words->text, columns[c].title, fit_of(words, c)->why);
    }
}

/* ---- fits ---- */

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
  if (wb_fit_is_refused(words->measured, fit))
    wb_text_string(rows, "    the values refuse it: their distance from it is greater than chance "
                         "allows\n");
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
      write_no_fit(&rows, title, fit->why);
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
  wb_text_free(&rows);
}

/* A title, and why there is nothing below it. */
static void write_nothing(const struct words *words, const char *title, const char *why)
{
  write_title(words, title);
  wb_text_string(words->text, " no fit: ");
  wb_text_clean(words->text, why);
  wb_text_string(words->text, "\n");
}

static void write_maxima(const struct words *words)
{
  const struct wb_measured_series *series = words->series;
  if (series->maxima == NULL) {
    write_nothing(words, "block maxima:", series->fits[WB_FIT_OF_GEV].why);
    return;
  }
  write_title(words, "block maxima:");
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
  if (series->peaks == NULL) {
    write_nothing(words, "peaks over a threshold:", series->fits[WB_FIT_OF_PARETO].why);
    return;
  }
  const size_t from = words->text->length;
  write_title(words, "peaks over a threshold:");
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

/* ---- the whole ---- */

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
  wb_text_clean(text, unit_of(words));
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
    write_series(
        &(struct words){
            .measured = measured, .series = &measured->series[s], .colour = colour, .text = text},
        quiet);
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
