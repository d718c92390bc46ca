#include "isa/decoder/word_printer.h"

#include "isa/decoder/word_numbers.h"

#include <string.h>

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

static char *put_offset(char *to, uint64_t number)
{
  if (number == 0)
    return to;
  *to++ = '+';
  return put_signed(to, number, wb_print_hexadecimal);
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
    return put_offset(to, signed_of(code, step, word));
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
