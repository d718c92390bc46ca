/* How convergence barriers were analysed, in JSON. */
#ifndef WB_REPORT_BARRIER_OPTIONS_H
#define WB_REPORT_BARRIER_OPTIONS_H

#include "cfg/simt/simt_options.h"

#include <jansson.h>

/* Puts "reconvergence" and "masks" into an object (wb_json_put), each where it is not the default.
 */
void wb_barrier_options_put(json_t **object, const struct wb_simt_options *options);

#endif
