/* The table of PTX opcodes: from an instruction's name to the unit type that it
 * occupies and to its control transfer. One row an opcode (more where its
 * other words decide); nothing else in the project knows PTX opcodes. */
#ifndef WB_ISA_PTX_OPCODES_H
#define WB_ISA_PTX_OPCODES_H

#include "model/code.h"
#include "model/unit.h"

#include <stddef.h>

/* The number of machine instructions that one PTX instruction becomes. */
enum wb_ptx_several {
  WB_PTX_ONE,               /* at most one instruction, or so nearly always */
  WB_PTX_SEVERAL,           /* it can become several */
  WB_PTX_SEVERAL_ON_MAXWELL /* it becomes several where multipliers have 16 bits (sm_50 to sm_62) */
};

/* One row. It applies to an opcode whose first word is `opcode` and whose other words include those
 * of `modifiers`, in this order, others between; the first row that applies counts. */
struct wb_ptx_opcode {
  const char *opcode;
  const char *modifiers; /* "shared.f32"; NULL: any. A word I stands for any integer type (s8 to
                            u64), F for any of floats (f16, bf16x2, f32, ..) */
  enum wb_unit unit;
  enum wb_transfer transfer;
  enum wb_ptx_several several;
  const char *assumption; /* of the mapping where it is not plain, else NULL */
};

/* The row for a full opcode ("add.rn.f64"), or NULL where the table lacks it.
 * Logarithmic in the size of the table. */
const struct wb_ptx_opcode *wb_ptx_opcode_find(const char *opcode, size_t length);

/* All rows in order, for listings and tests. */
const struct wb_ptx_opcode *wb_ptx_opcode_rows(size_t *count);

#endif
