#include "frontend/ptx/ptx_front_end.h"

#include "base/hash.h"
#include "base/memory.h"
#include "frontend/ptx/ptx_parser.h"
#include "model/code.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens and errors ---- */

/* Most bytes of a token that a message quotes. */
#define QUOTED_LENGTH ((size_t)40)

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
  const struct wb_ptx_token *token = &parser->token;
  const size_t shown = token->length > QUOTED_LENGTH ? QUOTED_LENGTH : token->length;
  char found[4 * QUOTED_LENGTH + 8];
  size_t used = 0;
  if (token->length == 0)
    return wb_ptx_error(parser, token, "expected %s, found the end of the file", what);
  for (size_t i = 0; i < shown; i++) { /* a terminal shows each byte and does nothing else */
    const unsigned char byte = (unsigned char)token->text[i];
    if (byte == '\n' || byte == '\r')
      used += (size_t)snprintf(found + used, sizeof found - used, byte == '\n' ? "\\n" : "\\r");
    else
      used += (size_t)snprintf(found + used, sizeof found - used,
                               byte < 0x20 || byte >= 0x7f ? "\\x%02x" : "%c", byte);
  }
  return wb_ptx_error(parser, token, "expected %s, found '%s%s'", what, found,
                      shown < token->length ? "..." : "");
}

bool wb_ptx_advance(struct wb_ptx_parser *parser)
{
  parser->previous_end = parser->token.text + parser->token.length;
  parser->token = wb_ptx_lexer_next(&parser->lexer);
  return parser->token.kind != WB_PTX_INVALID || wb_ptx_expected(parser, parser->lexer.expected);
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

bool wb_ptx_list(struct wb_ptx_parser *parser, bool (*item)(struct wb_ptx_parser *parser))
{
  bool more = true;
  while (more)
    if (!item(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return true;
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

/* ---- names ---- */

#define SYMBOLS_PER_BLOCK ((size_t)128)

/* Levels of the tree that one hash serves: 2 bits a level. */
#define LEVELS_PER_HASH 32

/* Finished, since the tree branches on the highest bits. */
static uint64_t hash_name(const char *text, size_t length, uint64_t seed)
{
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START ^ seed, text, length));
}

static struct wb_ptx_symbol *make_symbol(struct wb_ptx_symbols *symbols, const char *text,
                                         size_t length, uint64_t hash)
{
  if (symbols->block == NULL || symbols->used == SYMBOLS_PER_BLOCK) {
    symbols->block = wb_arena_array(&symbols->blocks, struct wb_ptx_symbol, SYMBOLS_PER_BLOCK);
    symbols->used = 0;
    if (symbols->block == NULL)
      return NULL;
  }
  struct wb_ptx_symbol *symbol = &symbols->block[symbols->used];
  symbol->name = wb_name_pool_copy(symbols->names, text, length);
  symbol->length = length;
  symbol->hash = hash;
  symbols->used += symbol->name != NULL;
  return symbol->name != NULL ? symbol : NULL;
}

/* Where a hash has no bits left, one with another seed goes on: names made to
 * share a hash do not share the next, so that no input makes the tree a list. */
struct wb_ptx_symbol *wb_ptx_symbol(struct wb_ptx_symbols *symbols, const char *text, size_t length)
{
  uint64_t hash = hash_name(text, length, 0);
  uint64_t path = hash;
  struct wb_ptx_symbol **place = &symbols->root;
  for (uint64_t level = 1; *place != NULL; level++) {
    struct wb_ptx_symbol *symbol = *place;
    if (symbol->hash == hash && symbol->length == length && memcmp(symbol->name, text, length) == 0)
      return symbol;
    place = &symbol->child[path >> 62];
    path = level % LEVELS_PER_HASH == 0 ? hash_name(text, length, level) : path << 2;
  }
  *place = make_symbol(symbols, text, length, hash);
  return *place;
}

/* ---- labels ---- */

bool wb_ptx_scope_open(struct wb_ptx_parser *parser)
{
  struct wb_ptx_labels *labels = &parser->labels;
  if (labels->depth == WB_PTX_NESTING_LIMIT)
    return wb_ptx_error(parser, &parser->token, "expected at most %d levels of nesting, found more",
                        WB_PTX_NESTING_LIMIT);
  if (!wb_grow(labels->scopes, &labels->scope_capacity, labels->scope_count + 1))
    return wb_ptx_out_of_memory(parser);
  labels->open[labels->depth] = (uint32_t)labels->scope_count;
  labels->scopes[labels->scope_count++] = (struct wb_ptx_scope){.depth = labels->depth};
  labels->depth++;
  return wb_ptx_expect(parser, '{', "'{'");
}

bool wb_ptx_scope_close(struct wb_ptx_parser *parser)
{
  parser->labels.depth--;
  return wb_ptx_advance(parser);
}

bool wb_ptx_label_add(struct wb_ptx_parser *parser, struct wb_ptx_label label)
{
  struct wb_ptx_labels *labels = &parser->labels;
  if (!wb_grow(labels->labels, &labels->label_capacity, labels->label_count + 1))
    return wb_ptx_out_of_memory(parser);
  label.scope = labels->open[labels->depth - 1];
  label.next = 0;
  labels->labels[labels->label_count++] = label;
  uint32_t added = (uint32_t)labels->label_count;
  struct wb_ptx_scope *scope = &labels->scopes[label.scope];
  if (scope->last_label != 0)
    labels->labels[scope->last_label - 1].next = added;
  else
    scope->first_label = added;
  scope->last_label = added;
  return true;
}

bool wb_ptx_reference_add(struct wb_ptx_parser *parser, struct wb_ptx_reference reference)
{
  struct wb_ptx_labels *labels = &parser->labels;
  if (!wb_grow(labels->references, &labels->reference_capacity, labels->reference_count + 1))
    return wb_ptx_out_of_memory(parser);
  reference.next = 0;
  labels->references[labels->reference_count++] = reference;
  uint32_t added = (uint32_t)labels->reference_count;
  struct wb_ptx_scope *scope = &labels->scopes[labels->open[labels->depth - 1]];
  if (scope->last_reference != 0)
    labels->references[scope->last_reference - 1].next = added;
  else
    scope->first_reference = added;
  scope->last_reference = added;
  return true;
}

/* Makes the labels of a block visible. */
static bool show_labels(struct wb_ptx_parser *parser, uint32_t scope)
{
  struct wb_ptx_labels *labels = &parser->labels;
  for (uint32_t i = labels->scopes[scope].first_label; i != 0; i = labels->labels[i - 1].next) {
    struct wb_ptx_label *label = &labels->labels[i - 1];
    const uint32_t visible = label->symbol->label;
    const struct wb_ptx_token at = {.line = label->line, .column = label->column};
    if (visible != 0 && labels->labels[visible - 1].scope == scope)
      return wb_ptx_error(parser, &at,
                          "expected a new label, found '%.120s', which line %lu defines as well",
                          label->symbol->name, (unsigned long)labels->labels[visible - 1].line);
    label->hidden = visible;
    label->symbol->label = i;
  }
  return true;
}

/* Makes the labels that a block hides visible again. */
static void hide_labels(const struct wb_ptx_labels *labels, uint32_t scope)
{
  for (uint32_t i = labels->scopes[scope].first_label; i != 0; i = labels->labels[i - 1].next)
    labels->labels[i - 1].symbol->label = labels->labels[i - 1].hidden;
}

/* A prototype may also be a variable that holds the addresses of functions. */
static bool resolve_reference(const struct wb_ptx_labels *labels,
                              const struct wb_ptx_reference *reference,
                              struct wb_function *function)
{
  uint32_t visible = reference->symbol->label;
  if (visible == 0)
    return reference->kind == WB_PTX_LABEL_PROTOTYPE && reference->symbol->variable;
  const struct wb_ptx_label *label = &labels->labels[visible - 1];
  if (label->kind != reference->kind)
    return false;
  if (reference->kind == WB_PTX_LABEL_PLACE) {
    function->targets[reference->slot] = label->first;
  } else if (reference->kind == WB_PTX_LABEL_TARGETS) {
    function->instructions[reference->slot].first_target = label->first;
    function->instructions[reference->slot].target_count = label->count;
  }
  return true;
}

/* Resolves the uses of labels in a block. */
static bool resolve_scope(struct wb_ptx_parser *parser, uint32_t scope)
{
  static const char *const kinds[] = {
      [WB_PTX_LABEL_PLACE] = "an instruction",
      [WB_PTX_LABEL_TARGETS] = "a .branchtargets list",
      [WB_PTX_LABEL_PROTOTYPE] = "a .callprototype or .calltargets",
  };
  const struct wb_ptx_labels *labels = &parser->labels;
  uint32_t next;
  for (uint32_t i = labels->scopes[scope].first_reference; i != 0; i = next) {
    const struct wb_ptx_reference *reference = &labels->references[i - 1];
    const struct wb_ptx_token at = {.line = reference->line, .column = reference->column};
    next = reference->next;
    if (!resolve_reference(labels, reference, parser->function))
      return wb_ptx_error(parser, &at, "expected the label of %s, found '%.120s', %s",
                          kinds[reference->kind], reference->symbol->name,
                          reference->symbol->label != 0
                              ? "another label"
                              : "which this function does not define here");
  }
  return true;
}

bool wb_ptx_labels_resolve(struct wb_ptx_parser *parser)
{
  struct wb_ptx_labels *labels = &parser->labels;
  labels->depth = 0;
  for (uint32_t scope = 0; scope < labels->scope_count; scope++) {
    while (labels->depth > labels->scopes[scope].depth)
      hide_labels(labels, labels->open[--labels->depth]);
    labels->open[labels->depth++] = scope;
    if (!show_labels(parser, scope) || !resolve_scope(parser, scope))
      return false;
  }
  while (labels->depth > 0)
    hide_labels(labels, labels->open[--labels->depth]);
  return true;
}

/* ---- modules: their heads, and what stands outside functions ---- */

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

static bool target_name(struct wb_ptx_parser *parser)
{
  return wb_ptx_expect(parser, WB_PTX_WORD, "a target such as sm_52");
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
  return wb_ptx_list(parser, target_name);
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

/* Debug information of old compilers, or a directive of a module, or a function or variable, with
 * its linkage. */
static bool module_item(struct wb_ptx_parser *parser)
{
  static const struct {
    const char *directive;
    bool (*read)(struct wb_ptx_parser *parser);
  } items[] = {
      {".version", version},
      {".target", target},
      {".address_size", address_size},
      {".file", wb_ptx_file},
      {".loc", wb_ptx_location},
      {".nv_intermediate_source_section", wb_ptx_intermediate_source},
      {".section", wb_ptx_section},
      {".pragma", wb_ptx_pragma},
      {".alias", alias},
  };
  if (parser->token.kind == '@') {
    if (!wb_ptx_advance(parser))
      return false;
    return parser->token.kind == '@' ? wb_ptx_old_dwarf(parser)
                                     : wb_ptx_expected(parser, "@@DWARF");
  }
  for (size_t i = 0; i < sizeof items / sizeof *items; i++)
    if (wb_ptx_at_directive(parser, items[i].directive))
      return items[i].read(parser);
  for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) {
    if (!wb_ptx_at_directive(parser, linkages[i]))
      continue;
    if (!wb_ptx_advance(parser))
      return false;
    break;
  }
  if (wb_ptx_at_directive(parser, ".entry") || wb_ptx_at_directive(parser, ".func"))
    return wb_ptx_function(parser);
  if (wb_ptx_at_state_space(parser))
    return wb_ptx_variables(parser);
  return wb_ptx_expected(parser, "a directive of a module, a function or a variable");
}

static bool module(struct wb_ptx_parser *parser)
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

/* ---- the reading ---- */

/* Calls of an alias call the function that it stands for. */
static bool resolve_aliases(struct wb_ptx_parser *parser)
{
  const struct wb_code *code = parser->code;
  for (size_t f = 0; f < code->function_count && parser->aliased; f++) {
    const struct wb_function *function = &code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      struct wb_instruction *instruction = &function->instructions[i];
      if (instruction->callee == NULL)
        continue;
      const struct wb_ptx_symbol *symbol =
          wb_ptx_symbol(&parser->symbols, instruction->callee, strlen(instruction->callee));
      if (symbol == NULL)
        return wb_ptx_out_of_memory(parser);
      if (symbol->alias != NULL)
        instruction->callee = symbol->alias->name;
    }
  }
  return true;
}

static bool parse(struct wb_ptx_parser *parser, const char *name, const char *text, size_t length)
{
  const struct wb_ptx_token start = {.line = 1, .column = 1};
  parser->code->name = wb_copy_text(name, strlen(name));
  if (parser->code->name == NULL)
    return wb_ptx_out_of_memory(parser);
  /* Lines, columns and indices are 32 bits wide. */
  if (length >= UINT32_MAX)
    return wb_ptx_error(parser, &start, "expected less than 4 GiB of PTX, found %zu bytes", length);
  wb_ptx_lexer_start(&parser->lexer, text, length);
  return wb_ptx_advance(parser) && module(parser) && resolve_aliases(parser) &&
         wb_ptx_units_known(parser);
}

warpbound_status wb_ptx_parse(const char *name, const char *text, size_t length,
                              const struct wb_ptx_options *options, struct wb_code *code,
                              warpbound_error *error)
{
  warpbound_error ignored;
  *code = (struct wb_code){0};
  struct wb_ptx_parser parser = {
      .options = options,
      .code = code,
      .error = error != NULL ? error : &ignored,
      .status = WARPBOUND_OK,
      .symbols = {.names = &code->names},
  };
  const bool parsed = parse(&parser, name != NULL ? name : "", text, length);
  free(parser.labels.labels);
  free(parser.labels.references);
  free(parser.labels.scopes);
  wb_arena_free(&parser.symbols.blocks);
  wb_text_free(&parser.opcode);
  wb_text_free(&parser.unknown.names);
  if (!parsed)
    wb_code_free(code);
  assert(!parsed || wb_code_check(code) == NULL);
  return parser.status;
}
