/* From options to machines: devices by name, --sm, --units, --set and --clock. */
#ifndef WB_CLI_INPUT_DEVICE_INPUT_H
#define WB_CLI_INPUT_DEVICE_INPUT_H

#include "base/text/nearest.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>

/* What a name stands for; SIZE_MAX: nothing of the kind. */
struct device_name {
  size_t row;     /* of the table of SM configurations */
  size_t bundled; /* device for launches */
  bool single;    /* the name of that device for launches alone */
};

/* A device for launches by its own name, else both by architecture, family ("maxwell") or a word
 * of a product ("orin"). Of a device for launches the row is that of its architecture. Errors:
 * WARPBOUND_USAGE where a word fits devices of two architectures. */
warpbound_status device_name_find(const char *name, struct device_name *found,
                                  warpbound_error *error);

/* The device that a name without one was likely meant for, as wb_nearest_hint says it. */
const char *device_name_hint(const char *name, char buffer[WB_HINT_SIZE]);

/* The configuration from --sm, or --units with --issue-slots and --partitions; the caller frees it
 * with warpbound_sm_free. */
warpbound_status configuration_read(const struct arguments *arguments, warpbound_sm **sm,
                                    warpbound_error *error);

/* The row of the device table ("sm_87") whose code runs on the device that --sm names, or whose
 * device file it is; NULL where it is an SM configuration's file, or is not given. */
const char *configuration_architecture(const struct arguments *arguments);

/* Whether --sm is a name of devices, and no file's. */
bool configuration_is_named(const struct arguments *arguments);

/* The device that --sm names, with what --set and --clock change. The caller frees *gpu. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (the file), WARPBOUND_INTERNAL; *gpu is then NULL. */
warpbound_status gpu_input_read(const struct arguments *arguments, warpbound_gpu **gpu,
                                warpbound_error *error);

/* The frequency of --clock in hertz; 0 where it is absent. Errors: WARPBOUND_USAGE. */
warpbound_status clock_read(const struct arguments *arguments, double *hertz,
                            warpbound_error *error);

/* A number with a decimal fraction and one of the units, as "1.3GHz"; the value in the base unit.
 * False for any other text. `units` is ended by a row with NULL. */
struct unit_scale {
  const char *name;
  double scale;
};
bool measured_number(const char *text, const struct unit_scale *units, double *value);

#endif
