/* The agreement domain: which registers hold one value in all lanes of a group. Nothing of an
 * instruction is used but what it reads and writes and how its results may depend on the lane. */
#ifndef WB_CFG_AGREEMENT_LANE_AGREEMENT_H
#define WB_CFG_AGREEMENT_LANE_AGREEMENT_H

#include "cfg/agreement/register_sets.h"
#include "model/code.h"

#include <stdbool.h>

/* Whether all lanes that agree on a set of registers do a conditional instruction, or none. */
bool wb_simt_condition_agrees(const struct wb_function *function,
                              const struct wb_instruction *instruction,
                              const struct wb_register_set *agreed);

/* Whether all of them that do an indexed branch go to one target. */
bool wb_simt_index_agrees(const struct wb_function *function,
                          const struct wb_instruction *instruction,
                          const struct wb_register_set *agreed);

/* A data instruction: the registers that the lanes which run agree on afterwards; what it may write
 * is added to `written`. */
void wb_simt_agreement_step(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            struct wb_register_set *agreed, struct wb_register_set *written);

#endif
