#include "frontend/sass/text/sass_scanner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of the listing that a message quotes. */
#define QUOTED_LENGTH ((size_t)40)

struct wb_sass_piece wb_sass_trim(const char *text, const char *end)
{
  while (text < end && wb_is_blank(*text))
    text++;
  while (end > text && wb_is_blank(end[-1]))
    end--;
  return (struct wb_sass_piece){text, (size_t)(end - text)};
}

bool wb_sass_begins(struct wb_sass_piece piece, const char *prefix)
{
  size_t i = 0;
  while (prefix[i] != '\0' && i < piece.length && piece.text[i] == prefix[i])
    i++;
  return prefix[i] == '\0';
}

bool wb_sass_equal(struct wb_sass_piece piece, const char *other)
{
  return piece.length == strlen(other) && wb_sass_begins(piece, other);
}

bool wb_sass_same(struct wb_sass_piece one, struct wb_sass_piece other)
{
  return one.length == other.length &&
         (one.length == 0 || memcmp(one.text, other.text, one.length) == 0);
}

bool wb_sass_hexadecimal(struct wb_sass_piece piece, uint64_t *value)
{
  *value = 0;
  for (size_t i = 0; i < piece.length; i++) {
    const unsigned digit = wb_digit_value(piece.text[i]);
    if (digit == 16)
      return false;
    *value = *value << 4 | digit;
  }
  return piece.length >= 1 && piece.length <= 16;
}

bool wb_sass_comment(struct wb_sass_piece *text, struct wb_sass_piece *comment)
{
  const char *end = text->text + text->length;
  const char *close = text->text + 2;
  if (!wb_sass_begins(*text, "/*"))
    return false;
  while (end - close >= 2 && (close[0] != '*' || close[1] != '/'))
    close++;
  if (end - close < 2)
    return false;
  *comment = wb_sass_trim(text->text + 2, close);
  *text = (struct wb_sass_piece){close + 2, (size_t)(end - close - 2)};
  return true;
}

bool wb_sass_error(struct wb_sass_parser *parser, size_t line, size_t column, const char *format,
                   ...)
{
  char message[sizeof parser->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  parser->status = wb_fail_at(parser->error, WARPBOUND_INVALID_INPUT, parser->code->name, line,
                              column, "%s", message);
  return false;
}

bool wb_sass_out_of_memory(struct wb_sass_parser *parser)
{
  parser->status = wb_out_of_memory(parser->error);
  return false;
}

/* Writes one byte so that a terminal shows it and does nothing else with it. */
static size_t quote_byte(char *out, size_t size, unsigned char byte)
{
  if (byte < 0x20 || byte >= 0x7f)
    return (size_t)snprintf(out, size, "\\x%02x", byte);
  return (size_t)snprintf(out, size, "%c", byte);
}

bool wb_sass_expected(struct wb_sass_parser *parser, size_t line, const char *line_start,
                      struct wb_sass_piece found, const char *what)
{
  return wb_sass_expected_at(parser, line, (size_t)(found.text - line_start) + 1, found, what);
}

bool wb_sass_expected_at(struct wb_sass_parser *parser, size_t line, size_t column,
                         struct wb_sass_piece found, const char *what)
{
  char quoted[4 * QUOTED_LENGTH + 8];
  const size_t shown = found.length > QUOTED_LENGTH ? QUOTED_LENGTH : found.length;
  if (shown == 0)
    return wb_sass_error(parser, line, column, "expected %s, found the end of the line", what);
  size_t used = 0;
  for (size_t i = 0; i < shown; i++)
    used += quote_byte(quoted + used, sizeof quoted - used, (unsigned char)found.text[i]);
  return wb_sass_error(parser, line, column, "expected %s, found '%s%s'", what, quoted,
                       shown < found.length ? "..." : "");
}

size_t wb_sass_column(const struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  return (size_t)(piece.text - parser->line_start) + 1;
}

bool wb_sass_printable(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece piece)
{
  for (size_t i = 0; i < piece.length; i++) {
    const unsigned char byte = (unsigned char)piece.text[i];
    if ((byte < 0x20 && !wb_is_blank(piece.text[i])) || byte >= 0x7f)
      return wb_sass_expected_at(parser, parser->line, column + i,
                                 (struct wb_sass_piece){piece.text + i, 1}, "printable ASCII");
  }
  return true;
}

const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  return wb_name_pool_copy(&parser->code->names, piece.text, piece.length);
}

int wb_sass_compare(struct wb_sass_piece one, struct wb_sass_piece other)
{
  const size_t shared = one.length < other.length ? one.length : other.length;
  const int order = shared > 0 ? memcmp(one.text, other.text, shared) : 0;
  return order != 0 ? order : (one.length > other.length) - (one.length < other.length);
}
