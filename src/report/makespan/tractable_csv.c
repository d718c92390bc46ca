/* The tractable bound over y, as comma-separated values. */
#include "base/checked.h"
#include "report/makespan/makespan_report.h"

#include <inttypes.h>

void wb_tractable_csv(const struct warpbound_result *result, struct wb_text *text)
{
  uint64_t warps = result->instance->problem.warps;
  uint64_t least = UINT64_MAX;
  wb_text_string(text, "y,makespan,bound,least\n");
  for (size_t i = 0; i < result->published.count; i++) {
    const struct wb_named_bound *named = &result->published.items[i];
    if (named->y == 0)
      continue;
    uint64_t bound = named->bound.cycles;
    least = wb_minimum(least, bound);
    wb_text_format(text, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", named->y,
                   bound / wb_divide_up(warps, named->y), bound, least);
  }
}
