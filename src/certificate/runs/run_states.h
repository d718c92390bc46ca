/* The states of the run abstraction on one cut of the string, and the cell of the checker's table
 * that each of them has. Part of the independent checker of run files: it shares no code with the
 * searches.
 *
 * A state has two numbers for each segment r: the warps inside, n, and the instructions of the
 * segment that they still need in all, b, with n <= b <= n * l. Here the surplus c = b - n stands
 * for b: it goes from 0 to (l - 1) n, so that n warps have (l - 1) n + 1 values of it. All states
 * with the same n of every segment make a class. A class is a box: the surplus of every segment
 * goes through its values whatever the others are. */
#ifndef WB_CERTIFICATE_RUNS_RUN_STATES_H
#define WB_CERTIFICATE_RUNS_RUN_STATES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A warp in segment r (from 0) leaves count - r segments before it has ended. The level of a class
 * is the sum of that over its warps: from 0 (all have ended) to warps * count (all stand in the
 * first segment). Each level has cells of its own, its classes in lexicographic order of n. */
struct wb_check_run_states {
  /* Instructions of each segment, at least 1. Borrowed. */
  const uint32_t *lengths;
  /* Segments. */
  size_t count;
  uint32_t warps;
  /* warps * count + 1. */
  uint64_t levels;
  /* For r = 0 .. count, room = 0 .. warps and level = 0 .. levels - 1: the states of the segments r
   * and later with at most `room` warps in them that are of this level. After the last segment is
   * the end, one state of level 0 whatever the room. */
  uint64_t *cells;
};

/* The warps of a class in one segment. A class is the list of its groups, at least one warp in
 * each, in ascending order of the segments. */
struct wb_check_run_group {
  size_t segment;
  uint64_t warps;
  /* How far apart two cells of the class are whose surplus differs by one in this segment alone. */
  uint64_t stride;
};

/* *total: the number of states with at most `warps` warps; *fits: false where it exceeds 64 bits.
 * Takes memory for 2 (warps + 1) numbers; WARPBOUND_INTERNAL where it cannot be had. */
warpbound_status wb_check_run_states_total(const uint32_t *lengths, size_t count, uint32_t warps,
                                           uint64_t *total, bool *fits, warpbound_error *error);

/* Bytes that the arrays of wb_check_run_states_make take; false where they exceed 64 bits. */
bool wb_check_run_states_bytes(size_t count, uint32_t warps, uint64_t *bytes);

/* Makes the arrays; the total must fit. Errors: WARPBOUND_INTERNAL. Free with
 * wb_check_run_states_free, after an error too. Time: count * warps * levels. */
warpbound_status wb_check_run_states_make(struct wb_check_run_states *states,
                                          const uint32_t *lengths, size_t count, uint32_t warps,
                                          warpbound_error *error);
void wb_check_run_states_free(struct wb_check_run_states *states);

/* Cells of a level. */
uint64_t wb_check_run_states_cells(const struct wb_check_run_states *states, uint64_t level);

/* The level of a class. */
uint64_t wb_check_run_states_level(const struct wb_check_run_states *states,
                                   const struct wb_check_run_group *groups, size_t count);

/* The first cell of a class in its level; sets the strides of its groups, of which the last has 1.
 * Time: the number of its warps. */
uint64_t wb_check_run_states_place(const struct wb_check_run_states *states,
                                   struct wb_check_run_group *groups, size_t count);

/* Values that the surplus of so many warps of a segment takes. */
static inline uint64_t wb_check_run_states_values(const struct wb_check_run_states *states,
                                                  size_t segment, uint64_t warps)
{
  return (uint64_t)(states->lengths[segment] - 1) * warps + 1;
}

/* The first class of a level (strides left out). */
void wb_check_run_states_first(const struct wb_check_run_states *states, uint64_t level,
                               struct wb_check_run_group *groups, size_t *count);

/* The class after this one in its level; false, with the class as it was, after the last. A class
 * has at most as many groups as there are segments, and as there are warps. Time: the number of
 * groups. */
bool wb_check_run_states_next(const struct wb_check_run_states *states,
                              struct wb_check_run_group *groups, size_t *count);

/* Whether groups are a class of these states: segments ascending, at least one warp in each, no
 * more warps in all than there are. For assertions and tests. */
bool wb_check_run_states_is_class(const struct wb_check_run_states *states,
                                  const struct wb_check_run_group *groups, size_t count);

#endif
