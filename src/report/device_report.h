/* Writers of the device table. */
#ifndef WB_REPORT_DEVICE_REPORT_H
#define WB_REPORT_DEVICE_REPORT_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table of all devices, one row a device. */
void wb_devices_text(bool colour, struct wb_text *text);
/* All of the device in row `index` of the table. */
void wb_device_text(size_t index, struct wb_text *text);
/* {"devices": [...]}: `count` rows from `first` on; of all rows also {"launch_devices": [...]}, the
 * names of the bundled devices for launches. */
void wb_devices_json(size_t first, size_t count, struct wb_text *text);

/* Whether a bundled device has exactly this name, in any case. */
bool wb_launch_device_named(const char *name);

/* The names of the bundled devices of an architecture, "orin-agx, orin-nano"; nothing for none. */
void wb_launch_devices_of(uint32_t architecture, struct wb_text *text);

/* All values of a bundled device, with how they are known and from where; as its file with json.
 * Errors: those of wb_device_timing_bundled. */
warpbound_status wb_launch_device_write(const char *name, bool json, bool colour,
                                        struct wb_text *text, warpbound_error *error);

#endif
