#include "makespan/beam/state_value.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

warpbound_status wb_state_value_start(struct wb_state_value *value,
                                      const struct wb_problem *problem, uint32_t ready_limit,
                                      warpbound_error *error)
{
  size_t length = problem->string.length;
  *value = (struct wb_state_value){.length = length, .ready_limit = ready_limit};
  value->position = wb_allocate(length + 1, sizeof *value->position);
  value->last = wb_allocate(length + 1, sizeof *value->last);
  bool whole = value->position != NULL && value->last != NULL;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    value->ready[u] = wb_allocate((size_t)ready_limit + 1, sizeof *value->ready[u]);
    whole = whole && value->ready[u] != NULL;
  }
  return whole ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_state_value_free(struct wb_state_value *value)
{
  free(value->position);
  free(value->last);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    free(value->ready[u]);
  *value = (struct wb_state_value){0};
}
