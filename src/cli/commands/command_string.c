/* `warpbound string`. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/input.h"
#include "cli/input/limits.h"
#include "cli/output/terminal.h"
#include "report/warp_report.h"

warpbound_status command_string(struct arguments *arguments, warpbound_error *error)
{
  struct kernel_input input = {0};
  struct limits limits = {0};
  warpbound_sm *sm = NULL;
  terminal_catch_interrupts();
  warpbound_status status = kernel_input_read(arguments, COMMAND_STRING, &input, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &limits, error);
  if (status == WARPBOUND_OK) {
    status = kernel_input_find_paths(arguments, &input, &limits.options, error);
    terminal_progress_end(&limits.progress);
  }
  /* Also the string as normalised for the configuration that the options name, if they do. */
  if (status == WARPBOUND_OK &&
      (arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL))
    status = configuration_read(arguments, &sm, error);
  if (status == WARPBOUND_OK) {
    const struct wb_string_report report = {.paths = input.paths,
                                            .sm = sm,
                                            .steps = arguments->value[OPTION_CLASSES] != NULL,
                                            .quiet = arguments->value[OPTION_QUIET] != NULL,
                                            .colour = terminal_colour(stdout)};
    struct wb_text text = {0};
    status = wb_string_report_write(&report, arguments->value[OPTION_JSON] != NULL, &text, error);
    if (status == WARPBOUND_OK)
      status = terminal_print(&text, error);
    else
      wb_text_free(&text);
  }
  warpbound_sm_free(sm);
  kernel_input_free(&input);
  return status;
}
