/* The pWCET estimates of one series as text for people. */
#include "report/measured/measured_plots.h"
#include "report/measured/measured_text.h"
#include "report/measured/text_columns.h"

#include "base/text/utf8.h"

#include <math.h>

/* The fits that levels are shown of: those by likelihood. */
static const struct {
  enum wb_measured_fit_kind kind;
  const char *title;
} columns[] = {{WB_FIT_OF_GEV, "GEV"},
               {WB_FIT_OF_GUMBEL, "Gumbel"},
               {WB_FIT_OF_PARETO, "GPD"},
               {WB_FIT_OF_EXPONENTIAL, "exponential"}};
#define COLUMNS (sizeof columns / sizeof *columns)

static const struct wb_measured_fit *fit_of(const struct wb_measured_words *words, size_t column)
{
  return &words->series->fits[columns[column].kind];
}

/* ---- the table ---- */

static void add_heading(const struct wb_measured_words *words, struct wb_text *rows)
{
  wb_text_string(rows, "p");
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (!fit->failed)
      wb_text_format(rows, "\t%s%s", columns[c].title,
                     fit->impossible                           ? " (impossible)"
                     : wb_fit_is_refused(words->measured, fit) ? " (refused)"
                                                               : "");
  }
  wb_text_string(rows, "\tMarkov's inequality\n");
}

/* '!': refuted; '+': above the proven bound. */
static const char *level_mark(const struct wb_measured_level *level)
{
  return level->below_observed ? "!" : level->above_bound ? "+" : "";
}

static void add_levels(const struct wb_measured_words *words, size_t p, struct wb_text *rows)
{
  wb_text_format(rows, "%.3g", words->measured->options.probabilities[p]);
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (!fit->failed)
      wb_text_format(rows, "\t%s%s", WB_TIME_WORDS(words, fit->levels[p].level),
                     level_mark(&fit->levels[p]));
  }
  wb_text_format(rows, "\t%s\n", WB_TIME_WORDS(words, words->series->markov[p].level));
}

/* The row of intervals below the levels; none where no level has one. */
static void add_intervals(const struct wb_measured_words *words, size_t p, struct wb_text *rows)
{
  struct wb_text row = {0};
  bool any = false;
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (fit->failed)
      continue;
    const struct wb_interval *interval = &fit->levels[p].profile;
    any = any || interval->found;
    if (interval->found)
      wb_text_format(&row, "\t[%s, %s]", WB_TIME_WORDS(words, interval->low),
                     WB_TIME_WORDS(words, interval->high));
    else
      wb_text_string(&row, isnan(fit->levels[p].level) ? "\t" : "\t[not found]");
  }
  wb_text_string(&row, "\n");
  rows->failed = rows->failed || row.failed;
  if (any && !row.failed)
    wb_text_string(rows, row.data);
  wb_text_free(&row);
}

static void write_table(const struct wb_measured_words *words)
{
  struct wb_text rows = {0};
  add_heading(words, &rows);
  for (size_t p = 0; p < words->measured->options.probability_count; p++) {
    add_levels(words, p, &rows);
    add_intervals(words, p, &rows);
  }
  wb_text_columns(words->text, 4, &rows);
  wb_text_free(&rows);
}

/* ---- what has to be said below it ---- */

/* A mark of the table and whether a fit has it at any probability. */
enum mark { MARK_REFUTED, MARK_PESSIMISTIC, MARK_REFUSED, MARK_IMPOSSIBLE, MARK_UNKNOWN };

static bool has_level_mark(const struct wb_measured_words *words, const struct wb_measured_fit *fit,
                           enum mark mark)
{
  for (size_t p = 0; p < words->measured->options.probability_count; p++) {
    const struct wb_measured_level *level = &fit->levels[p];
    if (mark == MARK_REFUTED       ? level->below_observed
        : mark == MARK_PESSIMISTIC ? level->above_bound && !level->below_observed
                                   : isnan(level->level))
      return true;
  }
  return false;
}

static bool has_mark(const struct wb_measured_words *words, enum mark mark)
{
  for (size_t c = 0; c < COLUMNS; c++) {
    const struct wb_measured_fit *fit = fit_of(words, c);
    if (!fit->failed && (mark == MARK_REFUSED      ? wb_fit_is_refused(words->measured, fit)
                         : mark == MARK_IMPOSSIBLE ? fit->impossible
                                                   : has_level_mark(words, fit, mark)))
      return true;
  }
  return false;
}

static void write_marks(const struct wb_measured_words *words)
{
  struct wb_text *text = words->text;
  if (has_mark(words, MARK_PESSIMISTIC))
    wb_text_string(text, "    +: above the proven bound: pessimistic\n");
  if (has_mark(words, MARK_REFUTED))
    wb_text_format(text,
                   "    !: refuted: a longer time was measured, of which the fit gives all runs "
                   "together a chance below %g\n",
                   words->measured->options.significance);
  if (has_mark(words, MARK_REFUSED))
    wb_text_string(text, "    refused: the values are farther from the fit than chance allows "
                         "(Anderson-Darling)\n");
  if (has_mark(words, MARK_IMPOSSIBLE))
    wb_text_string(text, "    impossible: the fit ends below the longest time measured\n");
  if (has_mark(words, MARK_UNKNOWN))
    wb_text_string(text,
                   "    -: the fit says nothing at that probability: its level would be at or "
                   "below the threshold\n");
}

/* The fits that were asked for and could not be made; once where all have the same reason. */
static void write_missing(const struct wb_measured_words *words)
{
  const enum wb_measured_method method = words->measured->options.method;
  for (size_t c = 0; c < COLUMNS; c++) {
    const bool maxima = c < 2;
    if (!fit_of(words, c)->failed || method == (maxima ? WB_MEASURED_PEAKS : WB_MEASURED_MAXIMA))
      continue;
    wb_text_format(words->text, "    %s: no fit: ", columns[c].title);
    wb_text_clean(words->text, fit_of(words, c)->why);
    wb_text_string(words->text, "\n");
  }
}

static void write_bound(const struct wb_measured_words *words)
{
  const struct wb_measured_bound *bound = &words->measured->options.bound;
  const size_t from = words->text->length;
  if (!bound->given)
    return;
  wb_text_format(words->text, "    bound: %s, proven: no run takes longer (",
                 WB_TIME_WORDS(words, bound->value));
  wb_text_clean(words->text, bound->source);
  wb_text_string(words->text, ")");
  if (words->series->summary.most > bound->value)
    wb_text_format(words->text,
                   "; but a time of %s was measured: bound and measurement do not speak of the "
                   "same launch",
                   WB_TIME_WORDS(words, words->series->summary.most));
  wb_text_string(words->text, "\n");
  wb_text_break(words->text, from, 6);
}

void wb_measured_level_words(const struct wb_measured_words *words)
{
  wb_measured_title_words(words, "pWCET: the time that one run exceeds with probability p, in ");
  wb_text_clean(words->text, wb_measured_unit_words(words->measured));
  wb_text_format(words->text,
                 "; an estimate, never a bound\n"
                 "    below each level its %g %% interval by profile likelihood\n",
                 100 * words->measured->options.confidence);
  write_table(words);
  write_bound(words);
  write_marks(words);
  write_missing(words);
}
