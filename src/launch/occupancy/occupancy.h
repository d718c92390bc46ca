/* How many blocks of a kernel an SM holds, and what limits that (cuda_occupancy.h; doc/launch.md).
 */
#ifndef WB_LAUNCH_OCCUPANCY_OCCUPANCY_H
#define WB_LAUNCH_OCCUPANCY_OCCUPANCY_H

#include "base/status.h"
#include "model/devices/device_timing.h"

#include <stddef.h>
#include <stdint.h>

/* What a block of the kernel needs. */
struct wb_block_needs {
  uint32_t threads;             /* of a block, at least 1 */
  uint32_t registers;           /* of a thread */
  uint32_t static_shared;       /* bytes, without what the system reserves */
  uint32_t dynamic_shared;      /* bytes */
  uint32_t barriers;            /* named barriers */
  bool shared_includes_reserve; /* static_shared already has the bytes that the system reserves */
};

enum wb_residency_limit {
  WB_LIMITED_BY_BLOCKS,
  WB_LIMITED_BY_WARPS,
  WB_LIMITED_BY_REGISTERS,
  WB_LIMITED_BY_SHARED_MEMORY,
  WB_LIMITED_BY_BARRIERS,
  WB_RESIDENCY_LIMIT_COUNT
};

struct wb_occupancy {
  uint32_t warps;                              /* of a block */
  uint32_t by_limit[WB_RESIDENCY_LIMIT_COUNT]; /* blocks that each limit alone would allow;
                                                  UINT32_MAX: it does not limit */
  uint32_t resident_blocks;                    /* of an SM, at least 1 */
  enum wb_residency_limit limit;               /* the first that allows no more */
};

/* Of an SM with so many bytes of shared memory; all else is the device's.
 * Errors: WARPBOUND_INVALID_INPUT where a block does not fit on an SM at all, or breaks a limit of
 * a launch, saying which. */
warpbound_status wb_occupancy_find(const struct wb_device_timing *device,
                                   const struct wb_block_needs *needs, uint64_t shared_memory,
                                   struct wb_occupancy *occupancy, warpbound_error *error);

/* What a block takes of an SM. */
struct wb_block_room {
  uint64_t warps;
  uint64_t warp_registers; /* of one warp, rounded up as they are given */
  uint64_t shared;         /* bytes, with what the system reserves, rounded up */
};
struct wb_block_room wb_block_room_of(const struct wb_device_timing *device,
                                      const struct wb_block_needs *needs);

const char *wb_residency_limit_name(enum wb_residency_limit limit);

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

/* The largest of the device's carve-outs below a size; false where there is none. */
bool wb_carveout_below(const struct wb_device_timing *device, uint64_t size, uint64_t *below);

/* Those of the carve-outs that hold a block and have at least `least` bytes. Errors: those of
 * wb_occupancy_find with the largest carve-out; WARPBOUND_USAGE where the device has none of so
 * many bytes. */
warpbound_status wb_residencies_find(const struct wb_device_timing *device,
                                     const struct wb_block_needs *needs, uint32_t least,
                                     struct wb_residencies *residencies, warpbound_error *error);

#endif
