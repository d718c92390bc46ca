/* `warpbound ilp`. */
#include "cli/commands.h"

#include "cli/makespan_job.h"

#include <string.h>

static warpbound_status read_form(const char *name, struct wb_integer_options *integer,
                                  warpbound_error *error)
{
  for (int f = 0; f < WB_INTEGER_FORM_COUNT; f++) {
    if (name != NULL && strcmp(name, wb_integer_form_name((enum wb_integer_form)f)) != 0)
      continue;
    integer->form = (enum wb_integer_form)f;
    return WARPBOUND_OK;
  }
  return wb_fail(error, WARPBOUND_USAGE,
                 "--form: expected short, long or long-corrected, found '%.60s'", name);
}

/* The format is what the name's ending says. */
static warpbound_status read_file(const char *name, struct wb_integer_options *integer,
                                  warpbound_error *error)
{
  if (name == NULL)
    return WARPBOUND_OK;
  const char *ending = strrchr(name, '.');
  bool mps = ending != NULL && strcmp(ending, ".mps") == 0;
  if (!mps && (ending == NULL || strcmp(ending, ".lp") != 0))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--write: expected a name that ends in .lp or .mps, found '%.100s'", name);
  integer->file = name;
  integer->format = mps ? WB_LINEAR_MPS : WB_LINEAR_LP;
  return WARPBOUND_OK;
}

/* To name a solver is to ask for a solution. */
static warpbound_status read_solver(const struct arguments *arguments,
                                    struct wb_integer_options *integer, warpbound_error *error)
{
  const char *solver = arguments->value[OPTION_SOLVER];
  const char *command = arguments->value[OPTION_SOLVER_COMMAND];
  integer->solve = arguments->value[OPTION_SOLVE] != NULL || solver != NULL || command != NULL;
  integer->command = command;
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

warpbound_status integer_options_read(const struct arguments *arguments,
                                      struct wb_analysis_options *options, warpbound_error *error)
{
  struct wb_integer_options *integer = &options->integer;
  options->limits.method = WARPBOUND_METHOD_ILP;
  integer->allow_short = arguments->value[OPTION_ALLOW_SHORT_HORIZON] != NULL;
  warpbound_status status = read_form(arguments->value[OPTION_FORM], integer, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_HORIZON, 1, WB_LINEAR_LIMIT, 0, &integer->horizon,
                              error);
  if (status == WARPBOUND_OK)
    status = read_file(arguments->value[OPTION_WRITE], integer, error);
  if (status == WARPBOUND_OK)
    status = read_solver(arguments, integer, error);
  return status;
}

warpbound_status command_ilp(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_ILP, integer_options_read, error);
}
