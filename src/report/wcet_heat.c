#include "report/wcet_report.h"

#include "base/memory.h"

#include <stdlib.h>

bool wb_wcet_heat(const struct wb_wcet *wcet, struct wb_cfg_heat *heat)
{
  const struct wb_warp_graph *united = &wcet->flow.united;
  *heat = (struct wb_cfg_heat){.runs = wb_allocate(united->block_count, sizeof *heat->runs),
                               .cycles = wb_allocate(united->block_count, sizeof *heat->cycles)};
  if (heat->runs == NULL || heat->cycles == NULL)
    return false;
  for (size_t b = 0; wcet->instruction_runs != NULL && b < united->block_count; b++) {
    heat->runs[b] = wcet->instruction_runs[united->blocks[b].first];
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      heat->cycles[b] += wcet->instruction_runs[i] * wcet->cycles[i];
    heat->total += heat->cycles[b];
  }
  return true;
}

void wb_wcet_heat_free(struct wb_cfg_heat *heat)
{
  free(heat->runs);
  free(heat->cycles);
  *heat = (struct wb_cfg_heat){0};
}
