/* Why barriers of a block are in doubt, and what would show that its warps pass them alike. */
#ifndef WB_ANALYSIS_PATHS_BARRIER_DOUBTS_H
#define WB_ANALYSIS_PATHS_BARRIER_DOUBTS_H

#include "analysis/paths/path_system.h"
#include "analysis/wcet/wcet.h"
#include "flow/barriers/barrier_agreement.h"
#include "model/estimate.h"

/* Adds that barriers are in doubt, if they are, to what bounds over all paths rest on, with what
 * would mend it: where that nothing writes what some loads read is enough, these loads. where: at
 * which barrier. no_options: who asks cannot give options. Where memory is out over->failed is set.
 */
void wb_barrier_doubts_add(const struct wb_wcet *wcet, const struct wb_path_system *system,
                           const struct wb_disagreement *where, bool no_options,
                           struct wb_estimate *over);

#endif
