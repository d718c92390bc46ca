/* Writers of the device table. */
#ifndef WB_REPORT_DEVICE_REPORT_H
#define WB_REPORT_DEVICE_REPORT_H

#include "base/text.h"
#include "model/device_table.h"

#include <stdbool.h>
#include <stddef.h>

/* A table, one row a device. */
void wb_devices_text(const struct wb_device *rows, size_t count, bool colour, struct wb_text *text);
/* All of one device. */
void wb_device_text(const struct wb_device *device, struct wb_text *text);
/* {"devices": [...]}. */
void wb_devices_json(const struct wb_device *rows, size_t count, struct wb_text *text);

#endif
