/* An axis of real values of a chart: its range, its ticks, and the words of its numbers. */
#ifndef WB_REPORT_SVG_CHART_AXIS_H
#define WB_REPORT_SVG_CHART_AXIS_H

#include <stdbool.h>
#include <stddef.h>

/* From the value at the left or lower end to that at the right or upper end; first may be the
 * larger one. Invariant: finite, different, within 1e300 of 0; of a logarithmic axis positive. */
struct wb_chart_axis {
  double first, last;
  bool logarithmic;
  bool whole;        /* ticks at whole numbers alone */
  const char *title; /* what it is and its unit; borrowed, any text */
};

/* The range of values, grown as they come; values that are not finite do not count. Start from
 * wb_chart_range_none. */
struct wb_chart_range {
  double least, most;
};
struct wb_chart_range wb_chart_range_none(void);
void wb_chart_range_add(struct wb_chart_range *range, double value);
bool wb_chart_range_is_empty(const struct wb_chart_range *range);

/* A linear axis that shows the range with `margin` of its span (as 0.05) at each end, and some
 * span around equal values; from 0 to 1 where there are none. */
struct wb_chart_axis wb_chart_axis_of(const struct wb_chart_range *range, double margin,
                                      const char *title);

/* Where a value stands: 0 at the first end, 1 at the last, beyond them outside, and at most 1e4
 * either way. NAN of what has no place: not finite, or not positive on a logarithmic axis. */
double wb_chart_place(const struct wb_chart_axis *axis, double value);
/* The value at a place from 0 to 1. */
double wb_chart_value(const struct wb_chart_axis *axis, double place);

/* Most ticks of an axis. */
#define WB_CHART_TICKS 24

/* Values at round numbers, in ascending order, about as many as `wanted`. exponent: labels are in
 * units of ten to this power, a multiple of 3, which is 0 but for very large and small numbers. */
struct wb_chart_ticks {
  double values[WB_CHART_TICKS];
  size_t count;
  int exponent, decimals;
  bool plain; /* of a logarithmic axis: numbers, not powers of ten */
};
struct wb_chart_ticks wb_chart_ticks_of(const struct wb_chart_axis *axis, size_t wanted);

/* Room for any label, with its ending zero. */
#define WB_CHART_LABEL 64

/* The number at a tick: "12 345" (with narrow blanks between the thousands), "0.25"; on a
 * logarithmic axis a power of ten as 10 with a raised exponent. XML. */
void wb_chart_tick_label(const struct wb_chart_axis *axis, const struct wb_chart_ticks *ticks,
                         size_t tick, char label[WB_CHART_LABEL]);

/* A number for people with about six digits: "1234567", "12.3457", "1.5e-09"; "-" of NAN,
 * "unlimited" of an infinite one. */
void wb_chart_number(double value, char label[WB_CHART_LABEL]);
/* With about `digits` significant digits, 1 to 15, as "1.2e-09". */
void wb_chart_short_number(double value, int digits, char label[WB_CHART_LABEL]);
/* A power of ten as "10" with a raised exponent, else as wb_chart_short_number: a probability. */
void wb_chart_power(double value, char label[WB_CHART_LABEL]);

#endif
