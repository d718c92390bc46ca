/* `warpbound run`. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/input/simt_options.h"
#include "cli/options/word_options.h"
#include "cli/output/terminal.h"
#include "report/trace_report.h"

/* Ranges and defaults of warpbound_trace_options. */
#define LANE_LIMIT 32
#define DEFAULT_STEPS 10000
#define STEP_LIMIT 1000000

/* How groups of lanes run. */
static warpbound_status read_group_options(const struct arguments *arguments,
                                           warpbound_trace_options *options, warpbound_error *error)
{
  static const struct wb_choice orders[] = {
      {"random", WARPBOUND_GROUPS_RANDOM},   {"lowest", WARPBOUND_GROUPS_LOWEST},
      {"highest", WARPBOUND_GROUPS_HIGHEST}, {"newest", WARPBOUND_GROUPS_NEWEST},
      {"most", WARPBOUND_GROUPS_MOST},       {"fewest", WARPBOUND_GROUPS_FEWEST},
      {"starve", WARPBOUND_GROUPS_STARVE},   {NULL, 0}};
  warpbound_simt_options simt = {0};
  int order = WARPBOUND_GROUPS_RANDOM;
  warpbound_status status = word_read(arguments, OPTION_GROUPS, orders, &order, error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(arguments, &simt, error);
  options->groups = (warpbound_group_order)order;
  options->reconvergence = simt.reconvergence;
  options->masks_together = simt.masks_together;
  return status;
}

static warpbound_status read_options(const struct arguments *arguments,
                                     warpbound_trace_options *options, warpbound_error *error)
{
  uint64_t lanes = 0;
  warpbound_status status =
      arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &options->seed, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_LANES, 1, LANE_LIMIT, LANE_LIMIT, &lanes, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_STEPS, 1, STEP_LIMIT, DEFAULT_STEPS,
                              &options->steps, error);
  options->lanes = (uint32_t)lanes;
  return status == WARPBOUND_OK ? read_group_options(arguments, options, error) : status;
}

static warpbound_status print(const struct arguments *arguments, const warpbound_trace *trace,
                              warpbound_error *error)
{
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_trace_json(trace, &text);
  else
    wb_trace_text(trace, arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout), &text);
  return terminal_print(&text, error);
}

warpbound_status command_run(struct arguments *arguments, warpbound_error *error)
{
  warpbound_trace_options options = {0};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_trace *trace = NULL;
  warpbound_status status = read_options(arguments, &options, error);
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, module, error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(module, arguments->value[OPTION_KERNEL], &kernel, error);
  if (status == WARPBOUND_OK)
    status = warpbound_trace_run(kernel, &options, NULL, &trace, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, trace, error);
  warpbound_trace_free(trace);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  return status;
}
