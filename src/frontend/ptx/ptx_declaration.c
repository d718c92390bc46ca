/* Variables, parameters and initialisers. What they declare is of no use to the
 * model, but no word of theirs is skipped unread. */
#include "frontend/ptx/ptx_declaration.h"

#include "frontend/ptx/ptx_operand.h"
#include "frontend/ptx/ptx_scanner.h"

#include <stddef.h>

static const char *const state_spaces[] = {
    ".const", ".global", ".local", ".param", ".reg", ".shared", ".sreg", ".surf", ".tex",
};

static const char *const types[] = {
    ".b8",   ".b16",    ".b32",  ".b64",  ".b128",   ".u8",      ".u16",        ".u32", ".u64",
    ".s8",   ".s16",    ".s32",  ".s64",  ".f16",    ".f16x2",   ".f32",        ".f64", ".bf16",
    ".f128", ".bf16x2", ".tf32", ".pred", ".texref", ".surfref", ".samplerref",
};

static const char *const vectors[] = {".v2", ".v4", ".v8"};

/* Whether the next token is one of `count` directives. */
static bool at_one_of(const struct wb_ptx_parser *parser, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (wb_ptx_at_directive(parser, names[i]))
      return true;
  return false;
}

bool wb_ptx_at_state_space(const struct wb_ptx_parser *parser)
{
  return at_one_of(parser, state_spaces, sizeof state_spaces / sizeof *state_spaces);
}

static bool at_type(const struct wb_ptx_parser *parser)
{
  return at_one_of(parser, types, sizeof types / sizeof *types);
}

static bool at_vector(const struct wb_ptx_parser *parser)
{
  return at_one_of(parser, vectors, sizeof vectors / sizeof *vectors);
}

/* `.unified(1, 2)`: two numbers name the function or variable. */
static bool unified(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, '(', "'('") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") && wb_ptx_expect(parser, ',', "','") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") && wb_ptx_expect(parser, ')', "')'");
}

bool wb_ptx_attribute(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, '(', "'('"))
    return false;
  bool more = true;
  while (more) {
    bool read;
    if (wb_ptx_at_directive(parser, ".managed"))
      read = wb_ptx_advance(parser);
    else if (wb_ptx_at_directive(parser, ".unified"))
      read = unified(parser);
    else
      read = wb_ptx_expected(parser, "the attribute .managed or .unified");
    if (!read || !wb_ptx_accept(parser, ',', &more))
      return false;
  }
  return wb_ptx_expect(parser, ')', "',' or ')'");
}

static bool alignment(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "an alignment");
}

/* `.ptr .global .align 16` of a parameter; the alignment is read by the caller. */
static bool pointer(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  return !wb_ptx_at_state_space(parser) || wb_ptx_advance(parser);
}

/* The words between a state space and a name, in any order: type, vector,
 * alignment, attributes. A type there must be. */
static bool type_words(struct wb_ptx_parser *parser, bool parameter)
{
  bool typed = false;
  while (parser->token.kind == WB_PTX_DIRECTIVE) {
    bool read;
    if (at_type(parser)) {
      typed = true;
      read = wb_ptx_advance(parser);
    } else if (at_vector(parser)) {
      read = wb_ptx_advance(parser);
    } else if (wb_ptx_at_directive(parser, ".align")) {
      read = alignment(parser);
    } else if (wb_ptx_at_directive(parser, ".attribute")) {
      read = wb_ptx_attribute(parser);
    } else if (parameter && wb_ptx_at_directive(parser, ".ptr")) {
      read = pointer(parser);
    } else {
      read = wb_ptx_expected(parser, "a type");
    }
    if (!read)
      return false;
  }
  return typed || wb_ptx_expected(parser, "a type");
}

/* `[2][3]`, `[]`. */
static bool dimensions(struct wb_ptx_parser *parser)
{
  while (parser->token.kind == '[') {
    if (!wb_ptx_advance(parser))
      return false;
    if (parser->token.kind != ']' && !wb_ptx_expression(parser, false))
      return false;
    if (!wb_ptx_expect(parser, ']', "']'"))
      return false;
  }
  return true;
}

/* `<10>`: ten variables, numbered from 0. */
static bool name_range(struct wb_ptx_parser *parser)
{
  bool ranged;
  if (!wb_ptx_accept(parser, '<', &ranged))
    return false;
  return !ranged || (wb_ptx_expect(parser, WB_PTX_INTEGER, "a number of variables") &&
                     wb_ptx_expect(parser, '>', "'>'"));
}

static bool variable_name(struct wb_ptx_parser *parser)
{
  struct wb_ptx_symbol *symbol;
  if (parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "the name of a variable");
  if (!wb_ptx_intern(parser, &parser->token, &symbol))
    return false;
  symbol->variable = true;
  return wb_ptx_advance(parser) && name_range(parser) && dimensions(parser);
}

static bool initialiser(struct wb_ptx_parser *parser);

/* One element of a list in braces: an initialiser, or `property = value` of a
 * texture, sampler or surface (which reads as a name that '=' follows). */
static bool initialiser_element(struct wb_ptx_parser *parser)
{
  bool property;
  if (!initialiser(parser) || !wb_ptx_accept(parser, '=', &property))
    return false;
  return !property || wb_ptx_expression(parser, true);
}

static bool initialiser_list(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_enter(parser) || !wb_ptx_advance(parser))
    return false;
  bool more = parser->token.kind != '}';
  while (more)
    if (!initialiser_element(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  wb_ptx_leave(parser);
  return wb_ptx_expect(parser, '}', "',' or '}'");
}

static bool initialiser(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == '{')
    return initialiser_list(parser);
  if (parser->token.kind == WB_PTX_STRING)
    return wb_ptx_advance(parser);
  return wb_ptx_expression(parser, true);
}

static bool declarator(struct wb_ptx_parser *parser)
{
  bool initialised;
  if (!variable_name(parser) || !wb_ptx_accept(parser, '=', &initialised))
    return false;
  return !initialised || initialiser(parser);
}

/* The state space, with the bank that constants had before PTX 2.2: `.const[2]`. */
static bool state_space(struct wb_ptx_parser *parser)
{
  bool banked;
  if (!wb_ptx_advance(parser) || !wb_ptx_accept(parser, '[', &banked))
    return false;
  return !banked || (wb_ptx_expect(parser, WB_PTX_INTEGER, "the number of a bank") &&
                     wb_ptx_expect(parser, ']', "']'"));
}

bool wb_ptx_variables(struct wb_ptx_parser *parser)
{
  if (!state_space(parser) || !type_words(parser, false))
    return false;
  bool more = true;
  while (more)
    if (!declarator(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return wb_ptx_expect(parser, ';', "',' or ';'");
}

static bool parameter(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_at_directive(parser, ".param") && !wb_ptx_at_directive(parser, ".reg"))
    return wb_ptx_expected(parser, "a parameter (.param or .reg)");
  return wb_ptx_advance(parser) && type_words(parser, true) && variable_name(parser);
}

bool wb_ptx_parameters(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_expect(parser, '(', "'('"))
    return false;
  bool more = parser->token.kind != ')';
  while (more)
    if (!parameter(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return wb_ptx_expect(parser, ')', "',' or ')'");
}
