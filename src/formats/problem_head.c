#include "formats/problem_head.h"

void wb_problem_head_write(const char *format, const struct wb_problem *problem,
                           struct wb_text *text)
{
  wb_text_format(text, "{\"format\": \"%s\",\n \"string\": \"", format);
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
  wb_text_format(text, "},\n \"issue_slots\": %u,\n \"warps\": %u,\n",
                 problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots, problem->warps);
}
