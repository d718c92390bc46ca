/* What the user says of a PTX module. */
#ifndef WB_FRONTEND_PTX_PTX_OPTIONS_H
#define WB_FRONTEND_PTX_PTX_OPTIONS_H

#include "model/unit.h"

#include <stddef.h>

/* What the user says of opcodes that the table lacks: `--assume-unit OPCODE=U`.
 * The opcode is its first word ("frobnicate") or begins with it ("add.f128");
 * its unit wins over the table's. What an opcode that the table lacks does to control is
 * WB_TRANSFER_NEXT. */
struct wb_unit_assumption {
  const char *opcode;
  size_t length;
  enum wb_unit unit;
};

struct wb_ptx_options {
  const struct wb_unit_assumption *assumptions;
  size_t assumption_count;
};

#endif
