/* Checks that functions about kernels of machine code share. */
#ifndef WB_API_MACHINE_KERNEL_H
#define WB_API_MACHINE_KERNEL_H

#include "analysis/code/annotations.h"
#include "analysis/code/module.h"
#include "analysis/wcet/wcet.h"
#include "base/status.h"

/* Whether there is a kernel, and it is of machine code. Errors: WARPBOUND_USAGE. */
warpbound_status wb_require_machine_kernel(const warpbound_kernel *kernel, warpbound_error *error);

/* A launch with another block than the function requires, or a larger one than it admits, fails:
 * WARPBOUND_USAGE. */
warpbound_status wb_require_block(const struct wb_function *function, const uint32_t block[3],
                                  warpbound_error *error);

/* The internal form of the options. Errors: WARPBOUND_USAGE where a choice is out of range. */
warpbound_status wb_simt_options_of(const warpbound_simt_options *options,
                                    struct wb_simt_options *taken, warpbound_error *error);

/* Options for a kernel of the module; what they point to is borrowed. Errors: WARPBOUND_USAGE. */
warpbound_status wb_wcet_options_of(const warpbound_module *module,
                                    const warpbound_wcet_options *options,
                                    struct wb_wcet_options *taken, warpbound_error *error);

#endif
