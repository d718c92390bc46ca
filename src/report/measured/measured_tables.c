#include "report/measured/measured_tables.h"

#include "report/measured/measured_plots.h"
#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <math.h>

void wb_page_text(struct wb_text *text, const char *string)
{
  wb_svg_escape(string, 1, WB_SVG_LONGEST_TEXT * 2, text);
}

const char *wb_page_class(enum wb_applicability applicability)
{
  static const char *const classes[] = {
      [WB_APPLICABLE] = "pass",
      [WB_APPLICABLE_WITH_CARE] = "care",
      [WB_NOT_APPLICABLE] = "fail",
  };
  return classes[applicability];
}

static const char *sign_of(enum wb_applicability applicability)
{
  static const char *const signs[] = {
      [WB_APPLICABLE] = "\xe2\x9c\x94",
      [WB_APPLICABLE_WITH_CARE] = "\xe2\x9a\xa0",
      [WB_NOT_APPLICABLE] = "\xe2\x9c\x98",
  };
  return signs[applicability];
}

static void put_sign(struct wb_text *text, enum wb_applicability applicability, const char *words)
{
  wb_text_format(text, "<span class=\"sign %s\"><span aria-hidden=\"true\">%s</span> ",
                 wb_page_class(applicability), sign_of(applicability));
  wb_page_text(text, words);
  wb_text_string(text, "</span>");
}

void wb_page_sign(struct wb_text *text, enum wb_applicability applicability)
{
  put_sign(text, applicability, wb_applicability_words(applicability));
}

void wb_page_name(struct wb_text *text, const struct wb_measured *measured, size_t series)
{
  const char *const name = measured->series[series].series->name;
  if (name != NULL && name[0] != '\0')
    wb_page_text(text, name);
  else if (measured->count == 1)
    wb_text_string(text, "The times");
  else
    wb_text_format(text, "series %zu", series + 1);
}

/* ---- pieces ---- */

static void put_number(struct wb_text *text, double value)
{
  char number[WB_CHART_LABEL];
  wb_chart_number(value, number);
  wb_text_string(text, number);
}

static void put_short(struct wb_text *text, double value, int digits)
{
  char number[WB_CHART_LABEL];
  wb_chart_short_number(value, digits, number);
  wb_text_string(text, number);
}

static void put_cell(struct wb_text *text, double value, int digits)
{
  wb_text_string(text, "<td class=\"number\">");
  put_short(text, value, digits);
  wb_text_string(text, "</td>");
}

static void put_number_cell(struct wb_text *text, double value)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, value);
  wb_text_string(text, "</td>");
}

static void put_range(struct wb_text *text, const char *name, const struct wb_interval *interval)
{
  if (!interval->found)
    return;
  wb_text_format(text, "<span class=\"range\">%s[", name);
  put_number(text, interval->low);
  wb_text_string(text, ", ");
  put_number(text, interval->high);
  wb_text_string(text, "]</span>");
}

/* A fact and its number. */
static void put_fact(struct wb_text *text, const char *name, double value)
{
  wb_text_format(text, "<div><dt>%s</dt><dd>", name);
  put_number(text, value);
  wb_text_string(text, "</dd></div>\n");
}

static void put_words_fact(struct wb_text *text, const char *name, const char *words)
{
  wb_text_format(text, "<div><dt>%s</dt><dd>", name);
  wb_page_text(text, words);
  wb_text_string(text, "</dd></div>\n");
}

/* heads: XML; "#" before that of a column of numbers. */
static void open_table(struct wb_text *text, const char *name, const char *caption,
                       const char *const *heads, size_t count)
{
  wb_text_format(text,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                 "<table class=\"%s\">\n<thead><tr>",
                 caption, name);
  for (size_t h = 0; h < count; h++)
    wb_text_format(text, "<th scope=\"col\"%s>%s</th>",
                   heads[h][0] == '#' ? " class=\"number\"" : "", heads[h] + (heads[h][0] == '#'));
  wb_text_string(text, "</tr></thead>\n<tbody>\n");
}

static void close_table(struct wb_text *text)
{
  wb_text_string(text, "</tbody></table></div>\n");
}

/* ---- summary ---- */

static void put_extremes(struct wb_text *text, const struct wb_measured_series *series)
{
  if (series->maximum_count > 0) {
    put_fact(text, "block size", (double)series->block_size);
    put_fact(text, "maxima of blocks", (double)series->maximum_count);
    put_fact(text, "times left out at the end", (double)series->left_out);
  }
  if (!series->has_threshold)
    return;
  put_fact(text, "threshold", series->threshold);
  put_fact(text, "times above it", (double)series->exceedances);
  put_fact(text, "peaks that are fitted", (double)series->peak_count);
  if (isfinite(series->index.intervals))
    put_fact(text, "extremal index (intervals)", series->index.intervals);
}

void wb_page_summary(struct wb_text *text, const struct wb_measured *measured,
                     const struct wb_measured_series *series)
{
  const struct wb_measured_summary *const summary = &series->summary;
  wb_text_string(text, "<dl class=\"facts\">\n");
  put_fact(text, "times", (double)summary->count);
  put_words_fact(text, "unit",
                 measured->samples->unit != NULL ? measured->samples->unit : "not given");
  put_fact(text, "least", summary->least);
  put_fact(text, "median", summary->median);
  put_fact(text, "mean", summary->mean);
  put_fact(text, "standard deviation", summary->deviation);
  put_fact(text, "95 % quantile", summary->quantile_95);
  put_fact(text, "99 % quantile", summary->quantile_99);
  put_fact(text, "99.9 % quantile", summary->quantile_999);
  put_fact(text, "longest (high-water mark)", summary->most);
  if (series->resolution.tick > 0)
    put_fact(text, "tick of the clock", series->resolution.tick);
  put_fact(text, "different times", (double)series->resolution.distinct);
  put_extremes(text, series);
  wb_text_string(text, "</dl>\n");
}

/* ---- checks ---- */

static void put_outcome(struct wb_text *text, const struct wb_measured_check *check)
{
  static const char *const words[] = {
      [WB_APPLICABLE] = "passes",
      [WB_APPLICABLE_WITH_CARE] = "with care",
      [WB_NOT_APPLICABLE] = "fails",
  };
  if (check->done)
    put_sign(text, check->outcome, words[check->outcome]);
  else
    wb_text_string(text, "not made");
}

static void put_check(struct wb_text *text, const struct wb_measured_check *check)
{
  wb_text_string(text, "<tr><th scope=\"row\">");
  wb_page_text(text, wb_measured_check_title(check->kind));
  wb_text_string(text, "</th><td>");
  put_outcome(text, check);
  wb_text_string(text, "</td>");
  put_cell(text, check->statistic, 4);
  put_cell(text, check->p_value, 3);
  put_cell(text, check->adjusted, 3);
  wb_text_string(text, "<td class=\"words\">");
  wb_page_text(text, check->meaning);
  wb_text_string(text, "</td><td class=\"words\">");
  wb_page_text(text, check->advice);
  wb_text_string(text, "</td></tr>\n");
}

void wb_page_checks(struct wb_text *text, const struct wb_measured_series *series)
{
  static const char *const heads[] = {"Check",     "Outcome",          "#Statistic",
                                      "#p-value",  "#adjusted (Holm)", "What it means",
                                      "What to do"};
  open_table(text, "checks", "Checks of applicability", heads, sizeof heads / sizeof heads[0]);
  for (size_t k = 0; k < WB_MEASURED_CHECKS; k++)
    put_check(text, &series->checks[k]);
  close_table(text);
}

/* ---- fits ---- */

/* A parameter and its standard error. */
static void put_parameter(struct wb_text *text, double value, double error)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, value);
  if (isfinite(error)) {
    wb_text_string(text, "<span class=\"range\">(error ");
    put_short(text, error, 4);
    wb_text_string(text, ")</span>");
  }
  wb_text_string(text, "</td>");
}

static void put_shape(struct wb_text *text, const struct wb_measured_fit *fit)
{
  const enum wb_tail_family family = fit->fit.tail.family;
  if (family != WB_TAIL_GEV && family != WB_TAIL_PARETO) {
    wb_text_string(text, "<td class=\"number\">0, fixed</td>");
    return;
  }
  const double error = wb_fit_error(&fit->fit, wb_fit_shape_place(&fit->fit));
  wb_text_string(text, "<td class=\"number\">");
  put_short(text, fit->fit.tail.shape, 4);
  if (isfinite(error)) {
    wb_text_string(text, "<span class=\"range\">(error ");
    put_short(text, error, 4);
    wb_text_string(text, ")</span>");
  }
  put_range(text, "", &fit->shape);
  wb_text_string(text, "</td>");
}

static void put_remarks(struct wb_text *text, const struct wb_measured *measured,
                        const struct wb_measured_fit *fit)
{
  wb_text_string(text, "<td class=\"words\">");
  if (wb_fit_is_refused(measured, fit))
    wb_text_string(text, "<span class=\"flag\">refused by the values (Anderson-Darling)</span>");
  if (fit->impossible)
    wb_text_string(text, "<span class=\"flag\">impossible: its upper end is below the longest "
                         "time</span>");
  if (fit->fit.at_boundary)
    wb_text_string(text, "<span class=\"flag\">at the boundary xi = -1</span>");
  const double end = wb_tail_upper_end(&fit->fit.tail);
  if (isfinite(end)) {
    wb_text_string(text, "ends at ");
    put_number(text, end);
  }
  wb_text_string(text, "</td></tr>\n");
}

static void put_fit(struct wb_text *text, const struct wb_measured *measured,
                    const struct wb_measured_fit *fit)
{
  const struct wb_tail *const tail = &fit->fit.tail;
  const bool maxima = wb_tail_is_of_maxima(tail->family);
  put_parameter(text, tail->location, maxima ? wb_fit_error(&fit->fit, 0) : NAN);
  put_parameter(text, tail->scale, wb_fit_error(&fit->fit, wb_fit_scale_place(&fit->fit)));
  put_shape(text, fit);
  put_cell(text, fit->fit.negative_log_likelihood, 7);
  put_cell(text, fit->has_goodness ? fit->goodness.anderson_darling_p : NAN, 3);
  put_cell(text, fit->has_goodness ? fit->goodness.cramer_von_mises_p : NAN, 3);
  put_cell(text, fit->has_ratio ? fit->ratio.p_value : NAN, 3);
  put_remarks(text, measured, fit);
}

static bool was_tried(const struct wb_measured_fit *fit)
{
  return fit->failed ? fit->why[0] != '\0' : fit->fit.count > 0;
}

void wb_page_fits(struct wb_text *text, const struct wb_measured *measured,
                  const struct wb_measured_series *series)
{
  static const char *const heads[] = {"Fit",
                                      "#Location, or threshold",
                                      "#Scale",
                                      "#Shape (xi &gt; 0 = heavy tail)",
                                      "#Negative log likelihood",
                                      "#Anderson-Darling, p",
                                      "#Cram\xc3\xa9r-von Mises, p",
                                      "#Shape 0 as good, p (likelihood ratio)",
                                      "Remarks"};
  open_table(text, "fits", "Fits", heads, sizeof heads / sizeof heads[0]);
  for (size_t f = 0; f < WB_MEASURED_FITS; f++) {
    const struct wb_measured_fit *const fit = &series->fits[f];
    if (!was_tried(fit))
      continue;
    wb_text_string(text, "<tr><th scope=\"row\">");
    wb_page_text(text, wb_measured_fit_title((enum wb_measured_fit_kind)f));
    wb_text_string(text, "</th>");
    if (fit->failed) {
      wb_text_string(text, "<td class=\"words\" colspan=\"8\">not fitted: ");
      wb_page_text(text, fit->why);
      wb_text_string(text, "</td></tr>\n");
    } else {
      put_fit(text, measured, fit);
    }
  }
  close_table(text);
}

/* ---- levels ---- */

static void put_level(struct wb_text *text, const struct wb_measured_level *level)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, level->level);
  put_range(text, "", &level->profile);
  put_range(text, "bootstrap ", &level->bootstrap);
  if (level->below_observed)
    wb_text_string(text, "<span class=\"flag\">below observations</span>");
  if (level->above_bound)
    wb_text_string(text, "<span class=\"flag\">pessimistic: above the bound</span>");
  if (level->extrapolated)
    wb_text_string(text, "<span class=\"range\">extrapolated</span>");
  wb_text_string(text, "</td>");
}

static void put_level_row(struct wb_text *text, const struct wb_measured *measured,
                          const struct wb_measured_series *series, size_t place)
{
  char probability[WB_CHART_LABEL];
  wb_chart_power(measured->options.probabilities[place], probability);
  wb_text_format(text, "<tr><th scope=\"row\">%s</th>", probability);
  for (size_t f = 0; f < WB_MEASURED_FITS; f++)
    if (wb_fit_is_drawn(series, (enum wb_measured_fit_kind)f))
      put_level(text, &series->fits[f].levels[place]);
  put_number_cell(text, series->markov[place].power > 0 ? series->markov[place].level : NAN);
  wb_text_string(text, "</tr>\n");
}

void wb_page_levels(struct wb_text *text, const struct wb_measured *measured,
                    const struct wb_measured_series *series)
{
  const char *heads[WB_MEASURED_FITS + 2];
  size_t count = 0;
  heads[count++] = "Probability that one run takes longer";
  for (size_t f = 0; f < WB_MEASURED_FITS; f++)
    if (wb_fit_is_drawn(series, (enum wb_measured_fit_kind)f))
      heads[count++] = wb_measured_fit_title((enum wb_measured_fit_kind)f);
  heads[count++] = "#Without a fit (Markov)";
  open_table(text, "levels", "Return levels", heads, count);
  for (size_t k = 0; k < measured->options.probability_count; k++)
    put_level_row(text, measured, series, k);
  close_table(text);
}

/* ---- all series ---- */

/* The place of the smallest probability asked for; the number of them where there is none. */
static size_t smallest_of(const struct wb_measured_options *options)
{
  size_t place = 0;
  for (size_t k = 1; k < options->probability_count; k++)
    if (options->probabilities[k] < options->probabilities[place])
      place = k;
  return place;
}

static void put_main_level(struct wb_text *text, const struct wb_measured *measured,
                           const struct wb_measured_series *series, bool of_maxima)
{
  const enum wb_measured_fit_kind kind = wb_main_fit(series, of_maxima);
  const size_t place = smallest_of(&measured->options);
  if (kind == WB_MEASURED_FITS || place >= measured->options.probability_count)
    wb_text_string(text, "<td class=\"number\">-</td>");
  else
    put_level(text, &series->fits[kind].levels[place]);
}

void wb_page_comparison(struct wb_text *text, const struct wb_measured *measured)
{
  static const char *const heads[] = {"Series",         "Verdict",        "#Times",
                                      "#Mean",          "#99 % quantile", "#Longest",
                                      "#Maxima: level", "#Peaks: level"};
  open_table(text, "comparison", "Series", heads, sizeof heads / sizeof heads[0]);
  for (size_t s = 0; s < measured->count; s++) {
    const struct wb_measured_series *const series = &measured->series[s];
    wb_text_format(text, "<tr><th scope=\"row\"><a href=\"#series-%zu\">", s + 1);
    wb_page_name(text, measured, s);
    wb_text_string(text, "</a></th><td>");
    wb_page_sign(text, series->verdict);
    wb_text_string(text, "</td>");
    put_number_cell(text, (double)series->summary.count);
    put_number_cell(text, series->summary.mean);
    put_number_cell(text, series->summary.quantile_99);
    put_number_cell(text, series->summary.most);
    put_main_level(text, measured, series, true);
    put_main_level(text, measured, series, false);
    wb_text_string(text, "</tr>\n");
  }
  close_table(text);
}

static void put_bound(struct wb_text *text, const struct wb_measured_bound *bound)
{
  if (!bound->given) {
    put_words_fact(text, "proven bound", "not given");
    return;
  }
  wb_text_string(text, "<div><dt>proven bound</dt><dd>");
  put_number(text, bound->value);
  if (bound->source != NULL) {
    wb_text_string(text, " (");
    wb_page_text(text, bound->source);
    wb_text_string(text, ")");
  }
  wb_text_string(text, "</dd></div>\n");
}

static void put_choices(struct wb_text *text, const struct wb_measured_options *options)
{
  static const char *const methods[] = {
      [WB_MEASURED_BOTH] = "block maxima, peaks over a threshold",
      [WB_MEASURED_MAXIMA] = "block maxima",
      [WB_MEASURED_PEAKS] = "peaks over a threshold",
  };
  static const char *const rules[] = {
      [WB_THRESHOLD_ANDERSON_DARLING] = "chosen by Anderson-Darling tests",
      [WB_THRESHOLD_NORTHROP_COLEMAN] = "chosen by the test of Northrop and Coleman",
      [WB_THRESHOLD_STABILITY] = "chosen by stability of the parameters",
  };
  put_words_fact(text, "methods", methods[options->method]);
  if (options->block_size > 0)
    put_fact(text, "block size, given", (double)options->block_size);
  else
    put_words_fact(text, "block size", "chosen");
  if (options->has_threshold)
    put_fact(text, "threshold, given", options->threshold);
  else
    put_words_fact(text, "threshold", rules[options->rule]);
  put_words_fact(text, "peaks", options->decluster ? "one of each cluster" : "all exceedances");
}

void wb_page_options(struct wb_text *text, const struct wb_measured *measured)
{
  const struct wb_measured_options *const options = &measured->options;
  wb_text_string(text, "<dl class=\"facts\">\n");
  put_words_fact(text, "file", measured->samples->file != NULL ? measured->samples->file : "-");
  if (measured->samples->column != NULL)
    put_words_fact(text, "column", measured->samples->column);
  put_choices(text, options);
  put_fact(text, "confidence of intervals", options->confidence);
  put_fact(text, "significance of tests", options->significance);
  put_fact(text, "replicates of goodness of fit", options->replicates);
  put_fact(text, "replicates of bootstrap intervals", options->bootstrap);
  wb_text_format(text, "<div><dt>seed</dt><dd>%" PRIu64 "</dd></div>\n", options->seed);
  put_words_fact(text, "data that fail the checks",
                 options->fit_anyway ? "fitted all the same (--fit-anyway)" : "not fitted");
  put_bound(text, &options->bound);
  wb_text_string(text, "</dl>\n");
}
