/* The pipeline for questions about a whole SM. */
#ifndef WB_ANALYSIS_WHOLE_H
#define WB_ANALYSIS_WHOLE_H

#include "analysis/work.h"

/* Whether the question is about the whole SM: no partition can be taken by itself. */
bool wb_work_is_whole(const struct wb_work *a);

/* Its bounds, searches and schedules, in order. */
warpbound_status wb_work_run_whole(struct wb_work *a);

#endif
