#include "makespan/beam/state_value.h"

warpbound_status wb_state_value_start(struct wb_state_value *value,
                                      const struct wb_problem *problem, uint32_t ready_limit,
                                      warpbound_error *error)
{
  size_t length = problem->string.length;
  *value = (struct wb_state_value){.length = length, .ready_limit = ready_limit};
  struct wb_arena *arena = &value->arena;
  value->position = wb_arena_array(arena, int64_t, length + 1);
  value->last = wb_arena_array(arena, int64_t, length + 1);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    value->ready[u] = wb_arena_array(arena, int64_t, (size_t)ready_limit + 1);
  return arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

void wb_state_value_free(struct wb_state_value *value)
{
  wb_arena_free(&value->arena);
  *value = (struct wb_state_value){0};
}
