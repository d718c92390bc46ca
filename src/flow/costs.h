/* What instructions cost a warp that runs alone. */
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

/* A row of a table: an opcode with as many of its modifiers as it names. */
struct wb_cost_row {
  const char *opcode; /* in the table's text; not zero-ended */
  size_t length;
  int64_t cycles;
  uint32_t line;
};

/* rows are sorted by opcode, each once. fallback: the row "default", -1 without. text: the
 * file's contents that the rows point into, owned. Zero it for WB_COST_UNIT. */
struct wb_costs {
  enum wb_cost_kind kind;
  char *name;
  char *text;
  struct wb_cost_row *rows;
  size_t row_count;
  int64_t fallback;
};

/* Reads a table: a line is OPCODE CYCLES or "default" CYCLES, # begins a comment. Of several
 * rows that begin an instruction's opcode at a dot the longest counts: LDG.E before LDG. Any
 * bytes may be given. Errors: WARPBOUND_INVALID_INPUT with line and column,
 * WARPBOUND_INTERNAL. */
warpbound_status wb_costs_parse(const char *name, const char *text, size_t length,
                                struct wb_costs *costs, warpbound_error *error);

/* The cycles of each instruction of the function, into `cycles`; what they rest on is added
 * to `assumptions`. Errors: WARPBOUND_FACTS_MISSING for opcodes that the table lacks, as many
 * as fit; WARPBOUND_INVALID_INPUT where stalls are wanted of a listing without encodings. */
warpbound_status wb_costs_apply(const struct wb_costs *costs, const struct wb_function *function,
                                int64_t *cycles, struct wb_list *assumptions,
                                warpbound_error *error);

void wb_costs_free(struct wb_costs *costs);

#endif
