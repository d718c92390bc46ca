/* The abstract moves of the other warps in one cycle (doc/potentials/potentials.md, "Abstract
 * moves", steps 3 and 4), for the checker of potentials. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_MOVES_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_MOVES_H

#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/content_map.h"
#include "certificate/potential/potential_machine.h"

#include <stddef.h>
#include <stdint.h>

/* A finder of moves; it keeps the exits from each pool that it has found. Free with
 * wb_check_potential_moves_free. */
struct wb_check_potential_moves {
  /* Borrowed. */
  const struct wb_check_potential_machine *machine;
  /* Steps of work at most, and so far. */
  uint64_t work_limit;
  uint64_t work;
  /* Limits that may end the work before; borrowed; NULL: none. */
  const struct wb_control *control;
  /* exits[p][e]: the contents that e warps which leave pool p in one cycle bring to the pools, for
   * e = 0 .. exit_counts[p] - 1. */
  struct wb_check_content_map *exits[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_counts[WB_CHECK_POTENTIAL_POOLS];
  size_t exit_capacities[WB_CHECK_POTENTIAL_POOLS];
  /* Entries of all exits together. */
  size_t exit_total;
  /* Scratch: the ways in which one pool can change. */
  struct wb_check_content_value *ways;
  size_t way_count;
  size_t way_capacity;
  /* The answer of wb_check_potential_moves_find. */
  struct wb_check_content_map after;
  /* Scratch: the answer for the pools before the one at hand. */
  struct wb_check_content_map before;
};

void wb_check_potential_moves_start(struct wb_check_potential_moves *moves,
                                    const struct wb_check_potential_machine *machine,
                                    uint64_t work_limit, const struct wb_control *control);

/* Finds where the other warps can stand after a cycle that begins with `content` and in which
 * issuing[p] of them issue from pool p: moves->after has every content that they can reach, with
 * the least sum of the values of their steps; none where they cannot issue so. Errors:
 * WARPBOUND_LIMIT, WARPBOUND_CHECK_FAILED where values exceed 64 bits, WARPBOUND_INTERNAL. */
warpbound_status wb_check_potential_moves_find(struct wb_check_potential_moves *moves,
                                               const struct wb_check_content *content,
                                               const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                               warpbound_error *error);

void wb_check_potential_moves_free(struct wb_check_potential_moves *moves);

#endif
