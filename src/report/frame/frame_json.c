/* Bounds on launches together as JSON (doc/schema/frame.json). */
#include "report/frame/frame_report.h"

#include "formats/json/json_output.h"
#include "report/report_words.h"

static json_t *end_json(uint64_t cycles, warpbound_kind kind, const char *method,
                        const struct wb_estimate *estimate)
{
  json_t *object = json_object();
  wb_put_number(&object, "cycles", cycles);
  wb_put_text(&object, "kind", warpbound_kind_name(kind));
  wb_put_text(&object, "method", method);
  wb_estimate_put(&object, estimate);
  return object;
}

static json_t *parts_json(const struct wb_together_bound *bound)
{
  json_t *object = json_object();
  for (unsigned p = 0; p < WB_TOGETHER_PART_COUNT; p++)
    wb_json_put(&object, wb_together_part_name((enum wb_together_part)p),
                json_real((double)bound->part[p] / (double)bound->denominator));
  return object;
}

static json_t *graph_json(const struct wb_frame *frame)
{
  json_t *object = json_object();
  wb_json_put(&object, "upper",
              end_json(frame->bound.cycles, frame->upper_kind,
                       "theorem of launches together, doc/launches/together.md", &frame->estimate));
  wb_json_put(&object, "lower",
              end_json(frame->lower, frame->lower_kind,
                       frame->lower == frame->simulated
                           ? "a simulated run of all launches"
                           : "the longest path of what each launch takes at least",
                       &frame->lower_estimate));
  wb_json_put(&object, "breakdown", parts_json(&frame->bound));
  wb_put_number(&object, "pieces", frame->bound.pieces);
  wb_put_number(&object, "shared_memory", frame->shared_memory);
  if (frame->period > 0) {
    wb_put_number(&object, "period", frame->period);
    wb_put_number(&object, "in_flight", frame->in_flight);
  }
  if (frame->deadline > 0) {
    wb_put_number(&object, "deadline", frame->deadline);
    wb_put_flag(&object, "in_time", wb_frame_in_time(frame));
  }
  return object;
}

static json_t *step_json(const struct wb_frame *frame, const struct wb_frame_row *row)
{
  json_t *object = json_object();
  wb_put_text(&object, "name", row->name);
  wb_put_text(&object, "kind", wb_frame_kind_name(row->kind));
  if (row->kind == WARPBOUND_STEP_LAUNCH)
    wb_put_text(&object, "launch", frame->launches[row->launch].name);
  else
    wb_put_number(&object, "cycles", row->cycles);
  if (row->beside) {
    wb_put_flag(&object, "beside", true);
    wb_put_number(&object, "response", row->response);
    if (row->response_lower > 0)
      wb_json_put(&object, "response_lower",
                  end_json(row->response_lower, frame->lower_kind,
                           "a simulated run from its release", &frame->lower_estimate));
    if (row->period > 0)
      wb_put_number(&object, "period", row->period);
    return object;
  }
  json_t *after = json_array();
  for (size_t a = 0; a < row->after_count; a++)
    wb_json_push(&after, wb_json_clean(frame->rows[row->after[a]].name));
  wb_json_put(&object, "after", after);
  if (row->stream != NULL)
    wb_put_text(&object, "stream", row->stream);
  wb_put_number(&object, "gap", row->gap);
  wb_put_number(&object, "adds", row->weight);
  wb_put_number(&object, "slack", row->slack);
  wb_put_flag(&object, "critical", row->critical);
  wb_put_number(&object, "piece", row->piece);
  return object;
}

static json_t *launch_json(const struct wb_frame_launch *launch)
{
  const struct wb_launch_analysis *analysis = launch->analysis;
  json_t *object = json_object();
  wb_put_text(&object, "name", launch->name);
  wb_put_text(&object, "kernel", analysis->function->name);
  wb_kernel_name_json(object, analysis->function->name);
  wb_put_number(&object, "blocks", analysis->shape.blocks);
  wb_put_number(&object, "block_warps", analysis->shape.block_warps);
  wb_put_number(&object, "sms", analysis->shape.sms);
  wb_put_number(&object, "upper_alone", analysis->upper.cycles);
  wb_put_number(&object, "lower_alone", analysis->lower);
  return object;
}

void wb_frame_json(const struct wb_frame *frame, struct wb_text *text)
{
  json_t *object = json_object();
  json_t *steps = json_array();
  json_t *launches = json_array();
  wb_put_text(&object, "device", frame->launches[0].analysis->device->name);
  wb_put_number(&object, "clock", frame->clock);
  wb_put_text(&object, "sharing", frame->own_sms ? "own SMs" : "same SMs");
  if (frame->has_graph)
    wb_json_put(&object, "frame", graph_json(frame));
  for (size_t s = 0; s < frame->row_count; s++)
    wb_json_push(&steps, step_json(frame, &frame->rows[s]));
  for (size_t l = 0; l < frame->launch_count; l++)
    wb_json_push(&launches, launch_json(&frame->launches[l]));
  wb_json_put(&object, "steps", steps);
  wb_json_put(&object, "launches", launches);
  wb_json_put(&object, "assumptions", wb_json_clean_list(&frame->assumptions));
  wb_json_append(object, text);
}
