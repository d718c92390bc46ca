/* The least slack of a schedule whose rear warps are followed, for the checker of potentials:
 * doc/potentials.md, "Following the rear". */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_CHECK_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_CHECK_H

#include "certificate/potential/potential_sums.h"
#include "certificate/potential/potential_views.h"
#include "certificate/potential/trailing_walk.h"

#include <stddef.h>
#include <stdint.h>

/* Starts at most. */
#define WB_CHECK_TRAILING_STARTS 2

/* A start: what the pools hold of the crowd, the rear before the first instruction. slack[j]: e_j
 * of it in units of the gain, rounded up to whole ones, or WB_CHECK_TRAILING_NO_PATH. */
struct wb_check_trailing_start {
  struct wb_check_potential_content leading;
  int64_t slack[WB_CHECK_POTENTIAL_POOLS];
};

/* Finds the least slacks of the starts. The claim passed every check but that of its bound,
 * so that no slack is negative; 1 <= claim->rear <= claim->warps. Two things go beyond the text of
 * the theorem: D is one number for all views, the least common multiple of theirs, and every slack
 * is multiplied up to it; and where nobody of the crowd can wait in a pool but K or more stand in
 * it and K issue, they are K.
 *
 * Method: rear positions by their rank among all sorted ones, the one that differs furthest in
 * front deciding, from the end to the start: every move of the rear leads to a higher rank. Moves
 * in which no rear warp issues are settled by going over them until nothing gets less.
 *
 * Errors: WARPBOUND_LIMIT: more than WB_CHECK_TRAILING_LIMIT rear warps, tables beyond 512 MiB
 * each, more than work_limit steps of work. WARPBOUND_CHECK_FAILED: numbers beyond those of
 * rear_values.h. Time: (rear positions) * (states of the crowd) * (moves); memory: 8 bytes for each
 * rear position, state of the crowd and component. */
warpbound_status wb_check_trailing(const struct wb_check_potential_claim *claim,
                                   const struct wb_check_potential_machine *machine,
                                   const struct wb_check_potential_views *views,
                                   uint64_t work_limit, struct wb_check_trailing_start *starts,
                                   size_t start_count, warpbound_error *error);

#endif
