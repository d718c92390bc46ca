/* How many blocks of a kernel an SM holds under each size that its shared memory can be set to: the
 * carve-outs of the memory that it shares with the first cache (doc/launch.md, "Carve-outs"). */
#ifndef WB_LAUNCH_OCCUPANCY_RESIDENCIES_H
#define WB_LAUNCH_OCCUPANCY_RESIDENCIES_H

#include "base/status.h"
#include "launch/occupancy/occupancy.h"
#include "model/devices/device_timing.h"

#include <stddef.h>
#include <stdint.h>

/* In place of a size: the largest one of the device. */
#define WB_LARGEST_CARVEOUT UINT32_MAX

/* The carve-outs with one number of resident blocks. */
struct wb_residency {
  uint32_t least, most; /* bytes: the smallest and the largest of them */
  struct wb_occupancy occupancy;
};

/* Residencies that can be, those with more blocks first: each number of blocks once, at least one.
 */
struct wb_residencies {
  struct wb_residency items[WB_CARVEOUT_LIMIT + 1];
  size_t count;
};

/* Those of the carve-outs that hold a block and have at least `least` bytes. Errors: those of
 * wb_occupancy_find with the largest carve-out; WARPBOUND_USAGE where the device has none of so
 * many bytes. */
warpbound_status wb_residencies_find(const struct wb_device_timing *device,
                                     const struct wb_block_needs *needs, uint32_t least,
                                     struct wb_residencies *residencies, warpbound_error *error);

#endif
