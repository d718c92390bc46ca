#include "ipet/system/entry_groups.h"

#include <stddef.h>

uint32_t wb_entry_group_of(uint32_t *group, uint32_t entry)
{
  while (group[entry] != entry) {
    group[entry] = group[group[entry]];
    entry = group[entry];
  }
  return entry;
}

/* Pops are sorted by edge. */
void wb_entry_groups_unite(const struct wb_warp_graph *graph, uint32_t *group)
{
  for (uint32_t n = 0; n < graph->entry_count; n++)
    group[n] = n;
  for (size_t p = 1; p < graph->pop_count; p++) {
    if (graph->pops[p].edge != graph->pops[p - 1].edge)
      continue;
    const uint32_t first = wb_entry_group_of(group, graph->pops[p - 1].entry);
    const uint32_t second = wb_entry_group_of(group, graph->pops[p].entry);
    if (first < second)
      group[second] = first;
    else
      group[first] = second;
  }
}
