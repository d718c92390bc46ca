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

void wb_annealing_result_free(struct wb_annealing_result *result)
{
  for (size_t r = 0; result->runs != NULL && r < result->run_count; r++)
    free(result->runs[r].improvements);
  free(result->runs);
  wb_schedule_free(&result->witness);
  *result = (struct wb_annealing_result){0};
}
