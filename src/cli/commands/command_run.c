/* `warpbound run`. */
#include "cli/commands/commands.h"

#include "cfg/interpreter/simt_interpreter.h"
#include "cli/input/machine_input.h"
#include "cli/terminal.h"
#include "report/trace_report.h"

#define EVEN_ODDS 128 /* of a predicate, of 256: short runs with many splits */
#define DEFAULT_STEPS 10000
#define STEPS_LIMIT 1000000 /* the trace is kept until it is printed */

static warpbound_status read_options(const struct arguments *arguments,
                                     struct wb_simt_run_options *options, warpbound_error *error)
{
  uint64_t lanes = 0;
  warpbound_status status =
      arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &options->seed, error);
  if (status == WARPBOUND_OK)
    status =
        arguments_number(arguments, OPTION_LANES, 1, WB_LANE_LIMIT, WB_LANE_LIMIT, &lanes, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_STEPS, 1, STEPS_LIMIT, DEFAULT_STEPS,
                              &options->step_limit, error);
  options->lanes = (uint32_t)lanes;
  return status;
}

static warpbound_status run(const struct arguments *arguments, const struct machine_input *input,
                            struct wb_simt_run_options *options, struct wb_text *text,
                            warpbound_error *error)
{
  const bool json = arguments->value[OPTION_JSON] != NULL;
  struct wb_text steps = {0};
  struct wb_trace trace = {.code = &input->code,
                           .function = input->function,
                           .options = options,
                           .colour = terminal_colour(stdout),
                           .text = json ? text : &steps,
                           .steps = json ? json_array() : NULL};
  struct wb_simt_run outcome;
  if (json && trace.steps == NULL)
    return wb_out_of_memory(error);
  options->visit = wb_trace_step;
  options->context = &trace;
  if (!json)
    wb_trace_head(&trace);
  const warpbound_status status =
      wb_simt_run(&input->code, input->function, options, &outcome, error);
  if (status == WARPBOUND_OK && json)
    wb_trace_json(&trace, &outcome);
  if (status == WARPBOUND_OK && !json) {
    wb_trace_answer(&trace, &outcome, text);
    text->failed = text->failed || steps.failed;
    if (arguments->value[OPTION_QUIET] == NULL && !steps.failed)
      wb_text_append(text, steps.data, steps.length);
  }
  wb_text_free(&steps);
  json_decref(trace.steps);
  return status;
}

warpbound_status command_run(struct arguments *arguments, warpbound_error *error)
{
  struct machine_input input = {0};
  struct wb_simt_run_options options = {.bias = EVEN_ODDS};
  struct wb_text text = {0};
  warpbound_status status = read_options(arguments, &options, error);
  if (status == WARPBOUND_OK)
    status = machine_input_read(arguments, &input, error);
  if (status == WARPBOUND_OK)
    status = machine_input_choose(arguments, &input, error);
  if (status == WARPBOUND_OK)
    status = run(arguments, &input, &options, &text, error);
  if (status == WARPBOUND_OK)
    status = terminal_print(&text, error);
  wb_text_free(&text);
  machine_input_free(&input);
  return status;
}
