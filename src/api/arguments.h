/* Handles of the public header, and checks of what its callers hand over, before anything is done
 * with it. */
#ifndef WB_API_ARGUMENTS_H
#define WB_API_ARGUMENTS_H

#include "analysis/code/module.h"
#include "analysis/paths/paths.h"
#include "analysis/wcet/wcet.h"
#include "base/status.h"
#include "base/text.h"
#include "linear/model_writer.h"
#include "model/devices/device_timing.h"
#include "model/instance.h"

#include <stdbool.h>
#include <stddef.h>

/* WARPBOUND_USAGE where a pointer is NULL: "NAME: expected WHAT, found NULL". */
warpbound_status wb_require(const void *argument, const char *name, const char *what,
                            warpbound_error *error);

/* The same of the address where a handle or a text goes; *place is NULL then. */
warpbound_status wb_require_place(void *place, const char *name, const char *what,
                                  warpbound_error *error);

/* Before a text is made of a handle: *text is NULL then. Errors: WARPBOUND_USAGE where text or the
 * handle is NULL; NAME and WHAT are the handle's. */
warpbound_status wb_require_text_of(const void *handle, const char *name, const char *what,
                                    char **text, warpbound_error *error);

/* Hands a text over to the caller. Errors: WARPBOUND_INTERNAL where memory is out. */
warpbound_status wb_hand_out(struct wb_text *text, char **taken, warpbound_error *error);

/* Whether all options are within their ranges; options may be NULL. Errors: WARPBOUND_USAGE, which
 * names the option. */
warpbound_status wb_require_options(const warpbound_options *options, warpbound_error *error);

/* A number that is one of an enumeration's, 0 .. count - 1. Errors: WARPBOUND_USAGE. */
warpbound_status wb_require_choice(int number, int count, const char *name, warpbound_error *error);

/* The language that the name of a file for a linear program says; LP of NULL. */
enum wb_linear_format wb_program_format(const char *name);

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
/* The same where the kernel's loops are what is asked for: the kernel has to be machine code,
 * limits in range; options NULL: the default ones. */
warpbound_status wb_require_wcet(const warpbound_kernel *kernel,
                                 const warpbound_wcet_options *options,
                                 const warpbound_options *limits, struct wb_wcet_options *taken,
                                 warpbound_error *error);

/* Owns the device. */
struct warpbound_gpu {
  struct wb_device_timing device;
};

/* `instance` is whole where there are no paths, or all have one string. Of several strings it has
 * the SM, the warps, the blocks and whether it is an estimate, and nothing else: its string is for
 * the analysis to choose. */
struct warpbound_instance {
  struct wb_instance instance; /* owned */
  struct wb_paths *paths;      /* that warps may take; borrowed; NULL: the string is given */
};

#endif
