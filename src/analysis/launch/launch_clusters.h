/* Clusters: blocks that start together (sm_90 on), which no theorem is for. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_CLUSTERS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_CLUSTERS_H

#include "analysis/launch/launch_result.h"
#include "base/status.h"

#include <stdint.h>

/* Whether the blocks of the launch start one by one, as code and launch say. asked: the blocks of a
 * cluster by dimension as the user says; 0: nothing. The grid is known. Errors: WARPBOUND_USAGE
 * where code and user disagree, or the grid is no multiple of a cluster, WARPBOUND_INVALID_INPUT
 * for clusters of several blocks. */
warpbound_status wb_launch_clusters_check(const struct wb_launch_analysis *analysis,
                                          const uint32_t asked[3], warpbound_error *error);

/* The same where the code says that there are clusters of a size that only the launch has; adds
 * what is assumed of clusters. Errors: WARPBOUND_FACTS_MISSING. */
warpbound_status wb_launch_clusters_settle(struct wb_launch_analysis *analysis,
                                           const uint32_t asked[3], warpbound_error *error);

#endif
