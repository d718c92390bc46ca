/* Measured times beside the brackets of the same launches: `warpbound devices --check`. */
#ifndef WB_REPORT_POINTS_REPORT_H
#define WB_REPORT_POINTS_REPORT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A measured launch, in cycles of the SMs' clock. Borrows its texts. */
struct wb_measured_point {
  const char *name;
  const char *device;
  double measured;
  uint64_t lower, upper;
  const char *kind; /* of the upper end */
};

/* Whether the time is above the upper end, and so refutes a number of the device or the model. */
bool wb_point_is_above(const struct wb_measured_point *point);

/* A line for each point, and how many are above, with the median and the largest of upper end /
 * measured; `left_out` more were of other devices. */
void wb_points_text(const struct wb_measured_point *points, size_t count, size_t left_out,
                    struct wb_text *text);

/* The same as a JSON object. */
void wb_points_json(const struct wb_measured_point *points, size_t count, size_t left_out,
                    struct wb_text *text);

#endif
