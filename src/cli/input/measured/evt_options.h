/* From options to what the library takes for the analysis of measured times. */
#ifndef WB_CLI_INPUT_MEASURED_EVT_OPTIONS_H
#define WB_CLI_INPUT_MEASURED_EVT_OPTIONS_H

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

#endif
