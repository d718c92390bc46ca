/* Device files (doc/devices.md): one JSON object,
 *
 *   format       "warpbound-device-1"
 *   name         left out: the file's name
 *   product      a text; may be left out
 *   memory_clients
 *                a text: what else uses the memory of an integrated GPU; left out: nothing
 *   architecture 87 for sm_87
 *   like         the name of a bundled device, of which the members below are differences: of an
 *                object one by one, of resources and classes by name; null takes one away
 *   values       numbers by name: {"l2.delay": {"value": 190, "clock": "sm", "kind": "measured",
 *                "source": ".."}}
 *   resources    a list of {"name", "level": "partition" | "sm" | "gpu", "servers", "at_issue"}
 *   classes      a list of {"name", "opcodes", "units", "interval", "takes", "stages", "latency",
 *                "read_stages", "read_latency"}
 *   caches       what is in no cache when a launch begins: {"line", "near", "constant_line",
 *                "constant_near", "kept", "page", "reach"}, numbers, and lists of stages as those
 * of classes, "near_fetch", "fetch", "walk"; may be left out: all is there modes        a list of
 * {"name", "kind", "source", "values": {NAME: NUMBER}} residency    how many blocks an SM holds;
 * "shared_carveouts": a list of the sizes that its shared memory can be set to sms, partitions,
 * clock, memory_clock, launch_overhead, block_start, dispatch, yield, drain, constant_operand,
 * register_banks, register_read
 *
 * Where a number is expected stands the name of a value, or a whole number, which then is a value
 * named by its place ("global load.latency"), declared by the file. One that may be left out is 0
 * then: a value named by its place, assumed. */
#ifndef WB_FORMATS_DEVICE_DEVICE_FILE_H
#define WB_FORMATS_DEVICE_DEVICE_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "model/devices/device_timing.h"

#include <jansson.h>
#include <stddef.h>

#define WB_DEVICE_FORMAT "warpbound-device-1"

/* Most values (but those that the file leaves out), classes, and opcodes of a device. */
#define WB_DEVICE_VALUE_LIMIT 4096
#define WB_DEVICE_CLASS_LIMIT 256
#define WB_DEVICE_PATTERN_LIMIT 4096

/* Reads a device from the text of a file. `name` is the file's. On WARPBOUND_OK the caller frees
 * *device; after an error it owns nothing. Errors: WARPBOUND_INVALID_INPUT with the file and the
 * key, or with line and column where it is not JSON; WARPBOUND_INTERNAL. */
warpbound_status wb_device_timing_read(const char *name, const char *text, size_t length,
                                       struct wb_device_timing *device, warpbound_error *error);

/* The file of a device, as one that wb_device_timing_read takes: a new reference, or NULL where
 * memory is out. */
json_t *wb_device_timing_json(const struct wb_device_timing *device);

/* Changes a value: "NAME=NUMBER"; it is declared by the user from then on. A time counts cycles of
 * the SM's clock, whichever it is, or has "ns" or "ps" behind it. Other times are those of the
 * clocks that are in effect. Errors, after which the
 * device is as before: WARPBOUND_USAGE where the text has another form, where no value has the name
 * (with near names), where the number is not one that the value may have; WARPBOUND_INTERNAL. */
warpbound_status wb_device_timing_set(struct wb_device_timing *device, const char *text,
                                      warpbound_error *error);

/* Gives the values of a mode, by its name in any case, its numbers. Errors, after which the device
 * is as before: WARPBOUND_USAGE where it has no such mode, with those that it has;
 * WARPBOUND_INTERNAL. */
warpbound_status wb_device_timing_mode(struct wb_device_timing *device, const char *name,
                                       warpbound_error *error);

/* Makes accesses to the memory of an idle device so slow as they are beside other clients of it:
 * delays and services of its stages, times thousandths / 1000 and rounded up, are declared by the
 * user from then on. Errors, after which the device is as before: WARPBOUND_USAGE where no resource
 * is the memory, or a time does not fit; WARPBOUND_INTERNAL. */
warpbound_status wb_device_timing_slow_memory(struct wb_device_timing *device, uint32_t thousandths,
                                              warpbound_error *error);

/* A device file that the library holds: a row of the table that scripts/embed-devices makes of
 * data/devices, by architecture and, of one, the one first that stands for it. */
struct wb_bundled_device {
  const char *name;      /* "orin-agx" */
  const char *product;   /* as the file says */
  unsigned architecture; /* as the file says: 87 for sm_87 */
  const char *text;      /* JSON */
  size_t length;
};

extern const struct wb_bundled_device wb_bundled_devices[];
extern const size_t wb_bundled_device_count;

/* The number of a bundled device: by name in any case ("orin-agx"), by architecture ("sm_87",
 * "8.7": the first one), or by a word of its product ("orin": the first one); SIZE_MAX for none. */
size_t wb_device_timing_bundled_find(const char *name);

/* Appends the names of the bundled devices that run code of sm_NN (87 for sm_87), "orin-agx,
 * orin-nano"; nothing for none. */
void wb_device_timing_bundled_running(uint32_t sm, struct wb_text *text);

/* Reads the bundled device that a name finds. Errors: WARPBOUND_USAGE where there is none, with the
 * names; WARPBOUND_INTERNAL. */
warpbound_status wb_device_timing_bundled(const char *name, struct wb_device_timing *device,
                                          warpbound_error *error);

#endif
