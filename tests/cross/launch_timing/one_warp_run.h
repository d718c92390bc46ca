/* One warp alone, written from the words of the model: its longest chain of own steps, and a run on
 * the device cycle by cycle. Neither uses anything of src/launch. */
#ifndef TESTS_CROSS_LAUNCH_TIMING_ONE_WARP_RUN_H
#define TESTS_CROSS_LAUNCH_TIMING_ONE_WARP_RUN_H

#include "base/random.h"
#include "random_timing.h"

#include <stddef.h>
#include <stdint.h>

/* The longest chain of the steps, in 1 / denominator cycles: from the first issue to the end of the
 * last stall; `ends`: of everything. walk_of: by step, which walk it is of, where
 * steps of several walks follow one another across barriers: only those of one walk wait for one
 * another's scoreboards; NULL: all of one. */
uint64_t longest_chain(const struct wb_timed_code *code, uint64_t denominator,
                       const struct timed_step *steps, const uint32_t *walk_of, size_t count,
                       bool ends);

/* The time that a warp alone on the device takes in some order of its requests, in cycles. `less`:
 * stalls, services, delays and latencies may be shorter than they can be. */
uint64_t one_warp_run(struct wb_random *random, const struct wb_timed_code *code,
                      const struct timed_step *steps, size_t count, bool less);

#endif
