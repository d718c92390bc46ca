#include "analysis/result/makespan_result.h"

#include "base/checked.h"

#include <stdlib.h>

uint64_t wb_result_witness(const struct warpbound_result *result)
{
  return result->whole_witness.issue_cycle != NULL ? result->whole_witness.makespan
                                                   : result->witness.makespan;
}

bool wb_phase_ends(const struct wb_phase *phase, uint64_t *lower, uint64_t *upper)
{
  return wb_add(phase->result.lower.cycles, phase->tail, lower) &&
         wb_add(phase->result.upper.cycles, phase->tail, upper);
}

void wb_result_drop_phases(struct warpbound_result *result)
{
  for (size_t p = 0; p < result->phase_count; p++) {
    wb_kernel_string_free(&result->phases[p].kernel);
    wb_result_clear(&result->phases[p].result);
    wb_instance_clear(&result->phases[p].instance);
  }
  free(result->phases);
  result->phases = NULL;
  result->phase_count = 0;
}

void wb_result_clear(struct warpbound_result *result)
{
  free(result->bounds.items);
  free(result->published.items);
  wb_schedule_free(&result->witness);
  wb_schedule_free(&result->whole_witness);
  wb_result_drop_phases(result);
  wb_potential_proof_free(&result->potential);
  free(result->cut);
  wb_list_free(&result->notes);
  wb_annealing_result_free(&result->annealing);
  wb_list_free(&result->assumptions);
  wb_schedule_free(&result->integer.schedule);
  if (result->certificate != NULL)
    wb_path_certificate_free(result->certificate);
  free(result->certificate);
  if (result->owned_instance != NULL)
    wb_instance_clear(result->owned_instance);
  free(result->owned_instance);
  *result = (struct warpbound_result){0};
}

void wb_path_certificate_free(struct wb_path_certificate *certificate)
{
  free(certificate->letters);
  free(certificate->maxima);
  *certificate = (struct wb_path_certificate){0};
}
