/* From options to what the library takes for the analysis of measured times. */
#ifndef WB_CLI_INPUT_EVT_OPTIONS_H
#define WB_CLI_INPUT_EVT_OPTIONS_H

#include "cli/options/options.h"
#include "warpbound.h"

/* Borrows the arguments' texts and its own probabilities: not to be copied. */
struct evt_options {
  warpbound_samples_options samples;
  warpbound_measured_options measured; /* but the bound, which depends on the samples' unit */
  double probabilities[WARPBOUND_MEASURED_LEVELS];
};

/* Reads all but --bound. Errors: WARPBOUND_USAGE. */
warpbound_status evt_options_read(const struct arguments *arguments, struct evt_options *options,
                                  warpbound_error *error);

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
