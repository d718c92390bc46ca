#include "base/text/utf8.h"

uint32_t wb_utf8_decode(const char *bytes, size_t *length)
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

void wb_text_clean(struct wb_text *text, const char *string)
{
  size_t length;
  for (; *string != '\0'; string += length) {
    uint32_t character = wb_utf8_decode(string, &length);
    if (character == 0xfffd)
      wb_text_string(text, "\xef\xbf\xbd");
    else if (character == ' ' || character == 0x7f)
      wb_text_string(text, " ");
    else
      wb_text_append(text, string, length);
  }
}
