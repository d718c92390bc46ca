#include "isa/decoder/word_field.h"

static bool is_digit(char character)
{
  return character >= '0' && character <= '9';
}

static int digit_of(char character, unsigned base)
{
  if (is_digit(character))
    return character - '0';
  if (base == 16 && character >= 'a' && character <= 'f')
    return character - 'a' + 10;
  return -1;
}

bool wb_word_number_read(const char **at, const char *end, uint32_t *number)
{
  const char *next = *at;
  unsigned base = 10;
  if (end - next > 2 && next[0] == '0' && next[1] == 'x') {
    base = 16;
    next += 2;
  }
  const char *first = next;
  uint64_t value = 0;
  while (next < end && digit_of(*next, base) >= 0 && value <= UINT32_MAX)
    value = value * base + (uint64_t)digit_of(*next++, base);
  if (next == first || value > UINT32_MAX)
    return false;
  *at = next;
  *number = (uint32_t)value;
  return true;
}

/* Whether `sign` stands at *at, which then moves behind it. */
static bool accept(const char **at, const char *end, char sign)
{
  bool there = *at < end && **at == sign;
  *at += there;
  return there;
}

static bool read_part(const char **at, const char *end, unsigned own_width,
                      struct wb_word_part *part)
{
  uint32_t lowest, width = own_width;
  if (!wb_word_number_read(at, end, &lowest))
    return false;
  if (accept(at, end, ':') && !wb_word_number_read(at, end, &width))
    return false;
  if (lowest > 127 || width == 0 || width > 64 || lowest + width > 128)
    return false;
  *part = (struct wb_word_part){(uint8_t)lowest, (uint8_t)width};
  return true;
}

static bool read_arithmetic(const char **at, const char *end, struct wb_word_field *field)
{
  uint32_t shift = 0;
  if (accept(at, end, '*') && !wb_word_number_read(at, end, &field->times))
    return false;
  if (accept(at, end, '<') &&
      (!accept(at, end, '<') || !wb_word_number_read(at, end, &shift) || shift > 63))
    return false;
  field->shift = (uint8_t)shift;
  return !accept(at, end, '+') || wb_word_number_read(at, end, &field->plus);
}

bool wb_word_field_read(const char **at, const char *end, unsigned own_width,
                        struct wb_word_field *field)
{
  *field = (struct wb_word_field){.times = 1};
  unsigned width = 0;
  do {
    if (field->part_count == WB_WORD_FIELD_PARTS)
      return false;
    struct wb_word_part *part = &field->parts[field->part_count++];
    if (!read_part(at, end, own_width, part))
      return false;
    width += part->width;
  } while (accept(at, end, ','));
  if (width > 64)
    return false;
  field->width = (uint8_t)width;
  return read_arithmetic(at, end, field);
}

uint64_t wb_word_field_bits(const struct wb_word_field *field, const uint64_t word[2])
{
  uint64_t value = 0;
  unsigned width = 0;
  for (unsigned p = 0; p < field->part_count; p++) {
    value |= wb_word_bits(word, field->parts[p].at, field->parts[p].width) << width;
    width += field->parts[p].width;
  }
  return value;
}

uint64_t wb_word_field_value(const struct wb_word_field *field, const uint64_t word[2],
                             bool is_signed)
{
  uint64_t value = wb_word_field_bits(field, word);
  if (is_signed)
    value = wb_word_sign_extended(value, field->width);
  return (value * field->times << field->shift) + field->plus;
}
