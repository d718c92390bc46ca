/* Options of the PTX front end. */
#ifndef WB_FRONTEND_PTX_PTX_OPTIONS_H
#define WB_FRONTEND_PTX_PTX_OPTIONS_H

#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>

/* The unit of an opcode, as the user gives it: `--assume-unit OPCODE=U`. It wins over the table's.
 * The control transfer of an opcode that the table lacks is WB_TRANSFER_NEXT. */
struct wb_unit_assumption {
  const char *opcode;
  size_t length;
  enum wb_unit unit;
};

struct wb_ptx_options {
  const struct wb_unit_assumption *assumptions;
  size_t assumption_count;
  bool any_opcode; /* opcodes that the table lacks are no error: they go on to the next one */
};

#endif
