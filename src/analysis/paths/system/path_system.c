#include "analysis/paths/system/path_system.h"

#include <stdlib.h>

bool wb_path_system_doubts_barriers(const struct wb_path_system *system)
{
  return system->used[WB_UNIT_BARRIER] && !system->sure;
}

void wb_path_system_free(struct wb_path_system *system)
{
  wb_flow_system_free(&system->flow);
  free(system->first);
  free(system->last);
  free(system->block);
  free(system->count);
  free(system->phase);
  free(system->composed);
  free(system->local);
  free(system->common);
  *system = (struct wb_path_system){0};
}
