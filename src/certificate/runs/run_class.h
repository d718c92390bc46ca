/* The values of the states of one class: the longest path of the run abstraction from
 * each to the end. Part of the independent checker of run files.
 *
 * A move in terms of groups and surpluses. Of the n warps in a segment of l instructions
 * x issue: e leave it and y = x - e stay. doc/makespan.md allows that iff
 *   e + 2 y + (n - x) <= b <= e + l (n - e),
 * and with b = n + c these are
 *   y <= c <= (l - 1) (n - e).
 * If e' warps enter from the segment before, with all of its l instructions to do, then
 * n becomes n - e + e', and b = n + c becomes b - x + l e', so that c becomes
 * c - y + (l - 1) e'. How many warps issue depends on the n of the segments alone: all
 * states of a class have the same moves, each in a box of surpluses, and a move leads
 * from a box of one class to a box of one other (or the same) class.
 *
 * Successors come before. A move in which warps leave lowers the level of the
 * class by one for each of them; one in which none leaves stays in its
 * class and lowers at least one surplus, none grows. So levels in ascending order, the
 * classes of a level in any order or at once, and within a class surpluses in ascending
 * lexicographic order decide every state after its successors. */
#ifndef WB_CERTIFICATE_RUNS_RUN_CLASS_H
#define WB_CERTIFICATE_RUNS_RUN_CLASS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the states of the run abstraction ---- */

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

/* ---- the sweep over all classes ---- */

/* Types in the order L, C, S, D, T, N. */
#define WB_CHECK_RUN_TYPES 6

/* The largest value of a cell of one byte or two: it stands for itself and more. */
#define WB_CHECK_RUN_BYTE_MOST UINT64_C(255)
#define WB_CHECK_RUN_WORD_MOST UINT64_C(65535)

/* The table that all workers fill. Invariant: every cell of a level below the one under way holds
 * the value of its state, or the largest that fits if it is larger. */
struct wb_check_run_sweep {
  struct wb_check_run_states states;
  /* By segment: its type, 0 to WB_CHECK_RUN_TYPES - 1. */
  const uint8_t *types;
  /* By type: most instructions in a cycle; UINT64_MAX for no limit. */
  uint64_t capacity[WB_CHECK_RUN_TYPES];
  /* Most instructions in a cycle; UINT64_MAX for no limit. */
  uint64_t slots;
  /* Level v has its cells in ring[v % window], one for each state. Those of level 0 are zeroed. */
  void **ring;
  /* Levels that are kept: as many as warps can leave their segments in a cycle, and one more. */
  uint64_t window;
  /* Cells have two bytes, otherwise one. */
  bool wide;
  /* States of all levels. */
  uint64_t total;
  const struct wb_control *control;
  /* Set by the first worker before `stop`, where the control says so. */
  enum wb_stop why;
  atomic_bool stop;
  /* States decided. */
  atomic_uint_least64_t done;
};

/* A thread's work on the class at hand; its arrays have room for any class. */
struct wb_check_run_worker;

/* Bytes that one worker takes; false where they exceed 64 bits. */
bool wb_check_run_worker_bytes(const uint32_t *lengths, size_t count, uint32_t warps,
                               uint64_t *bytes);

/* A worker of the sweep; `polls` for the one that asks the control. NULL where memory
 * is out. The arena owns it. */
struct wb_check_run_worker *wb_check_run_worker_make(struct wb_arena *arena,
                                                     struct wb_check_run_sweep *sweep, bool polls);

/* Decides all states of a class that has warps; those of lower levels are decided. Gives
 * up where the sweep is to stop. Time: the moves of the class times its states. Stack: a
 * frame for each group; there are cells for all classes of that many groups, so that these
 * are few. */
void wb_check_run_worker_decide(struct wb_check_run_worker *worker,
                                const struct wb_check_run_group *groups, size_t count);

#endif
