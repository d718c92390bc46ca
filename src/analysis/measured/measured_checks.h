/* Parts of the checks of applicability. */
#ifndef WB_ANALYSIS_MEASURED_MEASURED_CHECKS_H
#define WB_ANALYSIS_MEASURED_MEASURED_CHECKS_H

#include "analysis/measured/measured_steps.h"

/* A time as text, which lives as long as the block that it is written in. */
#define WB_MEASURED_TEXT(work, value)                                                              \
  wb_measured_time((work)->result, (value), (char[WB_MEASURED_TIME]){0})

/* Fills in a check that was made; `advice` is kept unless the outcome is WB_APPLICABLE. statistic
 * and p-values are NAN, for the caller to set. */
struct wb_measured_check *wb_measured_check_set(struct wb_measured_work *work,
                                                enum wb_measured_check_kind kind,
                                                enum wb_applicability outcome, const char *advice,
                                                const char *format, ...) WB_PRINTF(5, 6);
/* Fills in a check that could not be made. */
void wb_measured_check_skip(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                            const char *why);

/* The tests of hypotheses on the order of the values: independence and stationarity, with p-values
 * adjusted for their number. */
warpbound_status wb_measured_check_order(struct wb_measured_work *work);

#endif
