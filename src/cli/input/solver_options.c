#include "cli/input/solver_options.h"

#include "linear/solver.h"

#include <string.h>

/* The name's ending says the format. */
static warpbound_status read_file(const char *name, struct solver_options *options,
                                  warpbound_error *error)
{
  if (name == NULL)
    return WARPBOUND_OK;
  const char *ending = strrchr(name, '.');
  bool mps = ending != NULL && strcmp(ending, ".mps") == 0;
  if (!mps && (ending == NULL || strcmp(ending, ".lp") != 0))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--write: expected a name that ends in .lp or .mps, found '%.100s'", name);
  options->file = name;
  return WARPBOUND_OK;
}

static warpbound_status read_solver(const struct arguments *arguments,
                                    struct solver_options *options, warpbound_error *error)
{
  const char *solver = arguments->value[OPTION_SOLVER];
  const char *command = arguments->value[OPTION_SOLVER_COMMAND];
  options->named = solver != NULL || command != NULL;
  options->command = command;
  if (arguments->key[OPTION_SOLVER_COMMAND] != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "%s: expected on the command line only, found here: a file of data starts "
                      "no programs",
                      arguments->key[OPTION_SOLVER_COMMAND]);
  if (solver != NULL && command != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --solver and --solver-command, found both");
  if (solver != NULL && strcmp(solver, "cbc") != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--solver: expected cbc, found '%.60s'; others by --solver-command", solver);
  return command != NULL ? wb_linear_command_check(command, "--solver-command: ", error)
                         : WARPBOUND_OK;
}

warpbound_status solver_options_read(const struct arguments *arguments,
                                     struct solver_options *options, warpbound_error *error)
{
  *options = (struct solver_options){0};
  warpbound_status status = read_file(arguments->value[OPTION_WRITE], options, error);
  if (status == WARPBOUND_OK)
    status = read_solver(arguments, options, error);
  return status;
}
