/* Bounds on launches together as text. */
#include "report/frame/frame_report.h"

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/report_words.h"

#include <inttypes.h>

const char *wb_frame_kind_name(warpbound_step_kind kind)
{
  static const char *const names[] = {
      [WARPBOUND_STEP_LAUNCH] = "launch",
      [WARPBOUND_STEP_COPY_TO_DEVICE] = "copy to device",
      [WARPBOUND_STEP_COPY_TO_HOST] = "copy to host",
      [WARPBOUND_STEP_COPY_ON_DEVICE] = "copy on device",
      [WARPBOUND_STEP_FILL] = "fill",
      [WARPBOUND_STEP_HOST] = "host function",
  };
  return names[kind];
}

bool wb_frame_in_time(const struct wb_frame *frame)
{
  return frame->deadline == 0 || !frame->has_graph || frame->bound.cycles <= frame->deadline;
}

static void write_time(const struct wb_frame *frame, uint64_t cycles, struct wb_text *text)
{
  wb_text_count_of(text, cycles, "cycle");
  wb_text_format(text, " (%.4g ms)", (double)cycles / (double)frame->clock * 1e3);
}

static void write_graph(const struct wb_frame *frame, bool colour, struct wb_text *text)
{
  wb_text_string(text, "  frame                at most ");
  write_time(frame, frame->bound.cycles, text);
  wb_text_format(text, ", %s%s%s\n                       at least ",
                 wb_kind_style(frame->upper_kind, colour), warpbound_kind_name(frame->upper_kind),
                 wb_style(WB_STYLE_PLAIN, colour));
  write_time(frame, frame->lower, text);
  wb_text_format(text, ", %s\n", warpbound_kind_name(frame->lower_kind));
  if (frame->deadline > 0) {
    wb_text_string(text, "  deadline             ");
    write_time(frame, frame->deadline, text);
    wb_text_string(text, wb_frame_in_time(frame)          ? ": met"
                         : frame->lower > frame->deadline ? ": exceeded"
                                                          : ": not shown");
    wb_text_string(text, "\n");
  }
  if (frame->period > 0) {
    wb_text_string(text, "  period               ");
    write_time(frame, frame->period, text);
    wb_text_format(text, ": at most %s under way at a time\n",
                   WB_COUNT_OF(frame->in_flight, "frame"));
  }
}

static void write_parts(const struct wb_frame *frame, bool colour, struct wb_text *text)
{
  struct wb_text rows = {0};
  wb_text_title(text, "What the bound is made of", colour);
  for (unsigned p = 0; p < WB_TOGETHER_PART_COUNT; p++) {
    const double cycles = (double)frame->bound.part[p] / (double)frame->bound.denominator;
    if (frame->bound.part[p] != 0)
      wb_text_format(&rows, "%s\t%.1f\t%.1f %%\n", wb_together_part_name((enum wb_together_part)p),
                     cycles,
                     frame->bound.cycles > 0 ? 100 * cycles / (double)frame->bound.cycles : 0);
  }
  wb_text_columns(text, 2, &rows);
}

static void write_steps(const struct wb_frame *frame, bool colour, struct wb_text *text)
{
  struct wb_text rows = {0};
  wb_text_title(text,
                "Steps: what each adds to a path in cycles, and by how much it could grow before "
                "the longest path does (*: on it)",
                colour);
  wb_text_string(&rows, "step\tstream\t\tadds\tslack\n");
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (row->beside)
      continue;
    wb_text_clean(&rows, row->name);
    wb_text_string(&rows, row->critical ? " *\t" : "\t");
    wb_text_clean(&rows, row->stream != NULL ? row->stream : "-");
    wb_text_format(&rows, "\t%s\t%s\t", wb_frame_kind_name(row->kind), WB_COUNT(row->weight));
    wb_text_format(&rows, "%s\n", WB_COUNT(row->slack));
  }
  wb_text_columns(text, 2, &rows);
}

static void write_beside(const struct wb_frame *frame, bool quiet, bool colour,
                         struct wb_text *text)
{
  struct wb_text rows = {0};
  bool any = false;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (!row->beside)
      continue;
    any = true;
    wb_text_clean(&rows, row->name);
    wb_text_string(&rows, "\t");
    if (row->response_lower > 0) {
      wb_text_string(&rows, "at least ");
      write_time(frame, row->response_lower, &rows);
      wb_text_string(&rows, ", ");
    }
    wb_text_string(&rows, "at most ");
    write_time(frame, row->response, &rows);
    if (row->period > 0) {
      wb_text_string(&rows, "\tevery ");
      write_time(frame, row->period, &rows);
    } else {
      wb_text_string(&rows, "\tonce, at any time");
    }
    wb_text_string(&rows, "\n");
  }
  if (any && !quiet)
    wb_text_title(text,
                  frame->own_sms     ? "Launches beside each other, on SMs of their own"
                  : frame->has_graph ? "Launches beside the frame, from their release"
                                     : "Launches beside each other, on the same SMs",
                  colour);
  wb_text_columns(text, 2, &rows);
}

void wb_frame_text(const struct wb_frame *frame, bool quiet, bool colour, struct wb_text *text)
{
  if (frame->has_graph)
    write_graph(frame, colour, text);
  write_beside(frame, quiet, colour, text);
  if (quiet)
    return;
  if (frame->has_graph) {
    write_parts(frame, colour, text);
    write_steps(frame, colour, text);
  }
  wb_estimate_text(&frame->estimate, "estimate", colour, text);
  wb_estimate_text(&frame->lower_estimate, "lower end an estimate", colour, text);
  wb_text_title(text, "Assumptions", colour);
  wb_text_items(text, &frame->assumptions, 0, frame->assumptions.count);
}
