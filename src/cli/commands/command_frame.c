/* `warpbound analyze --launches FILE` with --together, --beside or --graph: what the launches take
 * beside each other. */
#include "cli/commands/command_frame.h"

#include "cli/input/device_input.h"
#include "cli/input/frames.h"
#include "cli/output/outputs.h"
#include "report/frame/frame_report.h"
#include "report/report_words.h"

#include <inttypes.h>

/* The modes, by their options. */
static const enum option modes[] = {OPTION_TOGETHER, OPTION_BESIDE, OPTION_GRAPH};

enum option frame_mode(const struct arguments *arguments)
{
  return arguments_first_given(arguments, modes, sizeof modes / sizeof *modes);
}

warpbound_status frame_mode_check(const struct arguments *arguments, warpbound_error *error)
{
  const enum option mode = frame_mode(arguments);
  static const enum option others[] = {OPTION_REPORT, OPTION_TEMPLATE, OPTION_BUDGET,
                                       OPTION_WARM_L2, OPTION_QUEUES};
  const enum option other =
      arguments_first_given(arguments, others, sizeof others / sizeof *others);
  size_t given = 0;
  if (mode == OPTION_COUNT)
    return WARPBOUND_OK;
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
    given += arguments->value[modes[m]] != NULL;
  if (given > 1)
    return wb_fail(error, WARPBOUND_USAGE, "expected one of --together, --beside and --graph");
  if (arguments->value[OPTION_LAUNCHES] == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --launches, whose launches it is about",
                   option_rows[mode].name);
  if (other != OPTION_COUNT || arguments->repeated[OPTION_REPORT_CI].count > 0)
    return wb_fail(error, WARPBOUND_USAGE, "expected one of --%s and --%s, found both",
                   option_rows[mode].name,
                   option_rows[other != OPTION_COUNT ? other : OPTION_REPORT_CI].name);
  if (mode != OPTION_GRAPH &&
      (arguments->value[OPTION_DEADLINE] != NULL || arguments->value[OPTION_TIMELINE] != NULL))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--deadline and --timeline: expected with --graph, of which they are");
  return WARPBOUND_OK;
}

/* Each launch has SMs of its own, no more than there are. */
static warpbound_status check_sms(const struct arguments *arguments, const struct launch_list *list,
                                  const warpbound_gpu *gpu, warpbound_error *error)
{
  uint64_t sms = 0;
  for (size_t l = 0; l < list->count; l++) {
    if (list->rows[l].sms == 0)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->value[OPTION_LAUNCHES], 0, 0,
                        "launches, %zu: expected sms, with --beside", l + 1);
    sms += list->rows[l].sms;
  }
  if (sms > warpbound_gpu_sms(gpu))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->value[OPTION_LAUNCHES], 0, 0,
                      "sms: expected at most %" PRIu32
                      " in all, those of the device, found %" PRIu64,
                      warpbound_gpu_sms(gpu), sms);
  return WARPBOUND_OK;
}

/* What a launch of the list is allowed is asked of it alone. */
static warpbound_status check_allowances(const struct arguments *arguments,
                                         const struct launch_list *list, enum option mode,
                                         warpbound_error *error)
{
  static const enum option allowances[] = {OPTION_DEADLINE, OPTION_BUDGET};
  for (size_t l = 0; l < list->count; l++) {
    for (size_t a = 0; a < sizeof allowances / sizeof *allowances; a++) {
      const enum option option = allowances[a];
      const char *own = list->rows[l].arguments.value[option];
      if (own != NULL && own != arguments->value[option])
        return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->value[OPTION_LAUNCHES], 0, 0,
                          "launches, %zu: %s: expected none with --%s: it is of a launch alone",
                          l + 1, option_rows[option].name, option_rows[mode].name);
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status read_input(const struct arguments *arguments,
                                   const struct launch_list *list, const warpbound_gpu *gpu,
                                   struct frame_input *input, warpbound_error *error)
{
  static const struct unit_scale times[] = {
      {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {NULL, 0}};
  const enum option mode = frame_mode(arguments);
  const char *deadline = arguments->value[OPTION_DEADLINE];
  double allowed = 0;
  warpbound_status status = check_allowances(arguments, list, mode, error);
  if (status == WARPBOUND_OK && mode == OPTION_BESIDE)
    status = check_sms(arguments, list, gpu, error);
  if (status != WARPBOUND_OK)
    return status;
  if (mode == OPTION_GRAPH)
    status = frame_input_read(arguments->value[OPTION_LAUNCHES], list, input, error);
  else
    status = frame_input_beside(list, mode == OPTION_BESIDE, input, error);
  if (status == WARPBOUND_OK && deadline != NULL && measured_number(deadline, times, &allowed)) {
    if (allowed < 1)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--deadline: expected a nanosecond or more, found '%.60s'", deadline);
    if (allowed < 9e18)
      input->options.deadline_ns = (uint64_t)allowed;
  }
  return status;
}

static warpbound_status print(const struct arguments *arguments, const warpbound_frame *frame,
                              warpbound_error *error)
{
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_frame_json(&frame->frame, &text);
  else
    wb_frame_text(&frame->frame, arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout),
                  &text);
  warpbound_status status = terminal_print(&text, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TIMELINE] != NULL) {
    char *picture = NULL;
    status = warpbound_frame_svg(frame, &picture, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(arguments->value[OPTION_TIMELINE], picture, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_CERTIFICATE] != NULL) {
    char *certificate = NULL;
    status = warpbound_frame_certificate(frame, &certificate, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(arguments->value[OPTION_CERTIFICATE], certificate, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_RUN] != NULL) {
    char *run = NULL;
    status = warpbound_frame_run(frame, &run, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(arguments->value[OPTION_RUN], run, error);
  }
  return status;
}

static warpbound_status judge(const struct arguments *arguments, const warpbound_frame *frame,
                              warpbound_error *error)
{
  struct wb_text doubts = {0};
  if (!warpbound_frame_in_time(frame))
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "the upper end of the frame is above its deadline");
  if (arguments->value[OPTION_REQUIRE_PROOF] == NULL ||
      frame->frame.upper_kind != WARPBOUND_ESTIMATE)
    return WARPBOUND_OK;
  wb_estimate_summary(&frame->frame.estimate, &doubts);
  const warpbound_status status =
      doubts.failed ? wb_out_of_memory(error)
                    : wb_fail(error, WARPBOUND_CHECK_FAILED,
                              "--require-proof: the upper end is an estimate: %.420s", doubts.data);
  wb_text_free(&doubts);
  return status;
}

warpbound_status frame_run(const struct arguments *arguments, const struct launch_list *list,
                           const warpbound_frame_launch *launches, const warpbound_gpu *gpu,
                           warpbound_error *error)
{
  struct frame_input input = {0};
  warpbound_frame *frame = NULL;
  warpbound_status status = read_input(arguments, list, gpu, &input, error);
  if (status == WARPBOUND_OK)
    status = warpbound_frame_analyse(launches, list->count, input.steps, input.count,
                                     &input.options, &frame, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, frame, error);
  if (status == WARPBOUND_OK)
    status = judge(arguments, frame, error);
  warpbound_frame_free(frame);
  frame_input_free(&input);
  return status;
}
