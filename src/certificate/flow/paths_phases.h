/* The phases between barriers of the paths of a claim, for the checkers of bounds over all paths
 * (doc/all-paths.md, doc/launch.md). */
#ifndef WB_CERTIFICATE_FLOW_PATHS_PHASES_H
#define WB_CERTIFICATE_FLOW_PATHS_PHASES_H

#include "base/arena.h"
#include "base/status.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a phase: no walk leads to the node. */
#define WB_CHECK_PATH_UNSEEN UINT32_MAX

/* The graph of the paths, whose edges and nodes are in range. Borrowed. */
struct wb_check_path_graph {
  const struct wb_flow_system *system;
  const bool *barrier; /* by node: a barrier is its last instruction */
  const bool *final;   /* by node: a path may end there; NULL: that is not known */
};

/* The arrays live in an arena. */
struct wb_check_path_phases {
  struct wb_check_path_graph graph;
  /* By edge: a limit forbids it. */
  bool *never;
  /* By node: the barriers before it on some walk, or WB_CHECK_PATH_UNSEEN. */
  uint32_t *phase;
  /* Barriers of every walk, plus 1; 0: walks differ in their barriers, or it is not known where
   * they end. */
  uint32_t count;
};

/* Finds the phases. Errors: WARPBOUND_INTERNAL. Linear in the system. */
warpbound_status wb_check_path_phases_make(struct wb_arena *arena,
                                           const struct wb_check_path_graph *graph,
                                           struct wb_check_path_phases *phases,
                                           warpbound_error *error);

/* What is known of limits. Borrowed. */
struct wb_check_path_limits {
  const bool *local;       /* by limit: it holds of the stretch of a path between any two barriers;
                              NULL: of none */
  const bool *common;      /* by limit: all warps of a block take its edges equally often between
                              barriers; NULL: of none */
  const bool *interleaved; /* by node, where the system is no walk: other groups of lanes may run
                              meanwhile, at no node with a barrier; NULL: at no node */
  const bool *priced;      /* by limit: it has a price in some proof */
};

/* Checks that no limit with a price is one that composite paths may break: several warps share the
 * stretches of such a path between barriers. A limit that is neither local nor common must add up,
 * between each barrier and the next, to the same on all ways. Where the system is no walk its edges
 * join nodes that hold all lanes of the warp, so that the warp takes them as often as each of its
 * lanes that come to the next barrier; and no limit is of edges that lanes take by themselves, as
 * warps may have different numbers of lanes left. Errors: WARPBOUND_CHECK_FAILED,
 * WARPBOUND_INTERNAL. Time: barriers times the system, for each limit with a price. The arena is
 * for scratch. */
warpbound_status wb_check_path_composites(struct wb_arena *arena,
                                          const struct wb_check_path_phases *phases,
                                          const struct wb_check_path_limits *limits,
                                          warpbound_error *error);

#endif
