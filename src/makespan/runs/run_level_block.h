/* The values of the states of one block (run_levels.h) from those of lower levels: for
 * each the longest path of the run abstraction to the end.
 *
 * A move takes e warps out of a run of l instructions and lets y more of its n issue. By
 * doc/makespan.md it is allowed iff y <= c <= (l - 1) (n - e); e' warps that enter make n
 * into n - e + e' and c into c - y + (l - 1) e'. How many warps issue depends on the n
 * alone: all states of a block have the same moves, each in a box of surpluses, and a
 * move leads from a box of one block to a box of another, or of the same one, where every
 * surplus is the same or less. */
#ifndef WB_MAKESPAN_RUNS_RUN_LEVEL_BLOCK_H
#define WB_MAKESPAN_RUNS_RUN_LEVEL_BLOCK_H

#include "makespan/runs/run_levels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The working memory of one thread. */
struct wb_run_level_worker;

/* NULL where memory is out. Free with wb_run_level_worker_free. */
struct wb_run_level_worker *wb_run_level_worker_make(const struct wb_run_level_cells *cells);
/* false where memory was out in some block, whose cells are then not filled; of NULL too. */
bool wb_run_level_worker_free(struct wb_run_level_worker *worker);

/* Fills the cells of a block, and says how many they are; the levels below in the window are
 * filled. goes_on is asked now and then, with the cells' accesses since it was asked last; false
 * ends the work early. Time: the moves of the block times its states, in vectors. */
uint64_t wb_run_level_block(struct wb_run_level_worker *worker, uint32_t block, size_t level,
                            bool (*goes_on)(void *context, uint64_t work), void *context);

#endif
