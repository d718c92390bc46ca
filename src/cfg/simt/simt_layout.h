/* A function cut into blocks before anything is known of its execution: where control can
 * come in, and in what order the fixpoint had best visit the blocks. */
#ifndef WB_CFG_SIMT_SIMT_LAYOUT_H
#define WB_CFG_SIMT_SIMT_LAYOUT_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* By instruction. leaders: control may come here from elsewhere, or what stands before ends
 * its block. positions: that of its block in a reverse post-order of the code as single lanes
 * walk it, calls left out. */
struct wb_simt_layout {
  bool *leaders;
  uint32_t *positions;
};

/* Whether an instruction decides what runs next, and so ends its block. */
bool wb_simt_ends_block(const struct wb_instruction *instruction);

/* False where memory is out. Linear but for the sorting of the targets of each block. */
bool wb_simt_layout_make(const struct wb_function *function, struct wb_simt_layout *layout);

void wb_simt_layout_free(struct wb_simt_layout *layout);

#endif
