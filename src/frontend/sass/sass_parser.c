#include "frontend/sass/sass_parser.h"

#include "base/memory.h"

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
  const size_t length = strlen(prefix);
  return piece.length >= length && memcmp(piece.text, prefix, length) == 0;
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
  char quoted[4 * QUOTED_LENGTH + 8];
  const size_t shown = found.length > QUOTED_LENGTH ? QUOTED_LENGTH : found.length;
  const size_t column = (size_t)(found.text - line_start) + 1;
  if (shown == 0)
    return wb_sass_error(parser, line, column, "expected %s, found the end of the line", what);
  size_t used = 0;
  for (size_t i = 0; i < shown; i++)
    used += quote_byte(quoted + used, sizeof quoted - used, (unsigned char)found.text[i]);
  return wb_sass_error(parser, line, column, "expected %s, found '%s%s'", what, quoted,
                       shown < found.length ? "..." : "");
}

bool wb_sass_printable(struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  for (size_t i = 0; i < piece.length; i++) {
    const unsigned char byte = (unsigned char)piece.text[i];
    if ((byte < 0x20 && !wb_is_blank(piece.text[i])) || byte >= 0x7f)
      return wb_sass_expected(parser, parser->line, parser->line_start,
                              (struct wb_sass_piece){piece.text + i, 1}, "printable ASCII");
  }
  return true;
}

const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  return wb_name_pool_copy(&parser->code->names, piece.text, piece.length);
}

static bool parse(struct wb_sass_parser *parser, const char *name, const char *text, size_t length)
{
  parser->code->name = wb_copy_text(name, strlen(name));
  if (parser->code->name == NULL)
    return wb_sass_out_of_memory(parser);
  /* Lines, columns and indices are 32 bits wide. */
  if (length >= UINT32_MAX)
    return wb_sass_error(parser, 1, 1, "expected less than 4 GiB of SASS, found %zu bytes", length);
  parser->cursor = text;
  parser->end = length > 0 ? text + length : text;
  if (!wb_sass_listing(parser) || !wb_sass_indexed_branches(parser) ||
      !wb_sass_keep_parameters(parser))
    return false;
  wb_sass_outside_calls(parser);
  return wb_sass_kinds(parser);
}

warpbound_status wb_sass_parse(const char *name, const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error)
{
  warpbound_error ignored;
  *code = (struct wb_code){.isa = "SASS"};
  struct wb_sass_parser parser = {
      .options = options,
      .code = code,
      .error = error != NULL ? error : &ignored,
      .status = WARPBOUND_OK,
  };
  const bool parsed = parse(&parser, name != NULL ? name : "", text, length);
  free(parser.statements);
  free(parser.labels);
  free(parser.sections);
  free(parser.parameters);
  wb_hash_table_free(&parser.file_table);
  wb_text_free(&parser.constants);
  if (!parsed)
    wb_code_free(code);
  return parser.status;
}
