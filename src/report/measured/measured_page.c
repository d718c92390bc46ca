/* The page on measured times: one HTML file without scripts, whose policy allows its own style
 * alone. What comes from the input is text in which nothing means anything to HTML. */
#include "report/embedded.h"
#include "report/measured/measured_plots.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Series with plots, and series at all: more would make a page that no browser shows. */
#define MOST_PLOTTED 40
#define MOST_SERIES 1000

/* Any text in an element or a cell: between `before` and `after`, which are HTML. */
static void put_words(struct wb_text *text, const char *before, const char *words,
                      const char *after)
{
  wb_text_string(text, before);
  wb_svg_escape(words, 1, WB_SVG_LONGEST_TEXT * 2, text);
  wb_text_string(text, after);
}

/* How a verdict looks: a class of page.css, a sign beside the colour, and the outcome of a check.
 */
static const struct {
  const char *class, *sign, *outcome;
} looks[] = {
    [WB_APPLICABLE] = {"pass", "\xe2\x9c\x94", "passes"},
    [WB_APPLICABLE_WITH_CARE] = {"care", "\xe2\x9a\xa0", "with care"},
    [WB_NOT_APPLICABLE] = {"fail", "\xe2\x9c\x98", "fails"},
};

static void put_sign(struct wb_text *text, enum wb_applicability applicability, const char *words)
{
  wb_text_format(text, "<span class=\"sign %s\"><span aria-hidden=\"true\">%s</span>",
                 looks[applicability].class, looks[applicability].sign);
  put_words(text, " ", words, "</span>");
}

/* The name of a series; "series 3" of one without, "The times" where it is the only one. */
static void put_name(struct wb_text *text, const struct wb_measured *measured, size_t series)
{
  const char *const name = measured->series[series].series->name;
  if (name != NULL && name[0] != '\0')
    put_words(text, "", name, "");
  else if (measured->count == 1)
    wb_text_string(text, "The times");
  else
    wb_text_format(text, "series %zu", series + 1);
}

/* A number with `digits` significant digits; 0: about six. */
static void put_number(struct wb_text *text, double value, int digits)
{
  char number[WB_CHART_LABEL];
  if (digits == 0)
    wb_chart_number(value, number);
  else
    wb_chart_short_number(value, digits, number);
  wb_text_string(text, number);
}

static void put_cell(struct wb_text *text, double value, int digits)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, value, digits);
  wb_text_string(text, "</td>");
}

static void put_range(struct wb_text *text, const char *name, const struct wb_interval *interval)
{
  if (!interval->found)
    return;
  wb_text_format(text, "<span class=\"range\">%s[", name);
  put_number(text, interval->low, 0);
  wb_text_string(text, ", ");
  put_number(text, interval->high, 0);
  wb_text_string(text, "]</span>");
}

/* A fact and its number, or its words. */
static void put_fact(struct wb_text *text, const char *name, double value)
{
  wb_text_format(text, "<div><dt>%s</dt><dd>", name);
  put_number(text, value, 0);
  wb_text_string(text, "</dd></div>\n");
}

static void put_words_fact(struct wb_text *text, const char *name, const char *words)
{
  wb_text_format(text, "<div><dt>%s</dt>", name);
  put_words(text, "<dd>", words, "</dd></div>\n");
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

static const char table_end[] = "</tbody></table></div>\n";

/* ---- parts of a series ---- */

static void put_summary(struct wb_text *text, const struct wb_measured *measured,
                        const struct wb_measured_series *series)
{
  const struct wb_measured_summary *const summary = &series->summary;
  wb_text_string(text, "<dl class=\"facts\">\n");
  put_fact(text, "times", (double)summary->count);
  put_words_fact(text, "unit",
                 measured->samples->unit != NULL ? measured->samples->unit : "cycles, assumed");
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
  if (series->maximum_count > 0) {
    put_fact(text, "block size", (double)series->block_size);
    put_fact(text, "maxima of blocks", (double)series->maximum_count);
    put_fact(text, "times left out at the end", (double)series->left_out);
  }
  if (series->has_threshold) {
    put_fact(text, "threshold", series->threshold);
    put_fact(text, "times above it", (double)series->exceedances);
    put_fact(text, "peaks that are fitted", (double)series->peak_count);
    if (isfinite(series->index.intervals))
      put_fact(text, "extremal index (intervals)", series->index.intervals);
  }
  wb_text_string(text, "</dl>\n");
}

/* A parameter with `digits` digits (0: about six), its standard error and its interval. */
static void put_parameter(struct wb_text *text, double value, int digits, double error,
                          const struct wb_interval *interval)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, value, digits);
  if (isfinite(error)) {
    wb_text_string(text, "<span class=\"range\">(error ");
    put_number(text, error, 4);
    wb_text_string(text, ")</span>");
  }
  put_range(text, "", interval);
  wb_text_string(text, "</td>");
}

static void put_fits(struct wb_text *text, const struct wb_measured *measured,
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
    const bool was_tried = fit->failed ? fit->why[0] != '\0' : fit->fit.count > 0;
    if (!was_tried)
      continue;
    put_words(text, "<tr><th scope=\"row\">", wb_measured_fit_words[f].title, "</th>");
    if (fit->failed) {
      put_words(text, "<td class=\"words\" colspan=\"8\">not fitted: ", fit->why, "</td></tr>\n");
    } else {
      const struct wb_tail *const tail = &fit->fit.tail;
      const struct wb_interval none = {.found = false};
      const double location_error =
          wb_tail_is_of_maxima(tail->family) ? wb_fit_error(&fit->fit, 0) : NAN;
      put_parameter(text, tail->location, 0, location_error, &none);
      put_parameter(text, tail->scale, 0, wb_fit_error(&fit->fit, wb_fit_scale_place(&fit->fit)),
                    &none);
      if (wb_tail_has_shape(tail->family))
        put_parameter(text, tail->shape, 4, wb_fit_error(&fit->fit, wb_fit_shape_place(&fit->fit)),
                      &fit->shape);
      else
        wb_text_string(text, "<td class=\"number\">0, fixed</td>");
      put_cell(text, fit->fit.negative_log_likelihood, 7);
      put_cell(text, fit->has_goodness ? fit->goodness.anderson_darling_p : NAN, 3);
      put_cell(text, fit->has_goodness ? fit->goodness.cramer_von_mises_p : NAN, 3);
      put_cell(text, fit->has_ratio ? fit->ratio.p_value : NAN, 3);
      wb_text_string(text, "<td class=\"words\">");
      if (wb_measured_is_refused(&measured->options, fit))
        wb_text_format(text, "<span class=\"flag\">refused by the values (%s)</span>",
                       fit->worse ? "likelihood ratio: the shape is not 0" : "Anderson-Darling");
      if (fit->impossible)
        wb_text_string(text, "<span class=\"flag\">impossible: its upper end is below the longest "
                             "time</span>");
      if (fit->fit.at_boundary)
        wb_text_string(text, "<span class=\"flag\">at the boundary xi = -1</span>");
      const double end = wb_tail_upper_end(tail);
      if (isfinite(end)) {
        wb_text_string(text, "ends at ");
        put_number(text, end, 0);
      }
      wb_text_string(text, "</td></tr>\n");
    }
  }
  wb_text_string(text, table_end);
}

static void put_level(struct wb_text *text, const struct wb_measured_level *level)
{
  wb_text_string(text, "<td class=\"number\">");
  put_number(text, level->level, 0);
  put_range(text, "", &level->profile);
  put_range(text, "bootstrap ", &level->bootstrap);
  if (level->below_observed)
    wb_text_string(text, "<span class=\"flag\">refuted: a longer time was measured</span>");
  if (level->above_bound)
    wb_text_string(text, "<span class=\"flag\">pessimistic: above the bound</span>");
  if (level->extrapolated)
    wb_text_string(text, "<span class=\"range\">extrapolated</span>");
  wb_text_string(text, "</td>");
}

static void put_levels(struct wb_text *text, const struct wb_measured *measured,
                       const struct wb_measured_series *series)
{
  const char *heads[WB_MEASURED_FITS + 2];
  size_t count = 0;
  heads[count++] = "Probability that one run takes longer";
  for (size_t f = 0; f < WB_MEASURED_FITS; f++)
    if (wb_fit_is_drawn(series, (enum wb_measured_fit_kind)f))
      heads[count++] = wb_measured_fit_words[f].title;
  heads[count++] = "#Without a fit (Markov)";
  open_table(text, "levels", "Return levels", heads, count);
  for (size_t p = 0; p < measured->options.probability_count; p++) {
    char probability[WB_CHART_LABEL];
    wb_chart_power(measured->options.probabilities[p], probability);
    wb_text_format(text, "<tr><th scope=\"row\">%s</th>", probability);
    for (size_t f = 0; f < WB_MEASURED_FITS; f++)
      if (wb_fit_is_drawn(series, (enum wb_measured_fit_kind)f))
        put_level(text, &series->fits[f].levels[p]);
    put_cell(text, series->markov[p].power > 0 ? series->markov[p].level : NAN, 0);
    wb_text_string(text, "</tr>\n");
  }
  wb_text_string(text, table_end);
}

/* The recommended levels, or why there are none. */
static void put_recommended(struct wb_text *text, const struct wb_measured *measured,
                            const struct wb_measured_series *series)
{
  static const char *const heads[] = {"Probability that one run takes longer", "#Level",
                                      "#Interval", "From"};
  const struct wb_measured_recommendation *const recommended = &series->recommended;
  wb_text_string(text, "<h3>Recommended pWCET</h3>\n");
  put_words(text, recommended->given ? "<p>" : "<p>None: ", recommended->reason, "</p>\n");
  if (!recommended->given)
    return;
  open_table(text, "levels", "Recommended levels", heads, sizeof heads / sizeof heads[0]);
  for (size_t p = 0; p < measured->options.probability_count; p++) {
    const struct wb_measured_recommended_level *const level = &recommended->levels[p];
    const struct wb_interval interval = {true, level->low, level->high};
    char probability[WB_CHART_LABEL];
    wb_chart_power(measured->options.probabilities[p], probability);
    wb_text_format(text, "<tr><th scope=\"row\">%s</th>", probability);
    put_cell(text, level->level, 0);
    wb_text_string(text, "<td class=\"number\">");
    put_range(text, "", &interval);
    wb_text_format(text, "</td><td>%s</td></tr>\n",
                   level->observed ? "observed, without a fit" : "fit");
  }
  wb_text_string(text, table_end);
}

/* Levels over block sizes and thresholds: how far the answer hangs on the choice. */
static void put_choices(struct wb_text *text, const struct wb_measured *measured,
                        const struct wb_measured_series *series)
{
  const char *heads[WB_MEASURED_LEVELS + 4] = {"Choice", "#Values", "#Shape", "Use"};
  char labels[WB_MEASURED_LEVELS][WB_CHART_LABEL + 40];
  const size_t levels = measured->options.probability_count;
  if (series->choice_levels == NULL)
    return;
  for (size_t p = 0; p < levels; p++) {
    char probability[WB_CHART_LABEL];
    wb_chart_power(measured->options.probabilities[p], probability);
    snprintf(labels[p], sizeof labels[p], "#Level at %s", probability);
    heads[4 + p] = labels[p];
  }
  wb_text_string(text, "<h3>Levels over block sizes and thresholds</h3>\n<p class=\"note\">How far "
                       "the answer hangs on the choice: levels that move by more than their "
                       "intervals are not to be used.</p>\n");
  open_table(text, "choices", "Levels over block sizes and thresholds", heads, 4 + levels);
  for (size_t k = 0; k < series->choice_count; k++) {
    const struct wb_measured_choice *const choice = &series->choices[k];
    wb_text_string(text, choice->of_maxima ? "<tr><th scope=\"row\">blocks of "
                                           : "<tr><th scope=\"row\">above ");
    put_number(text, choice->of_maxima ? (double)choice->block : choice->threshold, 0);
    wb_text_string(text, "</th>");
    put_cell(text, (double)choice->values, 0);
    put_cell(text, choice->made ? choice->shape : NAN, 4);
    wb_text_format(text, "<td>%s%s</td>", choice->in_use ? "in use" : "",
                   !choice->averaged ? ""
                   : choice->in_use  ? ", averaged"
                                     : "averaged");
    for (size_t p = 0; p < levels; p++) {
      const struct wb_measured_choice_level *const level = &series->choice_levels[k * levels + p];
      wb_text_string(text, "<td class=\"number\">");
      put_number(text, level->level, 0);
      put_range(text, "", &level->interval);
      wb_text_string(text, "</td>");
    }
    wb_text_string(text, "</tr>\n");
  }
  wb_text_string(text, table_end);
}

static void put_verdict(const struct wb_measured *measured, const struct wb_measured_series *series,
                        struct wb_text *text)
{
  const struct wb_measured_bound *const bound = &measured->options.bound;
  const char *const words = wb_applicability_words(series->verdict);
  const char *why = series->verdict_words;
  wb_text_format(text, "<div class=\"verdict %s\"><strong>", looks[series->verdict].class);
  put_sign(text, series->verdict, words);
  wb_text_string(text, "</strong>");
  if (strncmp(why, words, strlen(words)) == 0)
    why += strlen(words) + strspn(why + strlen(words), ": ");
  if (*why != '\0')
    put_words(text, "<br>", why, "");
  wb_text_string(text, "</div>\n");
  /* A proven bound that a measurement exceeds is of something else than was measured. */
  if (bound->given && series->summary.most > bound->value)
    wb_text_string(text, "<div class=\"verdict fail\"><strong><span class=\"sign fail\"><span "
                         "aria-hidden=\"true\">\xe2\x9c\x98</span> The bound is "
                         "exceeded</span></strong><br>A longer time was measured than the proven "
                         "bound allows: the two do not speak of the same thing.</div>\n");
}

static void put_series(const struct wb_measured *measured, size_t place, struct wb_text *text)
{
  const struct wb_measured_series *const series = &measured->series[place];
  wb_text_format(text, "<section id=\"series-%zu\">\n<h2>", place + 1);
  put_name(text, measured, place);
  wb_text_string(text, "</h2>\n");
  put_verdict(measured, series, text);
  put_summary(text, measured, series);
  wb_text_string(text, "<h3>Checks of applicability</h3>\n");
  static const char *const heads[] = {"Check",     "Outcome",          "#Statistic",
                                      "#p-value",  "#adjusted (Holm)", "What it means",
                                      "What to do"};
  open_table(text, "checks", "Checks of applicability", heads, sizeof heads / sizeof heads[0]);
  for (size_t k = 0; k < WB_MEASURED_CHECKS; k++) {
    const struct wb_measured_check *const check = &series->checks[k];
    put_words(text, "<tr><th scope=\"row\">", wb_measured_check_words[check->kind].title,
              "</th><td>");
    if (check->done)
      put_sign(text, check->outcome, looks[check->outcome].outcome);
    else
      wb_text_string(text, "not made");
    wb_text_string(text, "</td>");
    put_cell(text, check->statistic, 4);
    put_cell(text, check->p_value, 3);
    put_cell(text, check->adjusted, 3);
    put_words(text, "<td class=\"words\">", check->meaning, "</td>");
    put_words(text, "<td class=\"words\">", check->advice, "</td></tr>\n");
  }
  wb_text_string(text, table_end);
  if (series->fitted)
    put_recommended(text, measured, series);
  wb_text_string(text, "<h3>Fits</h3>\n");
  if (series->fitted) {
    put_fits(text, measured, series);
    wb_text_string(text, "<h3>Return levels (pWCET)</h3>\n<p class=\"note\">The time that one run "
                         "exceeds with the probability, if the fit holds; below it the interval by "
                         "profile likelihood. " WB_MEASURED_WARNING "</p>\n");
    put_levels(text, measured, series);
    put_choices(text, measured, series);
  } else {
    wb_text_string(text, "<p class=\"note\">Nothing was fitted: what is fitted to data that fail "
                         "the checks says nothing.</p>\n");
  }
  if (place >= MOST_PLOTTED) {
    wb_text_format(text,
                   "<p class=\"note\">Left out: the plots of all series but the first %d.</p>\n",
                   MOST_PLOTTED);
  } else {
    wb_text_string(text, "<h3>Plots</h3>\n<div class=\"plots\">\n");
    for (int plot = 0; plot < WB_MEASURED_PLOTS; plot++) {
      if (!wb_measured_plot_is_there(series, (enum wb_measured_plot)plot))
        continue;
      wb_text_string(text, "<figure>\n");
      wb_measured_plot_svg(measured, series, (enum wb_measured_plot)plot, true, text);
      wb_text_string(text, "</figure>\n");
    }
    wb_text_string(text, "</div>\n");
  }
  wb_text_string(text, "</section>\n");
}

/* ---- all series ---- */

/* The level of the main fit at the smallest probability asked for. */
static void put_main_level(struct wb_text *text, const struct wb_measured *measured,
                           const struct wb_measured_series *series, bool of_maxima)
{
  const struct wb_measured_options *const options = &measured->options;
  const enum wb_measured_fit_kind kind = wb_main_fit(series, of_maxima);
  size_t place = 0;
  for (size_t k = 1; k < options->probability_count; k++)
    if (options->probabilities[k] < options->probabilities[place])
      place = k;
  if (kind == WB_MEASURED_FITS || place >= options->probability_count)
    wb_text_string(text, "<td class=\"number\">-</td>");
  else
    put_level(text, &series->fits[kind].levels[place]);
}

static void put_options(struct wb_text *text, const struct wb_measured *measured)
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
  const struct wb_measured_options *const options = &measured->options;
  const struct wb_measured_bound *const bound = &options->bound;
  wb_text_string(text, "<dl class=\"facts\">\n");
  put_words_fact(text, "file", measured->samples->file != NULL ? measured->samples->file : "-");
  if (measured->samples->column != NULL)
    put_words_fact(text, "column", measured->samples->column);
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
  put_fact(text, "confidence of intervals", options->confidence);
  put_fact(text, "significance of tests", options->significance);
  put_fact(text, "replicates of goodness of fit", options->replicates);
  put_fact(text, "replicates of bootstrap intervals", options->bootstrap);
  wb_text_format(text, "<div><dt>seed</dt><dd>%" PRIu64 "</dd></div>\n", options->seed);
  put_words_fact(text, "data that fail the checks",
                 options->fit_anyway ? "fitted all the same (--fit-anyway)" : "not fitted");
  if (!bound->given) {
    put_words_fact(text, "proven bound", "not given");
  } else {
    wb_text_string(text, "<div><dt>proven bound</dt><dd>");
    put_number(text, bound->value, 0);
    if (bound->source != NULL)
      put_words(text, " (", bound->source, ")");
    wb_text_string(text, "</dd></div>\n");
  }
  wb_text_string(text, "</dl>\n");
}

static void put_head(const struct wb_measured *measured, struct wb_text *text)
{
  wb_text_format(text,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>Measured times</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
                 wb_embedded_measured_style_hash);
  wb_text_append(text, (const char *)wb_embedded_page_style, wb_embedded_page_style_length);
  wb_text_append(text, (const char *)wb_embedded_measured_style, wb_embedded_measured_style_length);
  wb_chart_style(text);
  wb_text_string(text, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the "
                       "results</a>\n");
  wb_text_string(text, "<header>\n<h1>Measured times");
  if (measured->samples->file != NULL)
    put_words(text, ": ", measured->samples->file, "");
  wb_text_string(text, "</h1>\n<p class=\"kicker\">Extreme value statistics by warpbound " //
                 WARPBOUND_VERSION "</p>\n<p class=\"estimate-only\">" WB_MEASURED_WARNING
                       "</p>\n</header>\n");
  wb_text_string(text, "<nav aria-label=\"Parts\">");
  if (measured->count > 1)
    wb_text_string(text, "<a href=\"#series\">All series</a> ");
  for (size_t s = 0; s < measured->count && s < MOST_PLOTTED; s++) {
    wb_text_format(text, "<a href=\"#series-%zu\">", s + 1);
    put_name(text, measured, s);
    wb_text_string(text, "</a> ");
  }
  wb_text_string(text, "<a href=\"#options\">Options</a></nav>\n");
}

void wb_measured_page(const struct wb_measured *measured, struct wb_text *text)
{
  put_head(measured, text);
  wb_text_string(text, "<main id=\"main\">\n");
  if (measured->count > 1) {
    wb_text_string(
        text, "<section id=\"series\">\n<h2>Series</h2>\n<p class=\"note\">Levels at the smallest "
              "probability asked for.</p>\n");
    /* Of the first series. */
    static const char *const heads[] = {"Series",         "Verdict",        "#Times",
                                        "#Mean",          "#99 % quantile", "#Longest",
                                        "#Maxima: level", "#Peaks: level"};
    open_table(text, "comparison", "Series", heads, sizeof heads / sizeof heads[0]);
    for (size_t s = 0; s < measured->count && s < MOST_SERIES; s++) {
      const struct wb_measured_series *const series = &measured->series[s];
      wb_text_format(text, "<tr><th scope=\"row\"><a href=\"#series-%zu\">", s + 1);
      put_name(text, measured, s);
      wb_text_string(text, "</a></th><td>");
      put_sign(text, series->verdict, wb_applicability_words(series->verdict));
      wb_text_string(text, "</td>");
      put_cell(text, (double)series->summary.count, 0);
      put_cell(text, series->summary.mean, 0);
      put_cell(text, series->summary.quantile_99, 0);
      put_cell(text, series->summary.most, 0);
      put_main_level(text, measured, series, true);
      put_main_level(text, measured, series, false);
      wb_text_string(text, "</tr>\n");
    }
    wb_text_string(text, table_end);
    if (measured->count > MOST_SERIES)
      wb_text_format(text, "<p class=\"note\">Left out: all of %zu series but the first %d.</p>\n",
                     measured->count, MOST_SERIES);
    wb_text_string(text, "</section>\n");
  }
  for (size_t s = 0; s < measured->count && s < MOST_SERIES; s++)
    put_series(measured, s, text);
  wb_text_string(text, "<section id=\"options\">\n<h2>Options</h2>\n");
  put_options(text, measured);
  wb_text_string(text, "</section>\n</main>\n<footer>" WB_MEASURED_WARNING
                       "</footer>\n</body>\n</html>\n");
}
