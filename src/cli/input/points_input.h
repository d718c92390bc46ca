/* The measured launches of `warpbound devices --check FILE`, and the bounds of the same launches.
 */
#ifndef WB_CLI_INPUT_POINTS_INPUT_H
#define WB_CLI_INPUT_POINTS_INPUT_H

#include "base/arena.h"
#include "cli/options/options.h"
#include "report/points_report.h"

#include <stddef.h>

/* Owns its points. Zero-initialise; free with measured_points_free, also after an error. */
struct measured_points {
  struct wb_measured_point *items;
  size_t count, capacity;
  size_t left_out; /* points of other devices than the one that is named */
  struct wb_arena arena;
};

/* Reads the file that --check names (doc/devices.md, "Points") and analyses the launch of each row
 * as a command line of analyze with the row's cells would be, without a simulated run. Errors:
 * WARPBOUND_INVALID_INPUT with file and line, those of gpu_input_read on the device that the
 * command names, WARPBOUND_INTERNAL. */
warpbound_status measured_points_read(const struct arguments *arguments,
                                      struct measured_points *points, warpbound_error *error);
void measured_points_free(struct measured_points *points);

#endif
