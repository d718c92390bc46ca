#include "launch/timing/shorter_delays.h"

#include "launch/timing/timed_hits.h"

bool wb_timed_code_shorten_delays(const struct wb_timed_code *code, uint32_t sixteenths,
                                  struct wb_timed_code *copy)
{
  if (!wb_timed_code_copy(code, copy))
    return false;
  for (size_t s = 0; s < copy->stage_count; s++) {
    struct wb_request_stage *const stage = &copy->stages[s];
    const uint64_t delay = stage->delay - stage->walk - stage->fetch;
    const uint64_t shorter = delay * sixteenths / WB_SHORTER_DELAYS_OF;
    if (copy->resources[stage->resource].level == WB_LEVEL_GPU)
      stage->delay -= (uint32_t)shorter;
  }
  return true;
}
