/* The table of PTX opcodes: from an instruction's name to the unit type that it
 * occupies and to what it does to control. One row an opcode (more where the
 * type decides); nothing else in the project knows PTX opcodes. */
#ifndef WB_ISA_PTX_OPCODES_H
#define WB_ISA_PTX_OPCODES_H

#include "model/program.h"
#include "model/unit.h"

#include <stddef.h>

/* One row. It applies to an opcode whose first word is `opcode` and whose
 * modifiers include `modifier` (NULL: any); the first row that applies counts.
 * assumption: what the mapping assumes where it is not plain, else NULL. */
struct wb_ptx_opcode {
  const char *opcode;
  const char *modifier;
  enum wb_unit unit;
  enum wb_flow flow;
  const char *assumption;
};

/* The row for a full opcode ("add.rn.f64"), or NULL where the table lacks it.
 * Logarithmic in the size of the table. */
const struct wb_ptx_opcode *wb_ptx_opcode_find(const char *opcode, size_t length);

/* All rows in order, for listings and tests. */
const struct wb_ptx_opcode *wb_ptx_opcode_rows(size_t *count);

#endif
