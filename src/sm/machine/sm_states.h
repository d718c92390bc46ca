/* States of a whole SM in one form for all that differ in the names of warps, blocks and
 * partitions only. */
#ifndef WB_SM_MACHINE_SM_STATES_H
#define WB_SM_MACHINE_SM_STATES_H

#include "base/arena.h"
#include "model/problem.h"
#include "sm/machine/sm_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most classes of words of a state's warps. */
#define WB_SM_CLASS_LIMIT ((size_t)UINT16_MAX)

/* A state is the class (sm_words.h) of each warp: block by block, in each partition by partition,
 * in each the warps of this cell. */
struct wb_sm_layout {
  uint32_t warps;
  uint32_t blocks;
  uint32_t block_warps;
  uint32_t partitions;
  uint32_t wide; /* partitions that have one more warp of a block than the others: the first ones */
  uint32_t begin[WB_PARTITION_LIMIT + 1]; /* by partition: where its warps begin in a block */
  uint64_t *keys;                         /* of a cell, for wb_sm_layout_settle */
  uint64_t *rows;                         /* of a block, for the same */
  uint64_t *columns;                      /* of a partition, for the same */
};

/* Makes the arrays in an arena. false: no memory. */
bool wb_sm_layout_start(struct wb_sm_layout *layout, const struct wb_sm_problem *problem,
                        struct wb_arena *arena);

/* Where warp w stands in a state at the start. */
uint32_t wb_sm_layout_place(const struct wb_sm_layout *layout, uint32_t warp);

/* Brings a state into its form: the warps of each cell, the partitions of as many warps and the
 * blocks in an order that depends on the classes alone; names (NULL: none) go with them. What is
 * equal in this form is equal but for names; of large states a few that are have two forms. */
void wb_sm_layout_settle(struct wb_sm_layout *layout, uint16_t *state, uint32_t *names);

#endif
