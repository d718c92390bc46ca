/* From the options of the public header to those of the analysis. */
#ifndef WB_API_MAKESPAN_H
#define WB_API_MAKESPAN_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/series/makespan_question.h"
#include "api/instance.h"

/* Checks the options (NULL: the defaults) and takes them over; texts are borrowed. Errors:
 * WARPBOUND_USAGE. */
warpbound_status wb_analysis_options_make(const warpbound_options *options,
                                          struct wb_analysis_options *analysis,
                                          warpbound_error *error);

/* The question of an instance, which is borrowed. */
struct wb_question wb_question_of(const warpbound_instance *instance);

#endif
