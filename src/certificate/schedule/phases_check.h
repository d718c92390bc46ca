/* The independent checker of sums over phases: where the barriers of one block cut a string into
 * phases, proven bounds of the phases add up to one of the whole (doc/makespan.md, "Barriers"). */
#ifndef WB_CERTIFICATE_SCHEDULE_PHASES_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_PHASES_CHECK_H

#include "base/status.h"
#include "certificate/claim_problem.h"

#include <stddef.h>
#include <stdint.h>

/* A bound on the makespan of one string on one partition. Borrows the letters. */
struct wb_check_phases_bound {
  /* The string, of the types L, C, S, D, T, N and B, and its machine. */
  struct wb_check_problem problem;
  /* W, the warps of the schedules. */
  uint64_t warps;
  /* No work-conserving schedule of them takes more cycles. */
  uint64_t cycles;
};

/* Checks that no work-conserving schedule of the whole's warps, all of one block, takes more than
 * its `cycles`, if the bounds of `phases` hold: every phase of its string, the B that ends it read
 * as N, is the string of one of them, on the same machine with the same number of warps, and the
 * bounds of all phases add up to at most as many cycles. *cycles: their sum. Where there is no cap,
 * or one that all warps together do not exceed, a bound may be of a phase without some N at its
 * end: each warp issues them right after what is before them, a cycle each.
 * Errors: WARPBOUND_CHECK_FAILED with the first phase that has no bound, or with the sum that is
 * too large; WARPBOUND_INVALID_INPUT where a letter is none. Time: phases of the string times
 * phase_count, and the letters compared. */
warpbound_status wb_check_phases(const struct wb_check_phases_bound *whole,
                                 const struct wb_check_phases_bound *phases, size_t phase_count,
                                 uint64_t *cycles, warpbound_error *error);

#endif
