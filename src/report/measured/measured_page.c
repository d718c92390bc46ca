/* The page on measured times: one HTML file without scripts, whose policy allows its own style
 * alone. What comes from the input is text in which nothing means anything to HTML. */
#include "report/analyze/page_parts.h"
#include "report/measured/measured_plots.h"
#include "report/measured/measured_style.h"
#include "report/measured/measured_tables.h"

#include <string.h>

/* Series with plots, and series at all: more would make a page that no browser shows. */
#define MOST_PLOTTED 40
#define MOST_SERIES 1000

static void put_style(struct wb_text *text)
{
  wb_text_append(text, (const char *)wb_embedded_page_style, wb_embedded_page_style_length);
  wb_text_append(text, (const char *)wb_embedded_measured_style, wb_embedded_measured_style_length);
  wb_chart_style(text);
}

static void put_head(struct wb_text *text)
{
  wb_text_format(text,
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>Measured times</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
                 wb_embedded_measured_style_hash);
  put_style(text);
  wb_text_string(text, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the "
                       "results</a>\n");
}

static void put_header(const struct wb_measured *measured, struct wb_text *text)
{
  wb_text_string(text, "<header>\n<h1>Measured times");
  if (measured->samples->file != NULL) {
    wb_text_string(text, ": ");
    wb_page_text(text, measured->samples->file);
  }
  wb_text_string(text, "</h1>\n<p class=\"kicker\">Extreme value statistics by warpbound " //
                 WARPBOUND_VERSION "</p>\n<p class=\"estimate-only\">" WB_MEASURED_WARNING
                       "</p>\n</header>\n");
}

static void put_navigation(const struct wb_measured *measured, struct wb_text *text)
{
  wb_text_string(text, "<nav aria-label=\"Parts\">");
  if (measured->count > 1)
    wb_text_string(text, "<a href=\"#series\">All series</a> ");
  for (size_t s = 0; s < measured->count && s < MOST_PLOTTED; s++) {
    wb_text_format(text, "<a href=\"#series-%zu\">", s + 1);
    wb_page_name(text, measured, s);
    wb_text_string(text, "</a> ");
  }
  wb_text_string(text, "<a href=\"#options\">Options</a></nav>\n");
}

static void put_verdict(const struct wb_measured_series *series, struct wb_text *text)
{
  const char *const words = wb_applicability_words(series->verdict);
  const char *why = series->verdict_words;
  wb_text_format(text, "<div class=\"verdict %s\"><strong>", wb_page_class(series->verdict));
  wb_page_sign(text, series->verdict);
  wb_text_string(text, "</strong>");
  if (strncmp(why, words, strlen(words)) == 0)
    why += strlen(words) + strspn(why + strlen(words), ": ");
  if (*why != '\0') {
    wb_text_string(text, "<br>");
    wb_page_text(text, why);
  }
  wb_text_string(text, "</div>\n");
}

/* A proven bound that a measurement exceeds is of something else than was measured. */
static void put_contradiction(const struct wb_measured *measured,
                              const struct wb_measured_series *series, struct wb_text *text)
{
  const struct wb_measured_bound *const bound = &measured->options.bound;
  if (bound->given && series->summary.most > bound->value)
    wb_text_string(text, "<div class=\"verdict fail\"><strong><span class=\"sign fail\"><span "
                         "aria-hidden=\"true\">\xe2\x9c\x98</span> The bound is "
                         "exceeded</span></strong><br>A longer time was measured than the proven "
                         "bound allows: the two do not speak of the same thing.</div>\n");
}

static void put_plots(const struct wb_measured *measured, const struct wb_measured_series *series,
                      struct wb_text *text)
{
  wb_text_string(text, "<h3>Plots</h3>\n<div class=\"plots\">\n");
  for (int plot = 0; plot < WB_MEASURED_PLOTS; plot++) {
    if (!wb_measured_plot_is_there(series, (enum wb_measured_plot)plot))
      continue;
    wb_text_string(text, "<figure>\n");
    wb_measured_plot_in_page(measured, series, (enum wb_measured_plot)plot, text);
    wb_text_string(text, "</figure>\n");
  }
  wb_text_string(text, "</div>\n");
}

static void put_fits(const struct wb_measured *measured, const struct wb_measured_series *series,
                     struct wb_text *text)
{
  wb_text_string(text, "<h3>Fits</h3>\n");
  if (!series->fitted) {
    wb_text_string(text, "<p class=\"note\">Nothing was fitted: what is fitted to data that fail "
                         "the checks says nothing.</p>\n");
    return;
  }
  wb_page_fits(text, measured, series);
  wb_text_string(text, "<h3>Return levels (pWCET)</h3>\n<p class=\"note\">The time that one run "
                       "exceeds with the probability, if the fit holds; below it the interval by "
                       "profile likelihood. " WB_MEASURED_WARNING "</p>\n");
  wb_page_levels(text, measured, series);
}

static void put_series(const struct wb_measured *measured, size_t place, struct wb_text *text)
{
  const struct wb_measured_series *const series = &measured->series[place];
  wb_text_format(text, "<section id=\"series-%zu\">\n<h2>", place + 1);
  wb_page_name(text, measured, place);
  wb_text_string(text, "</h2>\n");
  put_verdict(series, text);
  put_contradiction(measured, series, text);
  wb_page_summary(text, measured, series);
  wb_text_string(text, "<h3>Checks of applicability</h3>\n");
  wb_page_checks(text, series);
  put_fits(measured, series, text);
  if (place < MOST_PLOTTED)
    put_plots(measured, series, text);
  else
    wb_text_format(text,
                   "<p class=\"note\">Left out: the plots of all series but the first %d.</p>\n",
                   MOST_PLOTTED);
  wb_text_string(text, "</section>\n");
}

void wb_measured_page(const struct wb_measured *measured, struct wb_text *text)
{
  put_head(text);
  put_header(measured, text);
  put_navigation(measured, text);
  wb_text_string(text, "<main id=\"main\">\n");
  if (measured->count > 1) {
    wb_text_string(
        text, "<section id=\"series\">\n<h2>Series</h2>\n<p class=\"note\">Levels at the smallest "
              "probability asked for.</p>\n");
    wb_page_comparison(text, measured, MOST_SERIES);
    if (measured->count > MOST_SERIES)
      wb_text_format(text, "<p class=\"note\">Left out: all of %zu series but the first %d.</p>\n",
                     measured->count, MOST_SERIES);
    wb_text_string(text, "</section>\n");
  }
  for (size_t s = 0; s < measured->count && s < MOST_SERIES; s++)
    put_series(measured, s, text);
  wb_text_string(text, "<section id=\"options\">\n<h2>Options</h2>\n");
  wb_page_options(text, measured);
  wb_text_string(text, "</section>\n</main>\n<footer>" WB_MEASURED_WARNING
                       "</footer>\n</body>\n</html>\n");
}
