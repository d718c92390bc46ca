/* The plot of levels over block sizes and thresholds: how far the answer hangs on the choice. */
#include "report/measured/measured_plots.h"

#include <math.h>

/* Probabilities that are drawn at most: those that go beyond the observations, the largest first.
 */
#define MOST_SHOWN 3
#define PANEL_HEIGHT 250u
#define NEXT_PANEL 34
/* The scale is that of the observations, as in the plot of return levels: what is farther above the
 * highest one than this many times the span from the median to it leaves the picture; ends of
 * intervals may go so many times as far above the median as levels. */
#define MOST_SPANS 2.0
#define MOST_ENDS 1.5
/* Marks of one choice stand side by side, by this part of the axis. */
#define ASIDE 0.012

static const char *const dots[MOST_SHOWN] = {"rule-1 dots", "rule-2 dots", "rule-3 dots"};
static const char *const strokes[MOST_SHOWN] = {"rule-1 thin", "rule-2 thin", "rule-3 thin"};
static const char *const rules[MOST_SHOWN] = {"rule-1 faded", "rule-2 faded", "rule-3 faded"};

struct choices {
  const struct wb_plot_work *work;
  size_t shown[MOST_SHOWN]; /* places of probabilities */
  size_t count;
  double median, highest; /* of the observations */
  bool cut;               /* something leaves the picture */
};

static size_t shown_of(const struct choices *choices)
{
  return choices->count < MOST_SHOWN ? choices->count : MOST_SHOWN;
}

/* Where a choice stands: by its block size, or by how many peaks are left. */
static double place_of(const struct wb_measured_choice *choice)
{
  return choice->of_maxima ? (double)choice->block : (double)choice->values;
}

static bool is_shown(const struct wb_measured_choice *choice, bool of_maxima)
{
  return choice->made && choice->of_maxima == of_maxima;
}

bool wb_has_choices(const struct wb_measured_series *series, bool of_maxima)
{
  for (size_t k = 0; series->choice_levels != NULL && k < series->choice_count; k++)
    if (is_shown(&series->choices[k], of_maxima))
      return true;
  return false;
}

static const struct wb_measured_choice_level *level_of(const struct choices *choices, size_t choice,
                                                       size_t shown)
{
  return &choices->work->series
              ->choice_levels[choice * choices->work->measured->options.probability_count +
                              choices->shown[shown]];
}

/* The probabilities below one in so many times as there are, else the smallest. */
static void choose_probabilities(struct choices *choices)
{
  const struct wb_measured_options *options = &choices->work->measured->options;
  const double count = (double)choices->work->series->summary.count;
  size_t smallest = 0;
  for (size_t p = 0; p < options->probability_count; p++) {
    smallest = options->probabilities[p] < options->probabilities[smallest] ? p : smallest;
    if (!(options->probabilities[p] * count < 1))
      continue;
    size_t place = choices->count;
    for (;
         place > 0 && options->probabilities[choices->shown[place - 1]] < options->probabilities[p];
         place--)
      if (place < MOST_SHOWN)
        choices->shown[place] = choices->shown[place - 1];
    if (place < MOST_SHOWN)
      choices->shown[place] = p;
    choices->count += choices->count < MOST_SHOWN;
  }
  if (choices->count == 0)
    choices->shown[choices->count++] = smallest;
}

/* The axis of levels, of one panel. */
static struct wb_chart_axis levels_of(struct choices *choices, bool of_maxima, const char *title)
{
  const struct wb_measured_series *series = choices->work->series;
  const double most = choices->highest + MOST_SPANS * (choices->highest - choices->median);
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  wb_chart_range_add(&range, choices->highest);
  for (size_t k = 0; k < series->choice_count; k++)
    for (size_t s = 0; s < shown_of(choices) && is_shown(&series->choices[k], of_maxima); s++) {
      const double level = level_of(choices, k, s)->level;
      wb_chart_range_add(&range, fmin(level, most));
      choices->cut |= level > most;
    }
  const double most_end = choices->median + MOST_ENDS * (range.most - choices->median);
  for (size_t k = 0; k < series->choice_count; k++)
    for (size_t s = 0; s < shown_of(choices) && is_shown(&series->choices[k], of_maxima); s++) {
      const struct wb_interval *interval = &level_of(choices, k, s)->interval;
      if (!interval->found)
        continue;
      wb_chart_range_add(&range, fmin(interval->low, most_end));
      wb_chart_range_add(&range, fmin(interval->high, most_end));
      choices->cut |= interval->high > most_end;
    }
  return wb_chart_axis_of(&range, 0.06, title);
}

/* Marks of one probability. */
static void draw_levels(const struct choices *choices, const struct wb_chart_panel *panel,
                        bool of_maxima, size_t shown)
{
  const struct wb_measured_series *series = choices->work->series;
  struct wb_chart *chart = choices->work->chart;
  const double aside = ASIDE * ((double)shown - ((double)choices->count - 1) / 2);
  for (int of_dots = 0; of_dots < 2; of_dots++) {
    if (of_dots == 1)
      wb_chart_path_begin(chart, dots[shown]);
    for (size_t k = 0; k < series->choice_count; k++) {
      const struct wb_measured_choice_level *level = level_of(choices, k, shown);
      if (!is_shown(&series->choices[k], of_maxima) || isnan(level->level))
        continue;
      const double x = wb_chart_value(
          &panel->x, wb_chart_place(&panel->x, place_of(&series->choices[k])) + aside);
      if (of_dots == 1)
        wb_chart_dot(chart, x, level->level);
      else if (level->interval.found)
        wb_chart_stroke(chart, strokes[shown], x, level->interval.low, level->interval.high, true);
    }
    if (of_dots == 1)
      wb_chart_path_end(chart);
  }
}

static void draw_panel(struct choices *choices, struct wb_chart_panel *panel, bool of_maxima)
{
  const struct wb_measured_series *series = choices->work->series;
  const struct wb_measured_recommendation *recommended = &series->recommended;
  char title[WB_AXIS_TITLE];
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  for (size_t k = 0; k < series->choice_count; k++)
    if (is_shown(&series->choices[k], of_maxima))
      wb_chart_range_add(&range, place_of(&series->choices[k]));
  /* Rarer extremes on the right: larger blocks, fewer peaks. */
  panel->x = (struct wb_chart_axis){
      .first = of_maxima ? range.least / 1.2 : range.most * 1.2,
      .last = of_maxima ? range.most * 1.2 : range.least / 1.2,
      .logarithmic = true,
      .title = of_maxima ? "runs of a block" : "peaks above the threshold: fewer, it is higher",
  };
  panel->name = of_maxima ? "GEV of block maxima" : "GPD of peaks over a threshold";
  wb_time_title(choices->work->measured, "time of one run", title);
  panel->y = levels_of(choices, of_maxima, title);
  wb_chart_panel_open(choices->work->chart, panel);
  wb_chart_rule_y(choices->work->chart, "seen", choices->highest);
  for (size_t k = 0; k < series->choice_count; k++)
    if (is_shown(&series->choices[k], of_maxima) && series->choices[k].in_use)
      wb_chart_rule_x(choices->work->chart, "chosen", place_of(&series->choices[k]));
  const bool is_answer = recommended->given && (recommended->kind == WB_FIT_OF_GEV) == of_maxima;
  for (size_t s = 0; s < shown_of(choices); s++) {
    if (is_answer)
      wb_chart_rule_y(choices->work->chart, rules[s], recommended->levels[choices->shown[s]].level);
    draw_levels(choices, panel, of_maxima, s);
  }
  wb_chart_panel_close(choices->work->chart);
}

void wb_draw_choices(const struct wb_plot_work *work)
{
  const struct wb_measured_series *series = work->series;
  const size_t count = series->summary.count;
  struct choices choices = {.work = work,
                            .median = series->ascending[(count - 1) / 2],
                            .highest = series->ascending[count - 1]};
  choose_probabilities(&choices);
  struct wb_chart_panel panel = wb_plot_panel(PANEL_HEIGHT);
  panel.top = WB_CHART_TOP;
  for (int of_maxima = 1; of_maxima >= 0; of_maxima--)
    if (wb_has_choices(series, of_maxima == 1)) {
      draw_panel(&choices, &panel, of_maxima == 1);
      panel.top += PANEL_HEIGHT + WB_CHART_BELOW + NEXT_PANEL;
    }
  for (size_t s = 0; s < shown_of(&choices); s++) {
    char probability[WB_CHART_LABEL];
    wb_chart_power(work->measured->options.probabilities[choices.shown[s]], probability);
    wb_chart_legend(work->chart, WB_CHART_DOTS, dots[s], "level at %s with its interval",
                    probability);
    if (series->recommended.given)
      wb_chart_legend(work->chart, WB_CHART_LINE, rules[s], "recommended at %s", probability);
  }
  wb_chart_legend(work->chart, WB_CHART_LINE, "chosen", "in use");
  wb_chart_legend(work->chart, WB_CHART_LINE, "seen", "highest observation");
  if (choices.cut)
    wb_chart_note(work->chart, "The scale is that of the observations: some levels or intervals "
                               "leave the picture at the top.");
  wb_chart_note(work->chart, "Levels that move by more than their intervals hang on the choice. "
                             "Neighbours share most of their data.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}
