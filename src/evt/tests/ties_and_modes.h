/* Modes of a distribution: heaps of values with a valley between them. */
#ifndef WB_EVT_TESTS_TIES_AND_MODES_H
#define WB_EVT_TESTS_TIES_AND_MODES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The deepest valley of a histogram: between two heaps that stand out of it by more than chance.
 * found: false where there is one heap, or too few values (fewer than 50) to tell. */
struct wb_modes {
  bool found;
  double lower, valley, upper; /* the heaps' places and the valley's, in the unit of the values */
  double upper_share;          /* of values above the valley */
  double depth; /* values in the valley's bin over those in the lower heap's bin of the
                   two: 0 is a gap */
};

/* ascending: the values sorted. tick: the resolution of the clock, 0: continuous; bins are whole
 * ticks wide. Bins are as wide as Freedman and Diaconis (1981) have them, at most 4,096 over the
 * middle 99.8 % of the values and the ends apart, and wider by powers of two. A valley counts where
 * its bin has fewer values than both heaps by 4.5 standard deviations of Poisson counts, which
 * random valleys among thousands of bins do not reach. Linear. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_modes_find(const double *ascending, size_t count, double tick,
                               struct wb_modes *modes, warpbound_error *error);

#endif
