/* The block that is being done: from a state to its last instruction, and where control goes from
 * there. A mechanism emits its successors with these. */
#ifndef WB_CFG_SIMT_SIMT_BLOCK_H
#define WB_CFG_SIMT_SIMT_BLOCK_H

#include "cfg/simt/simt_engine.h"

/* Begins the block of a state, with a copy of the mechanism's part. False on failure. */
bool wb_simt_block_enter(struct wb_simt_analysis *analysis, uint32_t state);

/* Brings what the block's instructions have written so far to `agreement` and `abstract`. */
void wb_simt_block_settle(struct wb_simt_analysis *analysis);

/* An instruction in the block's context. */
struct wb_simt_place wb_simt_block_place(const struct wb_simt_analysis *analysis,
                                         uint32_t instruction);

/* Target number `which` of the present instruction. */
uint32_t wb_simt_block_target(const struct wb_simt_analysis *analysis, uint32_t which);

/* The context that a call of the target by the present instruction enters; WB_NOWHERE on
 * failure. */
uint32_t wb_simt_block_callee(struct wb_simt_analysis *analysis, uint32_t target);

/* Lanes that run go on at a place, and agree on what they agreed on. */
void wb_simt_go_to(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                   struct wb_simt_place place, const struct wb_abstract_state *abstract);

/* The same at the next instruction. */
void wb_simt_go_to_next(struct wb_simt_analysis *analysis,
                        const struct wb_abstract_state *abstract);

#endif
