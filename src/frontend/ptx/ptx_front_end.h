/* The PTX front end: from the text of a PTX module to code. */
#ifndef WB_FRONTEND_PTX_PTX_FRONT_END_H
#define WB_FRONTEND_PTX_PTX_FRONT_END_H

#include "base/status.h"
#include "model/code.h"

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

/* Parses a whole PTX module (PTX ISA 1.4 to 9.x) of `length` bytes, which need not
 * be valid in any way. `name` is for messages. options may be NULL.
 * Errors: WARPBOUND_INVALID_INPUT with line and column, saying what was expected
 * and what was found; WARPBOUND_FACTS_MISSING where all is well but for opcodes that
 * the table lacks, with the place of the first, the names of as many as fit, and
 * --assume-unit. Linear in length; memory is at most a fixed multiple of it.
 * The caller frees the code with wb_code_free. */
warpbound_status wb_ptx_parse(const char *name, const char *text, size_t length,
                              const struct wb_ptx_options *options, struct wb_code *code,
                              warpbound_error *error);

#endif
