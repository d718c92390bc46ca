/* Devices by name: those of the table of SM configurations, and the bundled ones for launches. */
#ifndef WB_CLI_INPUT_DEVICE_NAME_H
#define WB_CLI_INPUT_DEVICE_NAME_H

#include "base/text/nearest.h"
#include "warpbound.h"

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

/* The row of sm_NN; SIZE_MAX where there is none. */
size_t device_row_of(uint32_t architecture);

/* The device that a name without one was likely meant for, as wb_nearest_hint says it. */
const char *device_name_hint(const char *name, char buffer[WB_HINT_SIZE]);

#endif
