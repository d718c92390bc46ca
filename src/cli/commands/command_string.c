/* `warpbound string`. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/input.h"
#include "cli/input/limits.h"
#include "cli/output/terminal.h"
#include "report/string_report.h"

warpbound_status command_string(struct arguments *arguments, warpbound_error *error)
{
  struct kernel_input input = {0};
  struct wb_string_report report = {0};
  struct limits limits = {0};
  terminal_catch_interrupts();
  warpbound_status status = kernel_input_read(arguments, COMMAND_STRING, &input, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &limits, error);
  if (status == WARPBOUND_OK) {
    status = kernel_input_find_paths(arguments, &input, &limits.options, error);
    terminal_progress_end(&limits.progress);
  }
  report.paths = input.paths;
  report.steps = arguments->value[OPTION_CLASSES] != NULL;
  report.quiet = arguments->value[OPTION_QUIET] != NULL;
  /* Also the string as normalised for the configuration that the options name, if they do. */
  if (status == WARPBOUND_OK &&
      (arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL)) {
    warpbound_sm *sm;
    status = configuration_read(arguments, &sm, error);
    if (status == WARPBOUND_OK)
      status = wb_string_report_normalise(&report, sm, error);
    warpbound_sm_free(sm);
  }
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    if (arguments->value[OPTION_JSON] != NULL)
      wb_string_report_json(&report, &text);
    else
      wb_string_report_text(&report, terminal_colour(stdout), &text);
    status = terminal_print(&text, error);
  }
  wb_string_report_free(&report);
  kernel_input_free(&input);
  return status;
}
