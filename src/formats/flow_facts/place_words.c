#include "formats/flow_facts/place_words.h"

#include "base/text/ascii.h"

size_t wb_number_word(const char *text, size_t length, uint64_t most, uint64_t *number)
{
  bool hexadecimal = length > 2 && text[0] == '0' && text[1] == 'x';
  size_t i = hexadecimal ? 2 : 0;
  size_t first = i;
  *number = 0;
  for (; i < length; i++) {
    unsigned base = hexadecimal ? 16 : 10;
    unsigned digit = wb_digit_value(text[i]);
    if (digit >= base)
      break;
    if (*number > (most - digit) / base)
      return 0;
    *number = *number * base + digit;
  }
  return i > first ? i : 0;
}

/* FILE:LINE, the file's name up to the last colon; false where the text is none. */
static bool read_line(const char *text, size_t length, struct wb_place_words *place)
{
  uint64_t line;
  size_t colon = length;
  while (colon > 0 && text[colon - 1] != ':')
    colon--;
  if (colon < 2 || length == colon || !wb_is_digit(text[colon]) ||
      wb_number_word(text + colon, length - colon, UINT32_MAX, &line) != length - colon)
    return false;
  place->file = text;
  place->file_length = colon - 1;
  place->source_line = (uint32_t)line;
  return true;
}

bool wb_place_words_read(const char *text, size_t length, struct wb_place_words *place)
{
  uint64_t number;
  *place = (struct wb_place_words){0};
  const size_t digits = text[0] == '0' && length > 1 && text[1] == 'x'
                            ? wb_number_word(text, length, UINT32_MAX, &number)
                            : 0;
  if (digits > 0 && (digits == length || text[digits] == '@')) {
    place->has_address = true;
    place->address = (uint32_t)number;
    return digits == length || read_line(text + digits + 1, length - digits - 1, place);
  }
  if (read_line(text, length, place))
    return true;
  place->label = text;
  place->label_length = length;
  return true;
}
