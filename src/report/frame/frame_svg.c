/* A frame as a picture: its streams as rows, each step from the longest path before it to the
 * longest path with it, those of the longest path dark, slack as a line; the bound, and what it has
 * beside the path. */
#include "report/frame/frame_report.h"

#include "base/checked.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 960u
#define LEFT 130u
#define PLOT (WIDTH - LEFT - 30u)
#define TOP 56u
#define ROW 40u
#define BAR 26u
#define SIZE 13u

struct drawing {
  const struct wb_frame *frame;
  struct wb_text *text;
  uint64_t end; /* cycles at the right edge */
};

static double place_of(const struct drawing *drawing, uint64_t cycles)
{
  return LEFT + PLOT * ((double)cycles / (double)drawing->end);
}

/* The row of a step: of its stream in the order in which these begin; steps without a stream have
 * one each. */
static unsigned row_of(const struct wb_frame *frame, size_t number)
{
  unsigned rows = 0;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *step = &frame->rows[s];
    bool known = false;
    if (step->beside)
      continue;
    for (size_t o = 0; o < s && step->stream != NULL && !known; o++) {
      const char *stream = frame->rows[o].stream;
      known = !frame->rows[o].beside && stream != NULL && strcmp(stream, step->stream) == 0;
    }
    const bool same = number < frame->row_count && frame->rows[number].stream != NULL &&
                      step->stream != NULL && strcmp(step->stream, frame->rows[number].stream) == 0;
    if (!known && (s == number || same))
      return rows;
    rows += known ? 0 : 1;
  }
  return rows;
}

static void draw_step(const struct drawing *drawing, size_t number)
{
  const struct wb_frame_row *row = &drawing->frame->rows[number];
  const unsigned y = TOP + ROW * row_of(drawing->frame, number);
  const double x = place_of(drawing, row->begin);
  const double width = place_of(drawing, row->begin + row->weight) - x;
  struct wb_text *text = drawing->text;
  if (row->slack > 0)
    wb_text_format(text, "<path class=\"s\" d=\"M%.1f %uh%.1f\"/>", x + width, y + BAR / 2,
                   place_of(drawing, row->begin + row->slack) - x);
  wb_text_format(text,
                 "<rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\"><title>",
                 row->critical ? "c" : "n", x, y, width > 1 ? width : 1, BAR);
  wb_svg_escape(row->name, SIZE, 600, text);
  wb_text_format(text, ": %" PRIu64 " cycles, slack %" PRIu64 "</title></rect>\n", row->weight,
                 row->slack);
  if (width < wb_svg_text_width(row->name, SIZE) + 8)
    return;
  wb_text_format(text, "<text class=\"%s\" x=\"%.1f\" y=\"%u\">", row->critical ? "w" : "b", x + 4,
                 wb_svg_baseline(y, BAR, SIZE));
  wb_svg_escape(row->name, SIZE, (unsigned)width - 8, text);
  wb_text_string(text, "</text>\n");
}

/* Lines at round milliseconds, from y = top to bottom. */
static void draw_axis(const struct drawing *drawing, unsigned top, unsigned bottom)
{
  const double milliseconds = (double)drawing->end / (double)drawing->frame->clock * 1e3;
  const uint64_t thousandths = (uint64_t)(milliseconds * 1000) + 1;
  const uint64_t step = wb_svg_plot_step(thousandths);
  for (uint64_t at = 0; at <= thousandths; at += step) {
    const double x = LEFT + PLOT * ((double)at / 1000 / (milliseconds > 0 ? milliseconds : 1));
    if (x > LEFT + PLOT + 0.5)
      break;
    wb_text_format(drawing->text,
                   "<path class=\"g\" d=\"M%.1f %uV%u\"/><text class=\"m\" x=\"%.1f\" "
                   "y=\"%u\">%.10g</text>\n",
                   x, top, bottom, x, bottom + 18, (double)at / 1000);
  }
  wb_text_format(drawing->text, "<text class=\"m\" x=\"%u\" y=\"%u\">ms</text>\n", WIDTH - 16,
                 bottom + 18);
}

/* The parts of the bound as one bar, each with its name and its share in a legend below. */
static void draw_parts(const struct drawing *drawing, unsigned top)
{
  static const char *const colours[] = {"#0b5394", "#3d85c6", "#9fc5e8", "#f6b26b", "#ffd966",
                                        "#93c47d", "#8e7cc3", "#c27ba0", "#999999", "#666666"};
  const struct wb_together_bound *bound = &drawing->frame->bound;
  struct wb_text *text = drawing->text;
  double at = LEFT;
  unsigned shown = 0;
  for (unsigned p = 0; p < WB_TOGETHER_FLOOR; p++) {
    const char *name = wb_together_part_name((enum wb_together_part)p);
    const double cycles = (double)bound->part[p] / (double)bound->denominator;
    const double width = PLOT * (cycles / (double)drawing->end);
    if (bound->part[p] == 0)
      continue;
    const unsigned x = LEFT + (shown % 3) * (PLOT / 3);
    const unsigned y = top + BAR + 40 + (shown / 3) * 20;
    wb_text_format(text,
                   "<rect fill=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\"><title>"
                   "%s: %.0f cycles</title></rect><rect fill=\"%s\" x=\"%u\" y=\"%u\" "
                   "width=\"12\" height=\"12\"/><text x=\"%u\" y=\"%u\">%s, %.0f %%</text>\n",
                   colours[p], at, top, width, BAR, name, cycles, colours[p], x, y, x + 18, y + 11,
                   name, 100 * cycles / (double)wb_maximum(1, bound->cycles));
    at += width;
    shown++;
  }
}

static void draw_names(const struct drawing *drawing)
{
  const struct wb_frame *frame = drawing->frame;
  unsigned rows = 0;
  for (size_t s = 0; s < frame->row_count; s++) {
    const struct wb_frame_row *row = &frame->rows[s];
    if (row->beside || row_of(frame, s) != rows)
      continue;
    const char *name = row->stream != NULL ? row->stream : wb_frame_kind_name(row->kind);
    wb_text_format(drawing->text, "<text class=\"e\" x=\"%u\" y=\"%u\">", LEFT - 8,
                   wb_svg_baseline(TOP + ROW * rows, BAR, SIZE));
    wb_svg_escape(name, SIZE, LEFT - 16, drawing->text);
    wb_text_string(drawing->text, "</text>\n");
    rows++;
  }
}

static void draw_bound(struct drawing *drawing, unsigned top)
{
  const struct wb_frame *frame = drawing->frame;
  struct wb_text *text = drawing->text;
  drawing->end = wb_maximum(1, frame->bound.cycles);
  const bool shown = frame->deadline > 0 && frame->deadline / 20 <= drawing->end;
  if (shown)
    drawing->end = wb_maximum(drawing->end, frame->deadline);
  draw_axis(drawing, top - 8, top + BAR + 8);
  wb_text_format(text, "<text class=\"e\" x=\"%u\" y=\"%u\">bound</text>\n", LEFT - 8,
                 wb_svg_baseline(top, BAR, SIZE));
  draw_parts(drawing, top);
  if (shown)
    wb_text_format(text,
                   "<path class=\"d\" d=\"M%.1f %uv%u\"/><text class=\"e\" x=\"%.1f\" "
                   "y=\"%u\">deadline</text>\n",
                   place_of(drawing, frame->deadline), top - 8, BAR + 16,
                   place_of(drawing, frame->deadline) - 4, wb_svg_baseline(top, BAR, SIZE));
}

void wb_frame_svg(const struct wb_frame *frame, struct wb_text *text)
{
  if (!frame->has_graph)
    return;
  const unsigned rows = row_of(frame, SIZE_MAX);
  const unsigned bottom = TOP + ROW * rows;
  const unsigned height = bottom + 200;
  struct drawing drawing = {frame, text, 1};
  for (size_t s = 0; s < frame->row_count; s++) {
    if (!frame->rows[s].beside)
      drawing.end = wb_maximum(drawing.end, frame->rows[s].begin + frame->rows[s].weight);
  }
  wb_svg_open(text, WIDTH, height, " font-size=\"13\"",
              "the longest paths of a frame, and its bound");
  wb_text_format(text,
                 "<style>text{fill:#1a1a1a}.m{text-anchor:middle}.e{text-anchor:end}"
                 ".w{fill:#fff}.b{fill:#1a1a1a}.c{fill:#0b5394}.n{fill:#cfe2f3;stroke:#0b5394}"
                 ".g{fill:none;stroke:#e0e0e0}.s{fill:none;stroke:#777;stroke-dasharray:3 3}"
                 ".d{fill:none;stroke:#b00020;stroke-width:2}</style>\n"
                 "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n"
                 "<text x=\"%u\" y=\"28\">Longest path (dark) and slack: each step alone, with the "
                 "other warps of its blocks</text>\n",
                 WIDTH, height, LEFT);
  draw_axis(&drawing, TOP - 8, bottom);
  draw_names(&drawing);
  for (size_t s = 0; s < frame->row_count; s++) {
    if (!frame->rows[s].beside)
      draw_step(&drawing, s);
  }
  draw_bound(&drawing, bottom + 44);
  wb_text_string(text, "</svg>\n");
}
