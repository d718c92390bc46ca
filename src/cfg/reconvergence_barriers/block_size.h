/* How many lanes the warps of a block begin with, by the block's size. */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_BLOCK_SIZE_H
#define WB_CFG_RECONVERGENCE_BARRIERS_BLOCK_SIZE_H

#include "cfg/simt/simt_engine.h"

#include <stdbool.h>

/* Whether the options or the function say how many threads a block has. */
bool wb_block_size_known(const struct wb_simt_analysis *analysis);

/* Whether each warp of the block is known to begin with all of its 32 lanes: the block's threads
 * are given and a multiple of 32. */
bool wb_block_size_is_of_whole_warps(const struct wb_simt_analysis *analysis);

#endif
