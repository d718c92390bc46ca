/* The assumptions of a kernel's path, and what the path leaves out, as sentences. */
#ifndef WB_FLOW_PATHS_PATH_ASSUMPTIONS_H
#define WB_FLOW_PATHS_PATH_ASSUMPTIONS_H

#include "flow/paths/function_paths.h"

#include <stdbool.h>
#include <stddef.h>

/* Instructions. Owns the array; the instructions are borrowed. */
struct wb_path_places {
  const struct wb_instruction **items;
  size_t count;
  size_t capacity;
};

/* The barriers of a path, each instruction once. */
struct wb_path_barriers {
  struct wb_path_places skipped; /* for all warps of the block, but other paths skip them */
  struct wb_path_places partial; /* perhaps for a part of the warps only */
};

/* Adds a barrier of the path. skipped: other paths do not come to it. False where memory is out. */
bool wb_path_barriers_add(struct wb_path_barriers *barriers,
                          const struct wb_instruction *instruction, bool skipped);
void wb_path_barriers_free(struct wb_path_barriers *barriers);

/* Adds to `list` which of the possible paths was chosen. */
void wb_path_state_choice(const struct wb_function_paths *paths, struct wb_list *list);

/* Fills path->arms with the targets of the path's branches that the path never goes to, in the
 * order of the listing. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_find_arms(const struct wb_function_paths *paths,
                                   struct wb_kernel_path *path, warpbound_error *error);

/* Adds to `list` the instructions that can become several, the arms left out and the barriers. */
void wb_path_state_findings(const struct wb_kernel_path *path,
                            const struct wb_path_barriers *barriers, struct wb_list *list);

#endif
