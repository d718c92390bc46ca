/* The analysis of a launch whose numbers are made by hand, on a real kernel with its WCET: what the
 * writers of reports are tested on. */
#ifndef TESTS_MADE_LAUNCH_H
#define TESTS_MADE_LAUNCH_H

#include "analysis/code/code_results.h"
#include "report/analyze/analyze_report.h"

#include <stdbool.h>
#include <stddef.h>

/* All that a report needs. Not to be moved. */
struct made_launch {
  warpbound_module *module;
  struct wb_device_timing device;
  struct wb_device_value values[24];
  bool used[24];
  struct wb_launch_sensitivity sensitivity[2];
  struct warpbound_launch launch;
  warpbound_input source; /* of the code's first file */
  char *text;             /* of source */
  struct wb_launch_report report;
};

/* The only kernel of a listing in the source tree, and a source file of it (NULL: none). The
 * launch is the worked example with barriers of doc/launch.md: at most 11360 cycles, 5620 found by
 * simulation; its first two instructions that are loads or stores access memory. */
void made_launch_start(struct made_launch *made, const char *listing, const char *source);

/* Replaces every text that comes from the input by a hostile one: names, paths, operands, reasons,
 * assumptions, source lines. */
void made_launch_turn_hostile(struct made_launch *made, const char *hostile);

void made_launch_free(struct made_launch *made);

#endif
