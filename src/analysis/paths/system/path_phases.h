/* Phases between barriers, and which limits hold of paths composed of several warps'
 * (doc/all-paths.md, "Barriers"; doc/group-flow.md, "Barriers"). */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_PHASES_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_PHASES_H

#include "analysis/paths/system/path_system.h"
#include "analysis/wcet/wcet.h"
#include "base/status.h"

/* Fills phase, phases, phased and sure of a system that has all else; composed and local where it
 * is a walk and phases are not numbered. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_phases_find(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error);

#endif
