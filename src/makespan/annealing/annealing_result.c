#include "makespan/annealing/annealing_result.h"

#include <stdlib.h>

const char *wb_annealing_variant_name(enum wb_annealing_variant variant)
{
  return variant == WB_ANNEALING_PUBLISHED ? "published" : "windowed";
}

const char *wb_annealing_initial_name(enum wb_annealing_initial initial)
{
  static const char *const names[] = {"round-robin", "fixed-priority", "most-pending", "random",
                                      "all"};
  return names[initial];
}

struct wb_annealing_options wb_annealing_with_defaults(const struct wb_annealing_options *options)
{
  struct wb_annealing_options full = *options;
  if (full.iterations == 0)
    full.iterations = WB_ANNEALING_ITERATIONS;
  if (full.runs == 0)
    full.runs = WB_ANNEALING_RUNS;
  if (full.temperature == 0)
    full.temperature = WB_ANNEALING_TEMPERATURE;
  return full;
}

void wb_annealing_result_free(struct wb_annealing_result *result)
{
  for (size_t r = 0; result->runs != NULL && r < result->run_count; r++)
    free(result->runs[r].improvements);
  free(result->runs);
  wb_schedule_free(&result->witness);
  *result = (struct wb_annealing_result){0};
}
