/* How convergence barriers were analysed, in JSON. */
#ifndef WB_REPORT_BARRIER_OPTIONS_H
#define WB_REPORT_BARRIER_OPTIONS_H

#include "cfg/simt/simt_options.h"

#include <jansson.h>
#include <stdbool.h>

/* Adds "reconvergence" and "masks" to an object, each where it is not the default. False where
 * memory is out. */
bool wb_barrier_options_json(json_t *object, const struct wb_simt_options *options);

#endif
