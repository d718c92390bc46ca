/* From --bound, --kernel and --clock to a proven bound in the unit of measured times. */
#ifndef WB_CLI_INPUT_MEASURED_BOUND_INPUT_H
#define WB_CLI_INPUT_MEASURED_BOUND_INPUT_H

#include "cli/options/options.h"

/* A bound. Free source. */
struct bound_input {
  bool given;
  double value; /* in the unit that was asked for */
  char *source; /* "--bound", or file and kind of result */
};

/* Reads the bound that --bound says: a number of cycles, or the upper end of a result that wcet,
 * makespan or analyze --json printed, of kind upper or exact. unit: of the times; "" is cycles. A
 * unit of time needs a frequency: --clock, or that of the device in analyze's result. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (the file), WARPBOUND_INTERNAL; *bound is then zero. */
warpbound_status bound_input_read(const struct arguments *arguments, const char *unit,
                                  struct bound_input *bound, warpbound_error *error);

#endif
