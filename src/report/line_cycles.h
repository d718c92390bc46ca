/* What source lines cost, of what their instructions do. */
#ifndef WB_REPORT_LINE_CYCLES_H
#define WB_REPORT_LINE_CYCLES_H

#include "model/code.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* A source line. cycles: in a unit of the caller's, of all its instructions. */
struct wb_line_cycles {
  uint32_t file; /* index into the code's files + 1; 0 with line 0: the place is not known */
  uint32_t line;
  int64_t cycles;
};

/* A row for an instruction. */
static inline struct wb_line_cycles wb_line_cycles_of(const struct wb_instruction *instruction,
                                                      int64_t cycles)
{
  return (struct wb_line_cycles){instruction->source_file, instruction->source_line, cycles};
}

/* Adds up the rows of each line, the most expensive line first. Returns how many lines there are.
 * n log n. */
size_t wb_line_cycles_unite(struct wb_line_cycles *rows, size_t count);

/* {"file": ..., "line": ..., "cycles": ...}, file and line null where they are not known; takes the
 * reference to the cycles. NULL where memory is out. */
json_t *wb_line_cycles_json(const struct wb_code *code, const struct wb_line_cycles *line,
                            json_t *cycles);

#endif
