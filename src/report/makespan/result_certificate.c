/* The choice of the certificate of a result. */
#include "report/makespan/certificate_report.h"

#include "base/checked.h"
#include "formats/phases/phases_file.h"
#include "formats/potential/potential_file.h"
#include "formats/runs/run_file.h"

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

/* The sum over the phases, 0 where one has no certificate or it does not fit. */
static uint64_t sum_of_proven(const struct warpbound_result *result)
{
  uint64_t sum = 0;
  for (size_t p = 0; p < result->phase_count; p++) {
    const struct wb_phase *phase = &result->phases[p];
    uint64_t one, all;
    if (proven(&phase->result) == 0 || !wb_add(proven(&phase->result), phase->tail, &one) ||
        !wb_multiply(phase->times, one, &all) || !wb_add(sum, all, &sum))
      return 0;
  }
  return sum;
}

uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text)
{
  const uint64_t cycles = sum_of_proven(result);
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
