/* The statistical analysis of measured times: applicability, then fits and return levels. */
#ifndef WB_ANALYSIS_MEASURED_MEASURED_ANALYSIS_H
#define WB_ANALYSIS_MEASURED_MEASURED_ANALYSIS_H

#include "analysis/measured/measured_result.h"
#include "base/work_control.h"

/* Analyses each series. samples stay the caller's and are needed as long as the result. Data of any
 * kind have a verdict; a series that nothing can be fitted to is no error. Errors: WARPBOUND_USAGE
 * (an option out of its range), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. At WARPBOUND_LIMIT *measured
 * holds the series that are done, count of them, maybe 0, and the caller frees it too; after other
 * errors it is empty. */
warpbound_status wb_measured_analyse(const struct wb_samples *samples,
                                     const struct wb_measured_options *options,
                                     const struct wb_control *control, struct wb_measured *measured,
                                     warpbound_error *error);
void wb_measured_free(struct wb_measured *measured);

#endif
