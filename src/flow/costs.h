/* The cycles of instructions for a warp that runs alone. */
#ifndef WB_FLOW_COSTS_H
#define WB_FLOW_COSTS_H

#include "base/list.h"
#include "base/status.h"
#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

enum wb_cost_kind {
  WB_COST_UNIT,  /* one cycle an instruction, as WCET 2023 */
  WB_COST_TABLE, /* cycles by opcode */
  WB_COST_STALLS /* the issue stalls that the compiler wrote into the control words */
};

/* A row of a table. */
struct wb_cost_row {
  const char *name; /* with as many of its modifiers as the row names; in the table's text, not
                       zero-ended */
  size_t length;    /* of the opcode, in characters */
  int64_t cycles;   /* 0 .. 10^9 */
  uint32_t line;    /* in the file */
};

/* Costs of instructions. Invariant: rows are sorted by opcode, each once. Owns its texts and rows.
 * Zero-initialise for WB_COST_UNIT. */
struct wb_costs {
  enum wb_cost_kind kind;
  char *name; /* the file's */
  char *text; /* the file's contents, which the rows point into */
  struct wb_cost_row *rows;
  size_t row_count;
  int64_t fallback; /* cycles of the row "default"; -1: there is none */
};

/* Reads a table: a line is OPCODE CYCLES or "default" CYCLES, # begins a comment. Of several
 * rows that an instruction's opcode begins with, up to a dot, the longest counts: LDG.E before LDG.
 * Any bytes may be given. Errors: WARPBOUND_INVALID_INPUT with line and column,
 * WARPBOUND_INTERNAL. */
warpbound_status wb_costs_parse(const char *name, const char *text, size_t length,
                                struct wb_costs *costs, warpbound_error *error);

/* Fills `cycles`, by instruction of the function, and adds to `assumptions` what they rest on.
 * Errors: WARPBOUND_FACTS_MISSING for opcodes that the table lacks, as many as fit;
 * WARPBOUND_INVALID_INPUT where stalls are wanted of a listing without encodings. */
warpbound_status wb_costs_apply(const struct wb_costs *costs, const struct wb_function *function,
                                int64_t *cycles, struct wb_list *assumptions,
                                warpbound_error *error);

void wb_costs_free(struct wb_costs *costs);

#endif
