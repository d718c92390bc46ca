/* The analysis of measured times as text for people: the answer, the summary, the checks. */
#include "report/measured/measured_text.h"
#include "report/measured/measured_report.h"
#include "report/measured/text_columns.h"

#include "base/text/utf8.h"
#include "report/style.h"

#include <math.h>

/* Series that are named at most where a limit left them out. */
#define MOST_NAMED 10

void wb_measured_title_words(const struct wb_measured_words *words, const char *title)
{
  wb_text_format(words->text, "\n  %s%s%s", wb_style(WB_STYLE_BOLD, words->colour), title,
                 wb_style(WB_STYLE_PLAIN, words->colour));
}

const char *wb_measured_unit_words(const struct wb_measured *measured)
{
  return measured->samples->unit != NULL ? measured->samples->unit : "cycles";
}

/* ---- summary and verdict ---- */

static void write_head(const struct wb_measured_words *words)
{
  const struct wb_measured_series *series = words->series;
  struct wb_text *text = words->text;
  wb_text_clean(text, words->measured->samples->file);
  if (series->series->name[0] != '\0') {
    wb_text_string(text, ", ");
    wb_text_clean(text, series->series->name);
  }
  wb_text_format(text, ": %zu %s in ", series->summary.count,
                 series->summary.count == 1 ? "time" : "times");
  wb_text_clean(text, wb_measured_unit_words(words->measured));
  if (words->measured->samples->unit == NULL)
    wb_text_string(text, " (assumed: no unit is given)");
  wb_text_format(
      text, ", %s%s%s\n",
      wb_kind_style(series->verdict == WB_APPLICABLE ? WARPBOUND_UPPER : WARPBOUND_ESTIMATE,
                    words->colour),
      series->verdict_words, wb_style(WB_STYLE_PLAIN, words->colour));
}

static void write_summary(const struct wb_measured_words *words)
{
  const struct wb_measured_summary *summary = &words->series->summary;
  if (summary->count == 0)
    return;
  wb_measured_title_words(words, "times:");
  wb_text_format(words->text, " least %s, median %s, mean %s (deviation %s), most %s\n",
                 WB_TIME_WORDS(words, summary->least), WB_TIME_WORDS(words, summary->median),
                 WB_TIME_WORDS(words, summary->mean), WB_TIME_WORDS(words, summary->deviation),
                 WB_TIME_WORDS(words, summary->most));
  wb_text_format(words->text, "    quantiles: 95 %% %s, 99 %% %s, 99.9 %% %s\n",
                 WB_TIME_WORDS(words, summary->quantile_95),
                 WB_TIME_WORDS(words, summary->quantile_99),
                 WB_TIME_WORDS(words, summary->quantile_999));
}

/* ---- checks ---- */

static const char *mark_of(const struct wb_measured_check *check)
{
  static const char *const marks[] = {"ok", "care", "FAIL"};
  return check->done ? marks[check->outcome] : "-";
}

/* Advice that several checks in a row give is written below the last of them. */
static bool gives_advice(const struct wb_measured_series *series, int kind)
{
  const char *advice = series->checks[kind].advice;
  return advice[0] != '\0' &&
         (kind + 1 == WB_MEASURED_CHECKS || strcmp(advice, series->checks[kind + 1].advice) != 0);
}

static void write_check(const struct wb_measured_words *words, int kind)
{
  const struct wb_measured_check *check = &words->series->checks[kind];
  size_t from = words->text->length;
  wb_text_format(words->text, "    %-4s  %s: %s", mark_of(check),
                 wb_measured_check_title(check->kind), check->meaning);
  if (check->p_value == 0)
    wb_text_string(words->text, "; p < 1e-300");
  else if (!isnan(check->p_value))
    wb_text_format(words->text, "; p = %.3g, adjusted %.3g", check->p_value, check->adjusted);
  wb_text_string(words->text, "\n");
  wb_text_break(words->text, from, 10);
  if (!gives_advice(words->series, kind))
    return;
  from = words->text->length;
  wb_text_format(words->text, "          %s-> %s%s\n", wb_style(WB_STYLE_FAINT, words->colour),
                 check->advice, wb_style(WB_STYLE_PLAIN, words->colour));
  wb_text_break(words->text, from, 13);
}

static void write_checks(const struct wb_measured_words *words)
{
  wb_measured_title_words(words, "may extreme value statistics be applied?");
  wb_text_format(words->text, " tests at %g, p-values adjusted for their number\n",
                 words->measured->options.significance);
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++)
    write_check(words, kind);
}

/* ---- the whole ---- */

static bool has_fit(const struct wb_measured_series *series)
{
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    if (!series->fits[kind].failed)
      return true;
  return false;
}

/* Where there are no levels: whether fits were refused or failed. */
static void write_absence(const struct wb_measured_words *words)
{
  const struct wb_measured_summary *summary = &words->series->summary;
  wb_text_string(words->text, words->series->fitted ? "  nothing could be fitted\n"
                              : summary->most > summary->least
                                  ? "  nothing was fitted; --fit-anyway fits what fails the tests\n"
                                  : "  nothing was fitted: all times are equal\n");
}

static void write_series(const struct wb_measured_words *words, bool quiet)
{
  write_head(words);
  if (has_fit(words->series))
    wb_measured_level_words(words);
  else
    write_absence(words);
  if (quiet)
    return;
  write_summary(words);
  write_checks(words);
  wb_measured_fit_words(words);
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
        &(struct wb_measured_words){
            .measured = measured, .series = &measured->series[s], .colour = colour, .text = text},
        quiet);
  }
  name_missing(measured, text);
}
