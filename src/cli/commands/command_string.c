/* `warpbound string`. */
#include "cli/commands/commands.h"

#include "base/control.h"
#include "cli/input/input.h"
#include "cli/options/limits.h"
#include "cli/terminal.h"
#include "model/problem.h"
#include "report/string_report.h"

/* One warp on the configuration: normalisation does not depend on how many. */
static warpbound_status normalise(const struct arguments *arguments,
                                  const struct wb_kernel_string *string, struct wb_problem *problem,
                                  warpbound_error *error)
{
  struct wb_sm_configuration sm;
  warpbound_status status = configuration_read(arguments, &sm, error);
  return status == WARPBOUND_OK ? wb_problem_normalise(string, &sm, 1, problem, error) : status;
}

static warpbound_status print(const struct arguments *arguments, const struct kernel_input *input,
                              const struct wb_problem *problem, warpbound_error *error)
{
  const struct wb_code *code = kernel_input_program(input);
  struct wb_string_report report = {.code = code,
                                    .kernel =
                                        code != NULL ? code->functions[input->kernel].name : NULL,
                                    .string = &input->string,
                                    .path = kernel_input_path(input),
                                    .steps = arguments->value[OPTION_CLASSES] != NULL,
                                    .estimate = input->estimate,
                                    .normalised = problem,
                                    .assumptions = &input->assumptions,
                                    .quiet = arguments->value[OPTION_QUIET] != NULL};
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_string_report_json(&report, &text);
  else
    wb_string_report_text(&report, terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}

warpbound_status command_string(struct arguments *arguments, warpbound_error *error)
{
  struct kernel_input input;
  struct wb_problem problem = {0};
  warpbound_options limits = {0};
  struct progress progress = {0};
  terminal_catch_interrupts();
  warpbound_status status = kernel_input_read(arguments, COMMAND_STRING, &input, error);
  if (status == WARPBOUND_OK)
    status = kernel_input_check_device(arguments, &input, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &progress, &limits, error);
  if (status == WARPBOUND_OK) {
    const struct wb_control control = wb_control_start(&limits);
    status = kernel_input_analyse(arguments, &input, &control, error);
    terminal_progress_end(&progress);
  }
  bool normalised = has_configuration(arguments);
  if (status == WARPBOUND_OK && normalised)
    status = normalise(arguments, &input.string, &problem, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, &input, normalised ? &problem : NULL, error);
  wb_problem_free(&problem);
  kernel_input_free(&input);
  return status;
}
