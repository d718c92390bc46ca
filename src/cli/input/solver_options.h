/* The options of commands that build an integer program: where to write it, who solves it. */
#ifndef WB_CLI_INPUT_SOLVER_OPTIONS_H
#define WB_CLI_INPUT_SOLVER_OPTIONS_H

#include "cli/options/options.h"
#include "warpbound.h"

#include <stdbool.h>

/* The texts are the arguments'. */
struct solver_options {
  const char *file;    /* where to write the program; NULL: nowhere */
  const char *command; /* NULL: the solver that is built in */
  bool named;          /* --solver or --solver-command was given */
};

/* Reads --write, --solver and --solver-command. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT (a command in an instance file). */
warpbound_status solver_options_read(const struct arguments *arguments,
                                     struct solver_options *options, warpbound_error *error);

#endif
