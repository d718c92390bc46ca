/* Writers of the device table. */
#ifndef WB_REPORT_DEVICES_DEVICE_REPORT_H
#define WB_REPORT_DEVICES_DEVICE_REPORT_H

#include "base/text.h"
#include <stdbool.h>
#include <stddef.h>

/* A table of all devices, one row a device. */
void wb_devices_text(bool colour, struct wb_text *text);
/* All of the device in row `index` of the table. */
void wb_device_text(size_t index, struct wb_text *text);
/* {"devices": [...]}: `count` rows from `first` on; of all rows also {"launch_devices": [...]}, the
 * names of the bundled devices for launches. */
void wb_devices_json(size_t first, size_t count, struct wb_text *text);

#endif
