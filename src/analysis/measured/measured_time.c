/* Times as text. */
#include "analysis/measured/measured_result.h"

#include <math.h>
#include <stdio.h>

/* Most decimals, and the magnitude from which on a double has none to show. */
#define MOST_DECIMALS 9
#define MOST_DIGITS 15
#define LARGEST_PLAIN 1e15

/* Digits that show a thousandth of the deviation; all of a double without a deviation. */
static int significant_digits(double value, double deviation)
{
  if (deviation <= 0 || value == 0)
    return MOST_DIGITS;
  const double digits = floor(log10(fabs(value))) - floor(log10(deviation)) + 4;
  return (int)fmin(MOST_DIGITS, fmax(4, digits));
}

const char *wb_measured_time(const struct wb_measured_series *series, double value,
                             char text[WB_MEASURED_TIME])
{
  const double deviation = series->summary.deviation;
  const double wanted = deviation > 0 ? 3 - floor(log10(deviation)) : 0;
  const int decimals = (int)fmin(MOST_DECIMALS, fmax(0, wanted));
  if (isnan(value))
    snprintf(text, WB_MEASURED_TIME, "-");
  else if (isinf(value))
    snprintf(text, WB_MEASURED_TIME, value > 0 ? "unlimited" : "none");
  else if (fabs(value) >= LARGEST_PLAIN || deviation == 0 || wanted > MOST_DECIMALS)
    snprintf(text, WB_MEASURED_TIME, "%.*g", significant_digits(value, deviation), value);
  else
    snprintf(text, WB_MEASURED_TIME, "%.*f", decimals, value);
  return text;
}
