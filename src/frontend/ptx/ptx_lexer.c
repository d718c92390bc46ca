#include "frontend/ptx/ptx_lexer.h"

#include "base/text/ascii.h"

#include <string.h>

static bool is_modifier_character(char c)
{
  return wb_is_alphanumeric(c) || c == '_';
}

static bool is_word_character(char c)
{
  return is_modifier_character(c) || c == '$';
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_break(char c)
{
  return c == '\n' || c == '\r';
}

/* The character `offset` places on, or a zero beyond the end: no token holds a
 * zero, so a reader stops there either way. */
static char peek(const struct wb_ptx_lexer *lexer, size_t offset)
{
  return (size_t)(lexer->end - lexer->cursor) > offset ? lexer->cursor[offset] : '\0';
}

/* Takes a line break at the cursor: LF, CR LF or CR. */
static void take_line_break(struct wb_ptx_lexer *lexer)
{
  if (*lexer->cursor == '\r' && peek(lexer, 1) == '\n')
    lexer->cursor++;
  lexer->cursor++;
  lexer->line++;
  lexer->line_start = lexer->cursor;
}

static void skip_line(struct wb_ptx_lexer *lexer)
{
  while (lexer->cursor < lexer->end && !is_line_break(*lexer->cursor))
    lexer->cursor++;
}

/* The cursor is on the opening mark. false: the comment has no end. */
static bool skip_block_comment(struct wb_ptx_lexer *lexer)
{
  lexer->cursor += 2;
  while (lexer->cursor < lexer->end) {
    if (*lexer->cursor == '*' && peek(lexer, 1) == '/') {
      lexer->cursor += 2;
      return true;
    }
    if (is_line_break(*lexer->cursor))
      take_line_break(lexer);
    else
      lexer->cursor++;
  }
  return false;
}

/* Whether the cursor is on a line marker of a preprocessor, `# 12 "file.c"`.
 * Linear in all: either the line is skipped, or the text is refused. */
static bool at_line_marker(const struct wb_ptx_lexer *lexer)
{
  if (peek(lexer, 0) != '#')
    return false;
  for (const char *before = lexer->line_start; before < lexer->cursor; before++)
    if (!is_blank(*before))
      return false;
  size_t offset = 1;
  while (is_blank(peek(lexer, offset)))
    offset++;
  return offset > 1 && wb_is_digit(peek(lexer, offset));
}

static struct wb_ptx_token token_here(const struct wb_ptx_lexer *lexer)
{
  return (struct wb_ptx_token){
      .text = lexer->cursor,
      .kind = WB_PTX_END,
      .line = lexer->line,
      .column = (uint32_t)(lexer->cursor - lexer->line_start) + 1,
  };
}

/* Takes `length` bytes as a token. */
static void take(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token, int kind, size_t length)
{
  token->kind = kind;
  token->length = length;
  lexer->cursor += length;
}

static void refuse(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token, size_t length,
                   const char *expected)
{
  lexer->expected = expected;
  take(lexer, token, WB_PTX_INVALID, length);
}

/* Skips what separates tokens. false: *token says what is wrong. */
static bool skip_space(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  while (lexer->cursor < lexer->end) {
    char c = *lexer->cursor;
    if (is_blank(c)) {
      lexer->cursor++;
    } else if (is_line_break(c)) {
      take_line_break(lexer);
    } else if ((c == '/' && peek(lexer, 1) == '/') || at_line_marker(lexer)) {
      skip_line(lexer);
    } else if (c == '/' && peek(lexer, 1) == '*') {
      *token = token_here(lexer);
      if (!skip_block_comment(lexer)) {
        refuse(lexer, token, 0, "'*/' to close this comment");
        return false;
      }
    } else {
      return true;
    }
  }
  return true;
}

static size_t word_length(const struct wb_ptx_lexer *lexer, size_t length)
{
  while (is_word_character(peek(lexer, length)))
    length++;
  return length;
}

static size_t digits_length(const struct wb_ptx_lexer *lexer, size_t length)
{
  while (wb_is_digit(peek(lexer, length)))
    length++;
  return length;
}

/* The end of an exponent that starts at `length`, or `length` where none does. */
static size_t exponent_length(const struct wb_ptx_lexer *lexer, size_t length)
{
  char c = peek(lexer, length);
  if (c != 'e' && c != 'E')
    return length;
  size_t sign = peek(lexer, length + 1) == '+' || peek(lexer, length + 1) == '-';
  if (!wb_is_digit(peek(lexer, length + 1 + sign)))
    return length;
  return digits_length(lexer, length + 1 + sign);
}

/* Takes a number of `length` bytes, where nothing of a word follows it. */
static void take_number(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token, int kind,
                        size_t length)
{
  if (is_word_character(peek(lexer, length)))
    refuse(lexer, token, word_length(lexer, length), "a number");
  else
    take(lexer, token, kind, length);
}

/* Digits of a base after a prefix, then perhaps U. Values beyond 64 bits become
 * the largest: assemblers take them, and no use of a value allows them. */
static void take_integer(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token, size_t prefix,
                         unsigned base)
{
  size_t length = prefix;
  for (unsigned digit; (digit = wb_digit_value(peek(lexer, length))) < base; length++) {
    if (token->value > (UINT64_MAX - digit) / base)
      token->value = UINT64_MAX;
    else
      token->value = token->value * base + digit;
  }
  if (length == prefix) {
    refuse(lexer, token, word_length(lexer, prefix), "a number");
    return;
  }
  length += peek(lexer, length) == 'U';
  take_number(lexer, token, WB_PTX_INTEGER, length);
}

/* 0f and 0d: the bits of a float in hexadecimal, exactly `digits` of them. */
static void take_float_bits(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token, size_t digits)
{
  size_t length = 2;
  while (wb_digit_value(peek(lexer, length)) < 16)
    length++;
  if (length != 2 + digits)
    refuse(lexer, token, word_length(lexer, length),
           digits == 8 ? "8 hexadecimal digits after 0f" : "16 hexadecimal digits after 0d");
  else
    take_number(lexer, token, WB_PTX_FLOAT, length);
}

static void lex_decimal(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  size_t integer = digits_length(lexer, 0);
  size_t length = integer;
  if (peek(lexer, length) == '.')
    length = digits_length(lexer, length + 1);
  length = exponent_length(lexer, length);
  if (length != integer)
    take_number(lexer, token, WB_PTX_FLOAT, length);
  else if (integer > 1 && peek(lexer, 0) == '0')
    take_integer(lexer, token, 1, 8);
  else
    take_integer(lexer, token, 0, 10);
}

static void lex_number(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  char prefix = peek(lexer, 0) == '0' ? peek(lexer, 1) : '\0';
  if (prefix == 'x' || prefix == 'X')
    take_integer(lexer, token, 2, 16);
  else if (prefix == 'b' || prefix == 'B')
    take_integer(lexer, token, 2, 2);
  else if (prefix == 'f' || prefix == 'F')
    take_float_bits(lexer, token, 8);
  else if (prefix == 'd' || prefix == 'D')
    take_float_bits(lexer, token, 16);
  else
    lex_decimal(lexer, token);
}

/* A dot begins a fraction (".5"), or a directive or modifier. A modifier may
 * begin with digits too (".16x64b", ".1d"), but none has digits only. */
static void lex_dot(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  size_t length = exponent_length(lexer, digits_length(lexer, 1));
  if (length > 1 && !is_word_character(peek(lexer, length))) {
    take(lexer, token, WB_PTX_FLOAT, length);
    return;
  }
  length = 1;
  while (is_modifier_character(peek(lexer, length))) {
    do
      length++;
    while (is_modifier_character(peek(lexer, length)));
    if (peek(lexer, length) == ':' && peek(lexer, length + 1) == ':' &&
        is_modifier_character(peek(lexer, length + 2)))
      length += 2;
  }
  if (length == 1)
    refuse(lexer, token, 1, "a directive or modifier");
  else
    take(lexer, token, WB_PTX_DIRECTIVE, length);
}

/* PTX strings know no escapes: a backslash is itself. */
static void lex_string(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  size_t size = (size_t)(lexer->end - lexer->cursor);
  size_t length = 1;
  while (length < size && lexer->cursor[length] != '"') {
    if (is_line_break(lexer->cursor[length]) || lexer->cursor[length] == '\0')
      break;
    length++;
  }
  if (length < size && lexer->cursor[length] == '"')
    take(lexer, token, WB_PTX_STRING, length + 1);
  else
    refuse(lexer, token, length, "the closing '\"' of a string");
}

static void lex_punctuation(struct wb_ptx_lexer *lexer, struct wb_ptx_token *token)
{
  char c = peek(lexer, 0);
  char next = peek(lexer, 1);
  bool doubled = c == next && (c == '<' || c == '>' || c == '&' || c == '|' || c == '=');
  bool compared = next == '=' && (c == '<' || c == '>' || c == '!');
  if (doubled || compared)
    take(lexer, token, WB_PTX_OPERATOR, 2);
  else if (c != '\0' && strchr("{}[]()<>,;:!|&^~+-*/%=@?", c) != NULL)
    take(lexer, token, c, 1);
  else
    refuse(lexer, token, 1, "a token");
}

void wb_ptx_lexer_start(struct wb_ptx_lexer *lexer, const char *text, size_t length)
{
  if (length == 0)
    text = ""; /* may be NULL */
  const char *end = text + length;
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  *lexer = (struct wb_ptx_lexer){
      .cursor = text,
      .end = end,
      .line_start = text,
      .line = 1,
  };
}

struct wb_ptx_token wb_ptx_lexer_next(struct wb_ptx_lexer *lexer)
{
  struct wb_ptx_token token;
  if (!skip_space(lexer, &token))
    return token;
  token = token_here(lexer);
  if (lexer->cursor == lexer->end)
    return token;
  char c = *lexer->cursor;
  if (wb_is_letter(c) || c == '_' || ((c == '%' || c == '$') && is_word_character(peek(lexer, 1))))
    take(lexer, &token, WB_PTX_WORD, word_length(lexer, 1));
  else if (wb_is_digit(c))
    lex_number(lexer, &token);
  else if (c == '.')
    lex_dot(lexer, &token);
  else if (c == '"')
    lex_string(lexer, &token);
  else
    lex_punctuation(lexer, &token);
  return token;
}

void wb_ptx_lexer_skip_to(struct wb_ptx_lexer *lexer, const char *word)
{
  size_t length = strlen(word);
  while (lexer->cursor < lexer->end) {
    skip_line(lexer);
    if (lexer->cursor < lexer->end)
      take_line_break(lexer);
    while (is_blank(peek(lexer, 0)))
      lexer->cursor++;
    if ((size_t)(lexer->end - lexer->cursor) >= length && memcmp(lexer->cursor, word, length) == 0)
      return;
  }
}

bool wb_ptx_token_is(const struct wb_ptx_token *token, const char *text)
{
  return strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}
