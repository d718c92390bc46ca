/* The phases between barriers of the paths of a claim, for the checker of bounds over all paths
 * (doc/all-paths.md). */
#ifndef WB_CERTIFICATE_FLOW_PATHS_PHASES_H
#define WB_CERTIFICATE_FLOW_PATHS_PHASES_H

#include "base/status.h"
#include "certificate/flow/paths_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a phase: no walk leads to the node. */
#define WB_CHECK_PATH_UNSEEN UINT32_MAX

/* Owns its arrays. */
struct wb_check_path_phases {
  /* Borrowed. */
  const struct wb_check_paths_claim *claim;
  /* By edge: a limit forbids it. */
  bool *never;
  /* By node: the barriers before it on some walk, or WB_CHECK_PATH_UNSEEN. */
  uint32_t *phase;
  /* Barriers of every walk, plus 1; 0: walks differ in their barriers. */
  uint32_t count;
};

/* Finds the phases of a claim whose edges and nodes are in range. Errors: WARPBOUND_INTERNAL. Free,
 * after a failure too. Linear in the system. */
warpbound_status wb_check_path_phases_make(const struct wb_check_paths_claim *claim,
                                           struct wb_check_path_phases *phases,
                                           warpbound_error *error);

/* Checks that no limit with a price is one that composite paths may break: several warps share the
 * stretches of such a path between barriers. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL.
 * Time: barriers times the system, for each limit with a price. */
warpbound_status wb_check_path_composites(const struct wb_check_path_phases *phases,
                                          warpbound_error *error);

void wb_check_path_phases_free(struct wb_check_path_phases *phases);

#endif
