/* The writer of run files. */
#include "formats/runs/run_file.h"

#include "formats/machine/problem_members.h"

#include <inttypes.h>

void wb_run_file_write(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                       uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_RUN_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"runs\": [", cycles);
  for (size_t r = 0; r < count; r++)
    wb_text_format(text, "%s%" PRIu32, r > 0 ? ", " : "", lengths[r]);
  wb_text_string(text, "]}\n");
}
