/* The analysis of measured times as text for people. */
#include "report/measured/measured_report.h"

#include "base/text/utf8.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>

/* A time as text, which lives as long as the block that it is written in. */
/* Series that are named at most where a limit left them out. */
#define MOST_NAMED 10

#define TIME(page, value) wb_measured_time((page)->series, (value), (char[WB_MEASURED_TIME]){0})

/* What the functions of this file share. */
struct page {
  const struct wb_measured *measured;
  const struct wb_measured_series *series;
  bool colour;
  struct wb_text *text;
};

static void write_title(const struct page *page, const char *title)
{
  wb_text_format(page->text, "\n%s  %s%s", wb_style(WB_STYLE_BOLD, page->colour), title,
                 wb_style(WB_STYLE_PLAIN, page->colour));
}

static const char *unit_of(const struct page *page)
{
  return page->measured->samples->unit != NULL ? page->measured->samples->unit : "cycles";
}

/* ---- summary and verdict ---- */

static void write_head(const struct page *page)
{
  const struct wb_measured_summary *summary = &page->series->summary;
  wb_text_clean(page->text, page->measured->samples->file);
  if (page->series->series->name[0] != '\0') {
    wb_text_string(page->text, ", ");
    wb_text_clean(page->text, page->series->series->name);
  }
  wb_text_format(page->text, ": %zu %s in ", summary->count,
                 summary->count == 1 ? "time" : "times");
  wb_text_clean(page->text, unit_of(page));
  wb_text_format(
      page->text, ", %s%s%s\n",
      wb_kind_style(page->series->verdict == WB_APPLICABLE ? WARPBOUND_UPPER : WARPBOUND_ESTIMATE,
                    page->colour),
      page->series->verdict_words, wb_style(WB_STYLE_PLAIN, page->colour));
}

static void write_summary(const struct page *page)
{
  const struct wb_measured_summary *summary = &page->series->summary;
  if (summary->count == 0)
    return;
  write_title(page, "times:");
  wb_text_format(page->text,
                 " least %s, median %s, mean %s (deviation %.4g), 95 %% %s, 99 %% %s, 99.9 %% %s, "
                 "most %s\n",
                 TIME(page, summary->least), TIME(page, summary->median), TIME(page, summary->mean),
                 summary->deviation, TIME(page, summary->quantile_95),
                 TIME(page, summary->quantile_99), TIME(page, summary->quantile_999),
                 TIME(page, summary->most));
}

static const char *mark_of(const struct wb_measured_check *check)
{
  static const char *const marks[] = {"ok", "care", "FAIL"};
  return check->done ? marks[check->outcome] : "-";
}

static void write_check(const struct page *page, const struct wb_measured_check *check)
{
  wb_text_format(page->text, "    %-4s  %s: %s", mark_of(check),
                 wb_measured_check_title(check->kind), check->meaning);
  if (check->p_value == 0)
    wb_text_string(page->text, "; p < 1e-300");
  else if (!isnan(check->p_value))
    wb_text_format(page->text, "; p = %.3g, adjusted %.3g", check->p_value, check->adjusted);
  wb_text_string(page->text, "\n");
  if (check->advice[0] != '\0')
    wb_text_format(page->text, "          %s%s%s\n", wb_style(WB_STYLE_FAINT, page->colour),
                   check->advice, wb_style(WB_STYLE_PLAIN, page->colour));
}

static void write_checks(const struct page *page)
{
  write_title(page, "may extreme value statistics be applied?");
  wb_text_format(page->text, " tests at %g, p-values adjusted for their number\n",
                 page->measured->options.significance);
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++)
    write_check(page, &page->series->checks[kind]);
}

/* ---- fits ---- */

static void write_parameter(const struct page *page, const char *value, double error)
{
  char cell[80];
  if (isnan(error))
    snprintf(cell, sizeof cell, "%s", value);
  else
    snprintf(cell, sizeof cell, "%s (%.3g)", value, error);
  wb_text_format(page->text, "  %-22s", cell);
}

static double error_at(const struct wb_tail_fit *fit, unsigned place)
{
  return place < fit->parameter_count ? wb_fit_error(fit, place) : NAN;
}

static void write_goodness(const struct page *page, const struct wb_measured_fit *fit)
{
  if (!fit->has_goodness) {
    wb_text_format(page->text, "  %8s  %8s", "-", "-");
    return;
  }
  wb_text_format(page->text, "  %8.3f  %8.3f", fit->goodness.anderson_darling_p,
                 fit->goodness.cramer_von_mises_p);
}

static void write_remarks(const struct page *page, const struct wb_measured_fit *fit)
{
  const struct wb_tail_fit *made = &fit->fit;
  if (fit->shape.found)
    wb_text_format(page->text, "        xi from %.3f to %.3f by profile likelihood", fit->shape.low,
                   fit->shape.high);
  if (fit->has_ratio)
    wb_text_format(page->text, "%sxi = 0: likelihood ratio %.3f, p = %.3g",
                   fit->shape.found ? "; " : "        ", fit->ratio.statistic, fit->ratio.p_value);
  if (fit->shape.found || fit->has_ratio)
    wb_text_string(page->text, "\n");
  if (made->at_boundary)
    wb_text_string(page->text, "        the likelihood has no maximum above xi = -1: shown is the "
                               "edge; take more values or L-moments\n");
  if (fit->has_goodness && fit->goodness.anderson_darling_p < page->measured->options.significance)
    wb_text_string(page->text,
                   "        the values refuse it: their distance from it is greater than "
                   "chance allows\n");
  if (fit->impossible)
    wb_text_format(
        page->text, "        impossible: it ends at %s, below the longest time measured (%s)\n",
        TIME(page, wb_tail_upper_end(&made->tail)), TIME(page, page->series->summary.most));
  else if (isfinite(wb_tail_upper_end(&made->tail)))
    wb_text_format(page->text, "        it ends at %s\n",
                   TIME(page, wb_tail_upper_end(&made->tail)));
}

static void write_fit(const struct page *page, enum wb_measured_fit_kind kind)
{
  const struct wb_measured_fit *fit = &page->series->fits[kind];
  wb_text_format(page->text, "    %-40s", wb_measured_fit_title(kind));
  if (fit->failed) {
    wb_text_string(page->text, "  no fit: ");
    wb_text_clean(page->text, fit->why);
    wb_text_string(page->text, "\n");
    return;
  }
  const struct wb_tail *tail = &fit->fit.tail;
  const bool maxima = wb_tail_is_of_maxima(tail->family);
  char scale[32], shape[32];
  snprintf(scale, sizeof scale, "%.5g", tail->scale);
  snprintf(shape, sizeof shape, "%.4f", tail->shape);
  write_parameter(page, TIME(page, tail->location), maxima ? error_at(&fit->fit, 0) : NAN);
  write_parameter(page, scale, error_at(&fit->fit, wb_fit_scale_place(&fit->fit)));
  write_parameter(page, shape, error_at(&fit->fit, wb_fit_shape_place(&fit->fit)));
  wb_text_format(page->text, "  %12.6g", fit->fit.negative_log_likelihood);
  write_goodness(page, fit);
  wb_text_string(page->text, "\n");
  write_remarks(page, fit);
  if (kind == WB_FIT_OF_VARIATION && page->series->variation_heavy)
    wb_text_string(page->text, "        below that threshold the variation is above the band: the "
                               "tail may be heavier\n");
}

static void write_fits(const struct page *page, enum wb_measured_fit_kind first,
                       enum wb_measured_fit_kind last, const char *location)
{
  wb_text_format(page->text, "    %-40s  %-22s  %-22s  %-22s  %12s  %8s  %8s\n",
                 "estimate (standard error)", location, "scale sigma", "shape xi > 0: heavy",
                 "-log L", "p of A^2", "p of W^2");
  for (int kind = first; kind <= (int)last; kind++)
    write_fit(page, (enum wb_measured_fit_kind)kind);
}

static void write_maxima(const struct page *page)
{
  const struct wb_measured_series *series = page->series;
  if (series->maxima == NULL)
    return;
  write_title(page, "block maxima:");
  if (series->block_size == 1)
    wb_text_format(page->text, " the %zu times are maxima already", series->maximum_count);
  else
    wb_text_format(page->text, " %zu blocks of %zu runs%s", series->maximum_count,
                   series->block_size,
                   page->measured->options.block_size > 0 ? ""
                   : series->block_refused                ? ", none of the sizes tried fits well"
                                                          : ", the smallest size that fits");
  if (series->left_out > 0)
    wb_text_format(page->text, "; the last %zu %s no block", series->left_out,
                   series->left_out == 1 ? "time fills" : "times fill");
  wb_text_string(page->text, "\n");
  write_fits(page, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, "location mu");
}

static void write_peaks(const struct page *page)
{
  static const char *const rules[] = {"Anderson-Darling", "Northrop-Coleman", "stability"};
  const struct wb_measured_series *series = page->series;
  if (series->peaks == NULL)
    return;
  write_title(page, "peaks over a threshold:");
  wb_text_format(page->text, " %zu of %zu times above %s", series->exceedances,
                 series->summary.count, TIME(page, series->threshold));
  if (!page->measured->options.has_threshold)
    wb_text_format(page->text,
                   series->threshold_refused ? ", the highest tried: none passes the rule of %s"
                                             : ", by the rule of %s",
                   rules[page->measured->options.rule]);
  if (series->declustered)
    wb_text_format(page->text, ", %zu clusters (runs of %zu), extremal index %.3f",
                   series->peak_count, series->index.run_length, series->index.intervals);
  wb_text_string(page->text, "\n");
  write_fits(page, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION, "threshold u");
}

/* ---- levels ---- */

/* The fits that levels are shown of: those by likelihood, and the exponential tail by variation. */
static const struct {
  enum wb_measured_fit_kind kind;
  const char *title;
} columns[] = {{WB_FIT_OF_GEV, "GEV"},
               {WB_FIT_OF_GUMBEL, "Gumbel"},
               {WB_FIT_OF_PARETO, "GPD"},
               {WB_FIT_OF_EXPONENTIAL, "exponential"}};
#define COLUMNS (sizeof columns / sizeof *columns)

/* '!': refuted; '+': above the proven bound. */
static const char *level_mark(const struct wb_measured_level *level)
{
  return level->below_observed ? "!" : level->above_bound ? "+" : "";
}

static void write_level(const struct page *page, const struct wb_measured_level *level)
{
  char cell[4 * WB_MEASURED_TIME];
  if (level->profile.found)
    snprintf(cell, sizeof cell, "%s%s [%s, %s]", TIME(page, level->level), level_mark(level),
             TIME(page, level->profile.low), TIME(page, level->profile.high));
  else
    snprintf(cell, sizeof cell, "%s%s", TIME(page, level->level), level_mark(level));
  wb_text_format(page->text, "  %-34s", cell);
}

static bool any_level(const struct page *page, bool below)
{
  const struct wb_measured_series *series = page->series;
  for (size_t c = 0; c < COLUMNS; c++)
    for (size_t p = 0; p < page->measured->options.probability_count; p++) {
      const struct wb_measured_fit *fit = &series->fits[columns[c].kind];
      if (!fit->failed && (below ? fit->levels[p].below_observed : fit->levels[p].above_bound))
        return true;
    }
  return false;
}

static void write_bound(const struct page *page)
{
  const struct wb_measured_bound *bound = &page->measured->options.bound;
  if (bound->given)
    wb_text_format(page->text, "    %-9s %s  proven, no run takes longer (%.100s)%s\n", "bound",
                   TIME(page, bound->value), bound->source,
                   page->series->summary.most > bound->value
                       ? "; but a longer time was measured: the two do not speak of the same thing"
                       : "");
  if (any_level(page, false))
    wb_text_string(page->text, "    +: above the proven bound: pessimistic\n");
  if (any_level(page, true))
    wb_text_format(page->text,
                   "    !: refuted: a longer time was measured, of which the fit gives all runs "
                   "together a chance below %g\n",
                   page->measured->options.significance);
}

static void write_levels(const struct page *page)
{
  const struct wb_measured_options *options = &page->measured->options;
  const struct wb_measured_series *series = page->series;
  write_title(page, "pWCET: the time that one run exceeds with probability p, in ");
  wb_text_clean(page->text, unit_of(page));
  wb_text_format(page->text,
                 "; an estimate, never a bound; [%g %% interval by profile likelihood]\n",
                 100 * options->confidence);
  wb_text_format(page->text, "    %-9s", "p");
  for (size_t c = 0; c < COLUMNS; c++)
    if (!series->fits[columns[c].kind].failed)
      wb_text_format(page->text, "  %-34s", columns[c].title);
  wb_text_string(page->text, "  Markov's inequality\n");
  for (size_t p = 0; p < options->probability_count; p++) {
    wb_text_format(page->text, "    %-9.3g", options->probabilities[p]);
    for (size_t c = 0; c < COLUMNS; c++)
      if (!series->fits[columns[c].kind].failed)
        write_level(page, &series->fits[columns[c].kind].levels[p]);
    wb_text_format(page->text, "  %s\n", TIME(page, series->markov[p].level));
  }
  write_bound(page);
}

/* ---- the whole ---- */

static bool has_fit(const struct wb_measured_series *series)
{
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    if (!series->fits[kind].failed)
      return true;
  return false;
}

static void write_series(const struct page *page, bool quiet)
{
  write_head(page);
  if (has_fit(page->series))
    write_levels(page);
  else
    wb_text_string(page->text,
                   page->series->fitted
                       ? "  nothing could be fitted\n"
                       : "  nothing was fitted; --fit-anyway fits what fails the tests\n");
  if (quiet)
    return;
  write_summary(page);
  write_checks(page);
  write_maxima(page);
  write_peaks(page);
}

/* The series that a limit left out. */
static void name_missing(const struct wb_measured *measured, struct wb_text *text)
{
  const struct wb_samples *samples = measured->samples;
  const size_t missing = samples->count - measured->count;
  for (size_t s = measured->count; s < samples->count && s < measured->count + MOST_NAMED; s++)
    wb_text_format(text, "%s'%.100s'", s == measured->count ? "\nnot analysed: " : ", ",
                   samples->series[s].name);
  if (missing > MOST_NAMED)
    wb_text_format(text, " and %zu more", missing - MOST_NAMED);
  if (missing > 0)
    wb_text_string(text, "\n");
}

void wb_measured_text(const struct wb_measured *measured, bool quiet, bool colour,
                      struct wb_text *text)
{
  for (size_t s = 0; s < measured->count; s++) {
    if (s > 0)
      wb_text_string(text, "\n");
    write_series(
        &(struct page){
            .measured = measured, .series = &measured->series[s], .colour = colour, .text = text},
        quiet);
  }
  name_missing(measured, text);
}
