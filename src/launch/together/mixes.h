/* Mixes of blocks of several kernels on one SM: which fit, and the most that one of them costs
 * (doc/launches/together.md, "Mixes"). */
#ifndef WB_LAUNCH_TOGETHER_MIXES_H
#define WB_LAUNCH_TOGETHER_MIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kernels of one question. */
#define WB_TOGETHER_KERNELS 64
/* What an SM has of something that blocks take: blocks, warps, registers, shared memory, barriers.
 */
#define WB_ROOM_LIMIT 8

struct wb_room {
  uint64_t capacity;
  uint64_t size[WB_TOGETHER_KERNELS]; /* that a block of each kernel takes, at most the capacity */
  bool of_partition; /* the most of a block that lies in one partition, and a partition's capacity:
                        a block may lack room there, but sums of sizes may be more than there is */
};

/* Invariant: each size fits, `most` is at least 1. */
struct wb_mixes {
  size_t kernel_count;
  uint32_t most[WB_TOGETHER_KERNELS]; /* blocks of the kernel alone on an SM */
  struct wb_room rooms[WB_ROOM_LIMIT];
  size_t room_count;
};

#define WB_NO_KERNEL SIZE_MAX

/* rho: beside fewer blocks, whatever they are, a block of any kernel of `members` (NULL: of all)
 * has room. At least 1; never more than the true number. Linear in rooms, square in kernels. */
uint64_t wb_mixes_least_full(const struct wb_mixes *mixes, const bool *members);

/* The most that the values of a mix add up to, of blocks of `members` (NULL: all) that fit on an SM
 * beside one block of kernel `beside` (WB_NO_KERNEL: on an empty one): never less than the true
 * number, and UINT64_MAX where it does not fit. Exact up to WB_MIX_STEPS mixes; beyond them the
 * least over the rooms of what each of them alone allows, each unit at the price of the costliest.
 */
uint64_t wb_mixes_most(const struct wb_mixes *mixes, const bool *members, size_t beside,
                       const uint64_t *value);
#define WB_MIX_STEPS 200000

#endif
