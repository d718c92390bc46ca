/* Until addresses are analysed: every access is unknown. */
#include "flow/accesses/accesses.h"

#include <stdlib.h>

warpbound_status wb_accesses_find(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  struct wb_accesses *accesses, warpbound_error *error)
{
  (void)graph;
  (void)launch;
  (void)error;
  *accesses = (struct wb_accesses){0};
  return WARPBOUND_OK;
}

const struct wb_access *wb_accesses_at(const struct wb_accesses *accesses, uint32_t instruction)
{
  for (size_t a = 0; a < accesses->count; a++) {
    if (accesses->items[a].instruction == instruction)
      return &accesses->items[a];
  }
  return NULL;
}

void wb_accesses_free(struct wb_accesses *accesses)
{
  *accesses = (struct wb_accesses){0};
}
