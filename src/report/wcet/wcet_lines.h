/* The share of each source line in a worst path. */
#ifndef WB_REPORT_WCET_WCET_LINES_H
#define WB_REPORT_WCET_WCET_LINES_H

#include "analysis/wcet/wcet.h"

#include <stddef.h>
#include <stdint.h>

/* file: index into the code's files + 1, 0 with line 0: instructions whose place is not
 * known. cycles: of all runs of its instructions. */
struct wb_wcet_line {
  uint32_t file;
  uint32_t line;
  int64_t cycles;
};

/* The lines that cost anything, the most expensive first; *lines is to be freed. None where
 * no path is known. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_lines(const struct wb_wcet *wcet, struct wb_wcet_line **lines,
                               size_t *count, warpbound_error *error);

#endif
