#include "frontend/ptx/ptx_scanner.h"

#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_symbols.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of a token that a message quotes. */
#define QUOTED_LENGTH ((size_t)40)

/* Writes one byte so that a terminal shows it and does nothing else with it. */
static size_t quote_byte(char *out, size_t size, unsigned char byte)
{
  int length;
  if (byte == '\n')
    length = snprintf(out, size, "\\n");
  else if (byte == '\r')
    length = snprintf(out, size, "\\r");
  else if (byte < 0x20 || byte >= 0x7f)
    length = snprintf(out, size, "\\x%02x", byte);
  else
    length = snprintf(out, size, "%c", byte);
  return (size_t)length;
}

/* Writes a token as messages name it: its text, shortened. */
static void describe(const struct wb_ptx_token *token, char *out, size_t size)
{
  if (token->length == 0) {
    snprintf(out, size, "the end of the file");
    return;
  }
  size_t shown = token->length > QUOTED_LENGTH ? QUOTED_LENGTH : token->length;
  size_t used = (size_t)snprintf(out, size, "'");
  for (size_t i = 0; i < shown; i++)
    used += quote_byte(out + used, size - used, (unsigned char)token->text[i]);
  snprintf(out + used, size - used, "%s'", shown < token->length ? "..." : "");
}

bool wb_ptx_error(struct wb_ptx_parser *parser, const struct wb_ptx_token *at, const char *format,
                  ...)
{
  char message[sizeof parser->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  parser->status = wb_fail_at(parser->error, WARPBOUND_INVALID_INPUT, parser->code->name, at->line,
                              at->column, "%s", message);
  return false;
}

bool wb_ptx_out_of_memory(struct wb_ptx_parser *parser)
{
  parser->status = wb_out_of_memory(parser->error);
  return false;
}

bool wb_ptx_expected(struct wb_ptx_parser *parser, const char *what)
{
  char found[4 * QUOTED_LENGTH + 8];
  describe(&parser->token, found, sizeof found);
  return wb_ptx_error(parser, &parser->token, "expected %s, found %s", what, found);
}

/* Reads the next token. */
static bool read_token(struct wb_ptx_parser *parser)
{
  parser->token = wb_ptx_lexer_next(&parser->lexer);
  if (parser->token.kind == WB_PTX_INVALID)
    return wb_ptx_expected(parser, parser->lexer.expected);
  return true;
}

bool wb_ptx_advance(struct wb_ptx_parser *parser)
{
  parser->previous_end = parser->token.text + parser->token.length;
  return read_token(parser);
}

bool wb_ptx_expect(struct wb_ptx_parser *parser, int kind, const char *what)
{
  if (parser->token.kind != kind)
    return wb_ptx_expected(parser, what);
  return wb_ptx_advance(parser);
}

bool wb_ptx_accept(struct wb_ptx_parser *parser, int kind, bool *taken)
{
  *taken = parser->token.kind == kind;
  return !*taken || wb_ptx_advance(parser);
}

bool wb_ptx_at_directive(const struct wb_ptx_parser *parser, const char *name)
{
  return parser->token.kind == WB_PTX_DIRECTIVE && wb_ptx_token_is(&parser->token, name);
}

bool wb_ptx_enter(struct wb_ptx_parser *parser)
{
  if (parser->nesting == WB_PTX_NESTING_LIMIT)
    return wb_ptx_error(parser, &parser->token, "expected at most %d levels of nesting, found more",
                        WB_PTX_NESTING_LIMIT);
  parser->nesting++;
  return true;
}

void wb_ptx_leave(struct wb_ptx_parser *parser)
{
  parser->nesting--;
}

uint64_t wb_ptx_number(const struct wb_ptx_token *token)
{
  char text[72];
  if (token->kind != WB_PTX_INTEGER || token->length >= sizeof text)
    return 0;
  memcpy(text, token->text, token->length);
  text[token->length] = '\0';
  errno = 0;
  unsigned long long number = strtoull(text, NULL, 0);
  return errno == 0 ? number : 0;
}

bool wb_ptx_intern(struct wb_ptx_parser *parser, const struct wb_ptx_token *token,
                   struct wb_ptx_symbol **symbol)
{
  *symbol = wb_ptx_symbol(&parser->symbols, token->text, token->length);
  return *symbol != NULL || wb_ptx_out_of_memory(parser);
}
