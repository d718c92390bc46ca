/* What the other warps can do in one cycle, for the checker of potentials: the
 * abstract moves of doc/potentials.md, steps 3 and 4. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_MOVES_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_MOVES_H

#include "certificate/potential/potential_machine.h"
#include "certificate/potential/potential_sums.h"

#include <stddef.h>
#include <stdint.h>

/* exits[p][e]: where e warps can go that leave pool p in one cycle, for each e that
 * was asked for yet; exit_total: the entries of them all. ways: scratch, how one pool
 * can change. after: the answer of wb_check_potential_moves_find. machine is borrowed. Free
 * with wb_check_potential_moves_free. */
struct wb_check_potential_moves {
  const struct wb_check_potential_machine *machine;
  uint64_t work_limit;
  uint64_t work;
  struct wb_check_potential_sums *exits[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_counts[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_capacities[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_total;
  struct wb_check_potential_sum *ways;
  size_t way_count;
  size_t way_capacity;
  struct wb_check_potential_sums after;
  struct wb_check_potential_sums before;
};

void wb_check_potential_moves_start(struct wb_check_potential_moves *moves,
                                    const struct wb_check_potential_machine *machine,
                                    uint64_t work_limit);

/* Where the others can stand after a cycle that begins with `content` and in which
 * issuing[p] of them issue from pool p: moves->after has every content that they can
 * reach, with the least sum of the values of their steps. Empty where they cannot
 * issue so. Errors: WARPBOUND_LIMIT, WARPBOUND_CHECK_FAILED where values exceed 64
 * bits, WARPBOUND_INTERNAL. */
warpbound_status wb_check_potential_moves_find(struct wb_check_potential_moves *moves,
                                               const struct wb_check_potential_content *content,
                                               const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                               warpbound_error *error);

void wb_check_potential_moves_free(struct wb_check_potential_moves *moves);

#endif
