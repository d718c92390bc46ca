/* A module: its head, and what stands outside functions. */
#include "frontend/ptx/ptx_module.h"

#include "frontend/ptx/ptx_debug.h"
#include "frontend/ptx/ptx_declaration.h"
#include "frontend/ptx/ptx_function.h"
#include "frontend/ptx/ptx_scanner.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const linkages[] = {".common", ".extern", ".visible", ".weak"};

/* `.version 8.5` */
static bool version(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  const struct wb_ptx_token *token = &parser->token;
  const char *dot = token->kind == WB_PTX_FLOAT ? memchr(token->text, '.', token->length) : NULL;
  if (dot == NULL || dot == token->text || token->length > 16 ||
      memchr(token->text, 'e', token->length) != NULL ||
      memchr(token->text, 'E', token->length) != NULL)
    return wb_ptx_expected(parser, "a version such as 8.5");
  if (parser->code->isa[0] == '\0')
    snprintf(parser->code->isa, sizeof parser->code->isa, "PTX %.*s", (int)token->length,
             token->text);
  return wb_ptx_advance(parser);
}

/* `.target sm_52, texmode_independent`: the first word is the architecture. */
static bool target(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  const struct wb_ptx_token *token = &parser->token;
  if (token->kind == WB_PTX_WORD && token->length >= sizeof parser->code->target)
    return wb_ptx_expected(parser, "a target such as sm_52");
  if (token->kind == WB_PTX_WORD && parser->code->target[0] == '\0')
    memcpy(parser->code->target, token->text, token->length);
  bool more = true;
  while (more)
    if (!wb_ptx_expect(parser, WB_PTX_WORD, "a target such as sm_52") ||
        !wb_ptx_accept(parser, ',', &more))
      return false;
  return true;
}

static bool address_size(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind != WB_PTX_INTEGER ||
      (parser->token.value != 32 && parser->token.value != 64))
    return wb_ptx_expected(parser, "32 or 64");
  return wb_ptx_advance(parser);
}

/* `.alias f, g;`: f is another name of g. */
static bool alias(struct wb_ptx_parser *parser)
{
  struct wb_ptx_symbol *name = NULL;
  struct wb_ptx_symbol *function = NULL;
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind == WB_PTX_WORD && !wb_ptx_intern(parser, &parser->token, &name))
    return false;
  if (!wb_ptx_expect(parser, WB_PTX_WORD, "the name of a function") ||
      !wb_ptx_expect(parser, ',', "','"))
    return false;
  if (parser->token.kind == WB_PTX_WORD && !wb_ptx_intern(parser, &parser->token, &function))
    return false;
  if (!wb_ptx_expect(parser, WB_PTX_WORD, "the name of a function") ||
      !wb_ptx_expect(parser, ';', "';'"))
    return false;
  assert(name != NULL && function != NULL); /* both tokens were words */
  name->alias = function;
  parser->aliased = true;
  return true;
}

/* A function or variable, with its linkage. */
static bool declaration(struct wb_ptx_parser *parser)
{
  for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) {
    if (wb_ptx_at_directive(parser, linkages[i])) {
      if (!wb_ptx_advance(parser))
        return false;
      break;
    }
  }
  if (wb_ptx_at_directive(parser, ".entry") || wb_ptx_at_directive(parser, ".func"))
    return wb_ptx_function(parser);
  if (wb_ptx_at_state_space(parser))
    return wb_ptx_variables(parser);
  return wb_ptx_expected(parser, "a directive of a module, a function or a variable");
}

static bool old_dwarf(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind != '@')
    return wb_ptx_expected(parser, "@@DWARF");
  return wb_ptx_old_dwarf(parser);
}

static bool module_item(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == '@')
    return old_dwarf(parser);
  if (wb_ptx_at_directive(parser, ".version"))
    return version(parser);
  if (wb_ptx_at_directive(parser, ".target"))
    return target(parser);
  if (wb_ptx_at_directive(parser, ".address_size"))
    return address_size(parser);
  if (wb_ptx_at_directive(parser, ".file"))
    return wb_ptx_file(parser);
  if (wb_ptx_at_directive(parser, ".loc"))
    return wb_ptx_location(parser);
  if (wb_ptx_at_directive(parser, ".nv_intermediate_source_section"))
    return wb_ptx_intermediate_source(parser);
  if (wb_ptx_at_directive(parser, ".section"))
    return wb_ptx_section(parser);
  if (wb_ptx_at_directive(parser, ".pragma"))
    return wb_ptx_pragma(parser);
  if (wb_ptx_at_directive(parser, ".alias"))
    return alias(parser);
  return declaration(parser);
}

bool wb_ptx_module(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_at_directive(parser, ".version"))
    return wb_ptx_expected(parser, ".version at the start of a PTX module");
  if (!version(parser))
    return false;
  if (!wb_ptx_at_directive(parser, ".target"))
    return wb_ptx_expected(parser, ".target after .version");
  while (parser->token.kind != WB_PTX_END)
    if (!module_item(parser))
      return false;
  return true;
}
