/* Launches together, of the public header. */
#include "analysis/code/code_results.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "report/frame/frame_report.h"

#include <stdlib.h>

static warpbound_status check(const warpbound_frame_launch *launches, size_t launch_count,
                              const warpbound_step *steps, size_t step_count,
                              const warpbound_frame_options *options, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  if (launch_count > 0)
    status = wb_require(launches, "launches", "those of the frame", error);
  if (status == WARPBOUND_OK && step_count > 0)
    status = wb_require(steps, "steps", "those of the frame", error);
  if (status == WARPBOUND_OK)
    status = wb_require(options, "options", "those of a frame", error);
  for (size_t l = 0; l < launch_count && status == WARPBOUND_OK; l++) {
    status = wb_require(launches[l].name, "launches", "a name of each", error);
    if (status == WARPBOUND_OK)
      status = wb_require(launches[l].launch, "launches", "an analysis of each", error);
  }
  for (size_t s = 0; s < step_count && status == WARPBOUND_OK; s++) {
    if (steps[s].after_count > 0)
      status = wb_require(steps[s].after, "steps", "what a step comes after", error);
  }
  return status;
}

warpbound_status warpbound_frame_analyse(const warpbound_frame_launch *launches,
                                         size_t launch_count, const warpbound_step *steps,
                                         size_t step_count, const warpbound_frame_options *options,
                                         warpbound_frame **frame, warpbound_error *error)
{
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(frame, "frame", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = check(launches, launch_count, steps, step_count, options, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_frame *made = wb_allocate(1, sizeof *made);
  struct wb_frame_launch *taken = wb_allocate(launch_count, sizeof *taken);
  for (size_t l = 0; l < launch_count && taken != NULL; l++)
    taken[l] = (struct wb_frame_launch){launches[l].name, &launches[l].launch->analysis};
  const struct wb_frame_question question = {.launches = taken,
                                             .launch_count = launch_count,
                                             .steps = steps,
                                             .step_count = step_count,
                                             .options = options};
  status = made != NULL && taken != NULL ? wb_frame_analyse(&question, &made->frame, error)
                                         : wb_out_of_memory(error);
  free(taken);
  if (status != WARPBOUND_OK) {
    free(made);
    return status;
  }
  *frame = made;
  return WARPBOUND_OK;
}

void warpbound_frame_free(warpbound_frame *frame)
{
  if (frame != NULL)
    wb_frame_free(&frame->frame);
  free(frame);
}

warpbound_bound warpbound_frame_upper(const warpbound_frame *frame)
{
  if (frame == NULL || !frame->frame.has_graph)
    return (warpbound_bound){.cycles = 0, .kind = WARPBOUND_UPPER};
  return (warpbound_bound){.cycles = frame->frame.bound.cycles, .kind = frame->frame.upper_kind};
}

warpbound_bound warpbound_frame_lower(const warpbound_frame *frame)
{
  if (frame == NULL || !frame->frame.has_graph)
    return (warpbound_bound){.cycles = 0, .kind = WARPBOUND_LOWER};
  return (warpbound_bound){.cycles = frame->frame.lower, .kind = frame->frame.lower_kind};
}

uint32_t warpbound_frame_in_flight(const warpbound_frame *frame)
{
  return frame != NULL ? frame->frame.in_flight : 0;
}

static const struct wb_frame_row *row_of(const warpbound_frame *frame, size_t step)
{
  return frame != NULL && step < frame->frame.row_count ? &frame->frame.rows[step] : NULL;
}

uint64_t warpbound_frame_response(const warpbound_frame *frame, size_t step)
{
  const struct wb_frame_row *row = row_of(frame, step);
  return row != NULL ? row->response : 0;
}

uint64_t warpbound_frame_response_lower(const warpbound_frame *frame, size_t step)
{
  const struct wb_frame_row *row = row_of(frame, step);
  return row != NULL ? row->response_lower : 0;
}

uint64_t warpbound_frame_slack(const warpbound_frame *frame, size_t step)
{
  const struct wb_frame_row *row = row_of(frame, step);
  return row != NULL ? row->slack : 0;
}

bool warpbound_frame_is_critical(const warpbound_frame *frame, size_t step)
{
  const struct wb_frame_row *row = row_of(frame, step);
  return row != NULL && row->critical;
}

bool warpbound_frame_in_time(const warpbound_frame *frame)
{
  return frame != NULL && wb_frame_in_time(&frame->frame);
}

size_t warpbound_frame_assumption_count(const warpbound_frame *frame)
{
  return frame != NULL ? frame->frame.assumptions.count : 0;
}

const char *warpbound_frame_assumption(const warpbound_frame *frame, size_t index)
{
  return index < warpbound_frame_assumption_count(frame) ? frame->frame.assumptions.items[index]
                                                         : "";
}

warpbound_status warpbound_frame_json(const warpbound_frame *frame, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(frame, "frame", "a result", text, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_frame_json(&frame->frame, &written);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_frame_text(const warpbound_frame *frame, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(frame, "frame", "a result", text, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_frame_text(&frame->frame, false, false, &written);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_frame_certificate(const warpbound_frame *frame, char **text,
                                             warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = wb_require_text_of(frame, "frame", "a result", text, error);
  if (status == WARPBOUND_OK)
    status = wb_frame_certificate(&frame->frame, &written, error);
  if (status != WARPBOUND_OK) {
    wb_text_free(&written);
    return status;
  }
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_frame_svg(const warpbound_frame *frame, char **text,
                                     warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = wb_require_text_of(frame, "frame", "a result", text, error);
  if (status == WARPBOUND_OK && !frame->frame.has_graph)
    status = wb_fail(error, WARPBOUND_USAGE, "frame: expected one with a graph of steps");
  if (status != WARPBOUND_OK)
    return status;
  wb_frame_svg(&frame->frame, &written);
  return wb_hand_out(&written, text, error);
}
