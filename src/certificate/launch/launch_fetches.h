/* For the checker of bounds on launches: what a launch fetches once because its caches begin empty
 * (doc/launches/cold-starts.md). */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_FETCHES_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_FETCHES_H

#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a number that does not fit. */
#define WB_CHECK_FETCHES_UNKNOWN UINT64_MAX

/* What all fetches of the code add to a bound on a launch of this shape by theorem 1 or 2 (rounds:
 * 0), or by theorem D with so many rounds, in 1 / denominator cycles. phases: f. The code is valid;
 * the denominator is a multiple of all servers. Linear. */
uint64_t wb_check_launch_fetches(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape, uint64_t phases,
                                 uint64_t denominator, uint64_t rounds);

/* What one block fetches into the first cache of its SM, where that keeps what blocks have found,
 * in 1 / denominator cycles: steps of the block's chain, work at the SM and at the GPU, and all of
 * it one after the other. Where it keeps the lines used last all but the steps are with what the
 * block makes others fetch again; these steps by themselves, for each block that begins beside a
 * chain. None of it is in the functions around. */
struct wb_check_launch_block_fetches {
  uint64_t steps, sm, gpu, apart;
  uint64_t steps_again;
  uint64_t patience; /* so many blocks begin before a block fetches anything again; 0: any number */
};
struct wb_check_launch_block_fetches
wb_check_launch_fetches_of_block(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape, uint64_t denominator);

/* Whether first caches that keep the lines used last keep those of all blocks that may reside on an
 * SM, and of one more. */
bool wb_check_launch_keeps_recent(const struct wb_check_launch_claim *claim);

/* The same where everything takes its time one after the other (theorem 0). */
uint64_t wb_check_launch_fetches_apart(const struct wb_timed_code *code,
                                       const struct wb_launch_shape *shape, uint64_t denominator);

#endif
