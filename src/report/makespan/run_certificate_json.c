/* A cut into runs as a file. */
#include "report/makespan/certificate_report.h"

#include "formats/problem_head.h"

#include <inttypes.h>

void wb_run_certificate_json(const struct wb_problem *problem, const uint32_t *lengths,
                             size_t count, uint64_t cycles, struct wb_text *text)
{
  wb_problem_head_write("warpbound-runs-1", problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"runs\": [", cycles);
  for (size_t r = 0; r < count; r++)
    wb_text_format(text, "%s%" PRIu32, r > 0 ? ", " : "", lengths[r]);
  wb_text_string(text, "]}\n");
}
