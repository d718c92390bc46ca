/* From the fixpoint to the graph. */
#ifndef WB_CFG_SIMT_SIMT_GRAPH_H
#define WB_CFG_SIMT_SIMT_GRAPH_H

#include "cfg/simt/simt_engine.h"

struct wb_simt_record;

/* Makes the graph of what the last pass noted, which it sorts, and block_states, makers and
 * resumptions. The blocks that were cut before anything was known are put together again where
 * control only ever falls from one into the next. Sorting dominates. */
void wb_simt_graph_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

#endif
