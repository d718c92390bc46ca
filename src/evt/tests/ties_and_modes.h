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

/* A slow mode that overlaps the others, so that no valley lies between. Of a smooth tail the mean
 * excess over neighbouring values (the reciprocal of the hazard) rises or falls with the values, or
 * falls and then rises; where a slow mode begins it rises and then falls. Normalised spacings, the
 * number of values above a gap times the gap, have that mean. */
struct wb_slow_mode {
  bool found;
  bool possible; /* not found, but of so few values one of 5 % might be so low, or chance so high */
  double height; /* deviations by which the spacings of the bump are above those on both sides */
  size_t above;  /* values above the bump: of the slow mode alone, nearly */
  size_t in_bump; /* values in it */
};
/* The height from which on a mode is found, at so many values, and its growth with ten times as
 * many, since more bumps are looked at: exponential values, of which all spacings have one mean,
 * have such a bump in 5 % of samples, others in fewer. Of fewer values a mode is possible from
 * lower heights on, at FEW values from that which 95 % of samples with one reach
 * (doc/measured/evt-tests.md). */
#define WB_SLOW_MODE_HEIGHT 2.3
#define WB_SLOW_MODE_GROWTH 0.35
#define WB_SLOW_MODE_VALUES 5000.0
#define WB_SLOW_MODE_POSSIBLE 1.3
#define WB_SLOW_MODE_FEW 2000.0
/* ascending: the values sorted; of a clock with ticks spread within them. Fewer than 200: not
 * found. Linear. */
void wb_slow_mode_find(const double *ascending, size_t count, struct wb_slow_mode *mode);

#endif
