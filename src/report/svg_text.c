/* Text of an SVG page: UTF-8, widths of letters, XML. */
#include "report/svg_text.h"

#include "base/checked.h"

#include <string.h>

/* One character of UTF-8 and its length in bytes; U+FFFD, one byte long, for what
 * is none or what XML does not allow. */
static uint32_t decode(const char *bytes, size_t *length)
{
  const unsigned char *b = (const unsigned char *)bytes;
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  *length = 1;
  if (b[0] < 0x80)
    return b[0] >= 0x20 ? b[0] : ' ';
  size_t wanted = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
  if (b[0] < 0xc2 || b[0] > 0xf4)
    return 0xfffd;
  uint32_t character = b[0] & (0xffu >> (wanted + 1));
  for (size_t i = 1; i < wanted; i++) {
    if ((b[i] & 0xc0) != 0x80)
      return 0xfffd;
    character = character << 6 | (b[i] & 0x3fu);
  }
  if (character < smallest[wanted] || character > 0x10ffff ||
      (character >= 0xd800 && character < 0xe000) || (character & 0xfffe) == 0xfffe)
    return 0xfffd;
  *length = wanted;
  return character;
}

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
    width += advance(decode(string + at, &length));
  return width * size / 100 + 1;
}

static void escape_character(const char *bytes, size_t length, uint32_t character,
                             struct wb_text *text)
{
  switch (character) {
  case '&':
    wb_text_string(text, "&amp;");
    break;
  case '<':
    wb_text_string(text, "&lt;");
    break;
  case '>':
    wb_text_string(text, "&gt;");
    break;
  case 0xfffd:
    wb_text_string(text, "\xef\xbf\xbd");
    break;
  case ' ':
    wb_text_string(text, " ");
    break;
  default:
    wb_text_append(text, bytes, length);
  }
}

void wb_svg_escape(const char *string, unsigned size, unsigned width, struct wb_text *text)
{
  bool whole = wb_svg_text_width(string, size) <= width && strlen(string) <= WB_SVG_LONGEST_TEXT;
  uint64_t room = (uint64_t)width * 100 / size;
  room = whole ? UINT64_MAX : room - wb_minimum(room, 3 * advance('.'));
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < WB_SVG_LONGEST_TEXT; at += length) {
    uint32_t character = decode(string + at, &length);
    if (advance(character) > room)
      break;
    room -= advance(character);
    escape_character(string + at, length, character, text);
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
