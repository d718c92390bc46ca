/* From the worst path of a kernel's machine code to its kernel instruction string. */
#ifndef WB_ANALYSIS_PATHS_STRINGS_WORST_PATH_H
#define WB_ANALYSIS_PATHS_STRINGS_WORST_PATH_H

#include "analysis/wcet/wcet.h"
#include "flow/paths/kernel_path.h"

/* Writes a worst path of one warp, with the string of its unit types, to `path`, which borrows the
 * instructions. The path is the worst for one warp alone: another may be worse for many.
 * path->assumptions are those of its instructions; a barrier's, which is about waiting, is left
 * out. The caller frees the path, also after an error.
 * Errors: WARPBOUND_FACTS_MISSING where no path is known, WARPBOUND_LIMIT beyond
 * WB_STRING_LIMIT instructions, WARPBOUND_INTERNAL. */
warpbound_status wb_worst_path_take(const struct wb_wcet *wcet, struct wb_kernel_path *path,
                                    warpbound_error *error);

#endif
