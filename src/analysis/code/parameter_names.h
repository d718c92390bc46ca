/* The names that sources give the parameters of a module's kernels. */
#ifndef WB_ANALYSIS_CODE_PARAMETER_NAMES_H
#define WB_ANALYSIS_CODE_PARAMETER_NAMES_H

#include "analysis/code/module.h"
#include "base/status.h"

/* Adds to the names of the annotations' launch those that the signatures of the sources give the
 * parameters of the function: of each signature of a kernel that is called so, with as many
 * parameters. A parameter that two of them call differently gets none, nor does one whose name
 * ("param_1") is of the form that compilers use. Linear in the signatures. Errors:
 * WARPBOUND_INTERNAL where memory is out. */
warpbound_status wb_parameter_names_add(struct warpbound_annotations *annotations,
                                        const struct wb_function *function, warpbound_error *error);

/* Brings the names into the order in which the launch looks them up: once, after all were added. */
void wb_parameter_names_order(struct warpbound_annotations *annotations);

#endif
