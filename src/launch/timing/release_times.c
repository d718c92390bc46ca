#include "launch/timing/release_times.h"

#include "base/checked.h"

warpbound_status wb_share_denominator(const struct wb_timed_code *code, uint64_t *denominator,
                                      warpbound_error *error)
{
  uint64_t multiple = 1;
  for (size_t r = 0; r < code->resource_count; r++) {
    const uint64_t servers = code->resources[r].servers;
    const uint64_t common = wb_greatest_common_divisor(multiple, servers);
    multiple *= common > 1 ? servers / common : servers;
    if (multiple > WB_SHARE_LIMIT)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the numbers of servers have no common multiple up to %u: round them down to "
                     "powers of 2",
                     (unsigned)WB_SHARE_LIMIT);
  }
  *denominator = multiple;
  return WARPBOUND_OK;
}

/* Until the end of the first `count` stages. At most 255 * 2 * 10^9 * 2^20, below 2^60. */
static uint64_t stages_end(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction, size_t count,
                           uint64_t denominator)
{
  uint64_t end = 0;
  for (size_t s = 0; s < count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    const uint64_t share = denominator / code->resources[stage->resource].servers;
    end += denominator * stage->delay + (denominator - share) * stage->service;
  }
  return end;
}

struct wb_release_times wb_release_times_of(const struct wb_timed_code *code,
                                            const struct wb_timed_instruction *instruction,
                                            uint64_t denominator)
{
  struct wb_release_times times = {
      .write = stages_end(code, instruction, instruction->stage_count, denominator) +
               denominator * instruction->latency,
      .read = stages_end(code, instruction, instruction->read_stages, denominator) +
              denominator * instruction->read_latency,
  };
  for (size_t u = 0; u < instruction->use_count; u++) {
    const uint64_t service = denominator * code->uses[instruction->first_use + u].service;
    times.service = wb_maximum(times.service, service);
  }
  times.end = wb_maximum(times.service, wb_maximum(times.write, times.read));
  return times;
}
