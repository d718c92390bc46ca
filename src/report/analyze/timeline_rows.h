/* Which warps the picture of a simulated run shows, and when. */
#ifndef WB_REPORT_ANALYZE_TIMELINE_ROWS_H
#define WB_REPORT_ANALYZE_TIMELINE_ROWS_H

#include "launch/simulation/launch_simulation.h"

#include <stddef.h>
#include <stdint.h>

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
