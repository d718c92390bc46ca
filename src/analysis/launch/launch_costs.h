/* What the instructions of a warp cost in the sums that bounds on a launch are made of
 * (doc/launch.md): their share of resources, and with the times of a warp's own steps the costs of
 * the nodes of its paths. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_COSTS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_COSTS_H

#include "analysis/paths/path_system.h"
#include "base/status.h"
#include "launch/bounds/launch_formula.h"
#include "launch/timing/warp_times.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* Costs by node, in 1 / denominator cycles. Owns them: wb_launch_costs_free. */
struct wb_launch_costs {
  uint64_t denominator;  /* the least common multiple of the servers of all resources */
  bool barriers;         /* some node ends with a barrier */
  uint64_t longest_unit; /* e: the longest service of a partition's resource taken at issue, less 1;
                            0 without barriers; in cycles */
  int64_t *of[WB_SUM_COUNT]; /* by sum, by node */
};

/* Errors: WARPBOUND_INVALID_INPUT where a number does not fit, WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_costs_find(const struct wb_timed_code *code,
                                      const struct wb_path_system *system,
                                      const struct wb_warp_times *times,
                                      struct wb_launch_costs *costs, warpbound_error *error);
void wb_launch_costs_free(struct wb_launch_costs *costs);

/* The system as a graph of times; starts: room for its starts, which the graph borrows, as all
 * else.
 */
struct wb_timing_graph wb_path_timing_graph(const struct wb_path_system *system,
                                            const bool *interleaved, const bool *ends,
                                            uint32_t starts[WB_FLOW_STARTS]);

/* What an instruction adds to a sum, in 1 / denominator cycles, but for the own steps of a warp in
 * WB_SUM_ALONE_OWN and WB_SUM_OWN. False where it does not fit. */
bool wb_launch_share(const struct wb_timed_code *code, uint32_t instruction, enum wb_launch_sum sum,
                     bool barriers, uint64_t denominator, uint64_t *share);

#endif
