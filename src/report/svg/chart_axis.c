/* Axes of charts: ranges, ticks and their labels. */
#include "report/svg/svg_chart.h"

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

struct wb_chart_range wb_chart_range_none(void)
{
  return (struct wb_chart_range){INFINITY, -INFINITY};
}

void wb_chart_range_add(struct wb_chart_range *range, double value)
{
  if (!isfinite(value))
    return;
  range->least = fmin(range->least, value);
  range->most = fmax(range->most, value);
}

bool wb_chart_range_is_empty(const struct wb_chart_range *range)
{
  return !(range->least <= range->most);
}

static double within(double value)
{
  return fmax(-LARGEST, fmin(LARGEST, value));
}

struct wb_chart_axis wb_chart_axis_of(const struct wb_chart_range *range, double margin,
                                      const char *title)
{
  if (wb_chart_range_is_empty(range))
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

/* 1, 2 and 5 times the powers of ten between them; none where they are more than wanted, or need an
 * exponent. */
static struct wb_chart_ticks fine_ticks(double least, double most, size_t wanted)
{
  static const double parts[] = {1, 2, 5};
  struct wb_chart_ticks ticks = {.plain = true};
  const int low = (int)floor(log10(least));
  for (size_t k = 0; k < 4 * sizeof parts / sizeof *parts; k++) {
    const double value = parts[k % 3] * pow(10, low + (int)(k / 3));
    if (value >= least && value <= most)
      ticks.values[ticks.count++] = value;
  }
  const bool fits = most < 1e9 && least >= 1e-2 && most / least < 1000 && ticks.count <= wanted;
  ticks.decimals = low < 0 ? -low : 0;
  if (!fits || ticks.count < 2)
    ticks.count = 0;
  return ticks;
}

/* Powers of ten, each or each second, third ...; between few of them numbers beside them; where
 * there are less than two, as on a linear axis. */
static struct wb_chart_ticks logarithmic_ticks(double least, double most, size_t wanted)
{
  struct wb_chart_ticks ticks = {0};
  const struct wb_chart_ticks fine = fine_ticks(least, most, wanted);
  if (fine.count > 0)
    return fine;
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

struct wb_chart_ticks wb_chart_ticks_of(const struct wb_chart_axis *axis, size_t wanted)
{
  const double least = fmin(axis->first, axis->last);
  const double most = fmax(axis->first, axis->last);
  return axis->logarithmic ? logarithmic_ticks(least, most, wanted)
                           : linear_ticks(least, most, axis->whole ? 1 : 0, wanted);
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

static bool put_special(double value, char label[WB_CHART_LABEL])
{
  if (isnan(value))
    snprintf(label, WB_CHART_LABEL, "-");
  else if (isinf(value))
    snprintf(label, WB_CHART_LABEL, "%sunlimited", value < 0 ? "-" : "");
  return !isfinite(value);
}

void wb_chart_number(double value, char label[WB_CHART_LABEL])
{
  if (put_special(value, label))
    return;
  const double size = fabs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) {
    snprintf(label, WB_CHART_LABEL, "%.6g", value);
    return;
  }
  const int whole = size >= 1 ? (int)floor(log10(size)) + 1 : 1;
  snprintf(label, WB_CHART_LABEL, "%.*f", whole < 6 ? 6 - whole : 0, value);
  /* Without zeros at the end of the digits after the point. */
  if (strchr(label, '.') == NULL || strchr(label, 'e') != NULL)
    return;
  size_t length = strlen(label);
  while (label[length - 1] == '0')
    label[--length] = '\0';
  if (label[length - 1] == '.')
    label[--length] = '\0';
}

void wb_chart_short_number(double value, int digits, char label[WB_CHART_LABEL])
{
  if (!put_special(value, label))
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
