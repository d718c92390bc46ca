/* The independent checker of sums over phases: where the barriers of one block cut a string into
 * phases, proven bounds of the phases add up to one of the whole (doc/makespan.md, "Barriers"). */
#ifndef WB_CERTIFICATE_SCHEDULE_PHASES_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_PHASES_CHECK_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* What a bound is about: `warps` warps of one string on one partition.
 *   letters      the string, `length` characters of "LCSDNB"
 *   capacity     most instructions of a type in a cycle, in the order L, C, S, D; 0: not given
 *   issue_slots  most instructions in a cycle; 0: no cap
 *   cycles       the bound
 * letters is borrowed. */
struct wb_check_phases_bound {
  const char *letters;
  size_t length;
  uint64_t capacity[4];
  uint64_t issue_slots;
  uint64_t warps;
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
