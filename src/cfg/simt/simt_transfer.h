/* The successors of a state. */
#ifndef WB_CFG_SIMT_SIMT_TRANSFER_H
#define WB_CFG_SIMT_SIMT_TRANSFER_H

#include "cfg/simt/simt_engine.h"

/* Does the block of a state: its data instructions, then what its last instruction does when all
 * lanes that run do it, when none does, and when some do. Linear in the block's length, besides
 * what the mechanism does. */
void wb_simt_transfer(struct wb_simt_analysis *analysis, uint32_t state);

#endif
