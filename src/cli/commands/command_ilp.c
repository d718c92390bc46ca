/* `warpbound ilp`. */
#include "cli/commands/commands.h"

#include "cli/commands/makespan_job.h"
#include "cli/options/solver_options.h"
#include "cli/options/words.h"

static warpbound_status read_form(const struct arguments *arguments,
                                  struct wb_integer_options *integer, warpbound_error *error)
{
  struct wb_choice forms[WB_INTEGER_FORM_COUNT + 1] = {{NULL, 0}};
  int form;
  for (int f = 0; f < WB_INTEGER_FORM_COUNT; f++)
    forms[f] = (struct wb_choice){wb_integer_form_name((enum wb_integer_form)f), f};
  warpbound_status status = word_read(arguments, OPTION_FORM, forms, &form, error);
  integer->form = (enum wb_integer_form)form;
  return status;
}

warpbound_status integer_options_read(const struct arguments *arguments,
                                      struct wb_analysis_options *options, warpbound_error *error)
{
  struct wb_integer_options *integer = &options->integer;
  options->limits.method = WARPBOUND_METHOD_ILP;
  integer->allow_short = arguments->value[OPTION_ALLOW_SHORT_HORIZON] != NULL;
  warpbound_status status = read_form(arguments, integer, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_HORIZON, 1, WB_LINEAR_LIMIT, 0, &integer->horizon,
                              error);
  struct solver_options solver;
  if (status == WARPBOUND_OK)
    status = solver_options_read(arguments, &solver, error);
  if (status != WARPBOUND_OK)
    return status;
  /* To name a solver is to ask for a solution. */
  integer->solve = arguments->value[OPTION_SOLVE] != NULL || solver.named;
  integer->command = solver.command;
  integer->file = solver.file;
  integer->format = solver.format;
  return status;
}

warpbound_status command_ilp(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_ILP, integer_options_read, error);
}
