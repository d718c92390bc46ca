/* Launches on SMs of their own, which share what the whole GPU shares (doc/launches/together.md,
 * "Own SMs"). */
#ifndef WB_LAUNCH_TOGETHER_APART_H
#define WB_LAUNCH_TOGETHER_APART_H

#include "base/status.h"
#include "launch/together/together.h"

#include <stddef.h>
#include <stdint.h>

struct wb_apart_bound {
  uint64_t cycles;
  uint64_t denominator;
  uint64_t alone;   /* theorem 2 of the launch on its SMs: a numerator, as the next ones */
  uint64_t others;  /* what the others ask of the GPU meanwhile */
  uint64_t foreign; /* of the memory by others than the GPU */
};

/* The bound on launch `of` of the kernels, with its SMs and its resident blocks in its shape, while
 * each other kernel has times[k] launches under way. Errors: WARPBOUND_INVALID_INPUT where a number
 * does not fit into 64 bits. Linear in the kernels. */
warpbound_status wb_apart_evaluate(const struct wb_together_kernel *kernels, size_t count,
                                   size_t of, const uint64_t *times, uint32_t foreign_share,
                                   uint32_t foreign_burst, struct wb_apart_bound *bound,
                                   warpbound_error *error);

#endif
