#include "report/line_cycles.h"

#include "formats/json/json_output.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
  const struct wb_line_cycles *x = a;
  const struct wb_line_cycles *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static int by_cycles(const void *a, const void *b)
{
  const struct wb_line_cycles *x = a;
  const struct wb_line_cycles *y = b;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return by_place(a, b);
}

size_t wb_line_cycles_unite(struct wb_line_cycles *rows, size_t count)
{
  size_t lines = 0;
  if (count > 0)
    qsort(rows, count, sizeof *rows, by_place);
  for (size_t i = 0; i < count; i++) {
    if (lines > 0 && by_place(&rows[lines - 1], &rows[i]) == 0)
      rows[lines - 1].cycles += rows[i].cycles;
    else
      rows[lines++] = rows[i];
  }
  if (lines > 0)
    qsort(rows, lines, sizeof *rows, by_cycles);
  return lines;
}

json_t *wb_line_cycles_json(const struct wb_code *code, const struct wb_line_cycles *line,
                            json_t *cycles)
{
  json_t *object = json_object();
  wb_json_put(&object, "file",
              line->line == 0 ? json_null()
                              : wb_json_clean(line->file > 0 ? code->files[line->file - 1] : ""));
  wb_json_put(&object, "line", line->line == 0 ? json_null() : json_integer(line->line));
  wb_json_put(&object, "cycles", cycles);
  return object;
}
