#include "formats/flow_facts/fact_words.h"

#include "base/text/ascii.h"

#include <string.h>

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

bool wb_parameter_place_read(const char *text, size_t length, struct wb_place *place)
{
  static const char word[] = "param";
  const size_t size = sizeof word - 1;
  uint64_t number;
  size_t at = length;
  while (at > 0 && wb_digit_value(text[at - 1]) < 16)
    at--;
  if (at >= 2 && text[at - 1] == 'x')
    at -= 2; /* 0x10 */
  if (at <= size || at == length || memcmp(text + at - 1 - size, word, size) != 0 ||
      (text[at - 1] != '_' && text[at - 1] != ':') ||
      wb_number_word(text + at, length - at, UINT16_MAX, &number) != length - at)
    return false;
  place->is_offset = text[at - 1] == ':';
  place->parameter = (uint32_t)number;
  place->is_parameter = !place->is_offset || at == size + 1;
  return place->is_parameter;
}

size_t wb_signed_word(const char *text, size_t length, int64_t *number)
{
  uint64_t magnitude = 0;
  const size_t sign = length > 0 && text[0] == '-';
  const size_t digits = wb_number_word(text + sign, length - sign, INT64_MAX, &magnitude);
  *number = sign > 0 ? -(int64_t)magnitude : (int64_t)magnitude;
  return digits > 0 ? sign + digits : 0;
}
