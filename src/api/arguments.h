/* Checks of what callers of the public header hand over, before anything is done with it. */
#ifndef WB_API_ARGUMENTS_H
#define WB_API_ARGUMENTS_H

#include "analysis/code/module.h"
#include "analysis/wcet/wcet.h"
#include "base/status.h"
#include "base/text.h"
#include "linear/model_writer.h"

#include <stdbool.h>
#include <stddef.h>

/* WARPBOUND_USAGE where a pointer is NULL: "NAME: expected WHAT, found NULL". */
warpbound_status wb_require(const void *argument, const char *name, const char *what,
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

/* Whether a file for a linear program, if there is one, has a name that says its language. Errors:
 * WARPBOUND_USAGE. */
warpbound_status wb_require_program_file(const char *name, warpbound_error *error);
/* The language that such a name says; LP of NULL. */
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

#endif
