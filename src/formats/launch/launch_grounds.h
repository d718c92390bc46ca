/* What the numbers of a launch file rest on: members that say it for whoever reads the verdict, and
 * of which the check takes no notice. */
#ifndef WB_FORMATS_LAUNCH_LAUNCH_GROUNDS_H
#define WB_FORMATS_LAUNCH_LAUNCH_GROUNDS_H

#include "base/list.h"
#include "base/status.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "model/devices/device_timing.h"

#include <stddef.h>

/* Most entries of either list in a file. */
#define WB_LAUNCH_GROUNDS_LIMIT 8192

/* The grounds. Who makes them says who owns the texts and arrays. */
struct wb_launch_grounds {
  char *device;                   /* its name; NULL: the file does not say */
  struct wb_device_value *values; /* of the device; without sources */
  size_t value_count;
  struct wb_list assumptions;
};

/* Reads the members "device", "values" and "assumptions", which may all be left out, into grounds
 * that are zero. The caller frees them with wb_launch_grounds_free, after a failure too. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
void wb_launch_grounds_read(struct wb_json_reader *reader, const json_t *object,
                            struct wb_launch_grounds *grounds);
/* Writes them, a line each, with a comma at the end. */
void wb_launch_grounds_write(const struct wb_launch_grounds *grounds, struct wb_text *text);
/* Of grounds that were read. */
void wb_launch_grounds_free(struct wb_launch_grounds *grounds);

/* The values as a list of {"name", "value", "kind"}; a new reference, NULL where memory is out. */
json_t *wb_launch_grounds_values(const struct wb_launch_grounds *grounds);

#endif
