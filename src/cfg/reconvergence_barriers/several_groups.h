/* Which blocks may run in several groups for one entry of their innermost scope. */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_SEVERAL_GROUPS_H
#define WB_CFG_RECONVERGENCE_BARRIERS_SEVERAL_GROUPS_H

#include "cfg/simt/simt_engine.h"

/* Makes graph->several. Where lanes come apart, those of two ways that both lead to a block come to
 * it as two groups, unless the release of a scope that they are in brings them together before. A
 * block that more steps would be needed for than are worth it is taken to. False where memory is
 * out. */
bool wb_several_groups(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph);

#endif
