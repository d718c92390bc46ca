/* The choice of the certificate of a result. */
#include "base/checked.h"
#include "formats/makespan/makespan_files.h"
#include "report/gantt/gantt.h"
#include "report/makespan/makespan_report.h"

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

/* Whether the certificate that proves the least is the cut of the string, not the potential. */
static bool uses_cut(const struct warpbound_result *result)
{
  const uint64_t potential = result->potential.cycles;
  return result->cut != NULL && (potential == 0 || result->cut_cycles < potential);
}

/* The cycles that this certificate proves; 0 where the result has none. */
static uint64_t proven(const struct warpbound_result *result)
{
  return uses_cut(result) ? result->cut_cycles : result->potential.cycles;
}

uint64_t wb_certificate_json(const struct warpbound_result *result, struct wb_text *text)
{
  if (uses_cut(result))
    wb_run_file_write(&result->instance->problem, result->cut, result->cut_count,
                      result->cut_cycles, text);
  else if (proven(result) > 0)
    wb_potential_file_write(&result->potential, text);
  return proven(result);
}

uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text)
{
  uint64_t cycles = 0;
  for (size_t p = 0; p < result->phase_count; p++) {
    const struct wb_phase *phase = &result->phases[p];
    uint64_t one, all;
    if (proven(&phase->result) == 0 || !wb_add(proven(&phase->result), phase->tail, &one) ||
        !wb_multiply(phase->times, one, &all) || !wb_add(cycles, all, &cycles))
      return 0;
  }
  if (cycles == 0)
    return 0;
  wb_phases_file_begin(&result->instance->problem, cycles, text);
  for (size_t p = 0; p < result->phase_count; p++) {
    wb_phases_file_separate(p, text);
    wb_certificate_json(&result->phases[p].result, text);
  }
  wb_phases_file_end(text);
  return cycles;
}
