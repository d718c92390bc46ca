#include "report/wcet/wcet_lines.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
  const struct wb_wcet_line *x = a;
  const struct wb_wcet_line *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static int by_cycles(const void *a, const void *b)
{
  const struct wb_wcet_line *x = a;
  const struct wb_wcet_line *y = b;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return by_place(a, b);
}

warpbound_status wb_wcet_lines(const struct wb_wcet *wcet, struct wb_wcet_line **lines,
                               size_t *count, warpbound_error *error)
{
  size_t instructions = wcet->function->instruction_count;
  *count = 0;
  *lines = wb_allocate(instructions, sizeof **lines);
  if (*lines == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; wcet->instruction_runs != NULL && i < instructions; i++) {
    const struct wb_instruction *instruction = &wcet->function->instructions[i];
    if (wcet->instruction_runs[i] > 0)
      (*lines)[(*count)++] =
          (struct wb_wcet_line){.file = instruction->source_file,
                                .line = instruction->source_line,
                                .cycles = wcet->instruction_runs[i] * wcet->cycles[i]};
  }
  qsort(*lines, *count, sizeof **lines, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    if (kept > 0 && by_place(&(*lines)[kept - 1], &(*lines)[i]) == 0)
      (*lines)[kept - 1].cycles += (*lines)[i].cycles;
    else
      (*lines)[kept++] = (*lines)[i];
  }
  *count = kept;
  qsort(*lines, *count, sizeof **lines, by_cycles);
  return WARPBOUND_OK;
}
