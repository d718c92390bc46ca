/* Maxima over the paths of a system, each solved once by IPET. */
#ifndef WB_ANALYSIS_PATHS_PATH_PEAKS_H
#define WB_ANALYSIS_PATHS_PATH_PEAKS_H

#include "analysis/paths/path_system.h"
#include "base/control.h"
#include "base/status.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve.h"
#include "model/unit.h"

#include <stddef.h>
#include <stdint.h>

/* A maximum that was solved: the most that a path sums up in a phase (WB_CHECK_ALL_PHASES: in all
 * of them) where an instruction of type u counts factor[u]. */
struct wb_path_peak {
  uint64_t factor[WB_UNIT_COUNT];
  uint32_t phase;
  struct wb_ipet_result ipet;
};

/* Maxima of one system, each solved once. Owns them: wb_path_peaks_free. Zero-initialise. */
struct wb_path_peaks {
  struct wb_path_peak **items;
  size_t count, capacity;
};

void wb_path_peaks_free(struct wb_path_peaks *peaks);

/* A phase that stands for composite paths as wholes: with the limits alone that hold of them. */
#define WB_COMPOSITE_PATHS (UINT32_MAX - 1)

/* The maximum that is known of these factors (a phase of a system that has only one is all of
 * them), or NULL. */
const struct wb_path_peak *wb_path_peaks_find(const struct wb_path_peaks *peaks,
                                              const struct wb_path_system *system,
                                              const uint64_t factor[WB_UNIT_COUNT], uint32_t phase);

/* The same, solved where it is not known yet. *peak belongs to peaks.
 * Errors: WARPBOUND_LIMIT (time, an interruption, a number too large for solvers),
 * WARPBOUND_INVALID_INPUT (a number does not fit; composite paths without a bound), those of the
 * solvers. */
warpbound_status wb_path_peaks_solve(struct wb_path_peaks *peaks,
                                     const struct wb_path_system *system,
                                     const uint64_t factor[WB_UNIT_COUNT], uint32_t phase,
                                     const struct wb_control *control,
                                     const struct wb_path_peak **peak, warpbound_error *error);

#endif
