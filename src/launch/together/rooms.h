/* The rooms of an SM, and what blocks of kernels take of them (doc/launches/together.md, "Mixes").
 */
#ifndef WB_LAUNCH_TOGETHER_ROOMS_H
#define WB_LAUNCH_TOGETHER_ROOMS_H

#include "base/status.h"
#include "launch/occupancy/occupancy.h"
#include "launch/together/mixes.h"
#include "model/devices/device_timing.h"

#include <stddef.h>
#include <stdint.h>

/* Of an SM with so many bytes of shared memory. needs: by kernel, at most WB_TOGETHER_KERNELS.
 * Errors: those of wb_occupancy_find. */
warpbound_status wb_rooms_find(const struct wb_device_timing *device,
                               const struct wb_block_needs *const *needs, size_t count,
                               uint64_t shared_memory, struct wb_mixes *mixes,
                               warpbound_error *error);

#endif
