#include "report/svg/svg_chart.h"

#include "report/embedded.h"
#include "report/report_words.h"
#include "report/svg/svg_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values beyond this are shown at it: differences of two of them are finite. */
#define LARGEST 1e300
/* Spans below this are none: a part of one is not 0. */
#define SMALLEST 1e-290
/* Places beyond this are out of every picture. */
#define FARTHEST 1e4
/* A narrow blank that ends no line. */
#define NARROW_BLANK "\xe2\x80\xaf"

void wb_chart_range_add(struct wb_chart_range *range, double value)
{
  if (!isfinite(value))
    return;
  range->least = fmin(range->least, value);
  range->most = fmax(range->most, value);
}

static double within(double value)
{
  return fmax(-LARGEST, fmin(LARGEST, value));
}

struct wb_chart_axis wb_chart_axis_of(const struct wb_chart_range *range, double margin,
                                      const char *title)
{
  if (!(range->least <= range->most))
    return (struct wb_chart_axis){.first = 0, .last = 1, .title = title};
  const double least = within(range->least);
  const double most = within(range->most);
  const double size = fmax(fabs(least), fabs(most));
  double span = (most - least) * margin;
  if (most - least <= fmax(size * 1e-12, SMALLEST))
    span = size > SMALLEST ? size * 0.05 : 1;
  return (struct wb_chart_axis){
      .first = least - span,
      .last = most + span,
      .title = title,
  };
}

double wb_chart_place(const struct wb_chart_axis *axis, double value)
{
  if (!isfinite(value) || (axis->logarithmic && !(value > 0)))
    return NAN;
  double place;
  if (axis->logarithmic)
    place = log(value / axis->first) / log(axis->last / axis->first);
  else
    place = (within(value) - axis->first) / (axis->last - axis->first);
  return fmax(-FARTHEST, fmin(FARTHEST, place));
}

double wb_chart_value(const struct wb_chart_axis *axis, double place)
{
  if (axis->logarithmic)
    return axis->first * exp(place * log(axis->last / axis->first));
  return axis->first + place * (axis->last - axis->first);
}

/* ---- ticks ---- */

static struct wb_chart_ticks step_ticks(double least, double most, double least_step, size_t wanted)
{
  struct wb_chart_ticks ticks = {0};
  const double size = fmax(fabs(least), fabs(most));
  const double part = (most - least) / (double)(wanted > 0 ? wanted : 1);
  /* A distance of 1, 2 or 5 times a power of ten, at least `wide`. */
  const double wide = fmax(part, least_step);
  const double power = pow(10, floor(log10(wide)));
  const double times = wide / power;
  double step = 10 * power;
  if (times <= 1 + 1e-9)
    step = power;
  else if (times <= 2)
    step = 2 * power;
  else if (times <= 5)
    step = 5 * power;
  /* Very large and very small numbers are labelled in units of a power of a thousand. */
  if (size >= 1e9 || size < 1e-2)
    ticks.exponent = (int)(3 * floor(log10(size) / 3));
  const double digits = -floor(log10(step) + 1e-9) + ticks.exponent;
  ticks.decimals = (int)fmax(0, fmin(15, digits));
  const double first = ceil(least / step - 1e-9);
  for (size_t k = 0; k < WB_CHART_TICKS; k++) {
    const double value = (first + (double)k) * step;
    if (value > most + step * 1e-9)
      break;
    ticks.values[ticks.count++] = value;
  }
  return ticks;
}

/* At least two where whole numbers do not forbid it: a round step may leave out both ends. */
static struct wb_chart_ticks linear_ticks(double least, double most, double least_step,
                                          size_t wanted)
{
  struct wb_chart_ticks ticks = step_ticks(least, most, least_step, wanted);
  for (size_t more = 2; ticks.count < 2 && more <= 8; more *= 2)
    ticks = step_ticks(least, most, least_step, (wanted > 0 ? wanted : 1) * more);
  return ticks;
}

/* Of a logarithmic axis powers of ten, each or each second, third ...; in place of few of them 1, 2
 * and 5 times these; where there are less than two powers, as on a linear axis. */
struct wb_chart_ticks wb_chart_ticks_of(const struct wb_chart_axis *axis, size_t wanted)
{
  static const double parts[] = {1, 2, 5};
  const double least = fmin(axis->first, axis->last);
  const double most = fmax(axis->first, axis->last);
  if (!axis->logarithmic)
    return linear_ticks(least, most, axis->whole ? 1 : 0, wanted);
  /* None where they are more than wanted, or need an exponent. */
  struct wb_chart_ticks fine = {.plain = true};
  const int below = (int)floor(log10(least));
  for (size_t k = 0; k < 4 * sizeof parts / sizeof *parts; k++) {
    const double value = parts[k % 3] * pow(10, below + (int)(k / 3));
    if (value >= least && value <= most)
      fine.values[fine.count++] = value;
  }
  fine.decimals = below < 0 ? -below : 0;
  if (most < 1e9 && least >= 1e-2 && most / least < 1000 && fine.count <= wanted && fine.count >= 2)
    return fine;
  struct wb_chart_ticks ticks = {0};
  const int low = (int)ceil(log10(least) - 1e-9);
  const int high = (int)floor(log10(most) + 1e-9);
  if (high <= low)
    return linear_ticks(least, most, 0, wanted);
  const int most_ticks = wanted < WB_CHART_TICKS ? (int)wanted : WB_CHART_TICKS;
  const int every = (high - low) / (most_ticks > 0 ? most_ticks : 1) + 1;
  for (int power = (int)ceil((double)low / every) * every; power <= high; power += every)
    ticks.values[ticks.count++] = pow(10, power);
  return ticks;
}

/* ---- words of numbers ---- */

static void raise(int exponent, char label[WB_CHART_LABEL])
{
  static const char *const raised[] = {
      "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
      "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9",
  };
  char digits[16];
  snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
  int length = snprintf(label, WB_CHART_LABEL, "10%s", exponent < 0 ? "\xe2\x81\xbb" : "");
  for (const char *digit = digits; *digit != '\0'; digit++)
    length += snprintf(label + length, WB_CHART_LABEL - (size_t)length, "%s", raised[*digit - '0']);
}

/* The power of ten that a value is; false where it is none. */
static bool is_power(double value, int *power)
{
  if (!(value > 0) || !isfinite(value))
    return false;
  const double logarithm = log10(value);
  *power = (int)lround(logarithm);
  return fabs(logarithm - *power) < 1e-9;
}

void wb_chart_tick_label(const struct wb_chart_axis *axis, const struct wb_chart_ticks *ticks,
                         size_t tick, char label[WB_CHART_LABEL])
{
  char plain[WB_CHART_LABEL];
  int power;
  const double value = ticks->values[tick];
  if (axis->logarithmic && !ticks->plain && is_power(value, &power)) {
    raise(power, label);
    return;
  }
  /* + 0: no tick is -0. */
  snprintf(plain, sizeof plain, "%.*f", ticks->decimals, value / pow(10, ticks->exponent) + 0.0);
  /* Puts narrow blanks between the thousands of the digits before the point. */
  const char *const digits = plain + (plain[0] == '-');
  const size_t whole = strcspn(digits, ".");
  size_t length = 0;
  if (plain[0] == '-')
    length = (size_t)snprintf(label, WB_CHART_LABEL, "\xe2\x88\x92");
  for (size_t i = 0; digits[i] != '\0' && length + 8 < WB_CHART_LABEL; i++) {
    if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0)
      length += (size_t)snprintf(label + length, WB_CHART_LABEL - length, NARROW_BLANK);
    label[length++] = digits[i];
  }
  label[length] = '\0';
}

void wb_chart_number(double value, char label[WB_CHART_LABEL])
{
  const double size = fabs(value);
  if (!isfinite(value) || size >= 1e15 || (size > 0 && size < 1e-4)) {
    wb_chart_short_number(value, 6, label);
    return;
  }
  const int whole = size >= 1 ? (int)floor(log10(size)) + 1 : 1;
  snprintf(label, WB_CHART_LABEL, "%.*f", whole < 6 ? 6 - whole : 0, value);
  /* Without zeros at the end of the digits after the point. */
  if (strchr(label, '.') == NULL)
    return;
  size_t length = strlen(label);
  while (label[length - 1] == '0')
    label[--length] = '\0';
  if (label[length - 1] == '.')
    label[--length] = '\0';
}

void wb_chart_short_number(double value, int digits, char label[WB_CHART_LABEL])
{
  if (isnan(value))
    snprintf(label, WB_CHART_LABEL, "-");
  else if (isinf(value))
    snprintf(label, WB_CHART_LABEL, "%sunlimited", value < 0 ? "-" : "");
  else
    snprintf(label, WB_CHART_LABEL, "%.*g", digits, value);
}

void wb_chart_power(double value, char label[WB_CHART_LABEL])
{
  int power;
  if (is_power(value, &power) && power != 0)
    raise(power, label);
  else
    wb_chart_short_number(value, 4, label);
}

#define MARGIN 20u
#define TITLE_SIZE 16u
#define FONT_SIZE 13u
#define SMALL_SIZE 12u
#define ROW 20u
/* Pixels of an axis for a tick. */
#define TICK_WIDTH 46u
#define TICK_HEIGHT 36u
/* Pixels between the numbers of an x axis, at least. */
#define NUMBER_GAP 18u
/* Room for the numbers left of a panel: longer ones are squeezed. */
#define NUMBER_WIDTH 66u
#define SWATCH 28u
#define DOT_DISTANCE 0.9
#define HATCH_DISTANCE 9.0

static double x_at(const struct wb_chart *chart, double value)
{
  const struct wb_chart_panel *const panel = &chart->panel;
  return panel->left + panel->width * wb_chart_place(&panel->x, value);
}

static double y_at(const struct wb_chart *chart, double value)
{
  const struct wb_chart_panel *const panel = &chart->panel;
  return panel->top + panel->height * (1 - wb_chart_place(&panel->y, value));
}

/* As y_at; an infinite value is out of the panel on its side, and so is one that is not positive on
 * a logarithmic axis. */
static double y_of_end(const struct wb_chart *chart, double value)
{
  const struct wb_chart_panel *const panel = &chart->panel;
  if (!isinf(value) && !(panel->y.logarithmic && value <= 0))
    return y_at(chart, value);
  return value > 0 ? panel->top - 9.0 : panel->top + panel->height + 9.0;
}

/* ---- a panel ---- */

/* A title, after which stands the power of ten that the labels leave out. */
static void put_title(struct wb_chart *chart, const char *title, const struct wb_chart_ticks *ticks,
                      unsigned width)
{
  wb_svg_escape(title, FONT_SIZE, width - 40, &chart->body);
  if (ticks->exponent != 0) {
    char power[WB_CHART_LABEL];
    wb_chart_power(pow(10, ticks->exponent), power);
    wb_text_format(&chart->body, " \xc3\x97 %s", power);
  }
  wb_text_string(&chart->body, "</text>\n");
}

/* As many ticks as numbers fit beside each other. */
static struct wb_chart_ticks x_ticks_of(const struct wb_chart_panel *panel)
{
  size_t wanted = panel->width / TICK_WIDTH;
  for (;; wanted--) {
    const struct wb_chart_ticks ticks = wb_chart_ticks_of(&panel->x, wanted);
    const double between = ticks.count > 1 ? wb_chart_place(&panel->x, ticks.values[1]) -
                                                 wb_chart_place(&panel->x, ticks.values[0])
                                           : 1;
    unsigned widest = 0;
    for (size_t t = 0; t < ticks.count; t++) {
      char label[WB_CHART_LABEL];
      wb_chart_tick_label(&panel->x, &ticks, t, label);
      const unsigned width = wb_svg_text_width(label, SMALL_SIZE);
      widest = width > widest ? width : widest;
    }
    if (wanted <= 1 || fabs(between) * panel->width >= widest + NUMBER_GAP)
      return ticks;
  }
}

void wb_chart_panel_open(struct wb_chart *chart, const struct wb_chart_panel *panel)
{
  chart->panel = *panel;
  const struct wb_chart_ticks x_ticks = x_ticks_of(panel);
  const struct wb_chart_ticks y_ticks = wb_chart_ticks_of(&panel->y, panel->height / TICK_HEIGHT);
  const unsigned bottom = panel->top + panel->height + WB_CHART_BELOW;
  chart->bottom = chart->bottom > bottom ? chart->bottom : bottom;
  for (size_t t = 0; t < x_ticks.count; t++) {
    char words[WB_CHART_LABEL];
    const double x = x_at(chart, x_ticks.values[t]);
    wb_chart_tick_label(&panel->x, &x_ticks, t, words);
    /* The last one may be longer than the room right of the panel. */
    const double rightmost = WB_CHART_WIDTH - 2 - wb_svg_text_width(words, SMALL_SIZE) / 2.0;
    wb_text_format(&chart->body,
                   "<path class=\"grid\" d=\"M%.1f %uv%u\"/><text class=\"m tick\" x=\"%.1f\" "
                   "y=\"%u\">%s</text>\n",
                   x, panel->top, panel->height, fmin(x, rightmost),
                   panel->top + panel->height + 17, words);
  }
  for (size_t t = 0; t < y_ticks.count; t++) {
    char words[WB_CHART_LABEL];
    const double y = y_at(chart, y_ticks.values[t]);
    wb_chart_tick_label(&panel->y, &y_ticks, t, words);
    const bool wide = wb_svg_text_width(words, SMALL_SIZE) > NUMBER_WIDTH + 24;
    wb_text_format(&chart->body,
                   "<path class=\"grid\" d=\"M%u %.1fh%u\"/><text class=\"e tick\" x=\"%u\" "
                   "y=\"%.1f\"%s>%s</text>\n",
                   panel->left, y, panel->width, panel->left - 8, y + 4,
                   wide ? " textLength=\"66\" lengthAdjust=\"spacingAndGlyphs\"" : "", words);
  }
  const unsigned left = panel->left - NUMBER_WIDTH - 8;
  const unsigned middle = panel->top + panel->height / 2;
  wb_text_format(&chart->body, "<text class=\"m\" x=\"%u\" y=\"%u\">",
                 panel->left + panel->width / 2, panel->top + panel->height + 38);
  put_title(chart, panel->x.title, &x_ticks, panel->width + 60);
  wb_text_format(&chart->body,
                 "<text class=\"m\" x=\"%u\" y=\"%u\" transform=\"rotate(-90 %u %u)\">", left,
                 middle, left, middle);
  put_title(chart, panel->y.title, &y_ticks, panel->height + 60);
  if (panel->name != NULL) {
    wb_text_format(&chart->body, "<text class=\"name\" x=\"%u\" y=\"%u\">", panel->left,
                   panel->top - 10);
    wb_svg_escape(panel->name, FONT_SIZE, panel->width, &chart->body);
    wb_text_string(&chart->body, "</text>\n");
  }
  /* What lies outside this element is cut off. */
  wb_text_format(&chart->body,
                 "<svg x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" viewBox=\"%u %u %u %u\">\n",
                 panel->left, panel->top, panel->width, panel->height, panel->left, panel->top,
                 panel->width, panel->height);
}

void wb_chart_panel_close(struct wb_chart *chart)
{
  const struct wb_chart_panel *const panel = &chart->panel;
  wb_text_format(&chart->body, "</svg>\n<path class=\"axis\" d=\"M%u %uv%uh%u\"/>\n", panel->left,
                 panel->top, panel->height, panel->width);
}

/* ---- marks ---- */

void wb_chart_path_begin(struct wb_chart *chart, const char *classes)
{
  wb_text_format(&chart->body, "<path class=\"%s\" d=\"", classes);
  chart->pen_down = false;
  chart->dot_x = NAN;
  chart->dot_y = NAN;
}

void wb_chart_path_end(struct wb_chart *chart)
{
  wb_text_string(&chart->body, "\"/>\n");
}

void wb_chart_line_to(struct wb_chart *chart, double x, double y)
{
  const double at_x = x_at(chart, x);
  const double at_y = y_at(chart, y);
  const bool seen = isfinite(at_x) && isfinite(at_y);
  if (seen)
    wb_text_format(&chart->body, "%c%.1f %.1f", chart->pen_down ? 'L' : 'M', at_x, at_y);
  chart->pen_down = seen;
}

void wb_chart_dot(struct wb_chart *chart, double x, double y)
{
  const double at_x = x_at(chart, x);
  const double at_y = y_at(chart, y);
  const bool hidden = hypot(at_x - chart->dot_x, at_y - chart->dot_y) < DOT_DISTANCE;
  if (!isfinite(at_x) || !isfinite(at_y) || hidden)
    return;
  wb_text_format(&chart->body, "M%.1f %.1fh0", at_x, at_y);
  chart->dot_x = at_x;
  chart->dot_y = at_y;
}

void wb_chart_band(struct wb_chart *chart, const char *classes, const double *xs,
                   const double *lows, const double *highs, size_t count)
{
  wb_chart_path_begin(chart, classes);
  for (size_t i = 0; i < 2 * count; i++) {
    const size_t point = i < count ? i : 2 * count - 1 - i;
    const double x = x_at(chart, xs[point]);
    const double y = y_of_end(chart, i < count ? lows[point] : highs[point]);
    if (isnan(x) || isnan(lows[point]) || isnan(highs[point]))
      continue;
    wb_text_format(&chart->body, "%c%.1f %.1f", chart->pen_down ? 'L' : 'M', x, y);
    chart->pen_down = true;
  }
  if (chart->pen_down)
    wb_text_string(&chart->body, "Z");
  wb_chart_path_end(chart);
}

void wb_chart_bar(struct wb_chart *chart, const char *classes, double x_1, double x_2, double y_1,
                  double y_2)
{
  const double left = fmin(x_at(chart, x_1), x_at(chart, x_2));
  const double right = fmax(x_at(chart, x_1), x_at(chart, x_2));
  const double top = fmin(y_at(chart, y_1), y_at(chart, y_2));
  const double bottom = fmax(y_at(chart, y_1), y_at(chart, y_2));
  if (isfinite(x_at(chart, x_1) + x_at(chart, x_2) + y_at(chart, y_1) + y_at(chart, y_2)))
    wb_text_format(&chart->body,
                   "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>\n",
                   classes, left, top, right - left, bottom - top);
}

void wb_chart_stroke(struct wb_chart *chart, const char *classes, double x, double low, double high,
                     bool ends)
{
  const double at = x_at(chart, x);
  const double bottom = y_of_end(chart, low);
  const double top = y_of_end(chart, high);
  if (isnan(at) || isnan(bottom) || isnan(top))
    return;
  wb_text_format(&chart->body, "<path class=\"%s\" d=\"M%.1f %.1fV%.1f", classes, at, bottom, top);
  if (ends)
    wb_text_format(&chart->body, "M%.1f %.1fh8M%.1f %.1fh8", at - 4, bottom, at - 4, top);
  wb_chart_path_end(chart);
}

void wb_chart_rule_x(struct wb_chart *chart, const char *classes, double x)
{
  const double at = x_at(chart, x);
  if (isfinite(at))
    wb_text_format(&chart->body, "<path class=\"%s\" d=\"M%.1f %uv%u\"/>\n", classes, at,
                   chart->panel.top, chart->panel.height);
}

void wb_chart_rule_y(struct wb_chart *chart, const char *classes, double y)
{
  const double at = y_at(chart, y);
  if (isfinite(at))
    wb_text_format(&chart->body, "<path class=\"%s\" d=\"M%u %.1fh%u\"/>\n", classes,
                   chart->panel.left, at, chart->panel.width);
}

/* Lines x + y = constant, cut to a rectangle in pixels. */
static void hatch(struct wb_text *text, const char *classes, double left, double top, double right,
                  double bottom)
{
  wb_text_format(text, "<path class=\"%s\" d=\"", classes);
  const int first = (int)floor((left + top) / HATCH_DISTANCE) + 1;
  const int last = (int)floor((right + bottom) / HATCH_DISTANCE);
  for (int line = first; line <= last; line++) {
    const double sum = HATCH_DISTANCE * line;
    const double x_1 = fmax(left, sum - bottom);
    const double x_2 = fmin(right, sum - top);
    wb_text_format(text, "M%.1f %.1fL%.1f %.1f", x_1, sum - x_1, x_2, sum - x_2);
  }
  wb_text_string(text, "\"/>\n");
}

void wb_chart_hatch(struct wb_chart *chart, const char *classes, double x_1, double x_2, double y_1,
                    double y_2)
{
  const struct wb_chart_panel *const panel = &chart->panel;
  const double left = fmax(panel->left, fmin(x_at(chart, x_1), x_at(chart, x_2)));
  const double right = fmin(panel->left + panel->width, fmax(x_at(chart, x_1), x_at(chart, x_2)));
  const double top = fmax(panel->top, fmin(y_at(chart, y_1), y_at(chart, y_2)));
  const double bottom = fmin(panel->top + panel->height, fmax(y_at(chart, y_1), y_at(chart, y_2)));
  if (left < right && top < bottom)
    hatch(&chart->body, classes, left, top, right, bottom);
}

/* ---- legend and notes ---- */

/* How many bytes of words go into a line: up to a blank, or all of the first word. */
static size_t line_length(const char *words, unsigned size, unsigned width)
{
  char line[WB_SVG_LONGEST_TEXT];
  size_t fits = 0;
  for (size_t length = 0;; length++) {
    if (words[length] != ' ' && words[length] != '\0')
      continue;
    if (length >= sizeof line)
      return fits > 0 ? fits : sizeof line - 1;
    memcpy(line, words, length);
    line[length] = '\0';
    if (fits > 0 && wb_svg_text_width(line, size) > width)
      return fits;
    fits = length;
    if (words[length] == '\0')
      return length;
  }
}

/* Lines of text at the bottom of the chart; the text is freed. */
static void put_lines(struct wb_chart *chart, const char *classes, unsigned left, unsigned size,
                      struct wb_text *words)
{
  const unsigned width = WB_CHART_WIDTH - MARGIN - left;
  for (const char *at = words->data; at != NULL && *at != '\0'; at += strspn(at, " ")) {
    char line[WB_SVG_LONGEST_TEXT];
    const size_t length = line_length(at, size, width);
    memcpy(line, at, length);
    line[length] = '\0';
    wb_text_format(&chart->body, "<text class=\"%s\" x=\"%u\" y=\"%u\">", classes, left,
                   chart->bottom + size);
    wb_svg_escape(line, size, width, &chart->body);
    wb_text_string(&chart->body, "</text>\n");
    chart->bottom += size + 6;
    at += length;
  }
  chart->body.failed = chart->body.failed || words->failed;
  wb_text_free(words);
}

void wb_chart_legend(struct wb_chart *chart, enum wb_chart_mark mark, const char *classes,
                     const char *format, ...)
{
  struct wb_text words = {0};
  va_list arguments;
  va_start(arguments, format);
  wb_text_format_list(&words, format, arguments);
  va_end(arguments);
  const unsigned width =
      SWATCH + 8 + wb_svg_text_width(words.data != NULL ? words.data : "", FONT_SIZE);
  const bool first = chart->legend_left == 0;
  const bool fits = chart->legend_left + width <= WB_CHART_WIDTH - MARGIN;
  const unsigned left = first || !fits ? MARGIN : chart->legend_left;
  if (!first && left != MARGIN)
    chart->bottom -= ROW; /* beside the item before */
  const unsigned top = chart->bottom;
  const unsigned middle = top + 9;
  struct wb_text *const body = &chart->body;
  switch (mark) {
  case WB_CHART_LINE:
    wb_text_format(body, "<path class=\"%s\" d=\"M%u %uh%u\"/>\n", classes, left, middle, SWATCH);
    break;
  case WB_CHART_DOTS:
    wb_text_format(body, "<path class=\"%s\" d=\"M%u %uh0m9 0h0m9 0h0\"/>\n", classes, left + 5,
                   middle);
    break;
  case WB_CHART_AREA:
    wb_text_format(body, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"12\"/>\n",
                   classes, left, middle - 6, SWATCH);
    break;
  case WB_CHART_HATCH:
    hatch(body, classes, left, middle - 7, left + SWATCH, middle + 7);
    break;
  }
  put_lines(chart, "", left + SWATCH + 8, FONT_SIZE, &words);
  const bool one_line = chart->bottom <= top + FONT_SIZE + 6;
  chart->bottom = one_line ? top + ROW : chart->bottom + 1;
  chart->legend_left = one_line ? left + width + 18 : WB_CHART_WIDTH;
}

void wb_chart_note(struct wb_chart *chart, const char *format, ...)
{
  struct wb_text words = {0};
  va_list arguments;
  va_start(arguments, format);
  wb_text_format_list(&words, format, arguments);
  va_end(arguments);
  chart->bottom += 4;
  put_lines(chart, "note", MARGIN, SMALL_SIZE, &words);
}

/* ---- the page ---- */

void wb_chart_style(struct wb_text *text)
{
  wb_text_append(text, (const char *)wb_embedded_chart_style, wb_embedded_chart_style_length);
}

void wb_chart_end(struct wb_chart *chart, struct wb_text *text)
{
  const unsigned height = chart->bottom + 14;
  wb_text_format(text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"%u\" "
                 "height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"%u\" "
                 "role=\"img\">\n<title>",
                 WB_CHART_WIDTH, height, WB_CHART_WIDTH, height, FONT_SIZE);
  wb_svg_escape(chart->title, 1, WB_SVG_LONGEST_TEXT * 2, text);
  wb_text_string(text, "</title>\n<desc>");
  wb_svg_escape(chart->description, 1, WB_SVG_LONGEST_TEXT * 2, text);
  wb_text_string(text, "</desc>\n");
  if (!chart->within_page) {
    wb_text_string(text, "<style>");
    wb_chart_style(text);
    wb_text_string(text, "</style>\n");
  }
  wb_text_format(text,
                 "<rect class=\"paper\" width=\"%u\" height=\"%u\"/>\n"
                 "<text class=\"title\" x=\"%u\" y=\"28\">",
                 WB_CHART_WIDTH, height, MARGIN);
  wb_svg_escape(chart->title, TITLE_SIZE, WB_CHART_WIDTH - 2 * MARGIN, text);
  wb_text_format(text, "</text>\n<text class=\"note\" x=\"%u\" y=\"48\">", MARGIN);
  wb_svg_escape(chart->subtitle, SMALL_SIZE, WB_CHART_WIDTH - 2 * MARGIN, text);
  wb_text_string(text, "</text>\n");
  wb_text_join(text, &chart->body);
  wb_text_string(text, "</svg>\n");
}
