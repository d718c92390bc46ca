/* The least slack of a schedule whose trailing warps are followed exactly, for the checker of
 * potentials (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_SLACKS_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_SLACKS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/potential_machine.h"
#include "certificate/potential/potential_states.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* Starts at most. */
#define WB_CHECK_TRAILING_STARTS 2

/* A start: the trailing warps stand before the first instruction. */
struct wb_check_trailing_start {
  /* The leading warps' content of the pools. */
  struct wb_check_content leading;
  /* By component: the least slack e_j of the start in units of the gain, rounded up, or
   * WB_CHECK_TRAILING_NO_PATH. */
  int64_t slack[WB_CHECK_POTENTIAL_POOLS];
};

/* Finds the least slacks of the starts. The claim passed every check but that of its bound, so that
 * no slack is negative; 1 <= claim->trailing <= claim->warps. Two things go beyond the text of the
 * theorem: D is one number for all views, the least common multiple of theirs, and every slack is
 * multiplied up to it; and where no leading warp can wait in a pool but K or more stand in it and K
 * issue, they are K.
 *
 * Method: trailing positions by their rank among all sorted ones, the one that differs furthest
 * ahead deciding, from the end to the start: every move of a trailing warp leads to a higher rank.
 * Moves in which no trailing warp issues are settled by going over them until nothing gets less.
 *
 * Errors: WARPBOUND_LIMIT: more than WB_CHECK_TRAILING_LIMIT trailing warps, tables beyond 512 MiB
 * each, more than work_limit steps of work, or the control (NULL: none) says stop.
 * WARPBOUND_CHECK_FAILED: numbers beyond those of trailing_values.h. Time: (trailing positions) *
 * (states of the leading warps) * (moves); memory: 8 bytes for each trailing position, state of the
 * leading warps and component. */
warpbound_status wb_check_trailing_slacks(struct wb_arena *arena,
                                          const struct wb_check_potential_claim *claim,
                                          const struct wb_check_potential_machine *machine,
                                          const struct wb_check_potential_views *views,
                                          uint64_t work_limit, const struct wb_control *control,
                                          struct wb_check_trailing_start *starts,
                                          size_t start_count, warpbound_error *error);

#endif
