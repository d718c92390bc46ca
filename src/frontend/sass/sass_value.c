#include "frontend/sass/sass_value.h"

#include "frontend/sass/text/sass_scanner.h"
#include "frontend/sass/text/sass_target.h"

#include <string.h>

static struct wb_sass_piece text_of(const struct wb_sass_operand *operand)
{
  return (struct wb_sass_piece){operand->text, operand->length};
}

bool wb_sass_plain_register(const struct wb_sass_operand *operand, uint16_t *number)
{
  static const char reuse[] = ".reuse";
  const char *fault;
  size_t length = operand->length;
  if (operand->kind != WB_SASS_REGISTER)
    return false;
  if (length > strlen(reuse) &&
      memcmp(operand->text + length - strlen(reuse), reuse, strlen(reuse)) == 0)
    length -= strlen(reuse);
  return wb_sass_register_number(operand->text, length, number, &fault) && fault == NULL;
}

/* Numbers without 0x can be floating-point ones, but for -1. */
static bool is_integer(const struct wb_sass_operand *operand)
{
  const size_t sign = operand->length > 0 && (operand->text[0] == '-' || operand->text[0] == '+');
  return operand->kind == WB_SASS_NUMBER && operand->integer && operand->length > sign + 2 &&
         operand->text[sign] == '0' && operand->text[sign + 1] == 'x';
}

bool wb_sass_is_number(const struct wb_sass_operand *operand, int64_t number)
{
  return operand->kind == WB_SASS_NUMBER && operand->integer && operand->value == number;
}

static struct wb_sass_value number_value(uint64_t number)
{
  return (struct wb_sass_value){.kind = WB_SASS_VALUE_NUMBER, .number = number};
}

static struct wb_sass_value no_value(void)
{
  return (struct wb_sass_value){.kind = WB_SASS_VALUE_NONE};
}

/* An operand of 64 bits may print 32 of them, and its high word be their sign or zero. */
static struct wb_sass_value integer_word(int64_t value, unsigned word, unsigned words)
{
  const bool fits = value >= INT32_MIN && value <= UINT32_MAX;
  if (words == 1)
    return fits ? number_value((uint64_t)value & UINT32_MAX) : no_value();
  if (word > 0 && value > INT32_MAX && value <= UINT32_MAX)
    return no_value();
  return number_value(word == 0 ? (uint64_t)value & UINT32_MAX : (uint64_t)value >> 32);
}

/* c[0x3][0x10]: bank and offset. */
static bool constant_address(const struct wb_sass_operand *operand, uint64_t *address)
{
  const char *end = operand->text + operand->length;
  const char *p = operand->text;
  int64_t numbers[2];
  if (p == end || *p++ != 'c' || operand->register_count > 0)
    return false;
  for (size_t n = 0; n < 2; n++) {
    while (p < end && wb_is_blank(*p))
      p++;
    const char *close = p < end ? memchr(p, ']', (size_t)(end - p)) : NULL;
    if (close == NULL || *p != '[' ||
        !wb_sass_integer(p + 1, (size_t)(close - p - 1), &numbers[n]) || numbers[n] < 0 ||
        numbers[n] > UINT16_MAX)
      return false;
    p = close + 1;
  }
  *address = (uint64_t)numbers[0] << 32 | (uint64_t)numbers[1];
  return p == end;
}

static struct wb_sass_piece from(struct wb_sass_piece piece, size_t first)
{
  return wb_sass_trim(piece.text + first, piece.text + piece.length);
}

/* "(", "`(" and ")" that stand around the whole piece. */
static struct wb_sass_piece without_parentheses(struct wb_sass_piece piece)
{
  while (piece.length >= 2 && piece.text[piece.length - 1] == ')') {
    if (wb_sass_begins(piece, "`"))
      piece = from(piece, 1);
    if (!wb_sass_begins(piece, "("))
      return piece;
    piece = wb_sass_trim(piece.text + 1, piece.text + piece.length - 1);
  }
  return piece;
}

/* The label of `fn + .L_x_1@srel`, where fn is the function whose lines are read. */
static struct wb_sass_piece label_in(const struct wb_sass_parser *parser,
                                     struct wb_sass_piece piece)
{
  const char *plus = piece.length > 0 ? memchr(piece.text, '+', piece.length) : NULL;
  if (plus != NULL) {
    const struct wb_sass_piece function = wb_sass_trim(piece.text, plus);
    if (!wb_sass_same(function, parser->name))
      return (struct wb_sass_piece){piece.text, 0};
    piece = wb_sass_trim(plus + 1, piece.text + piece.length);
  }
  const char *at = piece.length > 0 ? memchr(piece.text, '@', piece.length) : NULL;
  if (at != NULL && wb_sass_equal(from(piece, (size_t)(at - piece.text)), "@srel"))
    piece.length = (size_t)(at - piece.text);
  return piece;
}

/* The address that a label stands for: the low or the high word. The name of the function itself is
 * none, for its start is where a loader puts it. */
static struct wb_sass_value label_value(const struct wb_sass_parser *parser,
                                        const struct wb_sass_operand *operand, unsigned word)
{
  struct wb_sass_piece piece = text_of(operand);
  if (wb_sass_begins(piece, "32@lo(") || wb_sass_begins(piece, "32@hi(")) {
    word += wb_sass_begins(piece, "32@hi(");
    piece = from(piece, strlen("32@lo"));
  }
  const size_t index = wb_sass_find_label(parser, label_in(parser, without_parentheses(piece)));
  if (index == SIZE_MAX || index == 0)
    return no_value();
  return number_value(word == 0 ? parser->statements[index].address : 0);
}

struct wb_sass_value wb_sass_word_of(const struct wb_sass_parser *parser,
                                     const struct wb_sass_operand *operand, unsigned word,
                                     unsigned words)
{
  uint16_t number;
  uint64_t address;
  if (wb_sass_plain_register(operand, &number)) {
    if (number == WB_NO_REGISTER)
      return number_value(0);
    return (struct wb_sass_value){.kind = WB_SASS_VALUE_REGISTER,
                                  .from = (uint16_t)(number + word)};
  }
  if (is_integer(operand))
    return integer_word(operand->value, word, words);
  if (operand->kind == WB_SASS_MEMORY && constant_address(operand, &address))
    return (struct wb_sass_value){.kind = WB_SASS_VALUE_CONSTANT, .number = address + 4 * word};
  if (operand->kind == WB_SASS_SYMBOL || operand->kind == WB_SASS_WORD)
    return label_value(parser, operand, word);
  return no_value();
}

bool wb_sass_local_address(const struct wb_sass_operand *operand, uint16_t *base, int64_t *offset)
{
  const char *end = operand->text + operand->length;
  if (operand->kind != WB_SASS_MEMORY || operand->length < 3 || operand->text[0] != '[' ||
      end[-1] != ']' || operand->register_count != 1)
    return false;
  const char *plus = memchr(operand->text, '+', operand->length);
  const struct wb_sass_piece name = wb_sass_trim(operand->text + 1, plus != NULL ? plus : end - 1);
  const char *fault;
  *offset = 0;
  if (!wb_sass_register_number(name.text, name.length, base, &fault) || fault != NULL ||
      *base >= WB_REGISTER_PREDICATE)
    return false;
  return plus == NULL || wb_sass_integer(plus + 1, (size_t)(end - 1 - plus - 1), offset);
}
