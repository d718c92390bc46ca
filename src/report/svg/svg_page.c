#include "report/svg/svg_page.h"

#include "base/checked.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <string.h>

/* An advance in hundredths of the font size, in the widest sans-serif in use. */
static unsigned advance(uint32_t character)
{
  if (character >= 0x80)
    return 105;
  if (character == ' ' || strchr("ijl.,:;'|!I()[]ftr", (int)character) != NULL)
    return 42;
  if (strchr("mwMW@%", (int)character) != NULL)
    return 102;
  return character >= 'A' && character <= 'Z' ? 77 : 66;
}

unsigned wb_svg_text_width(const char *string, unsigned size)
{
  unsigned width = 0;
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < WB_SVG_LONGEST_TEXT; at += length)
    width += advance(wb_utf8_decode(string + at, &length));
  return width * size / 100 + 1;
}

void wb_svg_escape(const char *string, unsigned size, unsigned width, struct wb_text *text)
{
  const bool whole =
      wb_svg_text_width(string, size) <= width && strlen(string) <= WB_SVG_LONGEST_TEXT;
  uint64_t room = (uint64_t)width * 100 / size;
  room = whole ? UINT64_MAX : room - wb_minimum(room, 3 * advance('.'));
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < WB_SVG_LONGEST_TEXT; at += length) {
    const uint32_t character = wb_utf8_decode(string + at, &length);
    if (advance(character) > room)
      break;
    room -= advance(character);
    const char *escape = character == '&'      ? "&amp;"
                         : character == '<'    ? "&lt;"
                         : character == '>'    ? "&gt;"
                         : character == 0xfffd ? "\xef\xbf\xbd"
                         : character == ' '    ? " "
                                               : NULL;
    if (escape != NULL)
      wb_text_string(text, escape);
    else
      wb_text_append(text, string + at, length);
  }
  wb_text_string(text, whole ? "" : "...");
}

void wb_svg_open(struct wb_text *text, unsigned width, unsigned height, const char *attributes,
                 const char *title)
{
  wb_text_format(text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                 "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\"%s role=\"img\">\n<title>",
                 width, height, width, height, attributes);
  wb_svg_escape(title, 1, WB_SVG_LONGEST_TEXT * 2, text);
  wb_text_string(text, "</title>\n");
}

void wb_svg_put_text(struct wb_text *text, const char *kind, unsigned x, unsigned y,
                     const char *format, ...)
{
  va_list arguments;
  wb_text_format(text, "<text class=\"%s\" x=\"%u\" y=\"%u\">", kind, x, y);
  va_start(arguments, format);
  wb_text_format_list(text, format, arguments);
  va_end(arguments);
  wb_text_string(text, "</text>\n");
}

unsigned wb_svg_baseline(unsigned y, unsigned height, unsigned size)
{
  return y + (height * 50 + size * 36 + 50) / 100;
}

/* ---- a plot ---- */

#define PAGE_WIDTH 760u
#define PAGE_HEIGHT (WB_PLOT_BOTTOM + 96u)
#define TITLE_WIDTH (PAGE_WIDTH - 40u)
#define FONT_SIZE 13u
#define MOST_LEVELS 8
#define LEGEND_TOP (WB_PLOT_BOTTOM + 66u)
#define LEGEND_WIDTH (PAGE_WIDTH - WB_PLOT_LEFT)
#define LEGEND_ROW 20u

double wb_svg_plot_y(const struct wb_svg_plot *plot, uint64_t value)
{
  const double part = ((double)value - (double)plot->least) / (double)(plot->most - plot->least);
  return WB_PLOT_TOP + WB_PLOT_HEIGHT * (1 - part);
}

uint64_t wb_svg_plot_step(uint64_t span)
{
  for (uint64_t power = 1;; power *= 10) {
    if (span / power < MOST_LEVELS)
      return power;
    if (span / (2 * power) < MOST_LEVELS)
      return 2 * power;
    if (span / (5 * power) < MOST_LEVELS)
      return 5 * power;
  }
}

void wb_svg_plot_open(const struct wb_svg_plot *plot, const char *title, const char *styles)
{
  wb_svg_open(plot->text, PAGE_WIDTH, PAGE_HEIGHT, " font-size=\"13\"", title);
  wb_text_format(plot->text,
                 "<style>text{fill:#1a1a1a}.m{text-anchor:middle}.e{text-anchor:end}"
                 ".g{fill:none;stroke:#e0e0e0}.a{fill:none;stroke:#595959}"
                 ".v{fill:none;stroke:#000;stroke-width:2.5}%s</style>\n"
                 "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n<text x=\"20\" y=\"28\" "
                 "font-size=\"16\" font-weight=\"bold\">",
                 styles, PAGE_WIDTH, PAGE_HEIGHT);
  wb_svg_escape(title, 16, TITLE_WIDTH, plot->text);
  wb_text_string(plot->text, "</text>\n");
  const uint64_t step = wb_svg_plot_step(plot->most - plot->least);
  for (uint64_t level = wb_divide_up(plot->least, step) * step; level <= plot->most;
       level += step) {
    const double y = wb_svg_plot_y(plot, level);
    wb_text_format(plot->text,
                   "<path class=\"g\" d=\"M%u %.1fh%u\"/><text class=\"e\" x=\"%u\" "
                   "y=\"%.1f\">%" PRIu64 "</text>\n",
                   WB_PLOT_LEFT, y, WB_PLOT_WIDTH, WB_PLOT_LEFT - 8, y + 4, level);
  }
}

void wb_svg_plot_mark(const struct wb_svg_plot *plot, double x, uint64_t value)
{
  wb_text_format(plot->text,
                 "<path class=\"g\" d=\"M%.1f %uv%u\"/><text class=\"m\" x=\"%.1f\" "
                 "y=\"%u\">%" PRIu64 "</text>\n",
                 x, WB_PLOT_TOP, WB_PLOT_HEIGHT, x, WB_PLOT_BOTTOM + 18, value);
}

void wb_svg_plot_axes(const struct wb_svg_plot *plot, const char *x, const char *y)
{
  wb_text_format(plot->text,
                 "<path class=\"a\" d=\"M%u %uv%uh%u\"/>\n<text class=\"m\" x=\"%u\" "
                 "y=\"%u\">%s</text>\n<text x=\"%u\" y=\"%u\">%s</text>\n",
                 WB_PLOT_LEFT, WB_PLOT_TOP, WB_PLOT_HEIGHT, WB_PLOT_WIDTH,
                 WB_PLOT_LEFT + WB_PLOT_WIDTH / 2, WB_PLOT_BOTTOM + 38, x, WB_PLOT_LEFT,
                 WB_PLOT_TOP - 10, y);
}

void wb_svg_plot_legend(struct wb_svg_plot *plot, const char *classes, const char *name)
{
  const unsigned width = 50 + wb_svg_text_width(name, FONT_SIZE);
  const unsigned within = plot->legend % LEGEND_WIDTH;
  if (within > 0 && within + width > LEGEND_WIDTH)
    plot->legend += LEGEND_WIDTH - within;
  const unsigned x = WB_PLOT_LEFT + plot->legend % LEGEND_WIDTH;
  const unsigned y = LEGEND_TOP + plot->legend / LEGEND_WIDTH * LEGEND_ROW;
  wb_text_format(plot->text,
                 "<path class=\"%s\" d=\"M%u %uh24\"/><text x=\"%u\" y=\"%u\">%s</text>\n", classes,
                 x, y - 4, x + 30, y, name);
  plot->legend += width;
}
