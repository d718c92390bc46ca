/* What a kernel's path assumes and leaves out, in words. */
#ifndef WB_FLOW_PATHS_PATH_ASSUMPTIONS_H
#define WB_FLOW_PATHS_PATH_ASSUMPTIONS_H

#include "flow/paths/path_ways.h"

#include <stdbool.h>
#include <stddef.h>

/* The barriers of a path, each instruction once. skipped: for all warps of the block, but other
 * paths do not come there; partial: perhaps for a part of them only. Owns its arrays. */
struct wb_path_places {
  const struct wb_instruction **items;
  size_t count;
  size_t capacity;
};

struct wb_path_barriers {
  struct wb_path_places skipped;
  struct wb_path_places partial;
};

/* Adds a barrier that the path comes to; false where memory is out. */
bool wb_path_barriers_add(struct wb_path_barriers *barriers,
                          const struct wb_instruction *instruction, bool skipped);
void wb_path_barriers_free(struct wb_path_barriers *barriers);

/* Which path it is of those that there are. */
void wb_path_state_choice(const struct wb_path_ways *ways, struct wb_list *list);

/* Fills path->arms with the ways that the path's branches could go and the path never does, in
 * the order of the listing. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_find_arms(const struct wb_path_ways *ways, struct wb_kernel_path *path,
                                   warpbound_error *error);

/* What was found on the path: instructions that become several, arms left out, barriers. */
void wb_path_state_findings(const struct wb_kernel_path *path,
                            const struct wb_path_barriers *barriers, struct wb_list *list);

#endif
