#include "report/cfg/cfg_legend.h"

#include "report/cfg/cfg_colours.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdio.h>

#define FONT_SIZE 10u
#define ROW_HEIGHT 18u
#define MARGIN 8u
#define MARK_WIDTH 34u
#define MARK_GAP 8u
#define HEAD "block: first-last address, hexadecimal (instructions)"
#define HEAT_STEPS 5

/* How a row of the legend looks: a box with fill and line, a double box, an arrow with the dashes
 * of SVG, or the scale of heat. */
enum mark { MARK_BOX, MARK_DOUBLE_BOX, MARK_ARROW, MARK_HEAT };

/* A row. dashes: of an arrow, in SVG's words ("" for none); glyphs: the arrow in characters, as
 * XML. in_heat, in_plain: whether a picture with and without heat has it. */
struct row {
  enum mark mark;
  const char *fill;
  const char *line;
  const char *dashes;
  const char *glyphs;
  const char *words;
  bool in_heat;
  bool in_plain;
};

#define DASH "&#8212;&#8212;&#8594;"

static const struct row rows[] = {
    {MARK_HEAT, "", "", "", "", "share of the WCET's cycles: 0 to 100 %", true, false},
    {MARK_ARROW, "", WB_PATH_COLOUR, "", DASH, "on the worst path, with how often", true, false},
    {MARK_BOX, WB_SPLIT_FILL, WB_SPLIT_LINE, "", "", "divergence point: may split the lanes", false,
     true},
    {MARK_BOX, WB_UNIFORM_FILL, WB_UNIFORM_LINE, "", "", "conditional, proven uniform", false,
     true},
    {MARK_BOX, "#ffffff", WB_SPLIT_LINE, "", "", "divergence point: may split the lanes", true,
     false},
    {MARK_BOX, "#ffffff", WB_UNIFORM_LINE, "", "", "conditional, proven uniform", true, false},
    {MARK_BOX, WB_LOOP_FILL, WB_LOOP_LINE, "", "", "loop, by its header", true, true},
    {MARK_BOX, WB_IRREDUCIBLE_FILL, WB_IRREDUCIBLE_LINE, "", "", "irreducible region", true, true},
    {MARK_DOUBLE_BOX, "#ffffff", WB_BLOCK_LINE, "", "", "the warp can end here", true, true},
    {MARK_ARROW, "", WB_PLAIN_EDGE, "", DASH, "to the next instruction", true, true},
    {MARK_ARROW, "", WB_BRANCH_EDGE, "", DASH, "to a target", true, true},
    {MARK_ARROW, "", WB_BACK_EDGE, "", "&#9473;&#9473;&#8594;", "back edge of a loop", true, true},
    {MARK_ARROW, "", WB_REACTIVATION_EDGE, "4 3", "- - &#8594;",
     "reactivation: other lanes of the warp run on (many: listed)", true, true},
    {MARK_ARROW, "", WB_CALL_EDGE, "1 3", "&#183;&#183;&#183;&#183; &#8594;", "call, return", true,
     true},
};
#define ROW_COUNT (sizeof rows / sizeof *rows)

static bool has(const struct row *row, bool heat)
{
  return heat ? row->in_heat : row->in_plain;
}

/* From white to a pink, faster at first: what little there is shall be seen. */
void wb_heat_colour(double share, char colour[WB_HEAT_COLOUR_SIZE])
{
  const double depth = share <= 0 ? 0 : share >= 1 ? 1 : sqrt(share);
  const unsigned green = (unsigned)(255 - 135 * depth + 0.5);
  const unsigned blue = (unsigned)(255 - 55 * depth + 0.5);
  snprintf(colour, WB_HEAT_COLOUR_SIZE, "#ff%02x%02x", green & 0xffu, blue & 0xffu);
}

static double share_of_step(unsigned step)
{
  return (double)step / (HEAT_STEPS - 1);
}

/* ---- for Graphviz ---- */

static void write_dot_mark(const struct row *row, struct wb_text *text)
{
  char colour[WB_HEAT_COLOUR_SIZE];
  switch (row->mark) {
  case MARK_BOX:
    wb_text_format(text, "<td width=\"34\" bgcolor=\"%s\" border=\"2\" color=\"%s\"></td>",
                   row->fill, row->line);
    break;
  case MARK_DOUBLE_BOX:
    wb_text_string(text, "<td>&#9635;</td>");
    break;
  case MARK_ARROW:
    wb_text_format(text, "<td><font color=\"%s\"><b>%s</b></font></td>", row->line, row->glyphs);
    break;
  case MARK_HEAT:
    wb_text_string(text, "<td><table border=\"0\" cellspacing=\"0\" cellborder=\"0\"><tr>");
    for (unsigned step = 0; step < HEAT_STEPS; step++) {
      wb_heat_colour(share_of_step(step), colour);
      wb_text_format(text, "<td width=\"8\" bgcolor=\"%s\"></td>", colour);
    }
    wb_text_string(text, "</tr></table></td>");
    break;
  }
}

void wb_cfg_legend_dot(bool heat, struct wb_text *text)
{
  wb_text_string(text,
                 "legend [shape=plain style=\"\" fontname=\"Helvetica,Arial,sans-serif\" label=<\n"
                 "<table border=\"1\" color=\"#ced4da\" cellborder=\"0\" cellspacing=\"3\">\n"
                 "<tr><td colspan=\"2\" align=\"left\"><b>" HEAD "</b></td></tr>\n");
  for (size_t r = 0; r < ROW_COUNT; r++) {
    if (!has(&rows[r], heat))
      continue;
    wb_text_string(text, "<tr>");
    write_dot_mark(&rows[r], text);
    wb_text_format(text, "<td align=\"left\">%s</td></tr>\n", rows[r].words);
  }
  wb_text_string(text, "</table>>];\n");
}

/* ---- for SVG ---- */

unsigned wb_cfg_legend_width(void)
{
  unsigned widest = wb_svg_text_width(HEAD, FONT_SIZE);
  for (size_t r = 0; r < ROW_COUNT; r++) {
    const unsigned width = MARK_WIDTH + MARK_GAP + wb_svg_text_width(rows[r].words, FONT_SIZE);
    widest = width > widest ? width : widest;
  }
  return widest + 2 * MARGIN;
}

unsigned wb_cfg_legend_height(bool heat)
{
  unsigned count = 1;
  for (size_t r = 0; r < ROW_COUNT; r++)
    count += has(&rows[r], heat);
  return count * ROW_HEIGHT + 2 * MARGIN;
}

static void write_box(const char *fill, const char *line, double x, double y, double width,
                      double height, struct wb_text *text)
{
  wb_text_format(text,
                 "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
                 "stroke=\"%s\"/>\n",
                 x, y, width, height, fill, line);
}

static void write_arrow(const struct row *row, double x, double y, struct wb_text *text)
{
  const double end = x + MARK_WIDTH;
  wb_text_format(
      text,
      "<path d=\"M%.1f %.1fH%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s%s%s/>"
      "<path d=\"M%.1f %.1fl-7 -3.5v7z\" fill=\"%s\"/>\n",
      x, y, end - 6, row->line, row->dashes[0] != '\0' ? " stroke-dasharray=\"" : "", row->dashes,
      row->dashes[0] != '\0' ? "\"" : "", end, y, row->line);
}

static void write_svg_mark(const struct row *row, double x, double y, struct wb_text *text)
{
  const double height = ROW_HEIGHT - 6;
  char colour[WB_HEAT_COLOUR_SIZE];
  const double width = (double)MARK_WIDTH / HEAT_STEPS;
  switch (row->mark) {
  case MARK_BOX:
    write_box(row->fill, row->line, x, y, MARK_WIDTH, height, text);
    break;
  case MARK_DOUBLE_BOX:
    write_box(row->fill, row->line, x, y, MARK_WIDTH, height, text);
    write_box(row->fill, row->line, x + 3, y + 3, MARK_WIDTH - 6, height - 6, text);
    break;
  case MARK_ARROW:
    write_arrow(row, x, y + height / 2, text);
    break;
  case MARK_HEAT:
    for (unsigned step = 0; step < HEAT_STEPS; step++) {
      wb_heat_colour(share_of_step(step), colour);
      write_box(colour, WB_BLOCK_LINE, x + step * width, y, width, height, text);
    }
    break;
  }
}

void wb_cfg_legend_svg(bool heat, double x, double y, struct wb_text *text)
{
  wb_text_format(text,
                 "<g font-family=\"Helvetica,Arial,sans-serif\" font-size=\"%u\">\n"
                 "<rect x=\"%.1f\" y=\"%.1f\" width=\"%u\" height=\"%u\" fill=\"white\" "
                 "stroke=\"#ced4da\"/>\n<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">" HEAD
                 "</text>\n",
                 FONT_SIZE, x, y, wb_cfg_legend_width(), wb_cfg_legend_height(heat), x + MARGIN,
                 y + MARGIN + FONT_SIZE);
  double top = y + MARGIN + ROW_HEIGHT;
  for (size_t r = 0; r < ROW_COUNT; r++) {
    if (!has(&rows[r], heat))
      continue;
    write_svg_mark(&rows[r], x + MARGIN, top, text);
    wb_text_format(text, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                   x + MARGIN + MARK_WIDTH + MARK_GAP, top + FONT_SIZE, rows[r].words);
    top += ROW_HEIGHT;
  }
  wb_text_string(text, "</g>\n");
}
