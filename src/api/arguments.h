/* Checks of what callers of the public header hand over, before anything is done with it. */
#ifndef WB_API_ARGUMENTS_H
#define WB_API_ARGUMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* WARPBOUND_USAGE where a pointer is NULL: "NAME: expected WHAT, found NULL". */
warpbound_status wb_require(const void *argument, const char *name, const char *what,
                            warpbound_error *error);

/* Whether all options are within their ranges; options may be NULL. Errors: WARPBOUND_USAGE, which
 * names the option. */
warpbound_status wb_require_options(const warpbound_options *options, warpbound_error *error);

/* A number that is one of an enumeration's, 0 .. count - 1. Errors: WARPBOUND_USAGE. */
warpbound_status wb_require_choice(int number, int count, const char *name, warpbound_error *error);

/* Whether a file for a linear program, if there is one, has a name that says its language. Errors:
 * WARPBOUND_USAGE. */
warpbound_status wb_require_program_file(const char *name, warpbound_error *error);

#endif
