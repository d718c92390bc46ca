/* All paths of a kernel: the flow system of its WCET analysis with the letters of its instructions
 * on the nodes. Whichever walk of the system satisfies the limits is a path that a warp may take.
 */
#ifndef WB_ANALYSIS_PATHS_PATH_SYSTEM_H
#define WB_ANALYSIS_PATHS_PATH_SYSTEM_H

#include "analysis/wcet/wcet.h"
#include "base/list.h"
#include "base/status.h"
#include "model/flow_system.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most phases between barriers that are told apart. */
#define WB_PHASE_LIMIT 64

/* flow: the system without costs, and without the cases of exclusive facts: it allows what any of
 * them does. A node is a piece of a block of the graph: instructions first .. last. A barrier ends
 * its node, so that edges 0 .. graph edges - 1 are the graph's, and the others join pieces.
 * count: by node, its instructions by type. used: the types that some node has.
 * phase: by node, how many barriers stand before it on every walk; phases: one more than those of a
 * whole walk. phased: that is so, and they are WB_PHASE_LIMIT at most; else all phases are 0
 * and `phases` is 1. sure: it is so, whatever their number, no barrier is guarded, and the k-th one
 * of all walks has one number. composed, where barriers are
 * not phased: by limit, whether it holds of paths that are put together of several warps' too,
 * provided that all pass the same barriers; NULL where that was not looked at. partial: a barrier
 * that a part of the warps of a block may pass, as the function's instruction, or NULL; phases do
 * not know of it. Owns its arrays: wb_path_system_free. */
struct wb_path_system {
  struct wb_flow_system flow;
  uint32_t *first, *last;
  uint32_t *block;
  uint32_t (*count)[WB_UNIT_COUNT];
  bool used[WB_UNIT_COUNT];
  uint32_t *phase;
  uint32_t phases;
  bool phased;
  bool sure;
  bool *composed;
  bool *local;
  const struct wb_instruction *partial;
};

/* Makes the system of an analysis that succeeded. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error);
void wb_path_system_free(struct wb_path_system *system);

#endif
