/* A plot of the bracket of a launch over a number that is swept: block size, registers, SMs. */
#ifndef WB_REPORT_ANALYZE_SWEEP_PLOT_H
#define WB_REPORT_ANALYZE_SWEEP_PLOT_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* A row of the sweep: its number, and the ends of the bracket in cycles. */
struct wb_sweep_point {
  uint64_t at;
  uint64_t lower, upper;
};

/* Writes an SVG page; points ascend, at least one. subject: "block". A failure is the text's. */
void wb_sweep_plot(const char *subject, const struct wb_sweep_point *points, size_t count,
                   struct wb_text *text);

#endif
