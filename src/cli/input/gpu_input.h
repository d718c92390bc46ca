/* From options to a device of a launch: --sm NAME|FILE, --set and --clock. */
#ifndef WB_CLI_INPUT_GPU_INPUT_H
#define WB_CLI_INPUT_GPU_INPUT_H

#include "cli/options/options.h"
#include "warpbound.h"

/* The device that --sm names, with what --set and --clock change. The caller frees *gpu. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (the file), WARPBOUND_INTERNAL; *gpu is then NULL. */
warpbound_status gpu_input_read(const struct arguments *arguments, warpbound_gpu **gpu,
                                warpbound_error *error);

/* The frequency of --clock in hertz; 0 where it is absent. Errors: WARPBOUND_USAGE. */
warpbound_status clock_read(const struct arguments *arguments, double *hertz,
                            warpbound_error *error);

/* A number with a decimal fraction and one of the units, as "1.3GHz"; the value in the base unit.
 * False where the text is none. `units` is ended by a row with NULL. */
struct unit_scale {
  const char *name;
  double scale;
};
bool measured_number(const char *text, const struct unit_scale *units, double *value);

#endif
