#include "analysis/paths/system/path_system.h"

bool wb_path_system_doubts_barriers(const struct wb_path_system *system)
{
  return system->used[WB_UNIT_BARRIER] && !system->sure;
}

bool wb_path_node_ends_with_barrier(const struct wb_path_system *system, uint32_t node)
{
  return system->count[node][WB_UNIT_BARRIER] > 0;
}

bool wb_path_system_is_composite(const struct wb_path_system *system)
{
  return !system->phased && system->composed != NULL;
}

void wb_path_system_free(struct wb_path_system *system)
{
  wb_flow_system_free(&system->flow);
  wb_arena_free(&system->arena);
  *system = (struct wb_path_system){0};
}
