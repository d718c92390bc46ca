/* Operands and constant expressions. Their values are of no use here, so only
 * their form is read; operators are taken from left to right, for precedence does
 * not change what is well formed. */
#include "frontend/ptx/ptx_operand.h"

#include "frontend/ptx/ptx_scanner.h"

#include <string.h>

/* A part of a register or vector: .x, .r, .b0, .h1, .b3210. */
static bool is_component(const struct wb_ptx_token *token)
{
  if (token->kind != WB_PTX_DIRECTIVE || token->length < 2)
    return false;
  char first = token->text[1];
  if (token->length == 2)
    return strchr("xyzwrgba", first) != NULL;
  for (size_t i = 2; i < token->length; i++)
    if (token->text[i] < '0' || token->text[i] > '9')
      return false;
  return first == 'b' || first == 'h';
}

/* Whether a token of this kind is one of the characters. */
static bool is_one_of(int kind, const char *characters)
{
  return kind > 0 && kind < 128 && strchr(characters, kind) != NULL;
}

bool wb_ptx_at_operand(const struct wb_ptx_parser *parser)
{
  int kind = parser->token.kind;
  return kind == WB_PTX_WORD || kind == WB_PTX_INTEGER || kind == WB_PTX_FLOAT ||
         is_one_of(kind, "{[(+-!~");
}

static bool is_binary_operator(int kind)
{
  return kind == WB_PTX_OPERATOR || is_one_of(kind, "+-*/%<>&|^");
}

/* `(` expression `)`: a function of initialisers applied. */
static bool application(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expression(parser, true) &&
         wb_ptx_expect(parser, ')', "')'");
}

/* After a name: components and array indices, generic's argument. */
static bool name_suffixes(struct wb_ptx_parser *parser, bool initialiser)
{
  for (;;) {
    if (is_component(&parser->token) && parser->token.text == parser->previous_end) {
      if (!wb_ptx_advance(parser))
        return false;
    } else if (parser->token.kind == '[') {
      if (!wb_ptx_advance(parser) || !wb_ptx_expression(parser, initialiser) ||
          !wb_ptx_expect(parser, ']', "']'"))
        return false;
    } else if (initialiser && parser->token.kind == '(') {
      return application(parser);
    } else {
      return true;
    }
  }
}

/* A name or a constant. */
static bool atom(struct wb_ptx_parser *parser, bool initialiser)
{
  switch (parser->token.kind) {
  case WB_PTX_WORD:
    return wb_ptx_advance(parser) && name_suffixes(parser, initialiser);
  case WB_PTX_INTEGER: /* 0xff00(...) picks bytes of an address */
    return wb_ptx_advance(parser) &&
           (!initialiser || parser->token.kind != '(' || application(parser));
  case WB_PTX_FLOAT:
    return wb_ptx_advance(parser);
  default:
    return wb_ptx_expected(parser, "an operand");
  }
}

/* Signs, negations and casts, then a name, a constant or an expression in
 * parentheses. */
static bool unary(struct wb_ptx_parser *parser, bool initialiser)
{
  for (;;) {
    int kind = parser->token.kind;
    if (is_one_of(kind, "+-!~")) {
      if (!wb_ptx_advance(parser))
        return false;
    } else if (kind != '(') {
      return atom(parser, initialiser);
    } else {
      if (!wb_ptx_advance(parser))
        return false;
      if (!wb_ptx_at_directive(parser, ".s64") && !wb_ptx_at_directive(parser, ".u64"))
        return wb_ptx_expression(parser, initialiser) && wb_ptx_expect(parser, ')', "')'");
      if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, ')', "')'"))
        return false;
    }
  }
}

static bool operators(struct wb_ptx_parser *parser, bool initialiser)
{
  if (!unary(parser, initialiser))
    return false;
  while (is_binary_operator(parser->token.kind))
    if (!wb_ptx_advance(parser) || !unary(parser, initialiser))
      return false;
  bool conditional;
  if (!wb_ptx_accept(parser, '?', &conditional))
    return false;
  return !conditional ||
         (wb_ptx_expression(parser, initialiser) && wb_ptx_expect(parser, ':', "':'") &&
          wb_ptx_expression(parser, initialiser));
}

bool wb_ptx_expression(struct wb_ptx_parser *parser, bool initialiser)
{
  if (!wb_ptx_enter(parser) || !operators(parser, initialiser))
    return false;
  wb_ptx_leave(parser);
  return true;
}

/* `{a, b}`, perhaps with `|p` after it as texture instructions have it. */
static bool vector(struct wb_ptx_parser *parser)
{
  bool piped;
  if (!wb_ptx_advance(parser) || !wb_ptx_operand_list(parser) ||
      !wb_ptx_expect(parser, '}', "',' or '}'") || !wb_ptx_accept(parser, '|', &piped))
    return false;
  return !piped || wb_ptx_expression(parser, false);
}

/* `[a+4]`, `[texture, sampler, {x, y}]`: no address within. */
static bool address(struct wb_ptx_parser *parser)
{
  bool more = true;
  if (!wb_ptx_advance(parser))
    return false;
  while (more) {
    if (parser->token.kind == '[')
      return wb_ptx_expected(parser, "an operand");
    if (!wb_ptx_operand(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  }
  return wb_ptx_expect(parser, ']', "',' or ']'");
}

bool wb_ptx_operand(struct wb_ptx_parser *parser)
{
  if (parser->token.kind != '{' && parser->token.kind != '[')
    return wb_ptx_expression(parser, false);
  if (!wb_ptx_enter(parser))
    return false;
  if (parser->token.kind == '{' ? !vector(parser) : !address(parser))
    return false;
  wb_ptx_leave(parser);
  return true;
}

bool wb_ptx_operand_list(struct wb_ptx_parser *parser)
{
  bool more = true;
  while (more)
    if (!wb_ptx_operand(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return true;
}
