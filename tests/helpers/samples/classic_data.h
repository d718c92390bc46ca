/* The classic data sets of tests/fixtures/evt, as the books fit them. */
#ifndef WB_TESTS_CLASSIC_DATA_H
#define WB_TESTS_CLASSIC_DATA_H

#include "evt/fit/tail_fit.h"

#define CLASSIC_VALUES 2100

enum classic {
  PORT_PIRIE,
  FREMANTLE, /* with the years less 1896 as covariate */
  GLASS,     /* -x: the least strengths are the greatest values */
  VENICE,
  RAIN,     /* millimetres above 30 */
  DOW_JONES /* 100 x logarithmic returns above 2 */
};

struct classic_data {
  double values[CLASSIC_VALUES], covariates[CLASSIC_VALUES];
  size_t count;
};

/* Days of which RAIN has those above its threshold. */
#define RAIN_DAYS 17531.0

/* Fills *data and returns what is fitted, which borrows it. Ends the process where the file named
 * by WARPBOUND_FIXTURES cannot be read. */
struct wb_fit_data classic_read(enum classic classic, struct classic_data *data);

#endif
