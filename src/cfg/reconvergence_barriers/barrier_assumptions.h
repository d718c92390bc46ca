/* What the analysis of convergence barriers assumes of the machine and of the code, by name. */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_BARRIER_ASSUMPTIONS_H
#define WB_CFG_RECONVERGENCE_BARRIERS_BARRIER_ASSUMPTIONS_H

#include "cfg/simt/simt_engine.h"

/* assume of struct wb_reconvergence: adds those that the result rests on. */
void wb_barrier_assume(struct wb_simt_analysis *analysis, const struct wb_simt_record *record);

#endif
