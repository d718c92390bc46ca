/* `warpbound run`. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/input/wcet_options.h"
#include "cli/options/option_values.h"
#include "cli/output/terminal.h"
#include "report/warp_report.h"

/* Ranges of warpbound_trace_options. */
#define LANE_LIMIT 32
#define STEP_LIMIT 1000000

warpbound_status command_run(struct arguments *arguments, warpbound_error *error)
{
  warpbound_trace_options options = {0};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_trace *trace = NULL;
  static const struct wb_choice orders[] = {
      {"random", WARPBOUND_GROUPS_RANDOM},   {"lowest", WARPBOUND_GROUPS_LOWEST},
      {"highest", WARPBOUND_GROUPS_HIGHEST}, {"newest", WARPBOUND_GROUPS_NEWEST},
      {"most", WARPBOUND_GROUPS_MOST},       {"fewest", WARPBOUND_GROUPS_FEWEST},
      {"starve", WARPBOUND_GROUPS_STARVE},   {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_SEED, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, seed), .most = UINT64_MAX},
      {OPTION_LANES, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, lanes), .least = 1,
       .most = LANE_LIMIT},
      {OPTION_STEPS, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, steps), .least = 1,
       .most = STEP_LIMIT},
      {OPTION_GROUPS, VALUE_WORD, OPTION_MEMBER(warpbound_trace_options, groups), orders},
  };
  warpbound_simt_options simt = {0};
  warpbound_status status =
      option_members_read(arguments, members, sizeof members / sizeof *members, &options, error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(arguments, &simt, error);
  options.reconvergence = simt.reconvergence;
  options.masks_together = simt.masks_together;
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, module, error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(module, arguments->value[OPTION_KERNEL], &kernel, error);
  if (status == WARPBOUND_OK)
    status = warpbound_trace_run(kernel, &options, NULL, &trace, error);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    if (arguments->value[OPTION_JSON] != NULL)
      wb_trace_json(trace, &text);
    else
      wb_trace_text(trace, arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout), &text);
    status = terminal_print(&text, error);
  }
  warpbound_trace_free(trace);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  return status;
}
