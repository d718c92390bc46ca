/* Writers of devices for launches (doc/devices.md). */
#ifndef WB_REPORT_DEVICES_DEVICE_TIMING_REPORT_H
#define WB_REPORT_DEVICES_DEVICE_TIMING_REPORT_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a bundled device has exactly this name, in any case. */
bool wb_launch_device_named(const char *name);

/* A line for each bundled device. */
void wb_launch_devices_text(bool colour, struct wb_text *text);

/* The names of the bundled devices of an architecture, "orin-agx, orin-nano"; nothing for none. */
void wb_launch_devices_of(uint32_t architecture, struct wb_text *text);

/* All values of a bundled device, with how they are known and from where; as its file with json.
 * Errors: those of wb_device_timing_bundled. */
warpbound_status wb_launch_device_write(const char *name, bool json, bool colour,
                                        struct wb_text *text, warpbound_error *error);

#endif
