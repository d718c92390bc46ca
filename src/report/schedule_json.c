#include "report/makespan_report.h"

/* Written by hand, not as a tree: a schedule may have tens of millions of cycles,
 * and holds nothing that needs escaping. */
void wb_schedule_json(const struct wb_problem *problem, const struct wb_schedule *schedule,
                      struct wb_text *text)
{
  wb_text_string(text, "{\"format\": \"warpbound-schedule-1\",\n \"string\": \"");
  wb_kernel_string_write(&problem->string, text);
  wb_text_string(text, "\",\n \"units\": {");
  const char *separator = "";
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    wb_text_format(text, "%s\"%c\": %u", separator, wb_unit_letter((enum wb_unit)u),
                   problem->capacity[u]);
    separator = ", ";
  }
  wb_text_format(text, "},\n \"issue_slots\": %u,\n \"warps\": %u,\n \"issue_cycles\": [",
                 problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots, schedule->warps);
  for (uint32_t w = 0; w < schedule->warps; w++) {
    wb_text_string(text, w > 0 ? ",\n  [" : "\n  [");
    for (size_t i = 0; i < schedule->length; i++)
      wb_text_format(text, "%s%u", i > 0 ? ", " : "",
                     schedule->issue_cycle[w * schedule->length + i]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "\n ]}\n");
}
