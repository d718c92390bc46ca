/* What a kernel's blocks cost in the theorem of doc/launches/together.md, by its letters: sums over
 * the paths of one warp, put together for blocks on an SM with blocks of other kernels. */
#ifndef WB_LAUNCH_TOGETHER_BLOCK_COSTS_H
#define WB_LAUNCH_TOGETHER_BLOCK_COSTS_H

#include "launch/bounds/launch_formula.h"

#include <stddef.h>
#include <stdint.h>

/* A launch of a kernel: its sums, its blocks and warps. Of the shape resident_blocks do not count
 * (the mixes say what fits), and foreign traffic is the question's. SMs and partitions are those of
 * all. Borrowed. */
struct wb_together_kernel {
  const struct wb_launch_terms *terms; /* without kept data: others drive them out */
  const struct wb_launch_shape *shape;
  const uint32_t *residents; /* most of its blocks on an SM, with each size of the shared memory
                                that SMs may have while it is alone; NULL: as the mixes say */
  size_t resident_count;
};

/* Numbers here are at least 0, and UINT64_MAX stands for all that do not fit: it is never less than
 * the true number. */

/* Two ways to charge the blocks of other slots: all of their warps as if they were in the chain's
 * partition, or each phase once more for each change of the partition. */
enum wb_block_way { WB_WAY_ALL_WARPS, WB_WAY_PAIRS, WB_WAY_COUNT };

/* The letters of a kernel, over the common denominator. */
struct wb_block_costs {
  uint64_t scale;                 /* common denominator / its own */
  uint64_t own;                   /* own: a block and its other warps, block_start included */
  uint64_t partition;             /* X */
  uint64_t wide;                  /* w X */
  uint64_t beside;                /* O */
  uint64_t again;                 /* w_P Z1 + e */
  uint64_t phases;                /* f */
  uint64_t gpu;                   /* B (w g + dispatch) */
  uint64_t serial;                /* overhead and all else, one after the other */
  uint64_t waiting[WB_WAY_COUNT]; /* rho kappa, once wb_block_costs_wait has found it */
};

/* What SMs hold at one time, and what changes between phases cost. */
struct wb_block_mix {
  uint64_t least_full; /* rho */
  uint64_t most;       /* R: most blocks of any mix */
  uint64_t again;      /* most w_P Z1 + e of the kernels */
  uint64_t rest;       /* e */
};

/* All but what blocks wait. `denominator` is a multiple of the kernel's; `rest` is e over it. */
void wb_block_costs_find(const struct wb_together_kernel *kernel, uint64_t denominator,
                         uint64_t rest, struct wb_block_costs *costs);

/* rho kappa of the kernel beside those of the mix. */
void wb_block_costs_wait(struct wb_block_costs *costs, const struct wb_block_mix *mix);

/* o_ij: what a block of a kernel costs a block of the chain's kernel beside it, met all the way. */
uint64_t wb_block_costs_beside(const struct wb_block_costs *chain,
                               const struct wb_block_costs *other, uint64_t rest);

/* What a launch of the kernel fetches once. Chains wait for each line of the caches where they are:
 * those of the mean over slots and SMs, and those of the path, on one SM each. The path is on
 * `visits` SMs while the launch is under way. */
uint64_t wb_block_costs_cold(const struct wb_together_kernel *kernel,
                             const struct wb_block_costs *costs, uint64_t visits);

/* a - b; what does not fit stays so. b is at most a. */
static inline uint64_t wb_without(uint64_t a, uint64_t b)
{
  return a == UINT64_MAX ? a : a - b;
}

#endif
