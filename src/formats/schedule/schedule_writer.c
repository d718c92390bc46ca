/* The writer of schedule files. */
#include "formats/schedule/schedule_file.h"

#include "formats/machine/problem_members.h"
#include "makespan/machine/schedule.h"

#include <inttypes.h>

static void write_issue_cycles(const uint32_t *cycles, size_t count, bool first,
                               struct wb_text *text)
{
  wb_text_string(text, first ? "\n  [" : ",\n  [");
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "%s%" PRIu32, i > 0 ? ", " : "", cycles[i]);
  wb_text_string(text, "]");
}

/* The text is written without a tree of values: a schedule may have tens of millions of cycles, and
 * holds nothing that needs escaping. */
void wb_schedule_file_write(const struct wb_problem *problem, const struct wb_schedule *schedule,
                            struct wb_text *text)
{
  wb_problem_members_write(WB_SCHEDULE_FORMAT, problem, text);
  if (wb_problem_fair(problem))
    wb_text_format(text, " \"fair_blocks\": [%zu, %zu, %zu],\n", problem->fair.first,
                   problem->fair.length, problem->fair.count);
  wb_text_string(text, " \"issue_cycles\": [");
  for (uint32_t w = 0; w < schedule->warps; w++)
    write_issue_cycles(schedule->issue_cycle + w * schedule->length, schedule->length, w == 0,
                       text);
  wb_text_string(text, "\n ]}\n");
}

void wb_sm_schedule_file_write(const struct wb_sm_problem *problem,
                               const struct wb_schedule *schedule, struct wb_text *text)
{
  wb_text_string(text, "{\"format\": \"" WB_SCHEDULE_FORMAT "\",\n");
  wb_text_string(text, problem->string_count > 1 ? " \"strings\": [" : " \"string\": ");
  for (size_t s = 0; s < problem->string_count; s++) {
    wb_text_string(text, s > 0 ? ", \"" : "\"");
    wb_kernel_string_write(&problem->strings[s], text);
    wb_text_string(text, "\"");
  }
  if (problem->string_count > 1) {
    wb_text_string(text, "],\n \"string_of_warp\": [");
    for (uint32_t w = 0; w < schedule->warps; w++)
      wb_text_format(text, "%s%" PRIu32, w > 0 ? ", " : "", schedule->string_of[w] + 1);
    wb_text_string(text, "]");
  }
  wb_text_string(text, ",\n");
  /* The units of the types used, and which of them the partitions share, if any. */
  uint32_t capacity[WB_REAL_UNIT_COUNT] = {0};
  char shared[WB_REAL_UNIT_COUNT + 1] = "";
  size_t shared_count = 0;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    bool used = false;
    for (size_t s = 0; s < problem->string_count; s++)
      used = used || problem->strings[s].count[u] > 0;
    if (!used)
      continue;
    capacity[u] = problem->capacity[u];
    if (problem->shared[u])
      shared[shared_count++] = wb_unit_letter((enum wb_unit)u);
  }
  wb_text_string(text, " ");
  wb_units_member_write(capacity, text);
  wb_text_string(text, ",\n");
  if (shared_count > 0)
    wb_text_format(text, " \"shared\": \"%s\",\n", shared);
  wb_text_string(text, " ");
  wb_issue_slots_member_write(problem->issue_slots, text);
  wb_text_format(text, ",\n \"warps\": %" PRIu32 ",\n", schedule->warps);
  wb_text_format(text, " \"blocks\": %" PRIu32 ",\n \"partitions\": %" PRIu32 ",\n",
                 problem->blocks, problem->partitions);
  wb_text_string(text, " \"issue_cycles\": [");
  for (uint32_t w = 0; w < schedule->warps; w++)
    write_issue_cycles(schedule->issue_cycle + schedule->first[w],
                       schedule->first[w + 1] - schedule->first[w], w == 0, text);
  wb_text_string(text, "\n ]}\n");
}
