/* Operands and expressions, variables and parameters, debug information. What they declare is of no
 * use to the model, but no word of theirs is skipped unread. */
#include "base/memory.h"
#include "base/text/source_path.h"
#include "frontend/ptx/ptx_parser.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- operands and constant expressions ----
 *
 * Their values are of no use here, so only
 * their form is read; operators are taken from left to right, for precedence does
 * not change what is well formed. */

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
  while (parser->token.kind == WB_PTX_OPERATOR || is_one_of(parser->token.kind, "+-*/%<>&|^"))
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

/* An operand within an address, which is none itself. */
static bool address_part(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == '[')
    return wb_ptx_expected(parser, "an operand");
  return wb_ptx_operand(parser);
}

/* `[a+4]`, `[texture, sampler, {x, y}]`. */
static bool address(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_list(parser, address_part) &&
         wb_ptx_expect(parser, ']', "',' or ']'");
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
  return wb_ptx_list(parser, wb_ptx_operand);
}

/* ---- variables, parameters and initialisers ---- */

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

/* `.managed`, or `.unified(1, 2)`: two numbers name the function or variable. */
static bool attribute(struct wb_ptx_parser *parser)
{
  if (wb_ptx_at_directive(parser, ".managed"))
    return wb_ptx_advance(parser);
  if (!wb_ptx_at_directive(parser, ".unified"))
    return wb_ptx_expected(parser, "the attribute .managed or .unified");
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, '(', "'('") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") && wb_ptx_expect(parser, ',', "','") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") && wb_ptx_expect(parser, ')', "')'");
}

bool wb_ptx_attribute(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, '(', "'('") &&
         wb_ptx_list(parser, attribute) && wb_ptx_expect(parser, ')', "',' or ')'");
}

/* The words between a state space and a name, in any order: type, vector, alignment, attributes,
 * of a parameter also `.ptr .global .align 16`. A type there must be. */
static bool type_words(struct wb_ptx_parser *parser, bool parameter)
{
  bool typed = false;
  while (parser->token.kind == WB_PTX_DIRECTIVE) {
    bool read;
    if (at_one_of(parser, types, sizeof types / sizeof *types)) {
      typed = true;
      read = wb_ptx_advance(parser);
    } else if (at_one_of(parser, vectors, sizeof vectors / sizeof *vectors)) {
      read = wb_ptx_advance(parser);
    } else if (wb_ptx_at_directive(parser, ".align")) {
      read = wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "an alignment");
    } else if (wb_ptx_at_directive(parser, ".attribute")) {
      read = wb_ptx_attribute(parser);
    } else if (parameter && wb_ptx_at_directive(parser, ".ptr")) {
      read = wb_ptx_advance(parser) && (!wb_ptx_at_state_space(parser) || wb_ptx_advance(parser));
    } else {
      read = wb_ptx_expected(parser, "a type");
    }
    if (!read)
      return false;
  }
  return typed || wb_ptx_expected(parser, "a type");
}

/* `a`, `r<10>` (ten variables, numbered from 0), `b[2][3]`, `c[]`. */
static bool variable_name(struct wb_ptx_parser *parser)
{
  struct wb_ptx_symbol *symbol;
  bool ranged;
  if (parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "the name of a variable");
  if (!wb_ptx_intern(parser, &parser->token, &symbol))
    return false;
  symbol->variable = true;
  if (!wb_ptx_advance(parser) || !wb_ptx_accept(parser, '<', &ranged))
    return false;
  if (ranged && (!wb_ptx_expect(parser, WB_PTX_INTEGER, "a number of variables") ||
                 !wb_ptx_expect(parser, '>', "'>'")))
    return false;
  while (parser->token.kind == '[')
    if (!wb_ptx_advance(parser) ||
        (parser->token.kind != ']' && !wb_ptx_expression(parser, false)) ||
        !wb_ptx_expect(parser, ']', "']'"))
      return false;
  return true;
}

static bool initialiser_element(struct wb_ptx_parser *parser);

static bool initialiser(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == WB_PTX_STRING)
    return wb_ptx_advance(parser);
  if (parser->token.kind != '{')
    return wb_ptx_expression(parser, true);
  if (!wb_ptx_enter(parser) || !wb_ptx_advance(parser) ||
      (parser->token.kind != '}' && !wb_ptx_list(parser, initialiser_element)))
    return false;
  wb_ptx_leave(parser);
  return wb_ptx_expect(parser, '}', "',' or '}'");
}

/* One element of a list in braces: an initialiser, or `property = value` of a
 * texture, sampler or surface (which reads as a name that '=' follows). */
static bool initialiser_element(struct wb_ptx_parser *parser)
{
  bool property;
  if (!initialiser(parser) || !wb_ptx_accept(parser, '=', &property))
    return false;
  return !property || wb_ptx_expression(parser, true);
}

static bool variable(struct wb_ptx_parser *parser)
{
  bool initialised;
  if (!variable_name(parser) || !wb_ptx_accept(parser, '=', &initialised))
    return false;
  return !initialised || initialiser(parser);
}

bool wb_ptx_variables(struct wb_ptx_parser *parser)
{
  bool banked; /* the bank that constants had before PTX 2.2: `.const[2]` */
  if (!wb_ptx_advance(parser) || !wb_ptx_accept(parser, '[', &banked))
    return false;
  if (banked && (!wb_ptx_expect(parser, WB_PTX_INTEGER, "the number of a bank") ||
                 !wb_ptx_expect(parser, ']', "']'")))
    return false;
  return type_words(parser, false) && wb_ptx_list(parser, variable) &&
         wb_ptx_expect(parser, ';', "',' or ';'");
}

static bool parameter(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_at_directive(parser, ".param") && !wb_ptx_at_directive(parser, ".reg"))
    return wb_ptx_expected(parser, "a parameter (.param or .reg)");
  return wb_ptx_advance(parser) && type_words(parser, true) && variable_name(parser);
}

bool wb_ptx_parameters(struct wb_ptx_parser *parser)
{
  return wb_ptx_expect(parser, '(', "'('") &&
         (parser->token.kind == ')' || wb_ptx_list(parser, parameter)) &&
         wb_ptx_expect(parser, ')', "',' or ')'");
}

/* ---- debug information: where instructions come from, and sections of DWARF data ---- */

/* A number that PTX can hold. */
static bool small_number(struct wb_ptx_parser *parser, const char *what, uint32_t *number)
{
  if (parser->token.kind == WB_PTX_INTEGER && parser->token.value > UINT32_MAX)
    return wb_ptx_error(parser, &parser->token, "expected %s up to 4294967295, found more", what);
  *number = (uint32_t)parser->token.value;
  return wb_ptx_expect(parser, WB_PTX_INTEGER, what);
}

/* The index of a file number in code->files. A .file may come after the .loc
 * that use its number, so the first use makes the place, under a stand-in name. */
static bool file_index(struct wb_ptx_parser *parser, uint32_t number, uint32_t *index)
{
  char name[24];
  int digits = snprintf(name, sizeof name, "%lu", (unsigned long)number);
  struct wb_ptx_symbol *symbol = wb_ptx_symbol(&parser->symbols, name, (size_t)digits);
  if (symbol == NULL)
    return wb_ptx_out_of_memory(parser);
  if (symbol->file == 0) {
    struct wb_code *code = parser->code;
    bool grown = wb_grow(code->files, &parser->file_capacity, code->file_count + 1);
    int length = snprintf(name, sizeof name, "file %lu", (unsigned long)number);
    const char *copy = wb_name_pool_copy(parser->symbols.names, name, (size_t)length);
    if (!grown || copy == NULL)
      return wb_ptx_out_of_memory(parser);
    code->files[code->file_count++] = copy;
    symbol->file = (uint32_t)code->file_count;
  }
  *index = symbol->file - 1;
  return true;
}

bool wb_ptx_file(struct wb_ptx_parser *parser)
{
  uint32_t number = 0;
  uint32_t index = 0;
  if (!wb_ptx_advance(parser) || !small_number(parser, "the number of a file", &number) ||
      !file_index(parser, number, &index))
    return false;
  if (parser->token.kind == WB_PTX_STRING) {
    const char *path = parser->token.text + 1;
    const size_t length = parser->token.length - 2;
    const size_t start = wb_source_path_start(path, length);
    const char *name = wb_name_pool_copy(parser->symbols.names, path + start, length - start);
    if (name == NULL)
      return wb_ptx_out_of_memory(parser);
    parser->code->files[index] = name;
  }
  if (!wb_ptx_expect(parser, WB_PTX_STRING, "the name of a file"))
    return false;
  bool more; /* a time stamp and a size may follow */
  for (int i = 0; i < 2; i++) {
    if (!wb_ptx_accept(parser, ',', &more))
      return false;
    if (!more)
      return true;
    if (!wb_ptx_expect(parser, WB_PTX_INTEGER, "a number"))
      return false;
  }
  return true;
}

/* The words after a comma of .loc: `function_name LABEL`, `inlined_at 1 2 3`. */
static bool location_word(struct wb_ptx_parser *parser)
{
  bool more;
  if (wb_ptx_token_is(&parser->token, "function_name")) {
    if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, WB_PTX_WORD, "a label") ||
        !wb_ptx_accept(parser, '+', &more))
      return false;
    return !more || wb_ptx_expect(parser, WB_PTX_INTEGER, "a number");
  }
  if (wb_ptx_token_is(&parser->token, "inlined_at"))
    return wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "a file number") &&
           wb_ptx_expect(parser, WB_PTX_INTEGER, "a line") &&
           wb_ptx_expect(parser, WB_PTX_INTEGER, "a column");
  return wb_ptx_expected(parser, "function_name or inlined_at");
}

bool wb_ptx_location(struct wb_ptx_parser *parser)
{
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t index = 0;
  bool more;
  if (!wb_ptx_advance(parser) || !small_number(parser, "the number of a file", &file) ||
      !small_number(parser, "a line", &line) ||
      !wb_ptx_expect(parser, WB_PTX_INTEGER, "a column") || !file_index(parser, file, &index))
    return false;
  parser->source_file = index + 1;
  parser->source_line = line;
  return wb_ptx_accept(parser, ',', &more) && (!more || wb_ptx_list(parser, location_word));
}

bool wb_ptx_intermediate_location(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "the number of a file") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a line") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a column");
}

/* `.code_block { .ir_name: "x" .sourceFileName: 2 .source_begin ... .source_end }`: the text of
 * another language ends where a line says so. */
static bool code_block(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_at_directive(parser, ".code_block"))
    return wb_ptx_expected(parser, ".code_block or '}'");
  if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}') {
    bool read;
    if (wb_ptx_at_directive(parser, ".ir_name")) {
      read = wb_ptx_advance(parser) && wb_ptx_expect(parser, ':', "':'") &&
             wb_ptx_expect(parser, WB_PTX_STRING, "a string");
    } else if (wb_ptx_at_directive(parser, ".sourceFileName")) {
      read = wb_ptx_advance(parser) && wb_ptx_expect(parser, ':', "':'") &&
             wb_ptx_expect(parser, WB_PTX_INTEGER, "the number of a file");
    } else if (wb_ptx_at_directive(parser, ".source_begin")) {
      wb_ptx_lexer_skip_to(&parser->lexer, ".source_end");
      read = wb_ptx_advance(parser) &&
             (wb_ptx_at_directive(parser, ".source_end") || wb_ptx_expected(parser, ".source_end"));
      read = read && wb_ptx_advance(parser);
    } else {
      read = wb_ptx_expected(parser, ".ir_name, .sourceFileName, .source_begin or '}'");
    }
    if (!read)
      return false;
  }
  return wb_ptx_advance(parser);
}

bool wb_ptx_intermediate_source(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}')
    if (!code_block(parser))
      return false;
  return wb_ptx_advance(parser);
}

/* One datum: a number, a label, a section, or one of these plus or minus another. */
static bool datum(struct wb_ptx_parser *parser)
{
  bool more;
  if (!wb_ptx_accept(parser, '-', &more))
    return false;
  do {
    int kind = parser->token.kind;
    if (kind != WB_PTX_INTEGER && kind != WB_PTX_WORD && kind != WB_PTX_DIRECTIVE)
      return wb_ptx_expected(parser, "a number, a label or a section");
    if (!wb_ptx_advance(parser))
      return false;
    more = parser->token.kind == '+' || parser->token.kind == '-';
    if (more && !wb_ptx_advance(parser))
      return false;
  } while (more);
  return true;
}

/* `.b8 1, 2`, or a label. */
static bool section_line(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == WB_PTX_WORD)
    return wb_ptx_advance(parser) && wb_ptx_expect(parser, ':', "':'");
  if (wb_ptx_at_directive(parser, ".b8") || wb_ptx_at_directive(parser, ".b16") ||
      wb_ptx_at_directive(parser, ".b32") || wb_ptx_at_directive(parser, ".b64"))
    return wb_ptx_advance(parser) && wb_ptx_list(parser, datum);
  return wb_ptx_expected(parser, "debug data (.b8, .b16, .b32, .b64), a label or '}'");
}

bool wb_ptx_section(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind != WB_PTX_DIRECTIVE && parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "the name of a section");
  if (!wb_ptx_advance(parser))
    return false;
  /* A name may have several dots. */
  while (parser->token.kind == WB_PTX_DIRECTIVE && parser->token.text == parser->previous_end)
    if (!wb_ptx_advance(parser))
      return false;
  if (!wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}')
    if (!section_line(parser))
      return false;
  return wb_ptx_advance(parser);
}

/* A word of `.section .debug_info, "", @progbits` after the directive. */
static bool old_section_word(struct wb_ptx_parser *parser)
{
  bool marked;
  if (!wb_ptx_accept(parser, '@', &marked))
    return false;
  int kind = parser->token.kind;
  if (kind != WB_PTX_DIRECTIVE && kind != WB_PTX_STRING && kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "a section, a string or a flag");
  return wb_ptx_advance(parser);
}

bool wb_ptx_old_dwarf(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (!wb_ptx_token_is(&parser->token, "DWARF"))
    return wb_ptx_expected(parser, "DWARF");
  if (!wb_ptx_advance(parser))
    return false;
  if (wb_ptx_at_directive(parser, ".section"))
    return wb_ptx_advance(parser) && wb_ptx_list(parser, old_section_word);
  if (wb_ptx_at_directive(parser, ".byte") || wb_ptx_at_directive(parser, ".2byte") ||
      wb_ptx_at_directive(parser, ".4byte") || wb_ptx_at_directive(parser, ".quad"))
    return wb_ptx_advance(parser) && wb_ptx_list(parser, datum);
  return wb_ptx_expected(parser, ".section, .byte, .4byte or .quad");
}
