#include "report/makespan/result_schedule.h"

#include "formats/schedule/schedule_file.h"
#include "report/gantt/gantt.h"

#include <inttypes.h>

static bool is_whole(const struct warpbound_result *result)
{
  return result->whole_witness.issue_cycle != NULL;
}

void wb_result_schedule_title(const struct warpbound_result *result, struct wb_text *text)
{
  const struct wb_instance *instance = result->instance;
  const uint64_t cycles = wb_result_witness(result);
  wb_text_format(text, "Schedule of %" PRIu64 " cycles by %s", cycles, result->witness_method);
  if (result->exact && cycles == result->upper.cycles)
    wb_text_string(text, ": the worst case");
  else if (result->exact)
    wb_text_format(text, ": the worst case has %" PRIu64, result->upper.cycles);
  else
    wb_text_format(text, ": the worst case has %" PRIu64 " to %" PRIu64, result->lower.cycles,
                   result->upper.cycles);
  if (instance->sm.partitions > 1 && !is_whole(result))
    wb_text_format(text, ", one of %" PRIu32 " partitions of %s", instance->sm.partitions,
                   instance->sm.name);
}

void wb_result_schedule_json(const struct warpbound_result *result, struct wb_text *text)
{
  if (is_whole(result))
    wb_sm_schedule_file_write(&result->instance->whole, &result->whole_witness, text);
  else
    wb_schedule_file_write(&result->instance->problem, &result->witness, text);
}

void wb_result_gantt_svg(const struct warpbound_result *result, struct wb_text *text)
{
  struct wb_text title = {0};
  wb_result_schedule_title(result, &title);
  if (title.failed)
    text->failed = true;
  else if (is_whole(result))
    wb_gantt_sm_svg(&result->instance->whole, &result->whole_witness, title.data, text);
  else
    wb_gantt_svg(&result->instance->problem, &result->witness, title.data, text);
  wb_text_free(&title);
}

void wb_result_gantt_terminal(const struct warpbound_result *result, size_t columns, size_t rows,
                              bool colour, struct wb_text *text)
{
  wb_text_string(text, "\n");
  wb_result_schedule_title(result, text);
  wb_text_string(text, "\n");
  if (is_whole(result))
    wb_gantt_sm_terminal(&result->instance->whole, &result->whole_witness, columns, rows, colour,
                         text);
  else
    wb_gantt_terminal(&result->instance->problem, &result->witness, columns, rows, colour, text);
}
