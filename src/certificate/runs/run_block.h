/* The values of the states of one block: the longest path of the run abstraction from
 * each to the end. Part of the independent checker of run files.
 *
 * A move in terms of posts and surpluses. Of the n warps in a piece of l instructions
 * x issue: e leave it and y = x - e stay. doc/makespan.md allows that iff
 *   e + 2 y + (n - x) <= b <= e + l (n - e),
 * and with b = n + c these are
 *   y <= c <= (l - 1) (n - e).
 * If e' warps enter from the piece before, with all of its l instructions to do, then
 * n becomes n - e + e', and b = n + c becomes b - x + l e', so that c becomes
 * c - y + (l - 1) e'. How many warps issue depends on the n of the pieces alone: all
 * states of a block have the same moves, each in a box of surpluses, and a move leads
 * from a box of one block to a box of one other (or the same) block.
 *
 * Why all successors come before. A move in which warps leave lowers the level of the
 * block (run_states.h) by one for each of them; one in which none leaves stays in its
 * block and lowers at least one surplus, none grows. So levels in ascending order, the
 * blocks of a level in any order or at once, and within a block surpluses in ascending
 * lexicographic order decide every state after its successors. */
#ifndef WB_CERTIFICATE_RUNS_RUN_BLOCK_H
#define WB_CERTIFICATE_RUNS_RUN_BLOCK_H

#include "base/control.h"
#include "certificate/runs/run_states.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types in the order L, C, S, D, N. */
#define WB_CHECK_RUN_TYPES 5

/* The largest value of a cell of one byte or two: it stands for itself and more. */
#define WB_CHECK_RUN_BYTE_MOST UINT64_C(255)
#define WB_CHECK_RUN_WORD_MOST UINT64_C(65535)

/* What all workers share. types: of each piece, 0 to WB_CHECK_RUN_TYPES - 1. capacity: most
 * instructions of a type in a cycle; slots: most in all; UINT64_MAX for no limit.
 * ring: level v has its cells in ring[v % window], one of one byte or two (wide) for each
 * state. They hold the value, or the largest one that fits if it is larger. The cells of
 * as many levels are kept as warps can leave their pieces in a cycle, and one more; those
 * of level 0 are zeroed. total: states of all levels.
 * stop: set by the first worker where the control says so, `why` with it; done: states
 * decided. */
struct wb_check_run_sweep {
  struct wb_check_run_states states;
  const uint8_t *types;
  uint64_t capacity[WB_CHECK_RUN_TYPES];
  uint64_t slots;
  void **ring;
  uint64_t window;
  bool wide;
  uint64_t total;
  const struct wb_control *control;
  enum wb_stop why;
  atomic_bool stop;
  atomic_uint_least64_t done;
};

/* What a worker needs for the block at hand; its arrays have room for any block. */
struct wb_run_worker;

/* Bytes that one worker takes; false where they exceed 64 bits. */
bool wb_check_run_worker_bytes(const uint32_t *lengths, size_t count, uint32_t warps,
                               uint64_t *bytes);

/* A worker of the sweep; `polls` for the one that asks the control. NULL where memory
 * is out. Free with wb_check_run_worker_free. */
struct wb_run_worker *wb_check_run_worker_make(struct wb_check_run_sweep *sweep, bool polls);
void wb_check_run_worker_free(struct wb_run_worker *worker);

/* Decides all states of a block that has warps; those of lower levels are decided. Gives
 * up where the sweep is to stop. Time: the moves of the block times its states. Stack: a
 * frame for each post; there are cells for all blocks of that many posts, so that these
 * are few. */
void wb_check_run_worker_decide(struct wb_run_worker *worker, const struct wb_check_run_post *posts,
                                size_t count);

#endif
