/* The options of commands that build an integer program: where to write it, who solves it. */
#ifndef WB_CLI_INPUT_SOLVER_OPTIONS_H
#define WB_CLI_INPUT_SOLVER_OPTIONS_H

#include "cli/options/options.h"
#include "linear/writer.h"

/* file: NULL where none is to be written. command: NULL for the solver that is built in.
 * named: --solver or --solver-command was given. */
struct solver_options {
  const char *file;
  enum wb_linear_format format;
  const char *command;
  bool named;
};

/* Reads --write, --solver and --solver-command. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT (a command in an instance file). */
warpbound_status solver_options_read(const struct arguments *arguments,
                                     struct solver_options *options, warpbound_error *error);

#endif
