#include "isa/decoder/word_printer.h"

#include <stdbool.h>
#include <string.h>

/* ---- numbers ---- */

char *wb_print_decimal(char *to, uint64_t number)
{
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0)
    *to++ = digits[--count];
  return to;
}

char *wb_print_hexadecimal(char *to, uint64_t number)
{
  unsigned shift = 0;
  while (shift < 60 && number >> (shift + 4) > 0)
    shift += 4;
  *to++ = '0';
  *to++ = 'x';
  for (;; shift -= 4) {
    *to++ = "0123456789abcdef"[number >> shift & 15];
    if (shift == 0)
      return to;
  }
}

/* How a format of floating-point numbers is laid out, and how it is printed. */
struct format {
  unsigned fraction_bits;
  unsigned exponent_bits;
  unsigned digits; /* significant ones */
  bool signalling; /* signalling NaNs have a name of their own */
};

/* A number in decimal digits, all of them: 0.d1d2d3... times ten to the power of `point`. */
struct decimal {
  char digits[1200];
  unsigned count;
  int point;
};

enum { LIMBS = 160, POINT = 40, LIMB = 1000000000 };

/* Multiplies a number in limbs of nine digits, the most significant first, from *first up to
 * `end`, by two to the power of `shift` (at most 29). */
static void shift_left(uint32_t limbs[LIMBS], unsigned *first, unsigned end, unsigned shift)
{
  uint64_t carry = 0;
  for (unsigned i = end; i-- > *first;) {
    uint64_t value = ((uint64_t)limbs[i] << shift) + carry;
    limbs[i] = (uint32_t)(value % LIMB);
    carry = value / LIMB;
  }
  if (carry > 0)
    limbs[--*first] = (uint32_t)carry;
}

/* Divides it by two to the power of `shift` (at most 9), exactly. */
static void shift_right(uint32_t limbs[LIMBS], unsigned first, unsigned *end, unsigned shift)
{
  uint32_t rest = 0;
  for (unsigned i = first; i < *end; i++) {
    uint32_t value = limbs[i];
    limbs[i] = (value >> shift) + rest;
    rest = (value & ((1U << shift) - 1)) * (LIMB >> shift);
  }
  if (rest > 0)
    limbs[(*end)++] = rest;
}

/* significand (not 0) times two to the power of `exponent`. */
static void expand(uint64_t significand, int exponent, struct decimal *decimal)
{
  uint32_t limbs[LIMBS] = {0};
  unsigned first = POINT, end = POINT;
  for (; significand > 0; significand /= LIMB)
    limbs[--first] = (uint32_t)(significand % LIMB);
  for (; exponent > 0; exponent -= exponent < 29 ? exponent : 29)
    shift_left(limbs, &first, end, exponent < 29 ? (unsigned)exponent : 29);
  for (; exponent<0; exponent += exponent> - 9 ? -exponent : 9)
    shift_right(limbs, first, &end, exponent > -9 ? (unsigned)-exponent : 9);

  decimal->count = 0;
  decimal->point = 9 * (int)(POINT - first);
  for (unsigned i = first; i < end; i++) {
    for (uint32_t unit = LIMB / 10; unit > 0; unit /= 10) {
      char digit = (char)('0' + limbs[i] / unit % 10);
      if (decimal->count > 0 || digit != '0')
        decimal->digits[decimal->count++] = digit;
      else
        decimal->point--;
    }
  }
}

/* Whether what is behind the first `count` digits rounds them up: to nearest, ties to even. */
static bool rounds_up(const struct decimal *decimal, unsigned count)
{
  if (decimal->digits[count] != '5')
    return decimal->digits[count] > '5';
  for (unsigned i = count + 1; i < decimal->count; i++) {
    if (decimal->digits[i] != '0')
      return true;
  }
  return (decimal->digits[count - 1] - '0') % 2 != 0;
}

static void round_to(struct decimal *decimal, unsigned count)
{
  if (decimal->count <= count)
    return;
  bool up = rounds_up(decimal, count);
  decimal->count = count;
  while (up && decimal->count > 0) {
    char *last = &decimal->digits[decimal->count - 1];
    up = *last == '9';
    if (up)
      decimal->count--;
    else
      ++*last;
  }
  if (up) {
    decimal->digits[decimal->count++] = '1';
    decimal->point++;
  }
}

static char *print_digits(char *to, const struct decimal *decimal, unsigned from, unsigned count)
{
  for (unsigned i = from; i < from + count; i++)
    *to++ = i < decimal->count ? decimal->digits[i] : '0';
  return to;
}

/* d.ddde+10, with `fraction` digits behind the point. */
static char *print_scientific(char *to, const struct decimal *decimal, unsigned fraction)
{
  int exponent = decimal->point - 1;
  to = print_digits(to, decimal, 0, 1);
  if (fraction > 0) {
    *to++ = '.';
    to = print_digits(to, decimal, 1, fraction);
  }
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
  if (magnitude < 10)
    *to++ = '0';
  return wb_print_decimal(to, magnitude);
}

/* As %g of C prints a number of few digits. */
static char *print_general(char *to, const struct decimal *decimal, unsigned digits)
{
  if (decimal->point <= -4 || decimal->point > (int)digits)
    return print_scientific(to, decimal, decimal->count - 1);
  if (decimal->point > 0)
    to = print_digits(to, decimal, 0, (unsigned)decimal->point);
  else
    *to++ = '0';
  unsigned before = decimal->point > 0 ? (unsigned)decimal->point : 0;
  if (decimal->count <= before)
    return to;
  *to++ = '.';
  for (int i = decimal->point; i < 0; i++)
    *to++ = '0';
  return print_digits(to, decimal, before, decimal->count - before);
}

static char *print_string(char *to, const char *string)
{
  while (*string != '\0')
    *to++ = *string++;
  return to;
}

/* Numbers with more digits before the point are printed with all digits and an exponent. */
static const int integer_digits = 9;

static char *print_float(char *to, const struct format *format, uint64_t bits)
{
  uint64_t fraction = bits & (((uint64_t)1 << format->fraction_bits) - 1);
  unsigned exponent_mask = (1U << format->exponent_bits) - 1;
  unsigned exponent = (unsigned)(bits >> format->fraction_bits) & exponent_mask;
  bool negative = bits >> (format->fraction_bits + format->exponent_bits) != 0;
  if (exponent == exponent_mask) {
    const bool quiet = fraction >> (format->fraction_bits - 1) != 0;
    *to++ = negative ? '-' : '+';
    if (fraction == 0)
      return print_string(to, "INF ");
    return print_string(to, quiet || !format->signalling ? "QNAN " : "SNAN ");
  }
  if (negative)
    *to++ = '-';
  if (exponent == 0 && fraction == 0)
    return print_string(to, negative ? "0.0 " : "0");
  if (exponent == 0)
    exponent = 1;
  else
    fraction |= (uint64_t)1 << format->fraction_bits;
  int bias = (int)(exponent_mask / 2 + format->fraction_bits);
  struct decimal decimal;
  expand(fraction, (int)exponent - bias, &decimal);
  if (decimal.point > integer_digits) {
    round_to(&decimal, format->digits + 1);
    return print_scientific(to, &decimal, format->digits);
  }
  round_to(&decimal, format->digits);
  while (decimal.count > 0 && decimal.digits[decimal.count - 1] == '0')
    decimal.count--;
  return print_general(to, &decimal, format->digits);
}

char *wb_print_half(char *to, uint32_t bits)
{
  static const struct format half = {10, 5, 20, false};
  return print_float(to, &half, bits & 0xffff);
}

char *wb_print_single(char *to, uint32_t bits)
{
  static const struct format single = {23, 8, 20, false};
  return print_float(to, &single, bits);
}

char *wb_print_double(char *to, uint32_t upper_bits)
{
  static const struct format double_precision = {52, 11, 20, true};
  return print_float(to, &double_precision, (uint64_t)upper_bits << 32);
}

/* ---- programs ---- */

static inline uint64_t bits_of(const struct wb_word_code *code, const struct wb_word_step *step,
                               const uint64_t word[2])
{
  if (step->width != 0)
    return wb_word_bits(word, step->at, step->width);
  return wb_word_field_value(&code->fields[step->field], word, false);
}

static uint64_t signed_of(const struct wb_word_code *code, const struct wb_word_step *step,
                          const uint64_t word[2])
{
  if (step->width != 0)
    return wb_word_sign_extended(wb_word_bits(word, step->at, step->width), step->width);
  return wb_word_field_value(&code->fields[step->field], word, true);
}

/* Copies whole pieces, which is faster than the length exactly; there is room for them. */
static inline char *put(char *to, const char *text, unsigned length)
{
  for (unsigned done = 0; done < length; done += WB_WORD_PIECE)
    memcpy(to + done, text + done, WB_WORD_PIECE);
  return to + length;
}

/* A register's number behind its letters, or the name of the one that is constant. */
static inline char *put_register(char *to, const char *letters, unsigned letter_count,
                                 uint64_t number, uint64_t constant, char constant_letter)
{
  for (unsigned i = 0; i < letter_count; i++)
    *to++ = letters[i];
  if (number == constant) {
    *to++ = constant_letter;
    return to;
  }
  return wb_print_decimal(to, number);
}

static char *put_signed(char *to, uint64_t number, char *(*print)(char *to, uint64_t number))
{
  if (number >> 63 != 0) {
    *to++ = '-';
    number = -number;
  }
  return print(to, number);
}

static char *put_mask(char *to, uint64_t mask)
{
  if (mask == 0)
    return to;
  char separator = '{';
  for (unsigned bit = 64; bit-- > 0;) {
    if ((mask >> bit & 1) == 0)
      continue;
    *to++ = separator;
    separator = ',';
    to = wb_print_decimal(to, bit);
  }
  *to++ = '}';
  return to;
}

static char *put_target(char *to, struct wb_word_print *print, uint64_t target)
{
  print->target = target;
  print->target_text = to;
  print->target_end = put_signed(to, target, wb_print_hexadecimal);
  return to + (print->target_end - print->target_text);
}

static char *put_option(const struct wb_word_code *code, char *to,
                        const struct wb_word_option *option)
{
  return put(to, code->characters + option->place, option->length);
}

/* NULL where no instruction has the value. */
static inline char *put_choice(const struct wb_word_code *code, char *to,
                               const struct wb_word_choice *choice, uint64_t value)
{
  if (value < choice->count) {
    const struct wb_word_option *option = &code->options[choice->first + value];
    if (option->kind == WB_WORD_OPTION_TEXT)
      return put_option(code, to, option);
    if (option->kind == WB_WORD_OPTION_NEVER)
      return NULL;
  }
  to = put_option(code, to, &choice->before);
  if (choice->after.kind == WB_WORD_OPTION_NEVER)
    return to;
  return put_option(code, wb_print_decimal(to, value), &choice->after);
}

/* Kinds that are rarer than those of wb_word_run. */
static char *put_number(const struct wb_word_code *code, const struct wb_word_step *step,
                        struct wb_word_print *print, char *to)
{
  const uint64_t *word = print->word;
  switch ((enum wb_word_step_kind)step->kind) {
  case WB_WORD_STEP_BARRIER:
    return put_register(to, "B", 1, bits_of(code, step, word), UINT64_MAX, ' ');
  case WB_WORD_STEP_SCOREBOARD:
    return put_register(to, "SB", 2, bits_of(code, step, word), UINT64_MAX, ' ');
  case WB_WORD_STEP_SIGNED_HEXADECIMAL:
    return put_signed(to, signed_of(code, step, word), wb_print_hexadecimal);
  case WB_WORD_STEP_DECIMAL:
    return wb_print_decimal(to, bits_of(code, step, word));
  case WB_WORD_STEP_SIGNED_DECIMAL:
    return put_signed(to, signed_of(code, step, word), wb_print_decimal);
  case WB_WORD_STEP_OFFSET:
    if (signed_of(code, step, word) == 0)
      return to;
    *to++ = '+';
    return put_signed(to, signed_of(code, step, word), wb_print_hexadecimal);
  case WB_WORD_STEP_HALF:
    return wb_print_half(to, (uint32_t)bits_of(code, step, word));
  case WB_WORD_STEP_SINGLE:
    return wb_print_single(to, (uint32_t)bits_of(code, step, word));
  case WB_WORD_STEP_DOUBLE:
    return wb_print_double(to, (uint32_t)bits_of(code, step, word));
  case WB_WORD_STEP_RELATIVE_TARGET:
    return put_target(to, print, print->next + signed_of(code, step, word));
  case WB_WORD_STEP_TARGET:
    return put_target(to, print, bits_of(code, step, word));
  case WB_WORD_STEP_MASK:
    return put_mask(to, bits_of(code, step, word));
  default:
    return to;
  }
}

char *wb_word_run(const struct wb_word_code *code, size_t first, size_t end,
                  struct wb_word_print *print, char *to)
{
  const uint64_t *word = print->word;
  for (size_t s = first; s < end; s++) {
    const struct wb_word_step *step = &code->steps[s];
    switch ((enum wb_word_step_kind)step->kind) {
    case WB_WORD_STEP_LITERAL:
      to = put(to, code->characters + step->place, step->length);
      break;
    case WB_WORD_STEP_LITERAL_IF:
      if (bits_of(code, step, word) != 0)
        to = put(to, code->characters + step->place, step->length);
      break;
    case WB_WORD_STEP_CHOICE:
      to = put_choice(code, to, &code->choices[step->place], bits_of(code, step, word));
      if (to == NULL)
        return NULL;
      break;
    case WB_WORD_STEP_REGISTER:
      to = put_register(to, "R", 1, bits_of(code, step, word), 255, 'Z');
      break;
    case WB_WORD_STEP_UNIFORM_REGISTER:
      to = put_register(to, "UR", 2, bits_of(code, step, word), step->value, 'Z');
      break;
    case WB_WORD_STEP_PREDICATE:
      to = put_register(to, "P", 1, bits_of(code, step, word), 7, 'T');
      break;
    case WB_WORD_STEP_UNIFORM_PREDICATE:
      to = put_register(to, "UP", 2, bits_of(code, step, word), 7, 'T');
      break;
    case WB_WORD_STEP_HEXADECIMAL:
      to = wb_print_hexadecimal(to, bits_of(code, step, word));
      break;
    case WB_WORD_STEP_UNLESS_EQUAL:
      if (bits_of(code, step, word) != step->value)
        s = step->place - 1; /* the step before, since the loop goes one on */
      break;
    case WB_WORD_STEP_UNLESS_OTHER:
      if (bits_of(code, step, word) == step->value)
        s = step->place - 1;
      break;
    default:
      to = put_number(code, step, print, to);
    }
  }
  return to;
}
