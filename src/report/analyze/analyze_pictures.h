/* Pictures of launches: a simulated run, and the bracket over a number that is swept. */
#ifndef WB_REPORT_ANALYZE_ANALYZE_PICTURES_H
#define WB_REPORT_ANALYZE_ANALYZE_PICTURES_H

#include "analysis/launch/launch_result.h"
#include "base/text.h"
#include "launch/simulation/launch_simulation.h"

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

/* An SVG page of the events of analysis->worst_run on one SM: that of the block that left last, if
 * it has events, else that of the first event; appends nothing where there are none. A row a warp,
 * by partition; along it what it issues, coloured by unit, its waits, barrier waits and requests.
 * It has no style sheet and no script, its letters take the colour of the text around it: it can
 * be part of a page. Rows and marks are limited, and the picture says what it leaves out. The
 * caller checks text->failed. */
void wb_timeline_svg(const struct wb_launch_analysis *analysis, struct wb_text *text);

#define WB_TIMELINE_MOST_ROWS 48

struct wb_timeline_row {
  uint32_t partition, warp;
  uint64_t block;
};

/* Invariant: rows are by partition, block and warp; from < until. */
struct wb_timeline_rows {
  uint32_t sm;
  struct wb_timeline_row rows[WB_TIMELINE_MOST_ROWS];
  size_t count;
  size_t left_out;      /* warps that have events on the SM too */
  uint64_t from, until; /* cycles of the events of the rows */
};

/* Chooses the SM and its latest warps; false where memory is out. The run has events. */
bool wb_timeline_rows_choose(const struct wb_simulated_launch *run, struct wb_timeline_rows *rows);

/* The row of an event; SIZE_MAX: it is not shown. */
size_t wb_timeline_row_of(const struct wb_timeline_rows *rows, const struct wb_launch_event *event);

#endif
