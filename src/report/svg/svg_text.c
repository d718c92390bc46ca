/* Text of an SVG page: widths of letters, XML. */
#include "report/svg/svg_text.h"

#include "base/checked.h"
#include "base/text/utf8.h"

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
  bool whole = wb_svg_text_width(string, size) <= width && strlen(string) <= WB_SVG_LONGEST_TEXT;
  uint64_t room = (uint64_t)width * 100 / size;
  room = whole ? UINT64_MAX : room - wb_minimum(room, 3 * advance('.'));
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < WB_SVG_LONGEST_TEXT; at += length) {
    uint32_t character = wb_utf8_decode(string + at, &length);
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

void wb_svg_put_text(struct wb_text *text, const char *kind, unsigned x, unsigned y,
                     const char *string)
{
  wb_text_format(text, "<text class=\"%s\" x=\"%u\" y=\"%u\">%s</text>\n", kind, x, y, string);
}

unsigned wb_svg_baseline(unsigned y, unsigned height, unsigned size)
{
  return y + (height * 50 + size * 36 + 50) / 100;
}
