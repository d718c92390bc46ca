#include "ipet/resolved_facts.h"

#include "base/checked.h"

#include <stdlib.h>

bool wb_warp_bound(uint64_t bound, bool per_warp, bool balanced, uint32_t lanes,
                   uint64_t *warp_bound)
{
  *warp_bound = bound;
  return per_warp || balanced || wb_multiply(bound, lanes, warp_bound);
}

void wb_resolved_facts_free(struct wb_resolved_facts *resolved)
{
  for (size_t f = 0; f < resolved->fact_count; f++) {
    free(resolved->facts[f].terms);
    free(resolved->facts[f].per);
  }
  free(resolved->loops);
  free(resolved->limits);
  free(resolved->facts);
  free(resolved->line_of_fact);
  free(resolved->exclusives);
  free(resolved->sets);
  free(resolved->blocks);
  free(resolved->found);
  *resolved = (struct wb_resolved_facts){0};
}
