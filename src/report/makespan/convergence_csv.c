/* Convergence as comma-separated values. */
#include "report/makespan/convergence.h"

#include <inttypes.h>

void wb_convergence_csv(const struct wb_annealing_result *annealing, struct wb_text *text)
{
  wb_text_string(text, "time,iterations,run,best\n");
  for (size_t r = 0; r < annealing->run_count; r++) {
    const struct wb_annealing_run *run = &annealing->runs[r];
    for (size_t i = 0; i < run->count; i++) {
      const struct wb_annealing_improvement *improvement = &run->improvements[i];
      wb_text_format(text, "%.6f,%" PRIu64 ",%zu,%" PRIu64 "\n", improvement->seconds,
                     improvement->iteration, r + 1, improvement->makespan);
    }
  }
}

void wb_result_convergence_csv(const struct warpbound_result *result, struct wb_text *text)
{
  wb_convergence_csv(&result->annealing, text);
}
