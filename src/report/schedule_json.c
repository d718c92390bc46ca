#include "report/makespan_report.h"

#include "report/problem_head.h"

/* Written by hand, not as a tree: a schedule may have tens of millions of cycles,
 * and holds nothing that needs escaping. */
void wb_schedule_json(const struct wb_problem *problem, const struct wb_schedule *schedule,
                      struct wb_text *text)
{
  wb_problem_head_write("warpbound-schedule-1", problem, text);
  if (wb_problem_fair(problem))
    wb_text_format(text, " \"fair_blocks\": [%zu, %zu, %zu],\n", problem->fair.first,
                   problem->fair.length, problem->fair.count);
  wb_text_string(text, " \"issue_cycles\": [");
  for (uint32_t w = 0; w < schedule->warps; w++) {
    wb_text_string(text, w > 0 ? ",\n  [" : "\n  [");
    for (size_t i = 0; i < schedule->length; i++)
      wb_text_format(text, "%s%u", i > 0 ? ", " : "",
                     schedule->issue_cycle[w * schedule->length + i]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "\n ]}\n");
}
