/* From a WCET analysis to the system of all paths. */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_SYSTEM_MAKER_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_SYSTEM_MAKER_H

#include "analysis/paths/system/path_system.h"
#include "analysis/wcet/wcet.h"
#include "base/status.h"

/* Makes the system of a WCET analysis that succeeded; the caller frees it. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error);

#endif
