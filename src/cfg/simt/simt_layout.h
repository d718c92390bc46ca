/* A function cut into blocks before anything is known of its execution: where control can
 * come in, and in what order the fixpoint had best visit the blocks. */
#ifndef WB_CFG_SIMT_SIMT_LAYOUT_H
#define WB_CFG_SIMT_SIMT_LAYOUT_H

#include "base/arena.h"
#include "cfg/simt/reconvergence.h"
#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* Invariants: instruction 0 leads a block; so does what stands after an instruction that ends its
 * block. The instructions of a block have one position. */
struct wb_simt_layout {
  bool *leaders;       /* by instruction: control may come here otherwise than by falling in */
  uint32_t *positions; /* by instruction: its block's in a reverse post-order of the code as single
                        * lanes walk it, calls left out */
  uint8_t *roles;      /* by instruction: enum wb_simt_role */
  struct wb_arena arena; /* of the arrays */
};

/* False where memory is out. Linear but for the sorting of the targets of each block. */
bool wb_simt_layout_make(const struct wb_function *function,
                         const struct wb_reconvergence *mechanism, struct wb_simt_layout *layout);

void wb_simt_layout_free(struct wb_simt_layout *layout);

#endif
